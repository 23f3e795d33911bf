// Aggregates with many loops: short cycles say what K says, in time that one can wait.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "lab/dense_dynamics.h"
#include "ladder.h"
#include "mechanics/loop_cycles.h"
#include "random_mechanism.h"

namespace kinemorph {
namespace {

using test::Ladder;
using test::RandomMechanism;
using test::RandomMechanismOptions;

Eigen::MatrixXd Dense(const std::vector<CycleRow>& rows, int columns) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), columns);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const SparseEntry& entry : rows[r].entries)
      A(static_cast<Eigen::Index>(r), entry.column) += entry.value;
  }
  return A;
}

int SvdRank(const Eigen::MatrixXd& A) {
  return A.size() == 0 ? 0 : GapRank(Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues());
}

// A mechanism at an open configuration: the rows of its cycles, beside K.
void ExpectCyclesSayWhatKSays(const Model& model, std::uint64_t seed) {
  SCOPED_TRACE(seed);
  const Mechanism m = Compile(model);
  ClosureSolver solver(m);
  Random random(seed);
  Eigen::VectorXd q = m.ZeroPosition(), v(m.nv);
  for (double& x : v) x = random.Uniform(-1e-3, 1e-3);
  q = m.Integrate(q, v, 1);
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const Aggregate& g = m.aggregates[static_cast<std::size_t>(a)];
    if (g.rows == 0) continue;
    const Eigen::MatrixXd K = solver.ScaledK(a, q);
    LoopCycles cycles(m, g);
    Eigen::VectorXd phi;
    cycles.ComputePhi(solver.kinematics(a), q.data(), phi);
    const std::vector<CycleRow>& rows = cycles.ComputeRows(solver.kinematics(a), q.data());
    const Eigen::MatrixXd A = Dense(rows, cycles.columns());
    EXPECT_NEAR(phi.lpNorm<Eigen::Infinity>(), solver.Residual(a, q), 1e-13);
    EXPECT_EQ(SvdRank(A), SvdRank(K) + cycles.columns() - g.nv);
    EXPECT_EQ(Eliminate(rows, cycles.columns(), std::vector<int>(static_cast<std::size_t>(g.nv), 0))
                  .rank(),
              SvdRank(K));
    // What solves the cycles closes the loops as K sees them.
    Eigen::VectorXd right(A.rows());
    for (Eigen::Index r = 0; r < right.size(); ++r)
      right[r] = rows[static_cast<std::size_t>(r)].right;
    const Eigen::VectorXd x = A.completeOrthogonalDecomposition().solve(right);
    if ((A * x - right).norm() > 1e-9 * right.norm()) continue;  // locked: nothing closes it
    Eigen::VectorXd missing = K * x.head(g.nv);
    for (const LoopConstraint& loop : g.loops)
      missing.segment(loop.row, loop.rows) += phi.segment(loop.row, loop.rows);
    for (const CycleRow& row : rows) {
      for (const CouplingConstraint& coupling : g.couplings)
        if (row.constraint == coupling.row) missing[coupling.row] -= row.right;
    }
    EXPECT_LT(missing.lpNorm<Eigen::Infinity>(), 1e-4 * phi.lpNorm<Eigen::Infinity>());
  }
}

TEST(LoopCycles, SayWhatKSaysOfRandomMechanisms) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomMechanismOptions options;
    options.links = 14, options.loops = 4, options.couplings = seed % 3 == 0 ? 1 : 0;
    ExpectCyclesSayWhatKSays(RandomMechanism(seed, options), seed);
  }
}

TEST(LoopCycles, SayWhatKSaysOfALadder) { ExpectCyclesSayWhatKSays(Ladder(6), 3); }

TEST(LoopCycles, AreShortWhereTheTreeIsDeep) {
  const Mechanism m = Compile(Ladder(200));
  const Aggregate& g = m.aggregates.back();
  ASSERT_EQ(g.loops.size(), 200u);
  ClosureSolver solver(m);
  const Eigen::VectorXd q = m.ZeroPosition();
  ASSERT_TRUE(solver.IsLarge(static_cast<int>(m.aggregates.size()) - 1));
  const auto& rows = solver.SparseRows(static_cast<int>(m.aggregates.size()) - 1, q);
  std::size_t longest = 0;
  for (const CycleRow& row : rows) longest = std::max(longest, row.entries.size());
  EXPECT_LE(longest, 8u);
}

