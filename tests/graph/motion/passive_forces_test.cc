// Damping and friction of joints with several coordinates, by hand.
#include "motion/passive_forces.h"

#include <gtest/gtest.h>

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::test {
namespace {

// Two universal joints in a row, so that the coordinates before and behind are others'.
TEST(PassiveForces, EveryCoordinateHasItsOwnDamping) {
  Model model;
  LinkId parent = kWorld;
  for (const double damping : {1.0, 10.0}) {
    Link link;
    link.name = "l" + std::to_string(model.num_links());
    link.inertial.emplace().mass = 1;
    const LinkId child = model.AddLink(link);
    Joint joint;
    joint.name = "j" + link.name;
    joint.kind = Universal{Vector3::UnitX(), Vector3::UnitY()};
    joint.axes.resize(2);
    joint.axes[0].damping = damping, joint.axes[1].damping = 2 * damping;
    model.AddJoint(parent, child, joint);
    parent = child;
  }
  const Mechanism m = Compile(model);
  ASSERT_EQ(m.nv, 4);
  const Eigen::Vector4d v(0.1, 0.2, 0.3, 0.4);
  motion::Passive passive;
  motion::ComputePassive(m, m.ZeroPosition(), v, passive);
  const Eigen::Vector4d force(-1 * 0.1, -2 * 0.2, -10 * 0.3, -20 * 0.4);
  EXPECT_LT((passive.force - force).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_NEAR(passive.power, force.dot(v), 1e-15);
  EXPECT_EQ(passive.energy, 0);
}

// Beyond its limit the second of two hinges is pushed back, the first is not.
TEST(PassiveForces, EveryCoordinateHasItsOwnLimit) {
  Model model;
  LinkId parent = kWorld;
  for (const double upper : {0.5, 1.0}) {
    Link link;
    link.name = "l" + std::to_string(model.num_links());
    link.inertial.emplace().mass = 1;
    const LinkId child = model.AddLink(link);
    Joint joint;
    joint.name = "j" + link.name;
    joint.kind = Revolute{Vector3::UnitX()};
    joint.axes.resize(1);
    joint.axes[0].upper = upper, joint.axes[0].limit_stiffness = 100;
    model.AddJoint(parent, child, joint);
    parent = child;
  }
  const Mechanism m = Compile(model);
  motion::Passive passive;
  motion::ComputePassive(m, Eigen::Vector2d(0.4, 1.2), Eigen::Vector2d::Zero(), passive);
  EXPECT_EQ(passive.force[0], 0);
  EXPECT_NEAR(passive.force[1], -100 * 0.2, 1e-12);
  EXPECT_NEAR(passive.energy, 0.5 * 100 * 0.2 * 0.2, 1e-12);
}

}  // namespace
}  // namespace kinemorph::test
