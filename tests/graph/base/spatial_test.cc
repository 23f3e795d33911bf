// Rotations, rigid transforms and spatial inertia.
#include "kinemorph/graph/base/spatial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "kinemorph/graph/model/joint_kind.h"

namespace kinemorph {
namespace {

constexpr double kPi = std::numbers::pi;

double Distance(const Matrix3& a, const Matrix3& b) { return (a - b).cwiseAbs().maxCoeff(); }

Matrix3 RandomRotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return RotationFromQuaternion(normal(random), normal(random), normal(random), normal(random));
}

TEST(Rpy, FixedAxesRollThenPitchThenYaw) {
  const Matrix3 R = RotationFromRpy({0.1, 0.2, 0.3});
  const Matrix3 expected =
      (Eigen::AngleAxisd(0.3, Vector3::UnitZ()) * Eigen::AngleAxisd(0.2, Vector3::UnitY()) *
       Eigen::AngleAxisd(0.1, Vector3::UnitX()))
          .toRotationMatrix();
  EXPECT_LE(Distance(R, expected), 1e-15);
}

TEST(Rpy, QuarterTurnsAreExact) {
  Matrix3 z_to_x;
  z_to_x << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  EXPECT_EQ(RotationFromRpy({0, kPi / 2, 0}), z_to_x);
  EXPECT_EQ(RotationFromRpy({kPi, 0, 0}), Vector3(1, -1, -1).asDiagonal().toDenseMatrix());
  EXPECT_EQ(RotationFromRpy({2 * kPi, -2 * kPi, 4 * kPi}), Matrix3::Identity());
  EXPECT_NE(RotationFromRpy({1.5708, 0, 0})(1, 1), 0) << "what the author rounded stays rounded";
}

TEST(Rpy, RoundTripsOfShortDecimalsAreTheDecimals) {
  for (const Vector3& rpy : {Vector3(0.1, 0.2, 0.3), Vector3(-1.5, 1.25, 3), Vector3(0, 0, 1e-9),
                             Vector3(1e-5, -2e-5, 0.7), Vector3(3.1, -1.5, -3.1)}) {
    const Vector3 back = RpyFromRotation(RotationFromRpy(rpy));
    EXPECT_LE((back - rpy).cwiseAbs().maxCoeff(), 1e-15) << rpy.transpose();
  }
  EXPECT_EQ(RpyFromRotation(RotationFromRpy({0.1, 0.2, 0.3})), Vector3(0.1, 0.2, 0.3));
}

TEST(Rpy, RandomRotationsComeBackToRounding) {
  std::mt19937 random(5);
  for (int i = 0; i < 2000; ++i) {
    const Matrix3 R = RandomRotation(random);
    ASSERT_LE(Distance(RotationFromRpy(RpyFromRotation(R)), R), 2e-15);
  }
}

TEST(Rpy, GimbalLock) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> angle(-kPi, kPi);
  for (const double pitch : {kPi / 2, -kPi / 2}) {
    for (int i = 0; i < 200; ++i) {
      const Matrix3 R = RotationFromRpy({angle(random), pitch, angle(random)});
      const Vector3 back = RpyFromRotation(R);
      ASSERT_EQ(back.x(), 0) << "roll is chosen zero where only yaw -+ roll is defined";
      ASSERT_LE(Distance(RotationFromRpy(back), R), 1e-15);
    }
  }
  // Close to the lock every angle is still found, to the accuracy that the matrix holds.
  for (const double off : {1e-3, 1e-6, 1e-9, 1e-11, 1e-13}) {
    for (const double sign : {1.0, -1.0}) {
      const Matrix3 R = RotationFromRpy({0.4, sign * (kPi / 2 - off), -1.1});
      ASSERT_LE(Distance(RotationFromRpy(RpyFromRotation(R)), R), 2e-15) << off;
    }
  }
}

TEST(Rpy, NoMinusZero) {
  for (const Vector3& rpy : {Vector3(-0.0, 0.5, -0.0), Vector3(0.5, -0.0, 0), Vector3(0, -0.0, 0.5),
                             Vector3(kPi, 0, 0), Vector3(0, kPi / 2, 0)}) {
    const Vector3 back = RpyFromRotation(RotationFromRpy(rpy));
    for (const double value : back)
      EXPECT_FALSE(value == 0 && std::signbit(value)) << rpy.transpose();
  }
}

