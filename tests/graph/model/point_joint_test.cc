// One point is a ball, two a hinge, three hold all; what repeats or contradicts stands by itself.
#include "kinemorph/graph/model/point_joint.h"

#include <gtest/gtest.h>

namespace kinemorph::test {
namespace {

constexpr LinkId kA{1}, kB{2}, kC{3};

// Links A and B drawn with one pose but for a turn about z by `angle` and a shift.
PointPair Both(const Vector3& p_A, double angle = 0) {
  return {kA, kB, p_A, RotationFromAxisAngle(Vector3::UnitZ(), angle) * p_A + Vector3(5, 0, 0)};
}

std::vector<PointJoint> JointsOf(const std::vector<PointPair>& points) {
  return JointsOfPoints(points, [](LinkId, LinkId) -> Matrix3 { return Matrix3::Identity(); });
}

TEST(PointJoint, CountsPoints) {
  const Vector3 o(0, 0, 0), z(0, 0, 2), x(1, 0, 0), z2(0, 0, 3);
  const auto one = JointsOf({Both(o)});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Ball>(one[0].kind));
  EXPECT_EQ(one[0].X_BM.p, Vector3(5, 0, 0));

  const auto two = JointsOf({Both(x), Both(o)});
  ASSERT_EQ(two.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Revolute>(two[0].kind));
  EXPECT_TRUE((two[0].X_AF.R * Vector3::UnitZ()).isApprox(-x));
  EXPECT_EQ(two[0].X_AF.p, x);

  // The third point is not in line, and tells that B is turned by 0.3.
  const auto three = JointsOf({Both(o, 0.3), Both(z, 0.3), Both(x, 0.3)});
  ASSERT_EQ(three.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Fixed>(three[0].kind));
  const RigidTransform X_BA = three[0].X_BM * three[0].X_AF.inverse();
  EXPECT_TRUE(X_BA.R.isApprox(RotationFromAxisAngle(Vector3::UnitZ(), 0.3)));

  const auto in_line = JointsOf({Both(o), Both(z), Both(z2)});
  ASSERT_EQ(in_line.size(), 2u);
  EXPECT_EQ(in_line[0].points, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(in_line[1].points, (std::vector<std::size_t>{2}));
}

TEST(PointJoint, APointThatDoesNotKeepItsDistanceStandsByItself) {
  const PointPair base = Both({0, 0, 0}), far{kA, kB, {0, 0, 1}, {5, 0, 1.1}};
  const auto joints = JointsOf({base, far});
  ASSERT_EQ(joints.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Ball>(joints[0].kind));
  EXPECT_TRUE(std::holds_alternative<Ball>(joints[1].kind));
}

// Pairs of links stay apart, and a point may name its two links the other way round.
TEST(PointJoint, BelongsToItsTwoLinks) {
  const PointPair first = Both({0, 0, 0}), second = Both({0, 0, 2});
  const PointPair turned{kB, kA, second.p_B, second.p_A}, other{kA, kC, {0, 0, 2}, {0, 0, 0}};
  const auto joints = JointsOf({first, other, turned});
  ASSERT_EQ(joints.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Revolute>(joints[0].kind));
  EXPECT_EQ(joints[0].points, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(joints[0].B, kB);
  EXPECT_EQ(joints[0].X_BM.p, first.p_B);
  EXPECT_TRUE(std::holds_alternative<Ball>(joints[1].kind));
  EXPECT_EQ(joints[1].B, kC);
}

}  // namespace
}  // namespace kinemorph::test
