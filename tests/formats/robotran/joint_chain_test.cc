// Chains of T and R joints around an arbitrary axis: exact, and never longer than needed.
#include "joint_chain.h"

#include <gtest/gtest.h>

#include <numbers>

#include "random_mechanism.h"
#include "rotation_chain.h"

namespace kinemorph::mbs {
namespace {

using kinemorph::test::RandomAxis;
constexpr double kPi = std::numbers::pi;

RigidTransform Motion(const AxisMotion& motion, double q) {
  if (motion.rotation)
    return RigidTransform::Rotation(Eigen::AngleAxisd(q, motion.axis).toRotationMatrix());
  return RigidTransform::Translation(q * motion.axis);
}

RigidTransform Wanted(const std::vector<AxisMotion>& motions,
                      const std::vector<RigidTransform>& constants, const std::vector<double>& q) {
  RigidTransform X = RigidTransform::Rotation(constants[0].R);
  for (std::size_t i = 0; i < motions.size(); ++i)
    X = X * Motion(motions[i], q[i]) * constants[i + 1];
  return X;
}

RigidTransform Got(const std::vector<ChainJoint>& chain, const std::vector<double>& q) {
  RigidTransform X;
  for (const ChainJoint& joint : chain) {
    X = X * Motion({joint.rotation, Vector3::Unit(joint.k)},
                   joint.motion < 0 ? joint.value : q[static_cast<std::size_t>(joint.motion)]);
  }
  return X;
}

void ExpectSame(const std::vector<AxisMotion>& motions,
                const std::vector<RigidTransform>& constants, const std::vector<double>& q,
                double tolerance) {
  const std::vector<ChainJoint> chain = ShortestChain(motions, constants);
  const RigidTransform a = Wanted(motions, constants, q), b = Got(chain, q);
  ASSERT_LE((a.R - b.R).cwiseAbs().maxCoeff(), tolerance) << motions[0].axis.transpose();
  ASSERT_LE((a.p - b.p).cwiseAbs().maxCoeff(), tolerance) << motions[0].axis.transpose();
}

std::size_t Length(const Vector3& axis, const Matrix3& before = Matrix3::Identity(),
                   const Matrix3& after = Matrix3::Identity()) {
  return ShortestChain({{true, axis}},
                       {RigidTransform::Rotation(before), RigidTransform::Rotation(after)})
      .size();
}

TEST(JointChain, EveryRandomAxisAndOrientation) {
  Random random(4);
  for (int i = 0; i < 100000; ++i) {
    const Matrix3 before = RotationFromAxisAngle(RandomAxis(random), random.Uniform(-kPi, kPi));
    ExpectSame({{i % 2 == 0, RandomAxis(random)}},
               {RigidTransform::Rotation(i % 4 < 2 ? before : Matrix3(Matrix3::Identity())), {}},
               {random.Uniform(-3, 3)}, 1e-12);
  }
}

TEST(JointChain, CoordinateAxesTheirNegativesAndTheirNeighbours) {
  Random random(5);
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {1.0, -1.0}) {
      for (const double off : {0.0, 1e-17, 1e-13, 1e-12, 1e-9, 1e-3}) {
        for (const bool rotation : {true, false}) {
          const Vector3 one =
              (sign * Vector3::Unit(k) + off * Vector3::Unit((k + 1) % 3)).normalized();
          const Vector3 two = (sign * Vector3::Unit(k) + off * Vector3(1, -1, 1)).normalized();
          for (const Vector3& axis : {one, two}) {
            ExpectSame({{rotation, axis}}, {{}, {}}, {random.Uniform(-3, 3)}, 1e-12);
            ExpectSame({{rotation, axis}},
                       {RigidTransform::Rotation(RotationFromRpy({kPi / 2, -kPi / 2, 0.4})), {}},
                       {1.1}, 1e-12);
          }
        }
      }
    }
  }
}

// The seed's Table A.2, with its wrong row (x, y, z) put right.
TEST(JointChain, LengthsOfTableA2) {
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(Length(Vector3::Unit(k)), 1u);
    EXPECT_EQ(Length(-Vector3::Unit(k)), 3u);
    EXPECT_EQ(Length((0.6 * Vector3::Unit(k) - 0.8 * Vector3::Unit((k + 1) % 3))), 3u);
  }
  EXPECT_EQ(Length(Vector3(1, 1, 1).normalized()), 5u);
  EXPECT_EQ(Length(Vector3(-1, 1, 1).normalized()), 5u);
  EXPECT_EQ(Length(Vector3(0.1, 1, 0.1).normalized()), 5u);
}

