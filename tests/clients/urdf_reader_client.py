"""What a reader of URDF makes of a file: pinocchio, pybullet, dart, idyntree or yourdfpy, by the name of its folder (README.md).

They read a tree and no loops, so a job names postures (joint -> value), and the answer has where links are in each."""

import pathlib
import sys
from importlib.metadata import version

import numpy as np

from client import serve


def pinocchio():
    import pinocchio as pin

    def own(model, body):
        """Mass and centre of mass of one body, in the frame of the joint that moves it: that of all on the joint but the others."""
        whole = model.inertias[body.parentJoint]
        fixed = [frame for frame in model.frames if frame.type == pin.FrameType.FIXED_JOINT and frame.parentJoint == body.parentJoint]
        above = model.frames[body.parentFrame]
        if above in fixed:
            return above.inertia.mass, above.placement.act(above.inertia.lever)
        mass = whole.mass - sum(frame.inertia.mass for frame in fixed)
        moment = whole.mass * whole.lever - sum((f.inertia.mass * f.placement.act(f.inertia.lever) for f in fixed), np.zeros(3))
        return (mass, moment / mass) if mass > 1e-12 else (0.0, np.zeros(3))

    def answer(job):
        fixed = pin.buildModelFromUrdf(job["file"])
        # A body of no mass that moves makes the mass matrix singular.
        rates = pin.aba(fixed, fixed.createData(), pin.neutral(fixed), np.zeros(fixed.nv), np.zeros(fixed.nv))

        # A base that stands has no inertia here: that is seen where it is free.
        model = pin.buildModelFromUrdf(job["file"], pin.JointModelFreeFlyer())
        data = model.createData()
        bodies = {frame.name: (frame.parentJoint, *own(model, frame)) for frame in model.frames if frame.type == pin.FrameType.BODY}
        links = {name: {"mass": mass, "visuals": 0} for name, (_, mass, _) in bodies.items()}
        for shape in pin.buildGeomFromUrdf(model, job["file"], pin.GeometryType.VISUAL).geometryObjects:
            links[model.frames[shape.parentFrame].name]["visuals"] += 1

        def place(posture):
            q = pin.neutral(model)
            for joint, name in zip(model.joints, model.names):
                if joint.nv == 1:
                    value = posture[name]
                    q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
            pin.forwardKinematics(model, data, q)
            return {name: data.oMi[joint].act(centre) for name, (joint, _, centre) in bodies.items()}

        return {"joints": fixed.nv, "free": False, "links": links, "finite": bool(np.isfinite(rates).all()), "place": place}

    return f"Pinocchio {pin.__version__}", answer


def pybullet():
    import pybullet

    pybullet.connect(pybullet.DIRECT)

    def answer(job):
        pybullet.resetSimulation()
        robot = pybullet.loadURDF(job["file"])
        bodies = range(-1, pybullet.getNumJoints(robot))
        info = {body: pybullet.getJointInfo(robot, body) for body in bodies[1:]}
        names = {body: info[body][12].decode() for body in info} | {-1: pybullet.getBodyInfo(robot)[0].decode()}
        links = {names[body]: {"mass": pybullet.getDynamicsInfo(robot, body)[0], "visuals": 0} for body in bodies}
        for shape in pybullet.getVisualShapeData(robot):
            links[names[shape[1]]]["visuals"] += 1
        moving = {body: joint[1].decode() for body, joint in info.items() if joint[2] != pybullet.JOINT_FIXED}
        free = links[names[-1]]["mass"] > 0  # a base without mass stands still

        def place(posture):
            for body, name in moving.items():
                pybullet.resetJointState(robot, body, posture[name])
            states = pybullet.getLinkStates(robot, list(info), computeForwardKinematics=True) if info else []
            return {names[-1]: pybullet.getBasePositionAndOrientation(robot)[0]} | {names[b]: state[0] for b, state in zip(info, states)}

        return {"joints": len(moving) + 6 * free, "free": free, "links": links, "finite": True, "place": place}

    return f"PyBullet {version('pybullet')}", answer


