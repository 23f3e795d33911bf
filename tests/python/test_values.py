"""Numbers: equal to those of the C++ functions at seeded closed states of every mechanism."""

import json
import subprocess
import time

import numpy as np
import pytest
from conftest import SOURCE, VALUES

import kinemorph as km


@pytest.fixture(scope="module")
def values():
    if not VALUES:
        pytest.skip("the program values is not built")
    told = {}

    def of(path):
        if path not in told:
            told[path] = json.loads(subprocess.run([VALUES, path], capture_output=True, check=True).stdout)
        return told[path]

    return of


def same(ours, theirs, shape):
    ours = np.asarray(ours)
    assert ours.shape == shape
    assert ours.dtype == np.float64
    np.testing.assert_array_equal(ours, np.asarray(theirs, float).reshape(shape))


def test_equal_to_cpp(mechanism, values):
    robot = km.load(mechanism)
    told = values(mechanism)
    assert robot.mobility == told["mobility"] == len(robot.independent_names)
    nv, rows, last = robot.nv, len(robot.constraint_names), list(robot.links)[-1]
    same(robot.q0, told["states"][0]["q"], (robot.nq,))
    for state in told["states"]:
        q, v, tau = np.array(state["q"]), np.array(state["v"]), np.array(state["tau"])
        assert robot.residual(q) == state["residual"]
        same(robot.link_poses(q), state["poses"], (len(robot.links), 4, 4))
        same(robot.jacobian(last, q), state["jacobian_world"], (6, nv))
        same(robot.jacobian(last, q, frame="body"), state["jacobian_body"], (6, nv))
        same(robot.constraint(q), state["phi"], (rows,))
        same(robot.constraint_jacobian(q), state["K"], (rows, nv))
        same(robot.constraint_bias(q, v), state["k"], (rows,))
        G, g = robot.explicit_constraint(q, v)
        order = np.argsort(state["columns"])
        same(G, np.asarray(state["G"], float).reshape(nv, robot.mobility)[:, order], (nv, robot.mobility))
        same(g, state["g"], (nv,))
        same(robot.mass_matrix(q), state["M"], (nv, nv))
        same(robot.bias(q, v), state["bias"], (nv,))
        same(robot.passive_forces(q, v), state["passive"], (nv,))
        assert list(robot.energy(q, v)) == state["energy"]
        if state["status"] == "ok":
            same(robot.forward_dynamics(q, v, tau), state["qdd"], (nv,))


def test_identities(mechanism, values):
    robot = km.load(mechanism)
    for state in values(mechanism)["states"]:
        q, v, tau = np.array(state["q"]), np.array(state["v"]), np.array(state["tau"])
        K, (G, g) = robot.constraint_jacobian(q), robot.explicit_constraint(q, v)
        scale = 1 + np.abs(K).max(initial=0)
        assert np.abs(K @ G).max(initial=0) < 1e-8 * scale, "G spans the null space of K"
        assert np.linalg.matrix_rank(G) == robot.mobility
        assert np.abs(K @ g - robot.constraint_bias(q, v)).max(initial=0) < 1e-4 * (1 + np.abs(g).max(initial=0))
        M = robot.mass_matrix(q)
        np.testing.assert_allclose(M, M.T, atol=1e-12)
        assert np.linalg.eigvalsh(G.T @ M @ G).min(initial=1) > 0
        poses = robot.link_poses(q)
        np.testing.assert_allclose(poses[:, :3, :3] @ poses[:, :3, :3].transpose(0, 2, 1),
                                   np.broadcast_to(np.eye(3), (len(poses), 3, 3)), atol=1e-12)
        if state["status"] != "ok":
            continue
        qdd = robot.forward_dynamics(q, v, tau)
        back = robot.inverse_dynamics(q, v, qdd)
        independent = [robot.velocity_names.index(name) for name in robot.independent_names]
        np.testing.assert_allclose(back[independent], G.T @ tau, rtol=1e-6, atol=1e-7)
        assert np.abs(np.delete(back, independent)).max(initial=0) == 0
        np.testing.assert_allclose(robot.forward_dynamics(q, v, back), qdd, rtol=1e-6, atol=1e-6 * (1 + np.abs(qdd).max()))


