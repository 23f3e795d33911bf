// Joint kinds, poses, Jacobians and constraint rows against central differences.
#include "kinemorph/graph/mechanics/kinematics.h"

#include <gtest/gtest.h>

#include <array>

#include "kinemorph/graph/mechanics/closure.h"
#include "random_mechanism.h"

namespace kinemorph {
namespace {

using test::RandomAxis;
using test::RandomMechanism;
using test::RandomMechanismOptions;
using test::RandomTransform;

std::vector<JointKind> EveryKind(Random& random) {
  return {Fixed{},
          Revolute{RandomAxis(random)},
          Prismatic{RandomAxis(random)},
          Screw{RandomAxis(random), 0.13},
          Universal{RandomAxis(random), RandomAxis(random)},
          Ball{},
          Planar{RandomAxis(random)},
          Cylindrical{RandomAxis(random)},
          Free{}};
}

// Velocity of M in F about Mo in axes of M, from two poses.
Vector6 TwistBetween(const RigidTransform& before, const RigidTransform& at,
                     const RigidTransform& after, double dt) {
  const Matrix3 W = at.R.transpose() * (after.R - before.R) / dt;
  Vector6 V;
  V << (W(2, 1) - W(1, 2)) / 2, (W(0, 2) - W(2, 0)) / 2, (W(1, 0) - W(0, 1)) / 2,
      at.R.transpose() * (after.p - before.p) / dt;
  return V;
}

struct JointSample {
  std::array<double, 7> q{};
  std::array<double, 6> v{};
  std::array<double, 7> Moved(const JointKind& kind, double dt) const {
    std::array<double, 7> next = q;
    IntegratePosition(kind, q.data(), v.data(), dt, next.data());
    return next;
  }
};

JointSample RandomSample(const JointKind& kind, Random& random) {
  JointSample sample;
  SetZeroPosition(kind, sample.q.data());
  for (double& v : sample.v) v = random.Uniform(-1, 1);
  sample.q = sample.Moved(kind, 1);
  for (double& v : sample.v) v = random.Uniform(-1, 1);
  return sample;
}

TEST(JointMotion, MotionSubspaceIsTheDerivativeOfTheTransform) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    for (const JointKind& kind : EveryKind(random)) {
      const JointSample sample = RandomSample(kind, random);
      const double h = 1e-5;
      const Vector6 V = TwistBetween(JointTransform(kind, sample.Moved(kind, -h).data()),
                                     JointTransform(kind, sample.q.data()),
                                     JointTransform(kind, sample.Moved(kind, h).data()), 2 * h);
      const JointMatrix S = MotionSubspace(kind, sample.q.data());
      const Eigen::Map<const Eigen::VectorXd> v(sample.v.data(), NumVelocities(kind));
      EXPECT_LT((S * v - V).norm(), 1e-8) << KindName(kind);
    }
  }
}

TEST(JointMotion, SubspaceRateIsItsDerivative) {
  Random random(2);
  for (const JointKind& kind : EveryKind(random)) {
    const JointSample sample = RandomSample(kind, random);
    const double h = 1e-5;
    const Eigen::Map<const Eigen::VectorXd> v(sample.v.data(), NumVelocities(kind));
    const Vector6 rate = (MotionSubspace(kind, sample.Moved(kind, h).data()) -
                          MotionSubspace(kind, sample.Moved(kind, -h).data())) *
                         v / (2 * h);
    EXPECT_LT((rate - MotionSubspaceRate(kind, sample.q.data(), sample.v.data())).norm(), 1e-9)
        << KindName(kind);
  }
}

TEST(JointMotion, ConstraintForcesDoNoWorkAndCompleteTheSpace) {
  Random random(3);
  for (const JointKind& kind : EveryKind(random)) {
    const JointSample sample = RandomSample(kind, random);
    const JointMatrix S = MotionSubspace(kind, sample.q.data()),
                      Psi = ConstraintForceSubspace(kind, sample.q.data());
    ASSERT_EQ(S.cols() + Psi.cols(), 6) << KindName(kind);
    EXPECT_LT((Psi.transpose() * S).norm(), 1e-14) << KindName(kind);
    Matrix6 both;
    both << S, Psi;
    EXPECT_GT(std::abs(both.determinant()), 1e-3) << KindName(kind);
  }
}

TEST(JointMotion, PositionFromTransformInverts) {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    for (const JointKind& kind : EveryKind(random)) {
      const JointSample sample = RandomSample(kind, random);
      const RigidTransform X = JointTransform(kind, sample.q.data());
      std::array<double, 7> q{};
      PositionFromTransform(kind, X, q.data());
      EXPECT_TRUE((JointTransform(kind, q.data()).inverse() * X).IsNearIdentity(1e-13))
          << KindName(kind);
    }
  }
}

TEST(JointMotion, ScrewTellsTheTurnByTheDisplacement) {
  const JointKind kind = Screw{Vector3::UnitZ(), 0.1};
  const double q = 20;
  double found = 0;
  PositionFromTransform(kind, JointTransform(kind, &q), &found);
  EXPECT_NEAR(found, 20, 1e-13);
}