def dart():
    import dartpy

    def answer(job):
        reader = getattr(dartpy, "utils", dartpy)
        robot = reader.DartLoader().parseSkeleton(job["file"])
        if robot is None:
            raise ValueError("no skeleton")
        bodies = [robot.getBodyNode(i) for i in range(robot.getNumBodyNodes())]
        links = {body.getName(): {"mass": body.getMass(), "visuals": sum(node.hasVisualAspect() for node in body.getShapeNodes())}
                 for body in bodies}

        def place(posture):
            for joint in (robot.getJoint(i) for i in range(robot.getNumJoints())):
                if joint.getNumDofs() == 1:
                    joint.setPosition(0, posture[joint.getName()])
            return {body.getName(): body.getCOM() for body in bodies}

        root = robot.getRootJoint()
        free = root.getName() == "rootJoint" and root.getNumDofs() == 6
        return {"joints": robot.getNumDofs(), "free": free, "links": links, "finite": True, "place": place}

    return f"DART {version('dartpy')}", answer


def idyntree():
    import idyntree.bindings as idyn

    def answer(job):
        loader = idyn.ModelLoader()
        if not loader.loadModelFromFile(job["file"]):
            raise ValueError("refused")
        model = loader.model().copy()
        number = {model.getLinkName(i): i for i in range(model.getNrOfLinks())}
        shapes = model.visualSolidShapes().getLinkSolidShapes()
        inertias = {name: model.getLink(i).getInertia() for name, i in number.items()}
        links = {name: {"mass": inertias[name].getMass(), "visuals": len(shapes[i])} for name, i in number.items()}
        state = idyn.KinDynComputations()
        state.loadRobotModel(model)

        def place(posture):
            values = [posture[model.getJointName(i)] for i in range(model.getNrOfJoints()) if model.getJoint(i).getNrOfDOFs()]
            state.setJointPos(idyn.VectorDynSize.FromPython(values))
            return {name: (state.getWorldTransform(name) * inertias[name].getCenterOfMass()).toNumPy() for name in number}

        return {"joints": model.getNrOfDOFs(), "free": False, "links": links, "finite": True, "place": place}

    return f"iDynTree {version('idyntree')}", answer


def yourdfpy():
    import yourdfpy

    def answer(job):
        robot = yourdfpy.URDF.load(job["file"], load_meshes=False)
        centre = {name: np.array((0, 0, 0, 1.0)) for name in robot.link_map}
        links = {}
        for name, link in robot.link_map.items():
            links[name] = {"mass": 0.0, "visuals": len(link.visuals)}
            if link.inertial is not None:
                links[name]["mass"] = link.inertial.mass or 0.0
                if link.inertial.origin is not None:
                    centre[name] = link.inertial.origin[:, 3]

        def place(posture):
            robot.update_cfg({name: posture[name] for name in robot.actuated_joint_names})
            return {name: (robot.get_transform(name) @ centre[name])[:3] for name in robot.link_map}

        joints = sum({"fixed": 0, "floating": 6, "planar": 3}.get(joint.type, 1) for joint in robot.robot.joints)
        return {"joints": joints, "free": False, "links": links, "finite": True, "place": place}

    return f"yourdfpy {version('yourdfpy')}", answer


def placed(answer):
    """Puts the robot into the postures; where a joint is not among those of the source, there is none."""
    def all_of(job):
        said = answer(job)
        place, centres = said.pop("place"), []
        for posture in job["postures"]:
            try:
                centres.append({name: np.asarray(p, float).tolist() for name, p in place(posture).items()})
            except KeyError:
                centres.append(None)
        return said | {"centres": centres}

    return all_of


if __name__ == "__main__":
    named, answer = globals()[pathlib.Path(sys.argv[1]).name]()
    serve(named, placed(answer))
