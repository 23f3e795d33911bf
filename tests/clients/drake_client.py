"""What Drake makes of a file: one job a line on standard input, one answer a line on standard output (README.md)."""

import logging
import re
import xml.etree.ElementTree as xml
from importlib.metadata import version

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import BodyIndex, JacobianWrtVariable, MultibodyForces
from pydrake.systems.analysis import Simulator

from client import serve

logging.getLogger("drake").setLevel(logging.ERROR)
STEP = 1e-3  # s, of the discrete plant: the default of Drake's own examples


def loops_of(file):
    """What closes loops, as the file says: Drake tells no more than their number."""
    text = re.sub(r"(</?)drake:", r"\1", open(file, encoding="utf-8").read())
    points, couplings = [], []

    def said(element, name):
        child = element.find(name)
        return child.get("name") or child.get("value") or (child.text or "").strip()

    for parent in xml.fromstring(text).iter():
        for element in parent:
            if element.tag == "ball_constraint":
                ends = [(said(element, "ball_constraint_body_" + body),
                         [float(x) for x in said(element, "ball_constraint_p_" + point).split()])
                        for body, point in (("A", "AP"), ("B", "BQ"))]
                points.append(ends)
            elif element.tag == "mimic" and element.get("joint"):
                couplings.append({parent.get("name"): 1.0, element.get("joint"): -float(element.get("multiplier", 1))})
            elif element.tag == "tendon_constraint":
                couplings.append({joint.get("name"): float(joint.get("a") or said(joint, "a"))
                                  for joint in element if joint.tag == "tendon_constraint_joint"})
    return points, couplings


class Plant:
    def __init__(self, file, step=STEP):
        self.plant = MultibodyPlant(step)
        self.plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        Parser(self.plant).AddModels(file)
        self.plant.Finalize()
        self.simulator = Simulator(self.plant)
        self.context = self.plant.GetMyContextFromRoot(self.simulator.get_mutable_context())
        if self.plant.num_actuators():
            self.plant.get_actuation_input_port().FixValue(self.context, np.zeros(self.plant.num_actuators()))
        self.bodies = [self.plant.get_body(BodyIndex(i)) for i in range(1, self.plant.num_bodies())]
        self.points, self.couplings = loops_of(file)
        # A body of a nested model has the names of the models around it, but for the one of the file.
        paths = [[*self.plant.GetModelInstanceName(b.model_instance()).split("::"), b.name()] for b in self.bodies]
        one = len({path[0] for path in paths}) == 1
        self.names = ["::".join(path[one:]) for path in paths]

    def body(self, name):
        return self.plant.world_body() if name == "world" else self.plant.GetBodyByName(name.split("::")[-1])

    def place(self, body, point):
        """Of a point of a body (m), in the world."""
        return self.plant.CalcPointsPositions(self.context, body.body_frame(), point, self.plant.world_frame())[:, 0]

    def jacobian(self, body, point):
        """(3, nv): velocity of a point of a body in the world."""
        world = self.plant.world_frame()
        return self.plant.CalcJacobianTranslationalVelocity(self.context, JacobianWrtVariable.kV, body.body_frame(),
                                                            np.array(point), world, world)

    def gap(self):
        """The widest ball constraint (m)."""
        return max((float(np.linalg.norm(self.place(self.body(a), p) - self.place(self.body(b), q)))
                    for (a, p), (b, q) in self.points), default=0.0)

    def phi(self):
        """(n) of ``rows``: how far each is open."""
        found = [self.place(self.body(a), p) - self.place(self.body(b), q) for (a, p), (b, q) in self.points]
        found += [[sum(factor * self.plant.GetJointByName(joint).GetOnePosition(self.context) for joint, factor in terms.items())]
                  for terms in self.couplings]
        return np.concatenate(found) if found else np.zeros(0)

    def displace(self, step):
        """By a velocity (nv) in a second."""
        plant, context = self.plant, self.context
        plant.SetPositions(context, plant.GetPositions(context) + plant.MapVelocityToQDot(context, step))

    def mobility(self):
        """Velocities that the loops leave, at a closed posture near the start that no symmetry singles out."""
        start, offset = self.plant.GetPositions(self.context), self.phi()  # what a coupling adds is that of the start
        self.displace(0.05 * np.random.default_rng(1).standard_normal(self.plant.num_velocities()))
        offset[: 3 * len(self.points)] = 0
        for _ in range(100):
            rows, gap = self.rows(), self.phi() - offset
            if not len(gap) or np.abs(gap).max() < 1e-11:
                break
            self.displace(-np.linalg.lstsq(rows, gap, rcond=1e-6)[0])
        rank = int(np.linalg.matrix_rank(rows, tol=1e-6)) if len(rows) else 0
        self.plant.SetPositions(self.context, start)
        return self.plant.num_velocities() - rank

    def motion(self, job):
        """The widest gap (m), and where centres of mass are at ``look``."""
        widest, end = self.gap(), [self.place(b, self.centre(b)) for b in self.bodies]
        for moment in sorted({*np.linspace(0, job["time"], 51)[1:], job["look"]} - {0.0}):
            self.simulator.AdvanceTo(moment)
            widest = max(widest, self.gap())
            if moment == job["look"]:
                end = [self.place(b, self.centre(b)) for b in self.bodies]
        return widest, np.array(end)

    def rows(self):
        """(n, nv): velocities of what shall stay closed."""
        found = [self.jacobian(self.body(a), p) - self.jacobian(self.body(b), q) for (a, p), (b, q) in self.points]
        for terms in self.couplings:
            row = np.zeros((1, self.plant.num_velocities()))
            for joint, factor in terms.items():
                row[0, self.plant.GetJointByName(joint).velocity_start()] += factor
            found.append(row)
        return np.vstack(found) if found else np.zeros((0, self.plant.num_velocities()))

    def rest(self, rows):
        """(nv): accelerations from rest, the loops hard: M qdd = gravity + springs + J' lambda, J qdd = 0."""
        forces = MultibodyForces(self.plant)
        self.plant.CalcForceElementsContribution(self.context, forces)
        nv, n = self.plant.num_velocities(), len(rows)
        force = -self.plant.CalcInverseDynamics(self.context, np.zeros(nv), forces)
        system = np.block([[self.plant.CalcMassMatrix(self.context), rows.T], [rows, np.zeros((n, n))]])
        return np.linalg.lstsq(system, np.concatenate([force, np.zeros(n)]), rcond=1e-11)[0][:nv]

    def centre(self, body):
        return body.default_com() if np.isfinite(body.default_com()).all() else np.zeros(3)


def answer(job):
    robot = Plant(job["file"])
    start = [robot.place(b, robot.centre(b)) for b in robot.bodies]
    qdd = robot.rest(robot.rows())
    from_rest = [robot.jacobian(b, robot.centre(b)) @ qdd for b in robot.bodies]
    degrees = robot.mobility()
    widest, end = robot.motion(job)
    finite = bool(np.isfinite(end).all())
    _, finer = Plant(job["file"], STEP / 2).motion(job)
    links = {name: {"mass": body.default_mass(), "start": start[i].tolist(), "acceleration": from_rest[i].tolist(),
                    "end": end[i].tolist() if finite else None, "finer": finer[i].tolist() if finite else None}
             for i, (name, body) in enumerate(zip(robot.names, robot.bodies))}
    return {"mobility": degrees, "links": links, "gap": widest if finite else None, "finite": finite}


serve("Drake " + version("drake"), answer)
