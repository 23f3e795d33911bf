"""kinemorph: robot descriptions, their kinematic loops kept.

    import kinemorph as km
    robot = km.load("robot.urdf")
    q = robot.close({"joint1": 0.3})
    poses = robot.link_poses(q)
    robot.convert("mjcf", verify=True).save("robot.xml")
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Sequence, Union

from . import _kinemorph as _core
from ._conversion import Conversion, ConversionRefused, Report, Verdict, verdict_of
from ._elements import Axis, Coupling, Frame, Geometry, Joint, Link, Named
from ._errors import (
    ClosureError,
    Diagnostic,
    KinemorphError,
    Quantity,
    ReadError,
    UsageError,
    diagnostics_of,
    words,
)
from ._files import read_bytes, read_text
from ._options import options_json
from ._robot import PathLike, Robot
from ._trajectory import Trajectory, simulate

__version__ = _core.version
__all__ = [
    "Axis", "BatchResult", "ClosureError", "Conversion", "ConversionRefused", "Coupling", "Diagnostic", "Frame",
    "Geometry", "Joint", "KinemorphError", "Link", "Named", "Quantity", "ReadError", "Report", "Robot",
    "Trajectory", "UsageError", "Verdict", "batch", "check", "diff", "explain", "formats", "lint", "load", "loads",
    "simulate", "verify",
]

Description = Union[Robot, PathLike]
"""A robot, or the path of one."""


def load(path: PathLike, *, format: str = "", packages: Mapping[str, PathLike] = {},  # noqa: A002
         package_path: Sequence[PathLike] = (), xacro_args: Mapping[str, Any] = {}, xacro: bool = True,
         with_: PathLike | Sequence[PathLike] | None = None, allow_outside: bool = False, env: bool = True) -> Robot:
    """The robot in a file: URDF, URDF+, SDFormat, MJCF, Robotran MBS, or .xacro of these.

    ``format``: where its content does not tell: "urdf", "urdf+", "sdf", "mjcf", "mbs", "usda". ``packages``:
    folder by name of a package:// or model:// address; ``package_path``: folders that hold packages
    (ROS_PACKAGE_PATH and the like are looked through too). ``xacro_args``: arguments of a .xacro file.
    ``with_``: side-cars, as submechanisms.yml of HyRoDyn or robot.yaml of Gepetto; "frames": links whose
    names say that they close a loop; None: one that stands beside the file is read;
    () or "none": none is. ``allow_outside``: files outside of the robot's folder and its packages may be opened.
    ``env``: False: no environment variable is looked at, neither for packages nor by $(env NAME) of a .xacro file.

    Raises ReadError, whose ``diagnostics`` hold file, line and code of each message."""
    side_cars = []
    for name in [with_] if isinstance(with_, (str, os.PathLike)) else with_ or ():
        if name == "none":
            continue
        if name == "frames":
            side_cars.append((name, ""))
            continue
        try:
            side_cars.append((os.fspath(name), read_text(name)))
        except OSError as error:
            message = f"'{os.fspath(name)}' cannot be read: {error.strerror}"
            said = Diagnostic("error", "file-unreadable", os.fspath(name), 0, "", message)
            raise ReadError(str(said), [said]) from None
    return _load(os.fspath(path), None, format, side_cars, with_ is None,
                 {name: os.fspath(folder) for name, folder in packages.items()},
                 [os.fspath(folder) for folder in package_path],
                 {name: _xacro_word(value) for name, value in xacro_args.items()}, xacro, allow_outside, env)


def loads(text: str | bytes, *, name: str = "<text>", format: str = "",  # noqa: A002
          files: Mapping[str, str | bytes] = {}, with_: Mapping[str, str] = {}) -> Robot:
    """The robot in a text called ``name``. No disk is touched: ``files`` are those that it names, and
    ``with_`` its side-cars, by name. Raises ReadError."""
    content = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    others = {key: value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
              for key, value in files.items()}
    return _loads(content, name, others, format, list(with_.items()))


def _xacro_word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _load(path: str, text: bytes | None, *how: Any) -> Robot:
    xacro = how[6] and path.endswith(".xacro")
    core, messages = _core.read_file(path, text, *how)
    if core is not None and text is None:
        text = read_bytes(path) if xacro else core.text
    return _robot(core, messages, (_load, (path, text, *how)))


def _loads(text: bytes, name: str, files: dict[str, bytes], format: str,  # noqa: A002
           with_: list[tuple[str, str]]) -> Robot:
    core, messages = _core.read_text(text, name, files, format, with_)
    return _robot(core, messages, (_loads, (text, name, files, format, with_)))


def _robot(core: _core.Description | None, messages: str, how: Any) -> Robot:
    diagnostics = diagnostics_of(messages)
    if core is None:
        raise ReadError(words(diagnostics, "cannot be read"), diagnostics)
    return Robot(core, how, diagnostics)


def _taken(robot: Description) -> Robot:
    return robot if isinstance(robot, Robot) else load(robot)


def check(robot: Description, to: str, **options: Any) -> Report:
    """What ``robot.convert(to, **options)`` would lose: false where nothing. Writes nothing."""
    return _taken(robot).check(to, **options)


def verify(a: Description, b: Description, *, report: Report | None = None, **options: Any) -> Verdict:  # keywords: verify
    """Whether two descriptions, in any formats, are the same mechanism: the truth value of what comes back.

    ``report``: of the conversion that made b, whose losses are accepted. Raises ReadError, UsageError."""
    accepted = [f"{loss['feature']} {loss['element']}" for loss in report.losses] if report else []
    try:
        said, differences, messages = _core.compare(_taken(a)._core, _taken(b)._core, options_json("verify", options),
                                                    accepted)
    except ValueError as error:
        if isinstance(error, KinemorphError):
            raise
        raise UsageError(str(error)) from None
    return verdict_of(json.loads(said), tuple(differences), messages)


def diff(a: Description, b: Description, **options: Any) -> list[str]:
    """What differs between two descriptions, a line each with values; empty where nothing does. Options
    as for ``verify``."""
    return list(verify(a, b, **options).differences)


def lint(robot: Description) -> tuple[Diagnostic, ...]:
    """What a colleague would point at in a description: units, placeholders, locked joints, loops that
    cannot work."""
    return _taken(robot).lint()


def formats() -> dict[str, Any]:
    """Formats with their extensions and versions, and what each of them can hold."""
    return dict(json.loads(_core.formats()))


def explain(code: str) -> dict[str, str]:
    """What a code of a message means: code, meaning, example, remedy, area, why, ignore. Raises UsageError."""
    for entry in json.loads(_core.codes()):
        if entry["code"] == code:
            return dict(entry)
    raise UsageError(f"there is no code '{code}'")


@dataclass(frozen=True)
class BatchResult:
    """One file of a batch."""

    source: Path
    out: Path | None
    """What was written; None where nothing was."""
    report: Report | None
    error: KinemorphError | None
    """ReadError or ConversionRefused; None where it was written."""

    def __bool__(self) -> bool:
        return self.error is None


def batch(source: PathLike, out: PathLike, to: str, *, jobs: int | None = None,
          patterns: Sequence[str] = ("*.urdf", "*.sdf", "*.world", "*.xml", "*.mjcf", "*.mbs", "*.xacro"),
          all_models: bool = False, **options: Any) -> list[BatchResult]:
    """Converts the descriptions below a folder, ``jobs`` at once, to files of the same names below
    ``out``; options as for ``Robot.convert``. Runs in threads of this process, which hold no lock while
    they work: for a hundred thousand files, limits of time and memory, and journals that can be resumed
    there is the command ``kinemorph batch``. Files that are no description are passed over; of files that
    differ in the extension alone the whole names are kept. ``all_models``: of a world with several models
    each goes to a file of its name, in a folder of the world's.

    Returns what became of each file, in the order of their names; nothing of one file stops the others."""
    folder, target = Path(source), Path(out)
    if not folder.is_dir():
        raise UsageError(f"'{folder}' is no folder")
    name = to.split("@")[0]
    extensions = {entry["name"]: entry["extensions"][0] for entry in formats()["formats"]}
    if name not in extensions:
        raise UsageError(f"'{to}' is none of " + ", ".join(extensions))
    files = sorted({file for pattern in patterns for file in folder.rglob(pattern) if file.is_file()})
    files = [file for file in files if target.resolve() not in file.resolve().parents]
    plain = Counter(str(file.with_suffix("")).lower() for file in files)  # some systems know no capital letters
    taken: set[str] = set()

    def aim_of(file: Path) -> Path:
        stem = file.with_suffix("") if plain[str(file.with_suffix("")).lower()] == 1 else file
        return _free(target / stem.relative_to(folder).with_name(stem.name + extensions[name]), taken)

    aim_by_file = {file: aim_of(file) for file in files}

    def one(file: Path) -> list[BatchResult]:
        try:
            robot = load(file)
        except ReadError as error:
            foreign = any(item.code in ("format-unknown", "not-mjcf") for item in error.diagnostics)
            return [] if foreign else [BatchResult(file, None, None, error)]
        aim = aim_by_file[file]
        models = robot.models if all_models else []
        aims = _files_of(models, aim) if len(models) > 1 else {"": aim}
        return [converted(file, robot, place, model) for model, place in aims.items()]

    def converted(file: Path, robot: Robot, aim: Path, model: str) -> BatchResult:
        how = {**options, "model": model} if model else options
        try:
            done = robot.convert(to, out=str(aim.absolute()), **how)
            return BatchResult(file, done.save(aim), done.report, None)
        except KinemorphError as error:
            return BatchResult(file, None, getattr(error, "report", None), error)
        except OSError as error:
            return BatchResult(file, None, None, KinemorphError(f"'{aim}' cannot be written: {error.strerror}"))

    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        return [result for results in pool.map(one, files) for result in results]


def _files_of(models: Sequence[str], aim: Path) -> dict[str, Path]:
    """A file for each model of a world, as ``kinemorph batch --all-models`` calls them."""
    files: dict[str, Path] = {}
    taken: set[str] = set()
    for model in models:
        plain = re.sub(r"[^A-Za-z0-9_.-]", "_", model)
        stem = "_" + plain if plain[:1] in ("", ".") else plain
        files[model] = _free(aim.with_suffix("") / (stem + aim.suffix), taken)
    return files


def _free(place: Path, taken: set[str]) -> Path:
    """A name that no other has, whatever the size of its letters; numbered where it must be."""
    free, i = place, 2
    while str(free).lower() in taken:
        free, i = place.with_name(f"{place.stem}_{i}{place.suffix}"), i + 1
    taken.add(str(free).lower())
    return free


for _item in (ClosureError, ConversionRefused, KinemorphError, ReadError, UsageError):
    _item.__module__ = __name__  # what a traceback calls them
