// Rotations as products of coordinate rotations: exact everywhere, also where the URDF to MBS
// seed's formulas break.
#include "rotation_chain.h"

#include <gtest/gtest.h>

#include <numbers>

#include "java_number.h"
#include "random_mechanism.h"

namespace kinemorph::mbs {
namespace {

using kinemorph::test::RandomAxis;
constexpr double kPi = std::numbers::pi;

double Error(const Matrix3& a, const Matrix3& b) { return (a - b).cwiseAbs().maxCoeff(); }

// Plain sines and cosines, nothing shared with the code under test.
Matrix3 R(int k, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3 m;
  if (k == 0) m << 1, 0, 0, 0, c, -s, 0, s, c;
  if (k == 1) m << c, 0, s, 0, 1, 0, -s, 0, c;
  if (k == 2) m << c, -s, 0, s, c, 0, 0, 0, 1;
  return m;
}

Matrix3 Rpy(double roll, double pitch, double yaw) { return R(2, yaw) * R(1, pitch) * R(0, roll); }

void ExpectFactorsGive(const Matrix3& wanted) {
  const std::vector<AxisRotation> factors = ShortestFactors(wanted);
  Matrix3 product = Matrix3::Identity();
  for (const AxisRotation& factor : factors) product = product * R(factor.k, factor.angle);
  ASSERT_LE(Error(product, wanted), 1e-12) << wanted;
  ASSERT_EQ(static_cast<int>(factors.size()), NumFactors(wanted));
  const Vector3 angles = CurrentFrameAngles(wanted);
  ASSERT_LE(Error(R(0, angles.x()) * R(1, angles.y()) * R(2, angles.z()), wanted), 1e-12) << wanted;
}

TEST(RotationChain, ReproducesHundredThousandRandomOrientations) {
  Random random(1);
  for (int i = 0; i < 100000; ++i)
    ExpectFactorsGive(RotationFromAxisAngle(RandomAxis(random), random.Uniform(-kPi, kPi)));
}

TEST(RotationChain, ReproducesEveryCombinationOfUsualAngles) {
  std::vector<double> angles;
  for (int quarter = -2; quarter <= 2; ++quarter) {
    for (const double off : {0.0, 1e-12, -1e-12, 1e-9, 1e-7, 0.3})
      angles.push_back(quarter * kPi / 2 + off);
  }
  for (const double roll : angles)
    for (const double pitch : angles)
      for (const double yaw : angles) ExpectFactorsGive(Rpy(roll, pitch, yaw));
}

// Where beta = atan2(r13, r33 / cos(alpha)) is 0 / 0 (roll = +-pi/2) or alpha is undefined (pitch =
// +-pi/2).
TEST(RotationChain, SurvivesTheOrientationsTheSeedsFormulasLose) {
  ExpectFactorsGive(Rpy(kPi / 2, 0.4, 0.3));
  ExpectFactorsGive(Rpy(kPi / 2, 0.2, -0.9));
  ExpectFactorsGive(Rpy(0, kPi / 2, 0.7));
  ExpectFactorsGive(Rpy(1.5708, 1.5708, 0));
}

TEST(RotationChain, NearGimbalLockNothingIsLost) {
  Random random(2);
  for (int i = 0; i < 20000; ++i) {
    const double off = std::pow(10, random.Uniform(-17, -1)), side = i % 2 ? 1 : -1;
    ExpectFactorsGive(
        Rpy(random.Uniform(-kPi, kPi), side * kPi / 2 + off, random.Uniform(-kPi, kPi)));
    ExpectFactorsGive(R(0, random.Uniform(-kPi, kPi)) * R(1, side * kPi / 2 + off) *
                      R(2, random.Uniform(-kPi, kPi)));
  }
}

TEST(RotationChain, UsesNoMoreFactorsThanNeeded) {
  EXPECT_EQ(ShortestFactors(Matrix3::Identity()).size(), 0u);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(ShortestFactors(R(k, 0.7)).size(), 1u);
  for (int i = 0; i < 3; ++i)
    for (const int j : {(i + 1) % 3, (i + 2) % 3})
      EXPECT_EQ(ShortestFactors(R(i, 0.7) * R(j, -0.4)).size(), 2u);
  EXPECT_EQ(ShortestFactors(R(1, 0.7) * R(2, -0.4) * R(1, 0.2)).size(), 3u);
  Matrix3 cyclic;  // x -> y -> z -> x
  cyclic << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  EXPECT_EQ(ShortestFactors(cyclic).size(), 2u);
}

TEST(RotationChain, GivesBackTheAuthorsDigits) {
  const std::vector<AxisRotation> factors = ShortestFactors(Rpy(0.1, -0.25, 1.3));
  ASSERT_EQ(factors.size(), 3u);
  EXPECT_EQ(factors[0].k, 2);
  EXPECT_EQ(factors[0].angle, 1.3);
  EXPECT_EQ(factors[1].angle, -0.25);
  EXPECT_EQ(factors[2].angle, 0.1);
  EXPECT_EQ(ShortestFactors(R(2, 0.3491))[0].angle, 0.3491);
}

TEST(RotationChain, TurnsACoordinateAxisToEveryDirection) {
  Random random(3);
  std::vector<Vector3> directions;
  for (int k = 0; k < 3; ++k) {
    for (const double off : {0.0, 1e-17, 1e-12, 1e-9}) {
      for (const double sign : {1.0, -1.0}) {
        directions.push_back(
            (sign * Vector3::Unit(k) + off * Vector3::Unit((k + 1) % 3)).normalized());
        directions.push_back((sign * Vector3::Unit(k) - off * Vector3(1, 1, 1)).normalized());
      }
    }
    directions.push_back((Vector3::Unit(k) + 0.5 * Vector3::Unit((k + 1) % 3)).normalized());
    directions.push_back((-Vector3::Unit(k) - 0.5 * Vector3::Unit((k + 2) % 3)).normalized());
  }
  for (int i = 0; i < 30000; ++i) directions.push_back(RandomAxis(random));
  for (const Vector3& d : directions) {
    for (int k = 0; k < 3; ++k) {
      const std::vector<Matrix3> found = RotationsThatTurn(k, d);
      ASSERT_FALSE(found.empty());
      for (const Matrix3& P : found) {
        ASSERT_LE((P.col(k) - d).cwiseAbs().maxCoeff(), 1e-12) << k << ": " << d.transpose();
        ASSERT_LE(Error(P.transpose() * P, Matrix3::Identity()), 1e-14);
        ASSERT_LE(NumFactors(P), 2);
      }
    }
  }
}

TEST(RotationChain, MultiplesOfAQuarterTurnAreExact) {
  EXPECT_EQ(ElementaryRotation(0, kPi), Matrix3(Vector3(1, -1, -1).asDiagonal()));
  EXPECT_EQ(Matrix3(ElementaryRotation(2, kPi) * ElementaryRotation(2, -kPi)),
            Matrix3(Matrix3::Identity()));
}

TEST(JavaNumber, HasTheFormOfDoubleToString) {
  EXPECT_EQ(JavaNumber(0), "0.0");
  EXPECT_EQ(JavaNumber(-0.0), "0.0");
  EXPECT_EQ(JavaNumber(1), "1.0");
  EXPECT_EQ(JavaNumber(-9.81), "-9.81");
  EXPECT_EQ(JavaNumber(1.5707963267948966), "1.5707963267948966");
  EXPECT_EQ(JavaNumber(2.9e-4), "2.9E-4");
  EXPECT_EQ(JavaNumber(-1e-5), "-1.0E-5");
  EXPECT_EQ(JavaNumber(0.001), "0.001");
  EXPECT_EQ(JavaNumber(9999999), "9999999.0");
  EXPECT_EQ(JavaNumber(1e7), "1.0E7");
  EXPECT_EQ(JavaNumber(1.25e300), "1.25E300");
}

}  // namespace
}  // namespace kinemorph::mbs
