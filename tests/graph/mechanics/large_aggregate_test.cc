// Aggregates with many loops: short cycles say what K says, in time that one can wait.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "kinemorph/graph/mechanics/coordinates.h"
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
