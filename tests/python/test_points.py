"""Frames, sites, points of links, the centre of mass and gravity."""

import numpy as np
import pytest
from conftest import SOURCE

import kinemorph as km

SITES = """<mujoco><option gravity="0 1 -3"/><worldbody><site name="corner" pos="1 2 3"/>
<body name="arm" pos="0 0 1"><joint name="j" axis="0 0 1" ref="30"/><site name="tip" pos="0 2 0" euler="0 0 90"/>
<geom type="box" size=".1 .1 .1" pos="1 0 0" mass="2"/>
<body name="hand" pos="0 2 0"><joint name="k" type="slide" axis="1 0 0"/>
<geom type="box" size=".1 .1 .2" mass="6"/><site name="hand" pos="0 0 .3"/></body></body></worldbody></mujoco>"""


@pytest.fixture
def arm():
    return km.loads(SITES, name="arm.xml")


def moved(robot, q, v, of):
    """Rate of change of of(q) as q moves with v, by central differences."""
    dt = 1e-6
    before, after = (of(robot.integrate(q, v, sign * dt)) for sign in (-1, 1))
    return (after - before) / (2 * dt)


def test_frames_and_sites_stand_where_their_links_stand(arm):
    assert list(arm.frames) == ["corner", "tip", "hand"]
    assert {frame.type for frame in arm.frames.values()} == {"site"}
    assert (arm.frames["tip"].link, arm.frames["corner"].link, arm.frames["tip"].line) == ("arm", "world", 2)
    q = arm.close({"j": 2 * np.pi / 3, "k": 0.25})
    tip = arm.pose("tip", q)
    np.testing.assert_allclose(tip[:3, 3], [-2, 0, 1], atol=1e-15)
    np.testing.assert_allclose(tip[:3, :3], [[-1, 0, 0], [0, -1, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_allclose(arm.pose("corner", q)[:3, 3], [1, 2, 3])
    assert arm.frame_poses(q).shape == (3, 4, 4) and arm.frame_poses(np.stack([q] * 5)).shape == (5, 3, 4, 4)
    np.testing.assert_array_equal(arm.frame_poses(q)[1], tip)
    # The link of a name goes before the frame, which is reached by itself.
    np.testing.assert_allclose(arm.pose("hand", q)[:3, 3], [-2, 0.25, 1], atol=1e-15)
    np.testing.assert_allclose(arm.pose(arm.frames["hand"], q)[:3, 3], [-2, 0.25, 1.3], atol=1e-15)
    np.testing.assert_array_equal(arm.pose("hand", np.stack([q, q])), arm.link_pose("hand", np.stack([q, q])))


def test_frames_of_sdformat():
    robot = km.load(SOURCE / "fixtures/features/frame/frame.sdf")
    assert robot.frames and {frame.type for frame in robot.frames.values()} == {"frame"}
    for name, frame in robot.frames.items():
        link = np.eye(4) if frame.link == "world" else robot.link_pose(frame.link)
        np.testing.assert_allclose(robot.pose(name), link @ frame.pose_in_link, atol=1e-15)


def test_jacobians_of_frames_and_points_are_derivatives(arm):
    q, v, point = arm.close({"j": 0.9, "k": 0.25}), np.array([0.7, -1.3]), np.array([0.1, -0.4, 0.2])
    for of in ("arm", "tip", "corner", arm.frames["hand"]):
        rate = moved(arm, q, v, lambda at: arm.pose(of, at))
        omega = rate[:3, :3] @ arm.pose(of, q)[:3, :3].T
        J = arm.jacobian(of, q)
        np.testing.assert_allclose(rate[:3, 3], J[3:] @ v, atol=1e-8)
        np.testing.assert_allclose([omega[2, 1], omega[0, 2], omega[1, 0]], J[:3] @ v, atol=1e-8)
        R = arm.pose(of, q)[:3, :3]
        for rows in (slice(0, 3), slice(3, 6)):
            np.testing.assert_allclose(R @ arm.jacobian(of, q, frame="body")[rows], J[rows], atol=1e-14)
        np.testing.assert_allclose(moved(arm, q, v, lambda at: arm.point_position(of, point, at)),
                                   arm.point_velocity(of, point, q, v), atol=1e-8)
        np.testing.assert_array_equal(arm.point_jacobian(of, point, q), arm.jacobian(of, q, point=point)[3:])


def test_points_of_links_move_as_their_jacobian_says(mechanism):
    robot, rng = km.load(mechanism), np.random.default_rng(5)
    q, name = robot.q0, list(robot.links)[-1]
    G, _ = robot.explicit_constraint(q)
    point, rates = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, robot.mobility)
    velocity = robot.point_velocity(name, point, q, dict(zip(robot.independent_names, rates)))
    np.testing.assert_allclose(velocity, robot.point_jacobian(name, point, q) @ G @ rates, atol=1e-12)
    np.testing.assert_allclose(moved(robot, q, G @ rates, lambda at: robot.point_position(name, point, at)), velocity,
                               atol=1e-6)
    assert robot.point_position(name, point, np.stack([q, q])).shape == (2, 3)


def test_the_centre_of_mass_is_that_of_the_links(mechanism):
    robot, rng = km.load(mechanism), np.random.default_rng(6)
    q, v = robot.q0, rng.uniform(-1, 1, robot.nv)
    heavy = [link for link in robot.links.values() if link.mass]
    assert robot.mass == pytest.approx(sum(link.mass for link in heavy), rel=1e-14)
    places = [robot.point_position(link.name, link.center_of_mass, q) for link in heavy]
    mean = np.average(places, axis=0, weights=[link.mass for link in heavy])
    np.testing.assert_allclose(robot.center_of_mass(q), mean, atol=1e-12)
    np.testing.assert_array_equal(robot.center_of_mass(np.stack([q, q]))[1], robot.center_of_mass(q))
    J = robot.center_of_mass_jacobian(q)
    np.testing.assert_allclose(moved(robot, q, v, robot.center_of_mass), J @ v, atol=1e-6)
    # What gravity asks of the joints is the weight at the centre of mass.
    weight = -robot.mass * J.T @ robot.gravity
    np.testing.assert_allclose(robot.bias(q), weight, atol=1e-9 * (1 + np.abs(weight).max(initial=0)))


def test_gravity_is_read_and_given(arm):
    assert arm.gravity.tolist() == [0, 1, -3]
    assert km.loads("<robot name='r'><link name='a'/></robot>", name="r.urdf").gravity.tolist() == [0, 0, -9.81]
    q, v, tau = arm.close({"j": 0.9, "k": 0.25}), np.array([1.0, 2.0]), np.array([0.3, -0.2])
    other = km.loads(SITES.replace("0 1 -3", "2 0 -9"), name="arm.xml")
    g = (2, 0, -9)
    np.testing.assert_array_equal(arm.bias(q, v, gravity=g), other.bias(q, v))
    assert arm.energy(q, v, gravity=g) == other.energy(q, v)
    qdd = arm.forward_dynamics(q, v, tau, gravity=g)
    np.testing.assert_array_equal(qdd, other.forward_dynamics(q, v, tau))
    np.testing.assert_array_equal(arm.inverse_dynamics(q, v, qdd, gravity=g), other.inverse_dynamics(q, v, qdd))
    assert not np.array_equal(qdd, arm.forward_dynamics(q, v, tau)), "and the robot keeps its own"
    assert not arm.bias(q, gravity=(0, 0, 0)).any()


@pytest.mark.parametrize("wrong, says", [
    (lambda r: r.pose("tipp"), "there is no link or frame 'tipp'; did you mean 'tip'?"),
    (lambda r: r.jacobian("tip", point=[1, 2]), r"point has the shape \(2,\); \(3,\) is wanted"),
    (lambda r: r.point_position("tip", "x"), "point holds what is no real number"),
    (lambda r: r.bias(gravity=-9.81), "gravity has the shape"),
    (lambda r: r.pose(km.Frame("tip", "site", "arm", np.eye(4))), "the frame 'tip' is of another robot"),
])
def test_wrong_use_says_so(arm, wrong, says):
    with pytest.raises(km.UsageError, match=says):
        wrong(arm)


def test_what_weighs_nothing_has_no_centre():
    robot = km.loads("<robot name='r'><link name='a'/></robot>", name="r.urdf")
    assert robot.mass == 0
    for asked in (robot.center_of_mass, robot.center_of_mass_jacobian):
        with pytest.raises(km.KinemorphError, match="'r' has no mass"):
            asked()
