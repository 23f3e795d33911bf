"""What a robot is made of, and the order of its arrays."""

from __future__ import annotations

import json
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _kinemorph as _core
from ._elements import Array, Coupling, Frame, Joint, Link, Named, couplings_of, frames_of, joints_of, links_of
from ._errors import Diagnostic, UsageError, diagnostics_of, words
from ._numbers import floats
from ._options import options_json


class Described:
    """The part of a Robot that says what it is."""

    def __init__(self, core: _core.Description, how: tuple[Callable[..., Any], tuple[Any, ...]],
                 diagnostics: tuple[Diagnostic, ...]) -> None:
        self._core = core
        self._how = how
        self.diagnostics = diagnostics
        """Messages of reading."""

    def __reduce__(self) -> tuple[Any, ...]:
        return self._how

    def __repr__(self) -> str:
        facts = self.inspect()
        counts = f"{facts['links']} links, {facts['joints']} joints, {facts['loops']} loops"
        return f"<Robot '{self.name}': {self.format}, {counts}, mobility {facts['mobility']}>"

    # -- what it is

    @property
    def name(self) -> str:
        """Of the model; may be empty."""
        return self._core.name

    @property
    def format(self) -> str:
        """That it was read from: "urdf", "urdf+", "sdf", "mjcf", "mbs"."""
        return self._core.format

    @property
    def file(self) -> str:
        """The name that it was read by."""
        return self._core.file

    @property
    def text(self) -> str:
        """As it was read; of a .xacro file what that stands for."""
        return self._core.text.decode("utf-8", "surrogateescape")

    @property
    def read(self) -> tuple[str, ...]:
        """Every file that was read, its own first."""
        return tuple(self._core.read)

    @cached_property
    def links(self) -> Named[Link]:
        """Links by name, in the order of the file: that of ``link_poses``. Not the world."""
        return links_of(self._core.links())

    @cached_property
    def frames(self) -> Named[Frame]:
        """Frames, sites and points that the file names, in its order: that of ``frame_poses``."""
        return frames_of(self._core.frames())

    @cached_property
    def joints(self) -> Named[Joint]:
        """Joints of the tree by name, those without coordinates too."""
        return joints_of(self._core.joints()[0], "joint")

    @cached_property
    def loops(self) -> Named[Joint]:
        """Joints that close loops, by name."""
        return joints_of(self._core.joints()[1], "loop")

    @cached_property
    def couplings(self) -> Named[Coupling]:
        """Mimics, gears and other couplings by name."""
        return couplings_of(self._core.couplings())

    def inspect(self, **options: Any) -> dict[str, Any]:  # keywords: inspect
        """What ``kinemorph inspect --json`` prints.

        Raises UsageError where there are no such joints."""
        try:
            found = json.loads(self._core.inspection(options_json("inspect", options)))
        except ValueError as error:
            raise UsageError(str(error)) from None
        if "name" not in found:
            messages = diagnostics_of(found["diagnostics"])
            raise UsageError(words(messages, "cannot be inspected so"), messages)
        return dict(found)

    @cached_property
    def mobility(self) -> int:
        """Degrees of freedom with the loops closed: as many as ``independent_names``."""
        return int(self.inspect()["mobility"])

    @cached_property
    def _coordinates(self) -> list[tuple[str, str, bool, bool, bool, float, float]]:
        return self._core.coordinates()

    @cached_property
    def _velocities(self) -> list[tuple[str, str, bool, bool]]:
        return self._core.velocities()

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.coordinate_names)}

    @property
    def nq(self) -> int:
        """Number of positions."""
        return len(self._coordinates)

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return len(self._velocities)

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """Of q: the joint's name, "wrist.0", "wrist.1" where it has several."""
        return tuple(entry[0] for entry in self._coordinates)

    @cached_property
    def velocity_names(self) -> tuple[str, ...]:
        """Of v, likewise. Equal to ``coordinate_names`` where no joint is ball or free."""
        return tuple(entry[0] for entry in self._velocities)

    @cached_property
    def independent_names(self) -> tuple[str, ...]:
        """Velocities that the loops leave free, as declared or as chosen: the columns of G."""
        return tuple(entry[0] for entry in self._velocities if entry[3])

    @cached_property
    def passive_names(self) -> tuple[str, ...]:
        """The other velocities: they follow from the independent ones."""
        return tuple(entry[0] for entry in self._velocities if not entry[3])

    @cached_property
    def constraint_names(self) -> tuple[str, ...]:
        """Rows of ``constraint_jacobian``: "loop1.vx" ..."""
        return tuple(self._core.rows())

    @cached_property
    def limits(self) -> Array:
        """(nq, 2): lower and upper limit (rad, m), infinite where there is none."""
        return np.array([entry[5:] for entry in self._coordinates], float).reshape(-1, 2)

    @property
    def gravity(self) -> Array:
        """(3): acceleration of gravity in the world (m/s^2), as the file says; without a word of it (0, 0, -9.81)."""
        return np.asarray(self._core.gravity())

    @cached_property
    def mass(self) -> float:
        """Of all links (kg)."""
        return self._core.mass_centre(self.q0)[0]

    @property
    def q0(self) -> Array:
        """(nq): the closed posture nearest to zero."""
        return np.asarray(self._core.assembled())

    def named(self, q: ArrayLike) -> dict[str, Any]:
        """Values of q (..., nq) by coordinate: numbers, or arrays of several states."""
        values = floats(q, "q")
        if values.ndim == 0 or values.shape[-1] != self.nq:
            raise UsageError(f"q has the shape {values.shape}; (..., {self.nq}) is wanted")
        return {name: values[..., i] if values.ndim > 1 else float(values[i])
                for i, name in enumerate(self.coordinate_names)}

    def _no_coordinate(self, name: str) -> str:
        near = get_close_matches(name, self.coordinate_names, 1)
        return f"there is no coordinate '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")

    def _sized(self, values: ArrayLike, size: int, name: str) -> Array:
        array = floats(values, name)
        if array.shape != (size,):
            raise UsageError(f"{name} has the shape {array.shape}; ({size},) is wanted")
        return array

    def _link(self, name: str) -> int:
        try:
            self.links[name]
        except KeyError as error:
            raise UsageError(str(error.args[0])) from None
        return list(self.links).index(name)

    def _place_of(self, name: str | Frame) -> int:
        """Index among the links and, behind them, the frames."""
        if isinstance(name, Frame):
            if name not in self.frames.values():
                raise UsageError(f"the frame '{name.name}' is of another robot")
            return len(self.links) + list(self.frames.values()).index(name)
        if name in self.links:
            return self._link(name)
        if name in self.frames:
            return len(self.links) + list(self.frames).index(name)
        near = get_close_matches(name, [*self.links, *self.frames], 1)
        raise UsageError(f"there is no link or frame '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