// A chain whose links stand on legs of two joints on one base: the short way round a loop is not
// the tree's, and the base has a leg for every loop.
Model ChainOnLegs(int legs) {
  Random random(11);
  Model model;
  model.format = "urdf+";
  const auto add = [&](LinkId parent, const Vector3& at) {
    Link link;
    link.name = "link" + std::to_string(model.num_links());
    link.inertial = test::RandomInertial(random);
    const LinkId id = model.AddLink(link);
    Joint joint;
    joint.name = link.name + "_joint", joint.kind = Revolute{}, joint.role = JointRole::kTree;
    joint.X_PF.p = at;
    joint.axes.resize(1);
    model.AddJoint(parent, id, joint);
    return id;
  };
  LinkId chain = kWorld;
  for (int i = 0; i < legs; ++i) {
    chain = add(chain, Vector3(i == 0 ? 0 : 0.1, 0, 0));
    const LinkId thigh = add(kWorld, Vector3(0.1 * i, -0.5, 0));
    const LinkId shank = add(thigh, Vector3(0.1, 0.2, 0));
    Joint loop;
    loop.name = "loop" + std::to_string(i), loop.kind = Revolute{}, loop.role = JointRole::kLoop;
    loop.axes.resize(1);
    loop.X_PF.p = Vector3(-0.1, 0.3, 0);
    model.AddJoint(shank, chain, loop);
  }
  return model;
}

TEST(LoopCycles, AreShortWhereTheBaseHasManyLinks) {
  const Mechanism m = Compile(ChainOnLegs(600));
  const int last = static_cast<int>(m.aggregates.size()) - 1;
  ClosureSolver solver(m);
  std::size_t longest = 0;
  for (const CycleRow& row : solver.SparseRows(last, m.ZeroPosition()))
    longest = std::max(longest, row.entries.size());
  EXPECT_LE(longest, 12u);
}

// Parallelograms in a row, each coupled to the next: one mobility, and singular values that fall
// with the square of the length.
Model Row(int cells) {
  Random random(7);
  Model model;
  model.format = "urdf+";
  const auto connect = [&](LinkId parent, LinkId child, JointRole role, double at, double up) {
    Joint joint;
    joint.name = "joint" + std::to_string(model.num_joints());
    joint.kind = Revolute{}, joint.role = role;
    joint.axes.resize(1);
    joint.X_PF.p = Vector3(at, up, 0);
    if (role == JointRole::kLoop) joint.X_SM.p = Vector3(0, 0.5, 0);
    model.AddJoint(parent, child, joint);
  };
  const auto add = [&](LinkId parent, double at, double up) {
    Link link;
    link.name = "link" + std::to_string(model.num_links());
    link.inertial = test::RandomInertial(random);
    const LinkId id = model.AddLink(link);
    connect(parent, id, JointRole::kTree, at, up);
    return id;
  };
  LinkId bar = add(kWorld, 0, 0);
  for (int i = 1; i <= cells; ++i) {
    const LinkId coupler = add(bar, 0, 0.5);
    bar = add(kWorld, i, 0);
    connect(coupler, bar, JointRole::kLoop, 1, 0);
  }
  return model;
}

TEST(LargeClosure, NeedsNoMoreStepsInALongRow) {
  for (const int cells : {300, 3000}) {
    const Mechanism m = Compile(Row(cells));
    const int last = static_cast<int>(m.aggregates.size()) - 1;
    ClosureSolver solver(m);
    ASSERT_TRUE(solver.IsLarge(last));
    Eigen::VectorXd q = m.ZeroPosition();
    for (Eigen::Index i = 0; i < q.size(); ++i)  // the slowest way to be open
      q[i] = 0.01 * std::sin(std::numbers::pi * static_cast<double>(i) / static_cast<double>(m.nv));
    const ClosureResult result = solver.Close(last, q);
    EXPECT_TRUE(result.closed);
    EXPECT_LT(result.residual, 1e-12);
    EXPECT_LE(result.iterations, 6) << cells;
  }
}

// What is asked of a large cluster without its K, beside what K says.
void ExpectSparseSaysWhatDenseSays(const Model& model) {
  const Mechanism m = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  const int last = static_cast<int>(m.aggregates.size()) - 1;
  ClosureSolver solver(m);
  ASSERT_TRUE(solver.IsLarge(last));
  Random random(5);
  const Eigen::VectorXd q =
      solver.RandomState(coordinates.assembled, 0.1, coordinates.Ranks(), random);
  Eigen::VectorXd v(m.nv), tau(m.nv), qdd;
  for (double& x : v) x = random.Uniform(-1, 1);
  for (double& x : tau) x = random.Uniform(-1, 1);
  EXPECT_LT((solver.Rates(last, q, v) - solver.Rows(last, q).K * v).lpNorm<Eigen::Infinity>(),
            1e-12 * m.nv);
  EXPECT_FALSE(solver.NearlySingular(last, q, 1e-5, coordinates.aggregates.back().rank));
  EXPECT_TRUE(solver.NearlySingular(last, q, 1e-5, coordinates.aggregates.back().rank + 1));
  solver.ProjectVelocity(last, q, -1, v);
  ConstraintEmbeddingDynamics dynamics(m, coordinates);
  ASSERT_EQ(dynamics.ForwardDynamics(q, v, tau, qdd), DynamicsStatus::kOk);
  const Accelerations dense = ForwardDynamicsProjected(m, coordinates, q, v, tau);
  ASSERT_EQ(dense.status, DynamicsStatus::kOk);
  EXPECT_LT((qdd - dense.qdd).lpNorm<Eigen::Infinity>(),
            1e-7 * (1 + dense.qdd.lpNorm<Eigen::Infinity>()));
}

