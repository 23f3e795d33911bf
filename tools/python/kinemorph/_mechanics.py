"""Where a robot stands and how it moves."""

from __future__ import annotations

from typing import Any, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from ._described import Described
from ._elements import Array, Frame
from ._errors import ClosureError, Diagnostic, KinemorphError, UsageError
from ._numbers import floats, number
from ._trajectory import Trajectory, simulate

Values = Union[Mapping[str, Any], ArrayLike, None]
"""A state: an array, or values by name; None is the closed posture nearest to zero, or zero."""
Place = Union[str, Frame]
"""A link, frame or site by name; where a link and a frame have one name, the link. Or one of ``frames``."""


class Moved(Described):
    """The part of a Robot that computes."""

    # -- where it stands

    def close(self, values: Mapping[str, Any] | ArrayLike, *, start: ArrayLike | None = None) -> Array:
        """States with the loops closed around given coordinates.

        ``values``: by coordinate name, numbers or arrays of one length n (rad, m); or an array: of the
        independent coordinates, (m) or (n, m), or of all of them, (nq) or (n, nq), of which the
        independent ones are kept. A coordinate that is not given stays where it is, as far as the
        loops allow: in a sweep of one motor give the others too, and they hold or it raises. The way goes step by step from ``start`` (nq; default: the closed posture nearest
        to zero), each state from the one before, so that the branch stays; a parallelogram that
        stands flat goes on as one, unless ``start`` is already crossed.

        Returns (nq), or (n, nq) for several states. Raises ClosureError where the loops cannot follow:
        ``row`` says at which state, ``reached`` holds those before it; UsageError for a name that is
        not there or a wrong shape."""
        places, rows, several = self._targets(values)
        begin = self._core.assembled() if start is None else self._sized(start, self.nq, "start")
        if start is None and not isinstance(values, Mapping) and rows.shape[1] == self.nq and len(rows):
            begin = self._near(rows[0])
        if not isinstance(values, Mapping) and rows.shape[1] == self.nq:
            rows = rows[:, places]
        closed, why = self._core.close(begin, places, rows)
        if why:
            row = len(closed) if several else None
            where = f"state {row}: " if several else ""
            error = ClosureError(where + why, [Diagnostic("error", "simulate-set", self.file, 0, "", why)])
            error.row, error.reached = row, np.asarray(closed)
            raise error
        return np.asarray(closed if several else closed[0])

    def _near(self, q: Array) -> Array:
        """q with the numbers of its quaternions: a start that may stand open."""
        if not np.isfinite(q).all():
            raise UsageError("q holds numbers that are not finite")
        return q

    def _targets(self, values: Mapping[str, Any] | ArrayLike) -> tuple[list[int], Array, bool]:
        """Indices of coordinates, (n, len) values, and whether several states were asked for."""
        free = [i for i, entry in enumerate(self._coordinates) if entry[4]]
        if isinstance(values, Mapping):
            unknown = [name for name in values if name not in self._place]
            if unknown:
                raise UsageError(self._no_coordinate(str(unknown[0])))
            try:
                columns = np.broadcast_arrays(*(floats(value, str(name)) for name, value in values.items()))
            except ValueError as error:
                if isinstance(error, UsageError):
                    raise
                raise UsageError("the arrays of values have different lengths") from None
            if any(column.ndim > 1 for column in columns):
                raise UsageError("values by name are numbers or arrays of one dimension")
            several = bool(columns) and columns[0].ndim == 1
            rows = np.stack([column.reshape(-1) for column in columns], 1) if columns else np.zeros((1, 0))
            return [self._place[name] for name in values], rows, several
        rows = floats(values, "values")
        several = rows.ndim == 2
        if rows.ndim not in (1, 2) or rows.shape[-1] not in (len(free), self.nq):
            raise UsageError(f"the array has the shape {rows.shape}; (m) or (n, m) is wanted, where m is "
                             f"{len(free)} for the independent coordinates, {self.nq} for all of them")
        return free, np.ascontiguousarray(np.atleast_2d(rows)), several

    def _q(self, q: Values) -> Array:
        if q is None:
            return np.asarray(self._core.assembled())
        if isinstance(q, Mapping):
            return self._sized(self.close(q), self.nq, "q")
        return self._sized(q, self.nq, "q")

    def _states(self, q: Values) -> tuple[Array, bool]:
        """(n, nq), and whether several states were given."""
        if q is None or isinstance(q, Mapping):
            array = self.q0 if q is None else self.close(q)
        else:
            array = floats(q, "q")
        if array.ndim not in (1, 2) or array.shape[-1] != self.nq:
            raise UsageError(f"q has the shape {array.shape}; ({self.nq},) or (n, {self.nq}) is wanted")
        return np.ascontiguousarray(np.atleast_2d(array)), array.ndim == 2

    def _v(self, q: Array, v: Values) -> Array:
        if v is None:
            return np.zeros(self.nv)
        if isinstance(v, Mapping):
            return self.velocity(q, v)
        return self._sized(v, self.nv, "v")

    def residual(self, q: Values = None) -> Any:
        """Largest closure error (m, rad; lengths over the robot's size): a number, or (n) for q (n, nq)."""
        states, several = self._states(q)
        found = np.asarray(self._core.residuals(states))
        return found if several else float(found[0])

    def link_poses(self, q: Values = None) -> Array:
        """(links, 4, 4): poses of the links in the world, in the order of ``links`` (m); for q
        (n, nq) the shape is (n, links, 4, 4)."""
        return self._poses(q)[..., : len(self.links), :, :]

    def link_pose(self, link: str, q: Values = None) -> Array:
        """(4, 4), or (n, 4, 4): pose of one link in the world (m)."""
        return np.asarray(self.link_poses(q)[..., self._link(link), :, :])

    def frame_poses(self, q: Values = None) -> Array:
        """(frames, 4, 4), or (n, frames, 4, 4): poses of the frames and sites in the world, in the order of
        ``frames`` (m)."""
        return self._poses(q)[..., len(self.links) :, :, :]

    def pose(self, link: Place, q: Values = None) -> Array:
        """(4, 4), or (n, 4, 4): pose of a link, frame or site in the world (m)."""
        return np.asarray(self._poses(q)[..., self._place_of(link), :, :])

    def _poses(self, q: Values) -> Array:
        """Of links, then of frames."""
        states, several = self._states(q)
        poses: Array = np.asarray(self._core.poses(states)).reshape(len(states), -1, 4, 4)
        return poses if several else np.asarray(poses[0])

    def jacobian(self, link: Place, q: Values = None, *, frame: str = "world",
                 point: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """(6, nv): J with [omega; v] = J v of a link, frame or site, in axes of the world (``frame`` "world")
        or in its own ("body"), as if the loops were open. With them closed, ``J @ G``. v is the velocity of
        its origin, or of the ``point`` (3) of it, given in its axes (m)."""
        if frame not in ("world", "body"):
            raise UsageError(f"frame: '{frame}' is none of world, body")
        at = self._sized(point, 3, "point")
        return np.asarray(self._core.jacobian(self._q(q), self._place_of(link), at, frame == "body"))

    def point_position(self, link: Place, point: ArrayLike, q: Values = None) -> Array:
        """(3), or (n, 3): where a ``point`` (3; m) of a link, frame or site, given in its axes, is in the world
        (m)."""
        at = self._sized(point, 3, "point")
        poses = self.pose(link, q)
        return np.asarray(poses[..., :3, :3] @ at + poses[..., :3, 3])

    def point_velocity(self, link: Place, point: ArrayLike, q: Values = None, v: Values = None) -> Array:
        """(3): how fast that point moves, in axes of the world (m/s)."""
        at = self._q(q)
        return np.asarray(self.point_jacobian(link, point, at) @ self._v(at, v))

    def point_jacobian(self, link: Place, point: ArrayLike, q: Values = None) -> Array:
        """(3, nv): J with J v the velocity of that point in axes of the world, as if the loops were open;
        that of the independent coordinates is ``J @ G``."""
        return np.asarray(self.jacobian(link, q, point=point)[3:])

    def center_of_mass(self, q: Values = None) -> Array:
        """(3), or (n, 3): of all links, in the world (m). Raises KinemorphError where nothing has mass."""
        states, several = self._states(q)
        self._weighs()
        found = np.asarray(self._core.mass_centres(states))
        return found if several else np.asarray(found[0])

    def center_of_mass_jacobian(self, q: Values = None) -> Array:
        """(3, nv): J with J v the velocity of the centre of mass in axes of the world, as if the loops were
        open; that of the independent coordinates is ``J @ G``."""
        self._weighs()
        return np.asarray(self._core.mass_centre(self._q(q))[1])

    def _weighs(self) -> None:
        if self.mass == 0:
            raise KinemorphError(f"'{self.name}' has no mass, and so no centre of it")

    def constraint(self, q: Values = None) -> Array:
        """(rows): phi of loops and couplings (m, rad), zero where they are closed."""
        at = self._q(q)
        return np.asarray(self._core.constraints(at, np.zeros(self.nv))[0])

    def constraint_jacobian(self, q: Values = None) -> Array:
        """(rows, nv): K with dphi/dt = K v; rows as ``constraint_names``."""
        at = self._q(q)
        return np.asarray(self._core.constraints(at, np.zeros(self.nv))[1])

    def constraint_bias(self, q: Values = None, v: Values = None) -> Array:
        """(rows): k of K qdd = k."""
        at = self._q(q)
        return np.asarray(self._core.constraints(at, self._v(at, v))[2])

    def explicit_constraint(self, q: Values = None, v: Values = None) -> tuple[Array, Array]:
        """G (nv, mobility) and g (nv): v = G yd and qdd = G ydd + g, where y are the coordinates
        of ``independent_names``. Raises ClosureError where they do not determine the rest."""
        at = self._q(q)
        G, g, why = self._core.explicit(at, self._v(at, v))
        if why:
            raise self._singular(why)
        return np.asarray(G), np.asarray(g)

    def velocity(self, q: Values, rates: Mapping[str, float] | ArrayLike) -> Array:
        """(nv): velocities that the loops allow, from those of ``independent_names``: by name (the rest
        is zero) or (mobility). Raises ClosureError at a singular posture."""
        G, _ = self.explicit_constraint(q)
        if isinstance(rates, Mapping):
            unknown = [name for name in rates if name not in self.independent_names]
            if unknown:
                raise UsageError(f"'{unknown[0]}' is no independent velocity; these are: "
                                 + ", ".join(self.independent_names))
            independent = np.array([number(rates.get(name, 0), name) for name in self.independent_names])
        else:
            independent = self._sized(rates, len(self.independent_names), "rates")
        return np.asarray(G @ independent)

    def integrate(self, q: Values, v: Values, dt: float) -> Array:
        """(nq): q moved by v for dt (s), the loops ignored; quaternions stay unit."""
        at = self._q(q)
        return np.asarray(self._core.integrate(at, self._v(at, v), number(dt, "dt")))

    # -- how it moves

    def mass_matrix(self, q: Values = None) -> Array:
        """(nv, nv): M of the spanning tree, armature included (kg m^2, kg m, kg). That of the
        independent coordinates is ``G.T @ M @ G``."""
        return np.asarray(self._core.mass_matrix(self._q(q)))

    def bias(self, q: Values = None, v: Values = None, *, gravity: ArrayLike | None = None) -> Array:
        """(nv): Coriolis, centrifugal and gravity forces of the spanning tree (N m, N); without v those of
        gravity alone. ``gravity`` (3; m/s^2, world axes): in place of the robot's."""
        at = self._q(q)
        return np.asarray(self._core.bias(at, self._v(at, v), self._gravity(gravity)))

    def passive_forces(self, q: Values = None, v: Values = None) -> Array:
        """(nv): springs and viscous damping of the joints (N m, N); not Coulomb friction."""
        at = self._q(q)
        return np.asarray(self._core.passive_forces(at, self._v(at, v)))

    def energy(self, q: Values = None, v: Values = None, *, gravity: ArrayLike | None = None) -> tuple[float, float]:
        """Kinetic energy, and potential energy of gravity (J), zero with every centre of mass at the origin of
        the world. ``gravity`` as of ``bias``."""
        at = self._q(q)
        return self._core.energy(at, self._v(at, v), self._gravity(gravity))

    def forward_dynamics(self, q: Values = None, v: Values = None, tau: Values = None, *,
                         gravity: ArrayLike | None = None) -> Array:
        """(nv): accelerations at a closed state, under forces tau (nv, or by name; N m, N) and the
        passive forces: M qdd + bias = tau + passive + K^T lambda, K qdd = k. ``gravity`` as of ``bias``.

        Raises ClosureError where the loops are not closed or do not determine the motion, KinemorphError
        where a motion meets no inertia."""
        at = self._q(q)
        qdd, why = self._core.forward_dynamics(at, self._v(at, v), self._forces(tau), self._gravity(gravity))
        if why:
            raise self._singular(why)
        return np.asarray(qdd)

    def inverse_dynamics(self, q: Values = None, v: Values = None, qdd: Values = None, *,
                         gravity: ArrayLike | None = None) -> Array:
        """(nv): forces on the independent coordinates, zero on the others, that give qdd (nv; None: zero)
        at a closed state; the inverse of ``forward_dynamics`` (N m, N). ``gravity`` as of ``bias``."""
        at = self._q(q)
        rates = np.zeros(self.nv) if qdd is None else self._forces(qdd, "qdd")
        tau, why = self._core.inverse_dynamics(at, self._v(at, v), rates, self._gravity(gravity))
        if why:
            raise self._singular(why)
        return np.asarray(tau)

    def _gravity(self, gravity: ArrayLike | None) -> Array | None:
        return None if gravity is None else self._sized(gravity, 3, "gravity")

    def _forces(self, values: Values, what: str = "tau") -> Array:
        if values is None:
            return np.zeros(self.nv)
        if not isinstance(values, Mapping):
            return self._sized(values, self.nv, what)
        forces = np.zeros(self.nv)
        for name, value in values.items():
            if name not in self.velocity_names:
                raise UsageError(self._no_coordinate(name))
            forces[self.velocity_names.index(name)] = number(value, name)
        return forces

    def _singular(self, why: str) -> KinemorphError:
        kind = KinemorphError if why.startswith(("singular mass", "not finite")) else ClosureError
        return kind(f"'{self.name}': {why}", [Diagnostic("error", "simulate-singular", self.file, 0, "", why)])

    def simulate(self, time: float, *, controller: Any = None, **options: Any) -> Trajectory:  # keywords: simulate
        """The robot in motion for ``time`` (s), its loops closed, as ``kinemorph.simulate`` says."""
        return simulate(self, time, controller=controller, **options)