TEST(Quaternions, RoundTripAndScale) {
  std::mt19937 random(8);
  for (int i = 0; i < 500; ++i) {
    const Matrix3 R = RandomRotation(random);
    const Eigen::Vector4d q = QuaternionFromRotation(R);
    ASSERT_GE(q[0], 0);
    ASSERT_NEAR(q.norm(), 1, 1e-15);
    ASSERT_LE(Distance(RotationFromQuaternion(q[0], q[1], q[2], q[3]), R), 2e-15);
    ASSERT_LE(
        Distance(RotationFromQuaternion(1e-200 * q[0], 1e-200 * q[1], 1e-200 * q[2], 1e-200 * q[3]),
                 R),
        2e-15)
        << "not normalised, and tiny";
  }
  EXPECT_EQ(RotationFromQuaternion(0, 0, 0, 1), Vector3(-1, -1, 1).asDiagonal().toDenseMatrix());
}

TEST(Rotations, RotationWithZTakesZThere) {
  EXPECT_EQ(RotationWithZ(Vector3::UnitZ()), Matrix3::Identity());
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 500; ++i) {
    const Vector3 z = i < 6 ? Vector3((i % 2 != 0 ? -1.0 : 1.0) * Vector3::Unit(i / 2))
                            : Vector3(normal(random), normal(random), normal(random)).normalized();
    const Matrix3 R = RotationWithZ(z);
    ASSERT_EQ(Vector3(R.col(2)), z);
    ASSERT_LE(Distance(R * R.transpose(), Matrix3::Identity()), 1e-15);
    ASSERT_NEAR(R.determinant(), 1, 1e-15);
  }
}

TEST(Rotations, AxisAngleAgreesWithEigen) {
  std::mt19937 random(10);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 500; ++i) {
    const Vector3 axis = Vector3(normal(random), normal(random), normal(random)).normalized();
    const double angle = 3 * normal(random);
    ASSERT_LE(Distance(RotationFromAxisAngle(axis, angle),
                       Eigen::AngleAxisd(angle, axis).toRotationMatrix()),
              2e-15);
  }
}

TEST(Rotations, OrthonormalizedLeavesRotationsAloneAndRepairsNoise) {
  const Matrix3 exact = RotationFromRpy({kPi / 2, 0, kPi});
  EXPECT_EQ(Orthonormalized(exact), exact);
  const Matrix3 R = RotationFromRpy({0.3, -0.4, 2});
  const Matrix3 repaired = Orthonormalized(R + 1e-7 * Matrix3::Ones());
  EXPECT_LE(Distance(repaired * repaired.transpose(), Matrix3::Identity()), 1e-15);
  EXPECT_LE(Distance(repaired, R), 1e-6);
}

TEST(RigidTransforms, InverseAndComposition) {
  std::mt19937 random(12);
  const RigidTransform X_AB{RandomRotation(random), {1, 2, 3}},
      X_BC{RandomRotation(random), {-4, 5, 0.5}};
  EXPECT_TRUE((X_AB * X_AB.inverse()).IsNearIdentity(1e-15));
  const Vector3 p_C(0.1, -0.2, 0.3);
  EXPECT_LE(((X_AB * X_BC) * p_C - X_AB * (X_BC * p_C)).norm(), 1e-14);
  EXPECT_FALSE(X_AB.IsNearIdentity(1));
  EXPECT_TRUE(RigidTransform{}.IsExactlyIdentity());
}

// Kinetic energy of a rigid body does not depend on the frame it is told in.
TEST(SpatialInertias, MatrixAndFrameChangeKeepTheKineticEnergy) {
  std::mt19937 random(13);
  const RigidTransform X_AB{RandomRotation(random), {0.3, -0.7, 1.1}};
  const SpatialInertia M_B{2.5, {0.1, 0.2, -0.3}, Vector3(0.4, 0.5, 0.6).asDiagonal()};
  Vector6 V_B;  // [omega; v] of B's origin in B
  V_B << 1, -2, 0.5, 0.3, 0.7, -1.1;
  const Vector3 omega_A = X_AB.R * V_B.head<3>();
  Vector6 V_A;  // the same motion at A's origin
  V_A << omega_A, X_AB.R * V_B.tail<3>() - omega_A.cross(X_AB.p);
  EXPECT_NEAR(V_A.dot(M_B.InFrame(X_AB).AsMatrix() * V_A), V_B.dot(M_B.AsMatrix() * V_B), 1e-12);
}