TEST(LargeDynamics, OfALadder) { ExpectSparseSaysWhatDenseSays(Ladder(60)); }

TEST(LargeDynamics, OfJointsThatFollowOne) {
  Model model = Ladder(0);
  Random random(3);
  LinkId before = kWorld;
  for (int i = 0; i < 200; ++i) {
    Link link;
    link.name = "link" + std::to_string(i), link.inertial = test::RandomInertial(random);
    const LinkId id = model.AddLink(link);
    Joint joint;
    joint.name = link.name + "_joint", joint.role = JointRole::kTree;
    if (i % 3 == 1)
      joint.kind = Prismatic{};
    else
      joint.kind = Revolute{};
    joint.X_PF.p = Vector3(0.01, 0.02, 0);
    joint.axes.resize(1);
    const JointId joint_id = model.AddJoint(before, id, joint);
    before = i % 10 == 0 ? kWorld : id;
    if (i == 0) continue;
    Coupling mimic;
    mimic.name = joint.name, mimic.form = CouplingForm::kMimic;
    const JointId leader =
        *model.FindJoint("link" + std::to_string(i % 2 == 0 ? 0 : i - 1) + "_joint");
    mimic.terms = {{{joint_id, 0}, {1, 0, 0, 0}},
                   {{leader, 0}, {-0.8, i % 5 == 0 ? 0.1 : 0, 0, 0}}};
    model.couplings.push_back(mimic);
  }
  ExpectSparseSaysWhatDenseSays(model);
}

TEST(Coordinates, ALongLadderIsOneClusterOfMobilityOnePerCell) {
  for (const double noise : {0.0, 2e-6}) {
    const Coordinates c = AnalyseCoordinates(Compile(Ladder(150, noise)));
    EXPECT_EQ(c.constraint_rows, 750);
    EXPECT_EQ(c.rank, 300);
    EXPECT_EQ(c.mobility, 150);
    EXPECT_EQ(c.redundant.size(), 450u);
    EXPECT_TRUE(c.independent_ok);
    EXPECT_TRUE(c.assembles);
    EXPECT_TRUE(c.idle.empty());
    EXPECT_FALSE(c.singular_at_zero);
  }
}

TEST(Coordinates, AWrongDeclarationOfALongLadderIsTold) {
  Model model = Ladder(150);
  model.joint(*model.FindJoint("rung70_joint")).independent = true;
  const Coordinates over = AnalyseCoordinates(Compile(model));
  EXPECT_FALSE(over.independent_ok);
  EXPECT_EQ(over.at_fault.size(), 1u);
  EXPECT_EQ(over.aggregates.back().independent.size(), 150u);
  model.joint(*model.FindJoint("rung70_joint")).independent = false;
  model.joint(*model.FindJoint("a70_joint")).independent = false;
  const Coordinates under = AnalyseCoordinates(Compile(model));
  EXPECT_FALSE(under.independent_ok);
  EXPECT_EQ(under.at_fault.size(), 1u);
}

TEST(Closure, AnOpenLadderCloses) {
  const Mechanism m = Compile(Ladder(150));
  const int last = static_cast<int>(m.aggregates.size()) - 1;
  ClosureSolver solver(m);
  Random random(5);
  Eigen::VectorXd q = m.ZeroPosition(), v(m.nv);
  for (double& x : v) x = random.Uniform(-1e-3, 1e-3);
  q = m.Integrate(q, v, 1);
  ASSERT_GT(solver.Residual(last, q), 1e-3);
  EXPECT_TRUE(solver.Close(last, q).closed);
  EXPECT_LT(solver.Residual(last, q), kClosed);
  // And a velocity made consistent stays on the constraint.
  solver.ProjectVelocity(last, q, -1, v);
  EXPECT_LT((solver.Rows(last, q).K * v).lpNorm<Eigen::Infinity>(),
            1e-10 * v.lpNorm<Eigen::Infinity>());
  EXPECT_GT(v.norm(), 1e-4);
}

}  // namespace
}  // namespace kinemorph
