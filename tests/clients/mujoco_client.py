"""What MuJoCo makes of a file: one job a line on standard input, one answer a line on standard output (README.md)."""

import math

import mujoco
import numpy as np

from client import serve


def equality_rows(model, data):
    """Rows of the loops alone, without limits, friction and contacts: J (n x nv) and how far each is open (n)."""
    rows = np.zeros((data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(rows, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
    else:
        rows = data.efc_J[: data.nefc * model.nv].reshape(data.nefc, model.nv).copy()
    loops = data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    return rows[loops], data.efc_pos[: data.nefc][loops].copy()


def close(model, data):
    """Newton from where the robot is to where its loops are closed; the rows there."""
    for _ in range(100):
        mujoco.mj_fwdPosition(model, data)
        rows, gap = equality_rows(model, data)
        if not len(gap) or np.abs(gap).max() < 1e-11:
            break
        mujoco.mj_integratePos(model, data.qpos, -np.linalg.lstsq(rows, gap, rcond=1e-6)[0], 1)
    return rows


def mobility(model, data):
    """Velocities that the loops leave, at a closed posture near the start that no symmetry singles out."""
    data.qpos[:] = model.qpos0
    mujoco.mj_integratePos(model, data.qpos, 0.05 * np.random.default_rng(1).standard_normal(model.nv), 1)
    rows = close(model, data)
    return model.nv - (int(np.linalg.matrix_rank(rows, tol=1e-6)) if len(rows) else 0)


def accelerations(model, data):
    """Of every body's centre of mass from rest at the start, the loops hard: M qdd + bias = passive + J' lambda, J qdd = 0."""
    mujoco.mj_resetData(model, data)
    close(model, data)  # of a robot that is drawn open
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    rows, _ = equality_rows(model, data)
    n = len(rows)
    system = np.block([[mass, rows.T], [rows, np.zeros((n, n))]])
    force = np.concatenate([data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias, np.zeros(n)])
    qdd = np.linalg.lstsq(system, force, rcond=1e-11)[0][: model.nv]
    of_body = np.zeros((3, model.nv))
    answer = {}
    for body in range(1, model.nbody):
        mujoco.mj_jacBodyCom(model, data, of_body, None, body)
        answer[body] = (of_body @ qdd).tolist()
    return answer


def gap(model, data):
    """Metres by which the widest loop stands open: connects and welds only. A weld has six rows, the last three of angles: they count by
    what they move at the robot's far end."""
    _, open_by = equality_rows(model, data)
    ids = data.efc_id[: data.nefc][data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY]
    joints = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))
    widest, row = 0.0, 0
    for loop, rows in zip(*np.unique(ids, return_counts=True)):  # rows of one equality follow each other, in the order of the file
        if int(model.eq_type[loop]) in joints:
            sides = np.abs(open_by[row : row + rows])
            widest = max(widest, sides[:3].max(), model.stat.extent * sides[3:].max(initial=0))
        row += rows
    return float(widest)


def motion(model, data, job):
    """The widest gap, whether all stays finite, and where centres of mass are at ``look``."""
    widest, finite, at_look = 0.0, True, data.xipos.copy()
    while data.time < job["time"] - model.opt.timestep / 2 and finite:
        if abs(data.time - job["look"]) <= model.opt.timestep / 2:
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            at_look = data.xipos.copy()
        mujoco.mj_step(model, data)
        widest = max(widest, gap(model, data))
        finite = bool(np.isfinite(data.qpos).all()) and not data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number
    if job["look"] > data.time - model.opt.timestep / 2:
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        at_look = data.xipos.copy()
    return widest, finite, at_look


def answer(job):
    model = mujoco.MjModel.from_xml_path(job["file"])
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    degrees = mobility(model, data)
    from_rest = accelerations(model, data)
    start, qpos = data.xipos.copy(), data.qpos.copy()
    widest, finite, at_look = motion(model, data, job)
    mujoco.mj_resetData(model, data)
    data.qpos[:] = qpos
    mujoco.mj_fwdPosition(model, data)
    tight = model.eq_solref[:, 0] == 2 * model.opt.timestep  # as tight as this step allows, as kinemorph writes them
    model.eq_solref[tight, 0] /= 2
    model.eq_solimp[tight, :2] = 0.9999  # the hardest
    model.opt.timestep /= 2
    _, _, finer = motion(model, data, job)
    links = {}
    for body in range(1, model.nbody):  # without a name: as kinemorph calls it
        links[model.body(body).name or f"body_{body}"] = {
            "mass": float(model.body_mass[body]), "start": start[body].tolist(), "acceleration": from_rest[body],
            "end": at_look[body].tolist(), "finer": finer[body].tolist()}
    return {"mobility": degrees, "links": links, "gap": widest if math.isfinite(widest) else None, "finite": finite}


if __name__ == "__main__":
    serve(f"MuJoCo {mujoco.__version__}", answer)
