// Velocities that keep loops closed, and random closed configurations.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "mechanics/linearisation.h"
#include "mechanics/loop_cycles.h"
#include "mechanics/normal_equations.h"

namespace kinemorph {
// How states are drawn for ranks, closed forms and comparisons: a tangent motion at the assembled
// posture, then Levenberg-Marquardt. Where this closes slowly K is about to lose rank, and callers
// are told, since such a state has no rank that means anything.
namespace {

constexpr int kQuickly = 24;  // iterations: towards a posture where K loses rank it takes more

}  // namespace

void ClosureSolver::RandomStart(int aggregate, double amplitude, Random& random,
                                Eigen::VectorXd& q) const {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  Eigen::VectorXd v(g.nv);
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    const Body& body = m_.bodies[U(g.bodies[i])];
    for (int k = 0; k < body.nv; ++k) {
      const double span = amplitude * (linear_[U(body.v + k)] ? m_.length : 1);
      // Displacements that end within the limits, also where q is outside of them.
      double lower = -span, upper = span;
      if (body.nq == body.nv) {
        const double from = q[body.q + k];
        lower = std::clamp(lower, m_.lower[U(body.v + k)] - from,
                           std::max(m_.upper[U(body.v + k)], m_.lower[U(body.v + k)]) - from);
        upper = std::clamp(upper, m_.lower[U(body.v + k)] - from,
                           std::max(m_.upper[U(body.v + k)], m_.lower[U(body.v + k)]) - from);
      }
      v[g.column[i] + k] = random.Uniform(lower, upper);
    }
  }
  Displace(aggregate, v, q);
}

void ClosureSolver::ProjectVelocity(int aggregate, const Eigen::VectorXd& q, int rank,
                                    Eigen::VectorXd& v) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  if (rank == 0 || g.nv == 0 || g.rows == 0) return;
  if (IsLarge(aggregate)) return ProjectSparsely(aggregate, q, v);
  const Eigen::MatrixXd& K = ScaledK(aggregate, q);
  const auto unit = [&](int c) { return linear_[U(g.velocity[U(c)])] ? m_.length : 1.0; };
  // Projection is orthogonal in unknowns without units: else a metre would count as a radian,
  // whatever the size of the robot.
  for (int c = 0; c < g.nv; ++c) v[c] /= unit(c);
  ProjectToNullSpace(K, rank, 1e-9, v);
  for (int c = 0; c < g.nv; ++c) v[c] *= unit(c);
}

// Damped projections: each leaves damping / (sigma^2 + damping) of what is along a singular vector.
void ClosureSolver::ProjectSparsely(int aggregate, const Eigen::VectorXd& q, Eigen::VectorXd& v) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  constexpr double kDamping = 1e-9;
  constexpr int kMost = 20;
  const auto unit = [&](int c) { return linear_[U(g.velocity[U(c)])] ? m_.length : 1.0; };
  const Eigen::SparseMatrix<double> A =
      SparseMatrixOf(SparseRows(aggregate, q), work_[U(aggregate)].cycles->columns());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(A.cols());
  for (int c = 0; c < g.nv; ++c) x[c] = v[c] / unit(c);
  // Dense projections need singular vectors; here a damped least-squares step is repeated on one
  // factorisation, until nothing is left that A sees.
  NormalEquations normal(A);
  normal.Factorize(kDamping);
  for (int i = 0; i < kMost; ++i) {
    x = normal.SolveFactorized(kDamping * x);
    if ((A * x).lpNorm<Eigen::Infinity>() <= 1e-13 * x.lpNorm<Eigen::Infinity>()) break;
  }
  for (int c = 0; c < g.nv; ++c) v[c] = x[c] * unit(c);
}

bool ClosureSolver::RandomState(int aggregate, const Eigen::VectorXd& assembled, double amplitude,
                                int rank, Random& random, Eigen::VectorXd& q) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  const Eigen::VectorXd start = Part(aggregate, assembled);
  SetPart(aggregate, start, q);
  if (g.rows == 0) RandomStart(aggregate, amplitude, random, q);
  if (g.rows == 0 || g.nv == 0) return true;
  Eigen::VectorXd best = start;
  bool quick = false;
  double best_violation = std::numeric_limits<double>::infinity();
  // Along a tangent and then closed: the step is halved until it closes within the limits. In long
  // clusters displacements add up along the chain, hence a shorter first one.
  const double first = IsLarge(aggregate) ? amplitude / 4 : amplitude;
  for (double reach = first; reach > amplitude / 20 && best_violation > 1e-9; reach /= 2) {
    Eigen::VectorXd v(g.nv);
    for (int c = 0; c < g.nv; ++c)
      v[c] = random.Uniform(-reach, reach) * (linear_[U(g.velocity[U(c)])] ? m_.length : 1);
    ProjectVelocity(aggregate, assembled, rank, v);
    SetPart(aggregate, start, q);
    Displace(aggregate, v, q);
    const ClosureResult result = Close(aggregate, q);
    const double violation = Violation(aggregate, q);
    if (!(result.closed || result.nearly) || violation >= best_violation) continue;
    best = Part(aggregate, q), best_violation = violation;
    quick = result.iterations < kQuickly;
  }
  SetPart(aggregate, best, q);
  return quick;
}

bool ClosureSolver::RegularState(int aggregate, const Eigen::VectorXd& assembled, double amplitude,
                                 Random& random, Eigen::VectorXd& q) {
  SetPart(aggregate, Part(aggregate, assembled), q);
  RandomStart(aggregate, amplitude, random, q);
  // Few iterations, since slowness tells that a singular posture is near; and no restarts.
  DenseLinearisation linear(*this, aggregate);
  const ClosureResult result = Close(aggregate, linear, kQuickly, {}, q);
  return result.closed && result.iterations < kQuickly && Violation(aggregate, q) <= 1e-9;
}

Eigen::VectorXd ClosureSolver::RandomState(const Eigen::VectorXd& assembled, double amplitude,
                                           const std::vector<int>& rank, Random& random) {
  Eigen::VectorXd q = assembled;
  for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a)
    RandomState(a, assembled, amplitude, rank[U(a)], random, q);
  return q;
}

}  // namespace kinemorph
