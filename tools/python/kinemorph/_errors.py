"""What can go wrong, and the messages that say so."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Iterable, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray


class Quantity(NamedTuple):
    """A number that a message is about, in full: the message may round it."""

    name: str
    """E.g. "gap"."""
    value: float
    unit: str = ""
    """E.g. "kg m^2"; empty where it has none, or several (m and rad)."""


@dataclass(frozen=True)
class Diagnostic:
    """One message. ``str`` gives it as the command prints it."""

    severity: str
    """"note", "warning" or "error"."""
    code: str
    """Stable, kebab-case: ``kinemorph explain CODE`` says what it means."""
    file: str
    """As the user named it; empty when not from a file."""
    line: int
    """From 1; 0: no place in the file."""
    element: str
    """E.g. "robot/joint[knee]/child"; may be empty."""
    message: str
    """Subject in quotes first, then what is wrong."""
    notes: tuple[str, ...] = ()
    """What else helps, e.g. "did you mean 'shank_l'?"."""
    subject: str = ""
    """How ``message`` begins, e.g. "joint 'knee'"; empty where it has no subject of its own."""
    suggestion: str = ""
    """The name that was probably meant, e.g. "shank_l"; empty where none is near."""
    quantities: tuple[Quantity, ...] = ()
    """The numbers of ``message``, e.g. Quantity("mass", 20000.0, "kg")."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        notes = "".join(f"\n  {note}" for note in self.notes)
        return f"{place}{self.severity}: {self.message} [{self.code}]{notes}"


def diagnostics_of(messages: str | Iterable[dict[str, Any]]) -> tuple[Diagnostic, ...]:
    """Messages of the library, which gives JSON."""
    items = json.loads(messages) if isinstance(messages, str) else messages
    return tuple(
        Diagnostic(
            item["severity"],
            item["code"],
            item.get("file", ""),
            item.get("line", 0),
            item.get("element", ""),
            item["message"],
            tuple(item.get("notes", ())),
            item.get("subject", ""),
            item.get("suggestion", ""),
            tuple(Quantity(name, **number) for name, number in item.get("quantities", {}).items()),
        )
        for item in items
    )


def errors_in(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Those that are errors."""
    return [item for item in diagnostics if item.severity == "error"]


class KinemorphError(Exception):
    """Base of all errors of this package. ``diagnostics`` holds every message, warnings too."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: type[KinemorphError], args: tuple[Any, ...], state: dict[str, Any]) -> KinemorphError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class UsageError(KinemorphError, ValueError):
    """An argument that makes no sense: a name that is not there, an array of the wrong shape."""


class ReadError(KinemorphError):
    """A description that cannot be read: ``diagnostics`` say where and why."""


class ClosureError(KinemorphError):
    """The loops cannot be closed there, or stand where they determine no motion."""

    row: int | None = None
    """Of several states the one that failed, from 0."""
    reached: NDArray[np.float64] | None = None
    """The states before it, (row, nq)."""


def words(diagnostics: Iterable[Diagnostic], otherwise: str) -> str:
    """The errors as text."""
    return "\n".join(str(item) for item in errors_in(diagnostics)) or otherwise