def test_jacobian_is_the_derivative_of_poses(mechanism):
    robot = km.load(mechanism)
    q, dt = robot.q0, 1e-6
    rng = np.random.default_rng(3)
    for name in robot.links:
        v = rng.uniform(-1, 1, robot.nv)
        before, after = (robot.link_pose(name, robot.integrate(q, v, sign * dt)) for sign in (-1, 1))
        J = robot.jacobian(name, q)
        np.testing.assert_allclose((after - before)[:3, 3] / (2 * dt), (J @ v)[3:], atol=1e-6)
        spin = (after - before)[:3, :3] / (2 * dt) @ robot.link_pose(name, q)[:3, :3].T
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], (J @ v)[:3], atol=1e-6)


def test_as_the_command(mechanism, command, tmp_path):
    robot = km.load(mechanism)
    said = json.loads(command("inspect", "--json", mechanism).stdout)
    ours = robot.inspect()
    assert ours == said
    names = [name.replace("[", ".").rstrip("]") for name in said["independent"]]
    assert set(names) <= set(robot.independent_names)
    table = command("simulate", mechanism, "--time", "0.02")
    if table.returncode != 0:
        with pytest.raises(km.KinemorphError):
            robot.simulate(0.02)
        return
    motion = robot.simulate(0.02)
    assert motion.csv == table.stdout
    header = table.stdout.splitlines()[0].split(",")
    assert [name[2:] for name in header if name.startswith("q.")] == list(robot.coordinate_names)
    assert [name[2:] for name in header if name.startswith("v.")] == list(robot.velocity_names)
    for i, name in enumerate(robot.coordinate_names):
        np.testing.assert_array_equal(motion.q[:, i], motion["q." + name])
    assert motion.v.shape == (len(motion.t), robot.nv)


def test_closing_many_states_keeps_the_branch():
    robot = km.load(SOURCE / "fixtures/mechanisms/four_bar_general/four_bar_general.urdf")
    name = robot.independent_names[0]
    start = robot.named(robot.q0)[name]
    path = start + np.linspace(0, 0.5, 200)
    many = robot.close({name: path})
    assert many.shape == (200, robot.nq)
    assert robot.residual(many).max() < 1e-10
    np.testing.assert_array_equal(many[:, robot.coordinate_names.index(name)], path)
    assert np.abs(np.diff(many, axis=0)).max() < 0.05, "no state is of another branch"
    one = robot.close({name: path[-1]})
    np.testing.assert_allclose(one, many[-1], atol=1e-9)
    assert robot.link_poses(many).shape == (200, len(robot.links), 4, 4)
    np.testing.assert_array_equal(robot.link_poses(many)[-1], robot.link_poses(many[-1]))


def test_closing_is_as_quick_as_in_cpp():
    if not VALUES:
        pytest.skip("the program values is not built")
    path = SOURCE / "fixtures/mechanisms/delta_robot/delta_robot.urdf"
    robot = km.load(path)
    place = next(i for i, entry in enumerate(robot._coordinates) if entry[4] and not entry[3])
    n = 10_000
    way = robot.q0[place] + 0.1 - 0.1 * np.abs(1 - 2 * np.arange(n) / n)
    ours = theirs = float("inf")
    for _ in range(2):  # the better of two: others use the machine too
        begun = time.perf_counter()
        closed = robot.close({robot.coordinate_names[place]: way})
        ours = min(ours, time.perf_counter() - begun)
        told = subprocess.run([VALUES, path, "--speed", str(n)], capture_output=True, check=True).stdout
        theirs = min(theirs, float(told))
    print(f"10,000 states: {ours:.2f} s, in C++ {theirs:.2f} s")
    assert robot.residual(closed[::100]).max() < 1e-9
    assert ours < 2 * theirs
