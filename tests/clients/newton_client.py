"""What Newton makes of a file: one job a line on standard input, one answer a line on standard output (README.md).

Newton solves by MuJoCo: its model there is asked what MuJoCo's client asks, and Newton steps it."""

import warnings
from importlib.metadata import version

from client import serve  # before warp, which prints

import mujoco
import newton
import numpy as np
import warp
from pxr import Usd

from mujoco_client import accelerations, gap, mobility

warp.set_device("cpu")
warnings.simplefilter("ignore")
STEP = 2e-3  # s, MuJoCo's default


def build(file):
    """The model, and the name of each of its bodies."""
    builder = newton.ModelBuilder()
    if file.endswith(".xml"):
        builder.add_mjcf(file)
        model = builder.finalize()
        return model, [label.split("/")[-1] for label in model.body_label]
    stage = Usd.Stage.Open(file)
    builder.add_usd(stage)
    model = builder.finalize()
    prims = [stage.GetPrimAtPath(label) for label in model.body_label]
    return model, [prim.GetDisplayName() or prim.GetName() for prim in prims]


def answer(job):
    said = moved(job, STEP)
    finer = moved(job, STEP / 2)["links"]
    for name, link in said["links"].items():
        link["finer"] = finer[name]["end"]
    return said


def moved(job, by):
    """The answer with steps of ``by`` (s)."""
    model, names = build(job["file"])
    state, other, control = model.state(), model.state(), model.control()
    newton.eval_fk(model, model.joint_q, model.joint_qd, state)
    solver = newton.solvers.SolverMuJoCo(model, use_mujoco_cpu=True, disable_contacts=True)
    mj, data = solver.mj_model, solver.mj_data
    of = {int(body): names[i] for body, i in enumerate(np.ravel(solver.mjc_body_to_newton.numpy())) if i >= 0}
    qpos = data.qpos.copy()
    degrees, from_rest = mobility(mj, data), accelerations(mj, data)
    data.qpos[:], data.qvel[:] = qpos, 0
    mujoco.mj_fwdPosition(mj, data)
    start = now = end = data.xipos.copy()
    widest, finite = gap(mj, data), True
    for step in range(1, round(job["time"] / by) + 1):
        solver.step(state, other, control, None, by)
        state, other = other, state
        mujoco.mj_fwdPosition(mj, data)
        widest = max(widest, gap(mj, data))
        finite = bool(np.isfinite(data.qpos).all())
        if not finite:
            break
        before, now = now, data.xipos.copy()
        past = job["look"] / by - (step - 1)
        if 0 < past <= 1:
            end = before + past * (now - before)
    mass, centre = model.body_mass.numpy(), {i: names.index(name) for i, name in of.items()}
    links = {name: {"mass": float(mass[centre[i]]), "start": start[i].tolist(), "acceleration": from_rest[i], "end": end[i].tolist()}
             for i, name in of.items()}
    return {"mobility": degrees, "links": links, "gap": widest if finite else None, "finite": finite}


if __name__ == "__main__":
    serve("Newton " + version("newton"), answer)
