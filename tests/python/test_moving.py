"""States, motion, and what is wrong with them."""

import json
import math
import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import SOURCE

import kinemorph as km

REF = """<mujoco><compiler angle="radian"/><worldbody><body name="a"><joint name="j" axis="0 0 1" ref="0.5"/>
<geom type="box" size=".1 .1 .1" mass="1"/><body name="b" pos="1 0 0"><joint name="k" type="ball"/>
<geom type="box" size=".1 .1 .2" mass="1"/></body></body></worldbody></mujoco>"""


def test_values_are_as_the_file_counts(command, tmp_path):
    robot = km.loads(REF, name="ref.xml")
    assert robot.coordinate_names == ("j", "k.0", "k.1", "k.2", "k.3")
    assert robot.velocity_names == ("j", "k.0", "k.1", "k.2")
    assert robot.q0.tolist() == [0.5, 1, 0, 0, 0]
    np.testing.assert_allclose(robot.link_pose("a", robot.q0), np.eye(4), atol=1e-15)
    turned = robot.close({"j": 0.5 + math.pi / 2})
    np.testing.assert_allclose(robot.link_pose("b", turned)[:3, 3], [0, 1, 0], atol=1e-15)
    (tmp_path / "ref.xml").write_text(REF)
    table = command("simulate", tmp_path / "ref.xml", "--time", "0.01").stdout.splitlines()[1].split(",")
    assert [float(x) for x in table[1:6]] == robot.q0.tolist()
    state = robot.init_state()
    assert state["joint_pos"] == {"j": 0}  # of the stage, which has no ref


def test_close_takes_names_and_arrays(four_bar):
    q = four_bar.close({"joint1": 0.3})
    assert q.shape == (3,) and q[0] == 0.3
    assert four_bar.residual(q) < 1e-10
    np.testing.assert_allclose(four_bar.close([0.3]), q, atol=1e-12)
    np.testing.assert_allclose(four_bar.close(q), q, atol=1e-12)
    many = four_bar.close(np.linspace(0, 0.3, 7)[:, None])
    assert many.shape == (7, 3)
    np.testing.assert_allclose(many[-1], q, atol=1e-9)
    assert four_bar.close(many).shape == (7, 3)
    assert four_bar.close({"joint1": [0.1]}).shape == (1, 3)
    assert four_bar.close({}).shape == (3,)
    assert four_bar.named(q)["joint1"] == 0.3
    assert four_bar.named(many)["joint1"].shape == (7,)
    np.testing.assert_array_equal(four_bar.link_poses({"joint1": 0.3}), four_bar.link_poses(q))
    assert four_bar.link_pose("link2", many).shape == (7, 4, 4)
    dependent = four_bar.close({"joint3": 0.2})
    assert dependent[2] == pytest.approx(0.2, abs=1e-12) and four_bar.residual(dependent) < 1e-10


def test_an_open_state_is_closed_around_its_independent_coordinates(four_bar):
    opened = four_bar.close({"joint1": 0.4}) + [0, 0.05, -0.05]
    assert four_bar.residual(opened) > 1e-3
    closed = four_bar.close(opened)
    assert closed[0] == opened[0] and four_bar.residual(closed) < 1e-10


def test_the_start_chooses_the_branch():
    robot = km.load(SOURCE / "fixtures/mechanisms/four_bar_general/four_bar_general.urdf")
    name = robot.independent_names[0]
    there = robot.close({name: robot.named(robot.q0)[name] + 0.3})
    back = robot.close({name: robot.named(robot.q0)[name]}, start=there)
    np.testing.assert_allclose(back, robot.q0, atol=1e-8)


def test_closure_errors_say_where():
    robot = km.load(SOURCE / "fixtures/mechanisms/slider_crank/slider_crank.urdf")
    name = robot.coordinate_names[-1]
    assert robot.joints[name].type == "prismatic"
    with pytest.raises(km.ClosureError) as caught:
        robot.close({name: np.linspace(robot.named(robot.q0)[name], 10, 400)})
    error = caught.value
    assert error.row is not None and 0 < error.row < 400
    assert error.reached.shape == (error.row, robot.nq)
    assert robot.residual(error.reached).max() < 1e-9
    assert error.diagnostics[0].code == "simulate-set"
    with pytest.raises(km.ClosureError) as caught:
        robot.close({name: 40.0})
    assert caught.value.row is None
    with pytest.raises(km.UsageError, match="finite"):
        robot.close(np.full(robot.nq, np.nan))


def test_a_value_far_away_is_refused_at_once(four_bar):
    for far in (1e308, -1e308, 1e9):
        with pytest.raises(km.ClosureError, match="too far away"):
            four_bar.close({"joint1": far})


def test_ctrl_c_ends_closing(four_bar):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        four_bar.close({"joint1": np.tile([0, 0.3], 5_000_000)})
    assert time.monotonic() - began < 10


