#include "kinemorph/graph/closures/branches.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/closures/explicit_closure.h"
#include "mechanics/constraint_sample.h"

namespace kinemorph {
namespace {

constexpr double kNearPosture = 0.02;  // rad, characteristic lengths: of random postures
constexpr double kAlong = 0.05;        // of what is told to people
constexpr int kRandomPostures = 40;    // at random
constexpr double kSameBranch = 0.2;    // difference of projectors
constexpr double kMoved = 1e-4;        // less is no motion
constexpr double kOnBranch = 1e-9;     // |phi| that rows of a branch may leave
constexpr double kOpening = 0.01;      // rad: of the test of that

// Where branches of the loops meet, K at the posture itself says only that there is more freedom
// than there should be, not where it leads. So closed postures at random around it are taken: each
// lies on some branch, where K has its full rank, and the projector on its null space tells
// branches apart. For loops whose dependent coordinates follow at constant ratios (a flat
// parallelogram) the branch can even be written as linear rows, which are added to the mechanism.

// Projector on what K leaves free at q, columns of the aggregate, without units.
Eigen::MatrixXd FreeMotions(ClosureSolver& solver, int aggregate, const Eigen::VectorXd& q,
                            int rank) {
  const Eigen::MatrixXd K = solver.ScaledK(aggregate, q);
  Eigen::MatrixXd P(K.cols(), K.cols());
  for (Eigen::Index c = 0; c < K.cols(); ++c) {
    Eigen::VectorXd v = Eigen::VectorXd::Unit(K.cols(), c);
    ProjectToNullSpace(K, rank, 0, v);
    P.col(c) = v;
  }
  return P;
}

// By column: how far q is from the posture, in rad and characteristic lengths.
Eigen::VectorXd Offsets(const Mechanism& m, const Aggregate& g, const Eigen::VectorXd& from,
                        const Eigen::VectorXd& to, const std::vector<bool>& linear) {
  Eigen::VectorXd d = Eigen::VectorXd::Zero(g.nv);
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    const Body& body = m.bodies[U(g.bodies[i])];
    for (int k = 0; k < body.nv && body.nq == body.nv; ++k)
      d[g.column[i] + k] =
          (to[body.q + k] - from[body.q + k]) / (linear[U(body.v + k)] ? m.length : 1);
  }
  return d;
}

bool IsScalar(const Mechanism& m, const Aggregate& g) {
  return std::all_of(g.bodies.begin(), g.bodies.end(),
                     [&](int b) { return m.bodies[U(b)].nq == m.bodies[U(b)].nv; });
}

// Dependent - G independent = what it is at q.
void AddRows(const Mechanism& m, const AggregateCoordinates& c, const Eigen::MatrixXd& G,
             const Eigen::VectorXd& q, Aggregate& g) {
  const auto term = [&](int column, double factor) {
    CouplingConstraint::Term out;
    for (std::size_t i = 0; i < g.bodies.size(); ++i) {
      const int at = column - g.column[i];
      if (at < 0 || at >= m.bodies[U(g.bodies[i])].nv) continue;
      out.body = static_cast<int>(i), out.axis = at;
    }
    out.column = column, out.c[0] = factor;
    return out;
  };
  // z - sum G y = constant, as a linear coupling: c[0] is the factor of the first power.
  for (const int z : c.dependent) {
    CouplingConstraint row;
    row.name = "branch";
    row.terms.push_back(term(z, 1));
    for (std::size_t y = 0; y < c.independent.size(); ++y)
      if (const double ratio = G(z, static_cast<Eigen::Index>(y)); ratio != 0)
        row.terms.push_back(term(c.independent[y], -ratio));
    for (const auto& t : row.terms)
      row.constant += t.c[0] * q[m.bodies[U(g.bodies[U(t.body)])].q + t.axis];
    row.row = g.rows++;
    g.couplings.push_back(std::move(row));
  }
}

}  // namespace

// A rank is less here if postures nearby have more. The neighbours are closed at the aggregates'
// own ranks, -1, since the coordinates may have been found at this very posture.
std::vector<int> SingularAggregates(const Mechanism& m, const Eigen::VectorXd& q) {
  ClosureSolver solver(m);
  Random random(1);
  const std::vector<int> own(m.aggregates.size(), -1);
  const Eigen::VectorXd near = solver.RandomState(q, 0.1, own, random);
  std::vector<int> singular;
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    if (m.aggregates[U(a)].rows == 0) continue;
    const int here = TakeSample(solver, a, q)->Rank();
    if (TakeSample(solver, a, near)->Rank() > here) singular.push_back(a);
  }
  return singular;
}

