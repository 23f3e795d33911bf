// Joint kinds, poses, Jacobians and constraint rows against central differences.
#include "kinemorph/graph/mechanics/kinematics.h"

#include <gtest/gtest.h>

#include <array>

#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/planar_loop.h"
#include "kinemorph/graph/model/zero_poses.h"
#include "random_mechanism.h"
#include "series_parallel.h"

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

// A four-bar with hinges in the plane, and what Close is told.
struct FourBarToClose {
  Model model;
  Mechanism m;
  int aggregate = 0;
  explicit FourBarToClose(double tilt = 0) {
    test::Builder b(1);
    const JointKind hinge = Revolute{Vector3::UnitZ()};
    const LinkId base = b.Add("base", kWorld, Fixed{}, {}, false);
    const LinkId crank = b.Add("crank", base, hinge, test::At(0, 0), true);
    const LinkId coupler = b.Add("coupler", crank, hinge, test::At(0.1, 0.25), false);
    const LinkId rocker = b.Add("rocker", base, hinge, test::At(0.45, 0), false);
    b.Close(coupler, rocker, test::At(0.4, 0.1), hinge);
    model = b.model;
    Joint& loop = model.joint(model.FindJoint("loop4").value());
    loop.X_SM.R = loop.X_SM.R * RotationFromAxisAngle(Vector3::UnitX(), tilt);
    m = Compile(model);
    aggregate = static_cast<int>(m.aggregates.size()) - 1;
  }
};

TEST(Closure, EndsOnTheRankWhereRedundantRowsContradict) {
  FourBarToClose exact, tilted(6.5e-7);
  ClosureSolver to_exact(exact.m), to_tilted(tilted.m);
  for (int i = 1; i <= 20; ++i) {
    Eigen::VectorXd q = exact.m.ZeroPosition(), r;
    q[0] = 0.02 * i, r = q;
    const ClosureResult one = to_exact.Close(exact.aggregate, q, {.held = {true, false, false}}),
                        other =
                            to_tilted.Close(tilted.aggregate, r, {.held = {true, false, false}});
    EXPECT_EQ(one.status, ClosureStatus::kClosed);
    EXPECT_EQ(other.status, ClosureStatus::kNearlyClosed);
    EXPECT_GT(other.residual, 4e-7);
    EXPECT_LT(other.residual, 6.6e-7);
    EXPECT_LE(other.iterations, one.iterations + 1);
    EXPECT_LT((q - r).lpNorm<Eigen::Infinity>(), 1e-6);
  }
}

TEST(Closure, HoldsWhatItIsTold) {
  FourBarToClose bar;
  ClosureSolver solver(bar.m);
  Eigen::VectorXd q = bar.m.ZeroPosition();
  q[0] = 0.3;
  EXPECT_EQ(solver.Close(bar.aggregate, q, {.held = {true, false, false}}).status,
            ClosureStatus::kClosed);
  EXPECT_EQ(q[0], 0.3);
  EXPECT_NE(q[1], 0);
  q[0] = 0.6;  // the coupler alone cannot
  const double rocker = q[2];
  EXPECT_EQ(solver.Close(bar.aggregate, q, {.held = {true, false, true}}).status,
            ClosureStatus::kOutOfReach);
  EXPECT_EQ(q[0], 0.6);
  EXPECT_EQ(q[2], rocker);
  EXPECT_EQ(solver.Close(bar.aggregate, q).status, ClosureStatus::kClosed);
}

TEST(Closure, StopsAtLimits) {
  FourBarToClose bar;
  const std::size_t rocker = 2;
  ASSERT_EQ(bar.m.names[rocker], "rocker_joint");
  bar.m.lower[rocker] = -0.05, bar.m.upper[rocker] = 0.05;
  ClosureSolver solver(bar.m);
  Eigen::VectorXd q = bar.m.ZeroPosition();
  q[0] = 0.5;  // asks more of the rocker
  EXPECT_EQ(
      solver.Close(bar.aggregate, q, {.held = {true, false, false}, .within_limits = true}).status,
      ClosureStatus::kAtLimit);
  EXPECT_NEAR(std::abs(q[2]), 0.05, 1e-12);
  EXPECT_EQ(q[0], 0.5);
  q = bar.m.ZeroPosition(), q[0] = 0.5;  // free, the crank comes back
  EXPECT_EQ(solver.Close(bar.aggregate, q, {.within_limits = true}).status, ClosureStatus::kClosed);
  EXPECT_LE(std::abs(q[2]), 0.05 + 1e-12);
}