TEST(SpatialInertias, SumOfTwoHalvesIsTheWhole) {
  // A 2 kg dumbbell of two points at +-1 m on x about its middle.
  const SpatialInertia left{1, {-1, 0, 0}, Matrix3::Zero()}, right{1, {1, 0, 0}, Matrix3::Zero()};
  const SpatialInertia both = left + right;
  EXPECT_EQ(both.mass, 2);
  EXPECT_EQ(both.p_BoBcm, Vector3::Zero());
  EXPECT_EQ(both.I_BBcm, Vector3(0, 2, 2).asDiagonal().toDenseMatrix());
  EXPECT_LE((both.AsMatrix() - (left.AsMatrix() + right.AsMatrix())).norm(), 1e-15);
}

TEST(SpatialInertias, TheQuickAnswerIsGivenInsideTheTriangleOnly) {
  const Matrix3 R = RotationFromRpy(Vector3(0.3, -0.5, 0.7));
  const auto turned = [&](double x, double y, double z) -> Matrix3 {
    return R * Vector3(x, y, z).asDiagonal() * R.transpose();
  };
  EXPECT_TRUE(IsWellPhysical(turned(1, 2, 2.9)));
  EXPECT_TRUE(IsWellPhysical(turned(1e-9, 1e-9, 1e-9)));
  EXPECT_FALSE(IsWellPhysical(turned(1, 2, 3)));
  EXPECT_FALSE(IsWellPhysical(turned(1, 2, 3.1)));
  EXPECT_FALSE(IsWellPhysical(turned(-1, 2, 2)));
  EXPECT_FALSE(IsWellPhysical(Matrix3::Zero()));
}

TEST(SpatialInertias, SumOfMasslessTensorsKeepsThem) {
  const SpatialInertia rotor{0, {0, 0, 0}, Matrix3::Identity()};
  EXPECT_EQ((rotor + rotor).I_BBcm, 2 * Matrix3::Identity());
}

TEST(JointKinds, CountsAddUp) {
  struct Row {
    JointKind kind;
    const char* name;
    int nq, nv, axes, vectors;
  };
  for (const Row& row :
       {Row{Fixed{}, "fixed", 0, 0, 0, 0}, Row{Revolute{}, "revolute", 1, 1, 1, 1},
        Row{Prismatic{}, "prismatic", 1, 1, 1, 1}, Row{Screw{}, "screw", 1, 1, 1, 1},
        Row{Universal{}, "universal", 2, 2, 2, 2}, Row{Ball{}, "ball", 4, 3, 1, 0},
        Row{Planar{}, "planar", 3, 3, 3, 1}, Row{Cylindrical{}, "cylindrical", 2, 2, 2, 1},
        Row{Free{}, "free", 7, 6, 1, 0}}) {
    EXPECT_EQ(KindName(row.kind), row.name);
    EXPECT_EQ(NumPositions(row.kind), row.nq) << row.name;
    EXPECT_EQ(NumVelocities(row.kind), row.nv) << row.name;
    EXPECT_EQ(NumConstraints(row.kind), 6 - row.nv) << row.name;
    EXPECT_EQ(NumAxes(row.kind), row.axes) << row.name;
    EXPECT_EQ(AxesOf(row.kind).size(), static_cast<std::size_t>(row.vectors)) << row.name;
  }
}

TEST(JointKinds, RotatedTurnsEveryAxisAndKeepsTheRest) {
  const Matrix3 R = RotationFromRpy({0, 0, kPi / 2});
  const auto universal = std::get<Universal>(Rotated(Universal{}, R));
  EXPECT_EQ(universal.axis1, Vector3::UnitY());
  EXPECT_EQ(universal.axis2, -Vector3::UnitX());
  const auto screw = std::get<Screw>(Rotated(Screw{Vector3::UnitX(), 0.25}, R));
  EXPECT_EQ(screw.axis, Vector3::UnitY());
  EXPECT_EQ(screw.pitch, 0.25);
  EXPECT_TRUE(std::holds_alternative<Ball>(Rotated(Ball{}, R)));
}

TEST(JointKinds, PlanarBasisIsRightHanded) {
  EXPECT_EQ(PlanarBasis(Vector3::UnitZ()), Matrix3::Identity());
  EXPECT_NEAR(PlanarBasis(Vector3::UnitX()).determinant(), 1, 1e-15);
  EXPECT_EQ(Vector3(PlanarBasis(Vector3::UnitX()).col(2)), Vector3::UnitX());
}

}  // namespace
}  // namespace kinemorph