def test_ctrl_c_ends_comparing(four_bar):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        km.verify(four_bar, four_bar, states=100_000)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("wrong", [
    lambda r: r.close({"joint9": 1}), lambda r: r.close(np.zeros(9)), lambda r: r.close(np.zeros((2, 2, 3))),
    lambda r: r.close({"joint1": np.zeros((2, 2))}), lambda r: r.close({"joint1": [1, 2], "joint2": [1, 2, 3]}),
    lambda r: r.close({"joint1": 1}, start=[0]), lambda r: r.link_poses([1, 2]), lambda r: r.link_poses(np.zeros((2, 4))),
    lambda r: r.residual(1.0), lambda r: r.mass_matrix(np.zeros(4)), lambda r: r.bias(None, [1]),
    lambda r: r.jacobian("nolink"), lambda r: r.jacobian("link1", frame="moon"), lambda r: r.velocity(None, {"joint2": 1}),
    lambda r: r.velocity(None, [1, 2]), lambda r: r.forward_dynamics(tau={"x": 1}), lambda r: r.forward_dynamics(tau=[1]),
    lambda r: r.named([1]), lambda r: r.graph("tree"), lambda r: r.dot("tree"), lambda r: r.inspect(cut=["x"]),
    lambda r: r.simulate(-1), lambda r: r.simulate(0.1, method="x"), lambda r: r.simulate(0.1, base="x"),
    lambda r: r.simulate(0.1, set={"joint9": 1}), lambda r: r.simulate(0.1, hold=["x"]),
    lambda r: r.simulate(0.1, controller=[{"type": "pd"}]), lambda r: r.convert("mjfc"), lambda r: r.convert("mjcf", base="x"),
    lambda r: r.convert("mjcf", drop="dampin"), lambda r: r.convert(), lambda r: km.verify(r, r, allow="dampin"),
    lambda r: km.verify(r, r, states=0), lambda r: km.explain("no-code"), lambda r: km.batch(SOURCE, "/nowhere", "mjfc"),
])
def test_wrong_use_says_so(four_bar, wrong):
    with pytest.raises(km.UsageError) as caught:
        wrong(four_bar)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value)


def test_unknown_keywords_are_type_errors(four_bar):
    with pytest.raises(TypeError, match="verfy"):
        four_bar.convert("mjcf", verfy=True)
    with pytest.raises(TypeError):
        four_bar.simulate(0.1, tme=1)


def test_dynamics_by_name(four_bar):
    q = four_bar.close({"joint1": 0.3})
    v = four_bar.velocity(q, {"joint1": 2.0})
    np.testing.assert_allclose(v, [2, -2, 2], atol=1e-9)
    qdd = four_bar.forward_dynamics(q, v, {"joint1": 1.0})
    np.testing.assert_array_equal(four_bar.forward_dynamics(q, {"joint1": 2.0}, [1, 0, 0]), qdd)
    np.testing.assert_allclose(four_bar.inverse_dynamics(q, v, qdd), [1, 0, 0], atol=1e-9)
    kinetic, _ = four_bar.energy(q, v)
    assert kinetic == pytest.approx(v @ four_bar.mass_matrix(q) @ v / 2)


def test_trees_have_nothing_to_close():
    robot = km.load(SOURCE / "fixtures/mechanisms/double_pendulum/double_pendulum.urdf")
    assert robot.constraint_jacobian().shape[0] == 0
    G, g = robot.explicit_constraint()
    np.testing.assert_array_equal(G, np.eye(robot.nv))
    q, v, qdd = np.array([0.3, -0.4]), np.array([1.0, 2.0]), np.array([3.0, -1.0])
    tau = robot.inverse_dynamics(q, v, qdd)
    np.testing.assert_allclose(tau, robot.mass_matrix(q) @ qdd + robot.bias(q, v) - robot.passive_forces(q, v))
    assert not g.any()


def test_simulation_options(four_bar, command, tmp_path):
    controller = {"controllers": [{"type": "constant", "joint": "joint1", "effort": 1}]}
    try:
        driven = four_bar.simulate(0.2, set={"joint1": "20deg"}, rate={"joint1": 0.1}, controller=controller,
                                   gravity=(0, 0, -3), step=0.001, rows=0.02)
    except km.UsageError as error:
        pytest.fail(str(error))
    assert driven["tau.joint1"].tolist() == [1.0] * len(driven.t)
    assert driven.t.tolist() == pytest.approx(np.arange(0, 0.21, 0.02).tolist())
    assert driven.q[0, 0] == pytest.approx(math.radians(20)) and driven.v[0, 0] == pytest.approx(0.1)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(controller))
    again = four_bar.simulate(0.2, set=["joint1=20deg"], rate=["joint1=0.1"], controller=file, gravity=(0, 0, -3),
                              step=0.001, rows=0.02)
    np.testing.assert_array_equal(again.q, driven.q)
    told = command("simulate", four_bar.file, "--time", "0.2", "--set", "joint1=20deg", "--rate", "joint1=0.1",
                   "--controller", file, "--gravity=0,0,-3", "--step", "0.001", "--rows", "0.02").stdout
    assert told == driven.csv
    assert dict(driven)["phase"][0] == "flight"
    assert driven.summary["steps"] == 200
    assert driven.save(tmp_path / "motion.csv").read_text() == told
    spf = four_bar.simulate(0.05, method="spf", eps=0.02)
    assert spf.summary["method"] == "spf"


def test_motion_errors_carry_diagnostics():
    robot = km.load(SOURCE / "fixtures/mechanisms/slider_crank/slider_crank.urdf")
    with pytest.raises(km.ClosureError) as caught:
        robot.simulate(0.1, set={robot.coordinate_names[-1]: 10.0})
    assert caught.value.diagnostics[0].code == "simulate-set"
    with pytest.raises(km.KinemorphError, match="max_rows"):
        robot.simulate(1.0, rows=0.001, max_rows=10)