std::vector<Branch> BranchesAt(const Mechanism& m, int aggregate, const Eigen::VectorXd& q) {
  const Aggregate& g = m.aggregates[U(aggregate)];
  ClosureSolver solver(m);
  if (solver.IsLarge(aggregate) || !IsScalar(m, g)) return {};
  const int here = TakeSample(solver, aggregate, q)->Rank();
  const std::vector<bool> linear = IsLinearVelocity(m);
  Random random(1);
  std::vector<Branch> branches;
  std::vector<Eigen::MatrixXd> known;
  for (int i = 0; i < kRandomPostures; ++i) {
    Eigen::VectorXd near = q;
    solver.RandomState(aggregate, q, kNearPosture, here, random, near);
    const int rank = TakeSample(solver, aggregate, near)->Rank();
    if (rank <= here) continue;
    const Eigen::MatrixXd P = FreeMotions(solver, aggregate, near, rank);
    if (std::any_of(known.begin(), known.end(),
                    [&](const auto& other) { return (P - other).norm() < kSameBranch; }))
      continue;
    Branch branch;
    branch.mobility = g.nv - rank;
    Eigen::VectorXd d = Offsets(m, g, q, near, linear);
    const double largest = d.cwiseAbs().maxCoeff();
    if (!(largest > kMoved)) continue;
    // Farther along the same way, to be told.
    // The random posture may be very near and its direction all rounding. A step of kAlong along
    // the same way, closed again, makes a posture that a user can be told.
    Eigen::VectorXd step = Eigen::VectorXd::Zero(m.nv);
    for (int c = 0; c < g.nv; ++c) {
      const int v = g.velocity[U(c)];
      step[v] = d[c] * kAlong / largest * (linear[U(v)] ? m.length : 1);
    }
    branch.near = m.Integrate(q, step, 1);
    if (!solver.Close(aggregate, branch.near).closed) branch.near = near;
    d = Offsets(m, g, q, branch.near, linear);
    Eigen::Index fastest = 0;
    d.cwiseAbs().maxCoeff(&fastest);
    branch.direction = Eigen::VectorXd::Zero(m.nv);
    for (int c = 0; c < g.nv; ++c) branch.direction[g.velocity[U(c)]] = d[c] / d[fastest];
    known.push_back(P), branches.push_back(std::move(branch));
  }
  return branches;
}

std::vector<std::vector<std::string>> KeepToLinearBranches(const Coordinates& coordinates,
                                                           const Eigen::VectorXd& q,
                                                           Mechanism& mechanism) {
  std::vector<std::vector<std::string>> helped;
  const std::vector<int> singular = SingularAggregates(mechanism, q);
  if (singular.empty()) return helped;
  const Mechanism m = mechanism;
  ExplicitClosures closures(m, coordinates);
  ClosureSolver solver(m);
  for (const int a : singular) {
    const AggregateCoordinates& c = coordinates.aggregates[U(a)];
    const Aggregate& g = m.aggregates[U(a)];
    Eigen::MatrixXd G;
    if (!IsScalar(m, g) || closures.Describe(a).nature != ClosureNature::kLinear ||
        closures.Velocity(a, q, G) != GammaStatus::kOk)
      continue;
    // The linear closure is believed only if the loops stay closed along all independent
    // coordinates by 0.01 rad at once.
    Eigen::VectorXd step = Eigen::VectorXd::Zero(m.nv);
    for (Eigen::Index y = 0; y < G.cols(); ++y)
      for (int column = 0; column < g.nv; ++column)
        step[g.velocity[U(column)]] += kOpening * G(column, y);
    if (!(solver.Residual(a, m.Integrate(q, step, 1)) < kOnBranch)) continue;
    AddRows(m, c, G, q, mechanism.aggregates[U(a)]);
    helped.emplace_back();
    for (const int v : g.velocity) helped.back().push_back(m.names[U(v)]);
  }
  mechanism.rows = 0;
  for (Aggregate& g : mechanism.aggregates) g.row = mechanism.rows, mechanism.rows += g.rows;
  return helped;
}

}  // namespace kinemorph