TEST(Kinematics, AReversedJointPutsItsLinksWhereTheForwardOneDoes) {
  // world - a, and a revolute joint from b (predecessor) to a (successor).
  Model model;
  Link link;
  link.name = "a";
  const LinkId a = model.AddLink(link);
  link.name = "b";
  const LinkId b = model.AddLink(link);
  Joint base;
  base.name = "base", base.kind = Fixed{};
  model.AddJoint(kWorld, a, base);
  Random random(5);
  for (const JointKind& kind : EveryKind(random)) {
    Model m = model;
    Joint joint;
    joint.name = "j", joint.kind = kind, joint.X_PF = RandomTransform(random, 1),
    joint.X_SM = RandomTransform(random, 1);
    joint.axes.resize(static_cast<std::size_t>(NumAxes(kind)));
    m.AddJoint(b, a, joint);
    const Mechanism mechanism = Compile(m);
    const JointSample sample = RandomSample(kind, random);
    Eigen::VectorXd q = mechanism.ZeroPosition();
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = sample.q[static_cast<std::size_t>(i)];
    const std::vector<RigidTransform> X_W = Poses(mechanism, q);
    const RigidTransform X_ba =
        X_W[static_cast<std::size_t>(mechanism.body_of[Index(b)])].inverse() *
        X_W[static_cast<std::size_t>(mechanism.body_of[Index(a)])];
    const RigidTransform expected =
        joint.X_PF * JointTransform(kind, sample.q.data()) * joint.X_SM.inverse();
    EXPECT_TRUE((X_ba.inverse() * expected).IsNearIdentity(1e-13)) << KindName(kind);
  }
}

TEST(Kinematics, LinkJacobiansAreDerivativesOfPoses) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RandomMechanismOptions options;
    options.reversed_joints = true, options.free_base = seed % 2 == 0;
    const Model model = RandomMechanism(seed, options);
    const Mechanism m = Compile(model);
    Random random(seed);
    Eigen::VectorXd v(m.nv);
    for (double& x : v) x = random.Uniform(-1, 1);
    const Eigen::VectorXd q = m.Integrate(m.ZeroPosition(), v, 1);
    for (double& x : v) x = random.Uniform(-1, 1);
    const double h = 1e-5;
    const auto before = Poses(m, m.Integrate(q, v, -h)), at = Poses(m, q),
               after = Poses(m, m.Integrate(q, v, h));
    JointCache joints(m);
    UpdateJoints(m, q.data(), v.data(), joints);
    const std::vector<Vector6> V = Velocities(m, joints, v);
    for (std::size_t b = 1; b < m.bodies.size(); ++b) {
      const Vector6 expected = TwistBetween(before[b], at[b], after[b], 2 * h);
      EXPECT_LT((LinkJacobian(m, joints, static_cast<int>(b), JacobianFrame::kBody) * v - expected)
                    .norm(),
                1e-7);
      EXPECT_LT((V[b] - expected).norm(), 1e-7);
      const Vector6 world =
          LinkJacobian(m, joints, static_cast<int>(b), JacobianFrame::kWorldAligned) * v;
      EXPECT_LT((at[b].R.transpose() * world.tail<3>() - expected.tail<3>()).norm(), 1e-7);
    }
  }
}

// K and k hold at configurations that are not closed, too.
TEST(Kinematics, ConstraintRowsAgreeWithCentralDifferences) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomMechanismOptions options;
    options.links = 14, options.loops = 4, options.couplings = 2,
    options.reversed_joints = seed % 2 == 0, options.free_base = seed % 3 == 0;
    options.closed_at_zero = seed % 2 == 0;
    const Model model = RandomMechanism(seed, options);
    const Mechanism m = Compile(model);
    EXPECT_TRUE(m.problems.empty()) << m.problems.front();
    ASSERT_GT(m.rows, 0);
    Random random(seed);
    Eigen::VectorXd v(m.nv);
    for (double& x : v) x = random.Uniform(-0.3, 0.3);
    const Eigen::VectorXd q = m.Integrate(m.ZeroPosition(), v, 1);
    for (double& x : v) x = random.Uniform(-1, 1);
    const double h = 1e-5;
    const ConstraintRows at = Constraints(m, q, v), after = Constraints(m, m.Integrate(q, v, h), v),
                         before = Constraints(m, m.Integrate(q, v, -h), v);
    EXPECT_LT(((after.phi - before.phi) / (2 * h) - at.K * v).lpNorm<Eigen::Infinity>(), 1e-7)
        << seed;
    EXPECT_LT((-(after.K - before.K) / (2 * h) * v - at.k).lpNorm<Eigen::Infinity>(), 1e-7) << seed;
  }
}

TEST(Closure, FindsAssembledConfigurationsOfMechanismsThatAreOpenAtZero) {
  int closed = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomMechanismOptions options;
    options.closed_at_zero = false;
    const Model model = RandomMechanism(seed, options);
    const Mechanism m = Compile(model);
    ClosureSolver solver(m);
    Random random(seed);
    Eigen::VectorXd q = m.ZeroPosition();
    const ClosureResult result = solver.Assemble(random, 40, q);
    EXPECT_TRUE(q.allFinite());
    EXPECT_NEAR(result.residual, solver.Residual(q), 1e-12);
    closed += result.closed ? 1 : 0;
  }
  EXPECT_GE(closed, 29);
}

}  // namespace
}  // namespace kinemorph