TEST(Closure, TellsASingularPosture) {
  test::Builder b(1);  // a parallelogram drawn flat
  const JointKind hinge = Revolute{Vector3::UnitZ()};
  const LinkId base = b.Add("base", kWorld, Fixed{}, {}, false);
  const LinkId crank = b.Add("crank", base, hinge, test::At(0, 0), true);
  const LinkId coupler = b.Add("coupler", crank, hinge, test::At(0.2, 0), false);
  const LinkId rocker = b.Add("rocker", base, hinge, test::At(0.5, 0), false);
  b.Close(coupler, rocker, test::At(0.5, 0), hinge);
  const Mechanism m = Compile(b.model);
  ClosureSolver solver(m);
  const int a = static_cast<int>(m.aggregates.size()) - 1;
  Eigen::VectorXd q = m.ZeroPosition();
  EXPECT_EQ(solver.Close(a, q, {.rank = 2}).status, ClosureStatus::kSingular);
  EXPECT_TRUE(solver.NearlySingular(a, q, 1e-5, 2));
  q << 1e-8, -1e-8, 1e-8;
  EXPECT_TRUE(solver.NearlySingular(a, q, 1e-5, 2));
  q << 0.3, -0.3, 0.3;
  EXPECT_EQ(solver.Close(a, q, {.rank = 2}).status, ClosureStatus::kClosed);
  EXPECT_FALSE(solver.NearlySingular(a, q, 1e-5, 2));
}

TEST(SphereCentre, IsLookedForBySizeOfTheRobot) {
  for (const double size : {1e-4, 1.0, 1e4}) {
    for (const double miss : {1e-8, 1e-11}) {
      test::Builder b(1);
      const LinkId base = b.Add("base", kWorld, Fixed{}, test::At(size, 0), false);
      const LinkId crank = b.Add("crank", base, Revolute{Vector3::UnitZ()}, {}, true);
      const LinkId coupler =
          b.Add("coupler", crank, Revolute{Vector3(0.6, 0, 0.8)}, test::At(0, miss * size), false);
      const LinkId rocker = b.Add("rocker", base, Revolute{Vector3(0, 0.8, 0.6)}, {}, false);
      b.Close(coupler, rocker, test::At(0, -miss * size), Revolute{Vector3(0.48, 0.64, 0.6)});
      const JointId loop{static_cast<std::uint32_t>(b.model.num_joints() - 1)};
      const SpanningTree tree = ChooseSpanningTree(b.model);
      const auto centre = SphereCentre(b.model, tree, ZeroPoses(b.model, tree), loop, size);
      ASSERT_EQ(centre.has_value(), miss < 1e-9) << size;
      if (centre) { EXPECT_LT((*centre - Vector3(size, 0, 0)).norm(), 1e-9 * size); }
    }
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
    Eigen::VectorXd q = m.ZeroPosition();
    const ClosureResult result = solver.Assemble(seed, 40, q);
    EXPECT_TRUE(q.allFinite());
    EXPECT_NEAR(result.residual, solver.Residual(q), 1e-12);
    const bool done =
        result.status == ClosureStatus::kClosed || result.status == ClosureStatus::kSingular;
    EXPECT_EQ(done, result.closed) << Name(result.status);
    closed += result.closed ? 1 : 0;
  }
  EXPECT_GE(closed, 29);
}

TEST(Closure, AMechanismThatCannotBeAssembledHasTheStatusOfItsOpenLoop) {
  RandomMechanismOptions options;
  options.loops = 1;
  Model model = RandomMechanism(1, options);
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kLoop) model.joint(id).X_PF.p.x() += 1000;
  const Mechanism m = Compile(model);
  ClosureSolver solver(m);
  Eigen::VectorXd q = m.ZeroPosition();
  const ClosureResult result = solver.Assemble(1, 5, q);
  EXPECT_FALSE(result.closed);
  EXPECT_EQ(result.status, ClosureStatus::kNoConvergence) << Name(result.status);
}

}  // namespace
}  // namespace kinemorph
