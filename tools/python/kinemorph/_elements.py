"""What a description is made of: links, frames, joints, loops, couplings, and mappings by their names."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Generic, Iterable, Iterator, Mapping, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Item = TypeVar("Item")


class Named(Mapping[str, Item], Generic[Item]):
    """A mapping by name, in the order of the file. A name that is not there is a KeyError that says
    which one is near. Items without a name, and those that repeat one, are called "#1", "NAME#2"."""

    def __init__(self, what: str, items: Iterable[tuple[str, Item]]) -> None:
        self._what = what
        self._items: dict[str, Item] = {}
        for number, (name, item) in enumerate(items, 1):
            key = name if name and name not in self._items else f"{name}#{number}"
            self._items[key] = item

    def __getitem__(self, name: str) -> Item:
        try:
            return self._items[name]
        except KeyError:
            near = get_close_matches(str(name), self._items, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise KeyError(f"there is no {self._what} '{name}'{hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, self._items))}}}"


@dataclass(frozen=True)
class Link:
    """A rigid body. Mass properties are None where the author wrote none."""

    name: str
    mass: float | None
    """kg."""
    center_of_mass: tuple[float, float, float] | None
    """From the link's origin, in its axes (m)."""
    inertia: Array | None = field(repr=False, compare=False)
    """(3, 3) about the centre of mass, in axes of the link (kg m^2)."""
    file: str = field(default="", repr=False)
    line: int = field(default=0, repr=False)


@dataclass(frozen=True)
class Frame:
    """A frame, site or point that a file names, fixed in a link: it has a pose, and no mass."""

    name: str
    type: str
    """"frame" of SDFormat, "site" of MJCF, "point" of MBS."""
    link: str
    """That it moves with; "world"."""
    pose_in_link: Array = field(repr=False, compare=False)
    """(4, 4) in the link (m)."""
    file: str = field(default="", repr=False)
    line: int = field(default=0, repr=False)


@dataclass(frozen=True)
class Axis:
    """One coordinate of a joint. None: not written. rad, m and their derivatives, N m, N."""

    axis: tuple[float, float, float] | None
    """Unit vector in the joint frame; None for ball and free joints."""
    lower: float | None
    upper: float | None
    effort: float | None
    velocity: float | None
    damping: float | None
    friction: float | None
    stiffness: float | None
    """Of its spring."""
    armature: float | None
    numbers: Mapping[str, float] = field(repr=False, compare=False)
    """All that is written of it, by the names of ``kinemorph dump``: "lower", "jerk", "spring_reference" ..."""


@dataclass(frozen=True)
class Joint:
    """A joint from ``parent`` to ``child``: of the tree, or one that closes a loop."""

    name: str
    type: str
    """"fixed", "revolute", "prismatic", "screw", "universal", "ball", "planar", "cylindrical" or "free"."""
    parent: str
    child: str
    parent_frame: Array = field(repr=False, compare=False)
    """(4, 4) pose of the joint frame in the parent link."""
    child_frame: Array = field(repr=False, compare=False)
    """(4, 4) pose of the joint frame in the child link."""
    axes: tuple[Axis, ...] = field(repr=False)
    declared_independent: bool | None = field(repr=False)
    """What the author says of its coordinates; None: nothing."""
    implicit: bool = field(repr=False)
    """No file names it: it frees the base of an SDFormat model."""
    file: str = field(default="", repr=False)
    line: int = field(default=0, repr=False)


@dataclass(frozen=True)
class Coupling:
    """sum over terms of c1 x + c2 x^2 + c3 x^3 + c4 x^4 = constant, x a coordinate (rad, m)."""

    name: str
    form: str
    """"mimic", "ratio", "gearbox", "polynomial", "tendon" or "user"."""
    terms: tuple[tuple[str, tuple[float, float, float, float]], ...]
    """Coordinate by name, and c1 .. c4."""
    constant: float
    file: str = field(default="", repr=False)
    line: int = field(default=0, repr=False)


@dataclass(frozen=True)
class Geometry:
    """A shape as it stands in the world: what a viewer draws."""

    link: str
    name: str
    role: str
    """"visual" or "collision"."""
    type: str
    """"box", "sphere", "cylinder", "capsule", "cone", "ellipsoid", "plane", "mesh", "polyline"."""
    pose: Array = field(repr=False, compare=False)
    """(4, 4) in the world."""
    pose_in_link: Array = field(repr=False, compare=False)
    """(4, 4) in the link."""
    size: Mapping[str, Any]
    """By type: ``size`` of a box (m), ``radius`` and ``length`` of a cylinder, ``uri`` and ``scale`` of a mesh ..."""
    color: tuple[float, float, float, float] | None
    """Red, green, blue, alpha from 0 to 1."""
    file: str | None
    """Of a mesh: where it was found; None: nowhere."""


def links_of(items: Iterable[dict[str, Any]]) -> Named[Link]:
    return Named("link", ((item["name"], Link(**item)) for item in items))


def frames_of(items: Iterable[dict[str, Any]]) -> Named[Frame]:
    return Named("frame", ((item["name"], Frame(**item)) for item in items))


def axis_of(item: dict[str, Any]) -> Axis:
    numbers = item["numbers"]
    keys = ("lower", "upper", "effort", "velocity", "damping", "friction", "armature")
    return Axis(axis=item["axis"], stiffness=numbers.get("spring_stiffness"), numbers=numbers,
                **{key: numbers.get(key) for key in keys})


def joints_of(items: Iterable[dict[str, Any]], what: str) -> Named[Joint]:
    def made(item: dict[str, Any]) -> Joint:
        axes = tuple(map(axis_of, item["axes"]))
        return Joint(axes=axes, **{key: value for key, value in item.items() if key != "axes"})

    return Named(what, ((item["name"], made(item)) for item in items))


def couplings_of(items: Iterable[dict[str, Any]]) -> Named[Coupling]:
    def made(item: dict[str, Any]) -> Coupling:
        return Coupling(terms=tuple(item["terms"]), **{key: value for key, value in item.items() if key != "terms"})

    return Named("coupling", ((item["name"], made(item)) for item in items))
