"""A robot in motion."""

from __future__ import annotations

import csv
import io
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ._errors import ClosureError, Diagnostic, KinemorphError, UsageError, diagnostics_of, errors_in, words
from ._files import read_text, write_files
from ._options import options_json

if TYPE_CHECKING:
    from ._described import Described


@dataclass(frozen=True)
class Trajectory:
    """Samples of a motion. A mapping from the columns of ``kinemorph simulate`` to arrays (n):
    ``trajectory["q.elbow"]``; ``t``, ``q``, ``v``, ``tau`` are whole arrays."""

    data: Mapping[str, Any] = field(repr=False)
    """By column: t (s), q.JOINT (rad, m), v.JOINT, tau.JOINT (N m, N), phi, energy (J), phase, and by
    foot height.LINK (m), force.LINK.x .y .z (N)."""
    q: NDArray[np.float64] = field(repr=False)
    """(n, nq): positions in the order of ``coordinate_names``."""
    v: NDArray[np.float64] = field(repr=False)
    """(n, nv): velocities."""
    tau: NDArray[np.float64] = field(repr=False)
    """(n, nv): forces of the controllers."""
    summary: Mapping[str, Any] = field(repr=False)
    """What ``--summary`` writes: errors, energy, what feet needed."""
    csv: str = field(repr=False)
    """The table as text."""
    diagnostics: tuple[Diagnostic, ...] = field(repr=False)

    @property
    def t(self) -> NDArray[np.float64]:
        """(n): times (s)."""
        return np.asarray(self.data["t"])

    @property
    def events(self) -> list[dict[str, Any]]:
        """Touch-downs, lift-offs, joints that pass their limits."""
        return list(self.summary["events"])

    def __getitem__(self, column: str) -> Any:
        return self.data[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def keys(self) -> Sequence[str]:
        """Names of the columns: ``pandas.DataFrame(dict(trajectory))`` is a table of them."""
        return list(self.data)

    def __repr__(self) -> str:
        return f"<Trajectory: {len(self.t)} samples, {self.t[0]:g} to {self.t[-1]:g} s>"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the table as CSV."""
        target = Path(path)
        write_files({target: self.csv.encode("utf-8")})
        return target


def _controllers(given: Any) -> tuple[str, str]:
    """What stands in a file of controllers, and its name."""
    if isinstance(given, (str, os.PathLike)):
        return read_text(given), os.fspath(given)
    whole = given if isinstance(given, Mapping) else {"controllers": list(given)}
    return json.dumps(whole), "<controller>"


def simulate(robot: Described, time: float, *, controller: Any = None, **options: Any) -> Trajectory:  # keywords: simulate
    """A robot in motion for ``time`` (s), its loops closed, as ``kinemorph simulate`` does it.

    Values of joints: {"joint1": 0.3} (rad, m), or texts with units: {"joint1": "20deg"}, ["joint1=20deg"].
    ``controller``: a file that says which forces drive the joints, or what stands in it.

    Raises ClosureError where the loops cannot be closed around the start, UsageError for a name or value
    that makes no sense, KinemorphError where the motion ends before its time."""
    forces, name = ("", "") if controller is None else _controllers(controller)
    asked = options_json("simulate", {**options, "time": time, "controller": forces})
    try:
        table, summary, messages = robot._core.simulate(asked, name)
    except ValueError as error:
        raise UsageError(str(error)) from None
    diagnostics = diagnostics_of(messages)
    errors = errors_in(diagnostics)
    if errors:
        open_ones = ("simulate-open", "simulate-set", "simulate-rate", "simulate-singular")
        wrong = ("simulate-joint", "simulate-link", "simulate-controller", "armature-wrong")
        kind = ClosureError if errors[0].code in open_ones else UsageError if errors[0].code in wrong else KinemorphError
        raise kind(words(diagnostics, "cannot be simulated"), diagnostics)
    text = io.StringIO(table, newline="")
    columns = next(csv.reader(text))  # a joint's name may hold commas and ends of lines
    numbers = [i for i, name in enumerate(columns) if name != "phase"]
    rows_of = text.read()
    values = np.loadtxt(io.StringIO(rows_of), delimiter=",", usecols=numbers, ndmin=2)
    data: dict[str, Any] = {columns[place]: values[:, i] for i, place in enumerate(numbers)}
    if "phase" in columns:
        place = columns.index("phase")
        data["phase"] = np.array([line.split(",")[place] for line in rows_of.splitlines()])

    def block(kind: str) -> NDArray[np.float64]:
        wanted = [i for i, c in enumerate(numbers) if columns[c].startswith(kind + ".")]
        return np.ascontiguousarray(values[:, wanted])

    return Trajectory(data, block("q"), block("v"), block("tau"), json.loads(summary), table, diagnostics)
