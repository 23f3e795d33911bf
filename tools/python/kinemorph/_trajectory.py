"""A robot in motion."""

from __future__ import annotations

import csv
import io
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _kinemorph as _core
from ._errors import ClosureError, Diagnostic, KinemorphError, UsageError, diagnostics_of, errors_in, words
from ._files import read_text, write_files
from ._numbers import floats, number

if TYPE_CHECKING:
    from ._described import Described

Assignments = Union[Mapping[str, Union[float, str]], Sequence[str]]


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


def _texts(values: Assignments) -> list[str]:
    if isinstance(values, str):
        return [values]
    if isinstance(values, Mapping):
        return [f"{name}={value if isinstance(value, str) else repr(number(value, name))}" for name, value in values.items()]
    return list(values)


def _take_controller(controller: Any, request: _core.MotionRequest) -> None:
    if isinstance(controller, (str, os.PathLike)):
        request.controller = read_text(controller)
        request.controller_name = os.fspath(controller)
        return
    whole = controller if isinstance(controller, Mapping) else {"controllers": list(controller)}
    request.controller, request.controller_name = json.dumps(whole), "<controller>"


def simulate(robot: Described, time: float, *, set: Assignments = (), rate: Assignments = (),  # noqa: A002
             hold: Sequence[str] = (), armature: Assignments = (), contact: Sequence[str] = (),
             friction: float | None = None, ground: float = 0, gravity: Sequence[float] | None = None,
             base: str | None = None, controller: Any = None, method: str = "embedding", step: float = 0,
             rtol: float = 1e-8, eps: float = 0.05, rows: float = 0, max_rows: int = 1_000_000) -> Trajectory:
    """A robot in motion for ``time`` (s), its loops closed, as ``kinemorph simulate`` does it.

    ``set``, ``rate``: positions and velocities at the start, {"joint1": 0.3} (rad, m) or
    ["joint1=20deg"]. ``hold``: joints that stand still. ``armature``: {"joint1": 0.01} (kg m^2, kg).
    ``contact``: point feet, "LINK:X,Y,Z" (m), on a ``ground`` at that height (m) with ``friction``.
    ``gravity``: (x, y, z) in m/s^2. ``base``: "auto", "fixed", "floating". ``controller``: a file, or what
    stands in it. ``method``: "embedding", or "spf" with ``eps`` (s). ``step``: fixed steps (s), else
    chosen by ``rtol``. ``rows``: time between samples (s).

    Raises ClosureError where the loops cannot be closed around the start, UsageError for a name or value
    that makes no sense, KinemorphError where the motion ends before its time."""
    time = number(time, "time")
    if not (time > 0 and np.isfinite(time)):
        raise UsageError(f"time {time} is no positive number of seconds")
    request = _core.MotionRequest()
    request.time, request.step, request.rtol = time, number(step, "step"), number(rtol, "rtol")
    request.eps, request.rows, request.ground = number(eps, "eps"), number(rows, "rows"), number(ground, "ground")
    request.set, request.rate, request.armature = _texts(set), _texts(rate), _texts(armature)
    request.hold, request.contact = list(hold), list(contact)
    if friction is not None:
        request.friction = number(friction, "friction")
    if gravity is not None:
        request.gravity = floats(gravity, "gravity")
    why = request.take_method(method) or ("" if base is None else request.take_base(base))
    if why:
        raise UsageError(why)
    if controller is not None:
        _take_controller(controller, request)
    table, summary, messages = robot._core.simulate(request, max_rows)
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