TEST(JointChain, JointOriginRotationAndAxisAlignmentShareTheirJoints) {
  const Vector3 oblique(0, 0.743144825, -0.669130606);
  EXPECT_EQ(Length(oblique.normalized()), 3u);
  EXPECT_EQ(Length(oblique.normalized(), RotationFromRpy({0.7330, 0, 0})),
            3u);  // one R1 takes both
  EXPECT_EQ(Length(oblique.normalized(), RotationFromRpy({0, 0, 0.3491})), 4u);
  EXPECT_EQ(Length(Vector3::UnitZ(), RotationFromRpy({0.1, 0.2, 0.3})), 4u);
  EXPECT_EQ(Length(Vector3::UnitZ(), RotationFromRpy({0, 0.2, 0})), 2u);
  EXPECT_EQ(Length(Vector3::UnitX(), RotationFromRpy({kPi, 0, 0}), RotationFromRpy({-kPi, 0, 0})),
            1u);
}

// With the motion at zero the driven joints make A B: fewer than that takes cannot be. Two of them
// turn any axis, three the rest.
TEST(JointChain, NeverLongerThanTheConstantPartNeeds) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    const Matrix3 A = RotationFromAxisAngle(RandomAxis(random), random.Uniform(-3, 3)),
                  B = RotationFromAxisAngle(RandomAxis(random), random.Uniform(-3, 3));
    const std::size_t length = Length(RandomAxis(random), A, B);
    EXPECT_LE(length, 6u);
    EXPECT_GE(length, 1u + static_cast<std::size_t>(NumFactors(A * B)));
  }
}

// A hidden short form is found: W^T R3(q) V with single rotations around it looks general from
// outside.
TEST(JointChain, FindsAShortFormBehindGeneralConstants) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const int k = random.Below(3), before = random.Below(3), after = random.Below(3);
    const Matrix3 hide = RotationFromAxisAngle(RandomAxis(random), random.Uniform(-3, 3));
    const Matrix3 A = ElementaryRotation(before, random.Uniform(-3, 3)) * hide,
                  B = hide.transpose() * ElementaryRotation(after, random.Uniform(-3, 3));
    EXPECT_LE(Length(hide.transpose() * Vector3::Unit(k), A, B), 3u);
  }
}

TEST(JointChain, SeveralMotionsWithTransformsBetween) {
  Random random(8);
  for (int i = 0; i < 2000; ++i) {
    std::vector<AxisMotion> motions;
    std::vector<RigidTransform> constants = {kinemorph::test::RandomTransform(random, 1)};
    std::vector<double> q;
    for (int n = 1 + random.Below(3); n > 0; --n) {
      motions.push_back({random.Below(2) == 0, random.Below(2) == 0
                                                   ? Vector3(Vector3::Unit(random.Below(3)))
                                                   : RandomAxis(random)});
      constants.push_back(random.Below(2) == 0 ? RigidTransform()
                                               : kinemorph::test::RandomTransform(random, 1));
      q.push_back(random.Uniform(-3, 3));
    }
    ExpectSame(motions, constants, q, 1e-12);
  }
}

TEST(JointChain, UniversalPlanarAndFreeNeedNoDrivenJoint) {
  EXPECT_EQ(
      ShortestChain({{true, Vector3::UnitX()}, {true, Vector3::UnitY()}}, {{}, {}, {}}).size(), 2u);
  EXPECT_EQ(ShortestChain(
                {{false, Vector3::UnitX()}, {false, Vector3::UnitY()}, {true, Vector3::UnitZ()}},
                {{}, {}, {}, {}})
                .size(),
            3u);
  EXPECT_EQ(ShortestChain({}, {RigidTransform()}).size(), 0u);
  EXPECT_EQ(ShortestChain({}, {RigidTransform::Translation({1, 2, 3})}).size(),
            0u);  // an anchor point
}

}  // namespace
}  // namespace kinemorph::mbs
