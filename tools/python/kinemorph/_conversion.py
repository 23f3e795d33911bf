"""What came of a conversion, and of a comparison."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping

from ._errors import Diagnostic, KinemorphError, diagnostics_of
from ._files import read_bytes, write_files


@dataclass(frozen=True)
class Report:
    """What a conversion loses and changes. True where anything is lost."""

    data: Mapping[str, Any] = field(repr=False)
    """As ``--loss-report FILE.json`` writes it: losses, lowerings, names, frames ..."""
    markdown: str = field(repr=False)
    """The same as a page."""
    screen: str = field(repr=False)
    """The same as the command prints it."""
    diagnostics: tuple[Diagnostic, ...] = field(repr=False)
    """All messages, a warning of code ``loss-FEATURE`` for each loss."""

    @property
    def losses(self) -> list[dict[str, Any]]:
        """Each with feature, element, weight ("motion", "interface", "looks"), file, line ..."""
        return list(self.data["losses"])

    def __bool__(self) -> bool:
        return bool(self.data["losses"])

    def __len__(self) -> int:
        return len(self.data["losses"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.losses)

    def __str__(self) -> str:
        return self.screen

    def __repr__(self) -> str:
        return f"<Report: {len(self)} losses>"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes it: Markdown where the name ends in .md, else JSON."""
        import json

        target = Path(path)
        text = self.markdown if target.suffix == ".md" else json.dumps(self.data, indent=1) + "\n"
        write_files({target: text.encode("utf-8")})
        return target


@dataclass(frozen=True)
class Verdict:
    """Whether two descriptions are the same mechanism: its truth value."""

    data: Mapping[str, Any] = field(repr=False)
    """As ``kinemorph verify --json`` prints it."""
    differences: tuple[str, ...] = field(repr=False)
    """What differs, a line each; empty where nothing does."""
    diagnostics: tuple[Diagnostic, ...] = field(repr=False)

    @property
    def equivalent(self) -> bool:
        """No difference but those that were allowed."""
        return bool(self.data["equivalent"])

    @property
    def verdict(self) -> str:
        """"equivalent", "except", "not proved" or "different"."""
        return str(self.data["verdict"])

    @property
    def line(self) -> str:
        """"equivalent", "equivalent except: ...", "NOT equivalent: ..."."""
        return str(self.data["line"])

    @property
    def checks(self) -> list[dict[str, Any]]:
        """Each with what, max_error, tolerance, worst, excepted."""
        return list(self.data["checks"])

    @property
    def exceptions(self) -> list[dict[str, Any]]:
        """What differs and is nobody's mistake: each with feature, weight, subjects."""
        return list(self.data["exceptions"])

    def __bool__(self) -> bool:
        return self.equivalent

    def __str__(self) -> str:
        return self.line

    def __repr__(self) -> str:
        return f"<Verdict: {self.line}>"


class ConversionRefused(KinemorphError):
    """Nothing was written: the description has errors, the proof failed, or ``strict`` forbids a
    loss. ``report`` holds the losses, ``proof`` the comparison where there was one."""

    report: Report | None = None
    proof: Verdict | None = None


@dataclass(frozen=True)
class Conversion:
    """A description in another format. ``str`` gives its text."""

    text: str = field(repr=False)
    """Of the file. Bytes that are no UTF-8 are surrogates, which ``save`` writes as they were."""
    files: Mapping[str, str] = field(repr=False)
    """What must stand beside it, by name."""
    assets: Mapping[str, bytes] = field(repr=False)
    """Meshes and textures by the names that ``text`` has for them, where ``copy_assets`` asks for that."""
    format: str
    """With its version: "sdf@1.9"."""
    source: Mapping[str, Any] = field(repr=False)
    """What was read: format, name, links, joints, loops, couplings."""
    target: Mapping[str, Any] = field(repr=False)
    """What was written, likewise."""
    report: Report
    proof: Verdict | None
    """With ``verify``: the comparison of the text, read back, with the robot."""
    _read: tuple[str, ...] = field(repr=False, compare=False)
    _again: Callable[..., Conversion] = field(repr=False, compare=False)
    _options: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All messages."""
        return self.report.diagnostics

    def __str__(self) -> str:
        return self.text

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the file, what must stand beside it, and its assets. Names of meshes are made
        relative to the file's folder, so that they are found from there. Never over what was read.

        Returns the path. Raises OSError, and KinemorphError where a file would be one that was read."""
        target = Path(path)
        options = dict(self._options)
        if not self.assets and options.get("out") != str(target.absolute()):
            options["out"] = str(target.absolute())
            return self._again(**options)._write(target)
        return self._write(target)

    def _place(self, name: str) -> str:
        """Where an asset goes, seen from the file: its name, but for ``mesh_uri``."""
        prefix = str(self._options.get("mesh_uri", "")).rstrip("/") + "/"
        folder = self._options["copy_assets"]
        return name if prefix == "/" else os.path.join("" if folder is True else str(folder), name[len(prefix):])

    def _write(self, target: Path) -> Path:
        beside = {target: self.text.encode("utf-8", "surrogateescape")}
        for name, text in self.files.items():
            beside[target.parent / name] = text.encode("utf-8", "surrogateescape")
        for name, content in self.assets.items():
            place = target.parent / self._place(name)
            if os.path.realpath(place) in {os.path.realpath(other) for other in beside}:
                raise KinemorphError(f"'{place}' would be written twice: name the file otherwise")
            beside[place] = content
        read = {os.path.realpath(name) for name in self._read}
        for file, content in beside.items():
            if os.path.realpath(file) in read and read_bytes(file) != content:
                raise KinemorphError(f"'{file}' was read: it would be overwritten")
        write_files(beside)
        return target


def report_of(json: Mapping[str, Any], markdown: str, screen: str) -> Report:
    return Report(json["report"], markdown, screen, diagnostics_of(json["messages"]))


def verdict_of(json: Mapping[str, Any], differences: tuple[str, ...] = (), messages: str = "[]") -> Verdict:
    return Verdict(json, differences, diagnostics_of(messages))
