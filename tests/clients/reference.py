"""What a robot is and does, by the source and kinemorph's exact dynamics: what the clients' answers are held against."""

import collections

import numpy as np

import kinemorph


FADING = 0.01  # rad/s, m/s, below which the friction of `simulate` fades (SIMULATE.md): what it holds creeps
MOST_MOVED = 40  # velocities; a larger robot is compared over a millisecond only


class Reference:
    """``links``: name -> mass (kg), centre of mass at the start and at ``look`` (m), its acceleration from rest (m/s^2), ``way``:
    how far it goes from the start (m). ``visuals``: link -> how many; ``floats``: its base is free; ``postures``: joint of one coordinate ->
    value, at the start and at ``look``; ``blur``: how far friction that fades, or loops that are soft in the source, let a link slide (m).

    ``look`` (s): the end of the motion, or the last moment before a joint passes its limit, which this dynamics does not know."""

    def __init__(self, robot: kinemorph.Robot, time: float) -> None:
        self.mobility = robot.inspect()["mobility"]
        self.floats = any(joint.type == "free" and joint.parent == "world" for joint in robot.joints.values())
        q = robot.q0
        try:
            qdd = robot.forward_dynamics(q) if robot.nv else np.zeros(0)
        except kinemorph.KinemorphError:
            qdd = None  # a singular posture, or links without mass: where links stand is compared all the same
        self.look, end, path = 0.0, q, [robot.link_poses(q)]
        self.starts_within_limits = True
        self.postures = [{}, {}]
        self.visuals = collections.Counter(shape.link for shape in robot.scene() if shape.role == "visual")
        self.moves = robot.nv > 0 and qdd is not None
        try:
            time = time if robot.nv <= MOST_MOVED else 1e-3
            motion = robot.simulate(time, rows=time / 200) if self.moves else None
        except kinemorph.KinemorphError:  # no posture closes its loops
            self.moves = False
        if self.moves:
            row, self.starts_within_limits = last_within_limits(robot, motion)
            self.look, end = float(motion["t"][row]), motion.q[row]
            self.postures = [{joint: float(motion["q." + joint][i]) for joint in robot.joints if "q." + joint in motion} for i in (0, row)]
            path = [robot.link_poses(motion.q[i]) for i in range(row + 1)]
        start_poses, end_poses = robot.link_poses(q), robot.link_poses(end)
        rub = {name for name, joint in robot.joints.items() if any(axis.friction for axis in joint.axes)}
        rubbing = [name.split(".")[0] in rub for name in robot.velocity_names]
        self.blur = max(FADING * self.look * float(np.abs(robot.jacobian(name, end)[3:, rubbing]).sum(axis=1).max(initial=0))
                        for name in robot.links)
        self.links = {}
        for i, (name, link) in enumerate(robot.links.items()):
            if link.mass is None:
                continue
            centre = np.array(link.center_of_mass or (0, 0, 0))
            start = start_poses[i] @ np.append(centre, 1)
            twist = robot.jacobian(name, q) @ qdd if self.moves else np.zeros(6)
            acceleration = twist[3:] + np.cross(twist[:3], start_poses[i][:3, :3] @ centre)  # from rest: no v x v
            self.links[name] = {"mass": link.mass, "start": start[:3], "acceleration": None if qdd is None else acceleration,
                                "end": (end_poses[i] @ np.append(centre, 1))[:3],
                                "way": max(float(np.linalg.norm((poses[i] @ np.append(centre, 1) - start)[:3])) for poses in path)}

    def take(self, own):
        """What a program makes of the source itself, whose loops may be soft there."""
        self.mobility = own["mobility"]
        self.blur += own["gap"] or 0
        for name in self.links.keys() & own["links"].keys():
            self.links[name] |= own["links"][name]


def last_within_limits(robot, motion):
    """Index of the last row before which no joint of one coordinate, and no loop joint of the file, was beyond a limit; whether the
    first row is within the limits of positions."""
    row, starts = len(motion["t"]) - 1, True
    for name, joint in robot.joints.items():
        if len(joint.axes) != 1 or "q." + name not in motion:
            continue
        q, axis = motion["q." + name], joint.axes[0]
        lower = -np.inf if axis.lower is None else axis.lower - 1e-6
        upper = np.inf if axis.upper is None else axis.upper + 1e-6
        fastest = np.inf if axis.velocity is None else axis.velocity  # which dartsim obeys
        starts = starts and lower <= q[0] <= upper
        beyond = np.flatnonzero((q < lower) | (q > upper) | (np.abs(np.gradient(q, motion["t"])) > fastest))
        if len(beyond):
            row = min(row, max(0, int(beyond[0]) - 1))
    return row, starts
