// Damping and friction of joints with several coordinates, by hand.
#include "motion/passive_forces.h"

#include <gtest/gtest.h>

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::test {
namespace {

// A chain of massive links, one by each of the joints.
Mechanism Chain(const std::vector<Joint>& joints) {
  Model model;
  LinkId parent = kWorld;
  for (Joint joint : joints) {
    Link link;
    link.name = "l" + std::to_string(model.num_links());
    link.inertial.emplace().mass = 1;
    const LinkId child = model.AddLink(link);
    joint.name = "j" + link.name;
    model.AddJoint(parent, child, joint);
    parent = child;
  }
  return Compile(model);
}

// Two universal joints in a row, so that the coordinates before and behind are others'.
TEST(PassiveForces, EveryCoordinateHasItsOwnDamping) {
  std::vector<Joint> joints(2);
  for (std::size_t i = 0; i < 2; ++i) {
    joints[i].kind = Universal{Vector3::UnitX(), Vector3::UnitY()};
    joints[i].axes.resize(2);
    joints[i].axes[0].damping = i == 0 ? 1 : 10, joints[i].axes[1].damping = i == 0 ? 2 : 20;
  }
  const Mechanism m = Chain(joints);
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
  std::vector<Joint> joints(2);
  for (std::size_t i = 0; i < 2; ++i) {
    joints[i].kind = Revolute{Vector3::UnitX()};
    joints[i].axes.resize(1);
    joints[i].axes[0].upper = i == 0 ? 0.5 : 1, joints[i].axes[0].limit_stiffness = 100;
  }
  motion::Passive passive;
  motion::ComputePassive(Chain(joints), Eigen::Vector2d(0.4, 1.2), Eigen::Vector2d::Zero(),
                         passive);
  EXPECT_EQ(passive.force[0], 0);
  EXPECT_NEAR(passive.force[1], -100 * 0.2, 1e-12);
  EXPECT_NEAR(passive.energy, 0.5 * 100 * 0.2 * 0.2, 1e-12);
}

}  // namespace
}  // namespace kinemorph::test
