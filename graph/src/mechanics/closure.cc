// Levenberg-Marquardt closure with seeded random restarts, and random closed configurations.
#include "kinemorph/graph/mechanics/closure.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace kinemorph {
namespace {

std::size_t U(int i) { return static_cast<std::size_t>(i); }
constexpr int kMaxIterations = 80;
constexpr double kExact = 1e-14;

}  // namespace

ClosureSolver::ClosureSolver(const Mechanism& mechanism)
    : m_(mechanism), joints_(mechanism), linear_(IsLinearVelocity(mechanism)) {
  work_.resize(m_.aggregates.size());
  for (std::size_t a = 0; a < m_.aggregates.size(); ++a) {
    length_rows_.push_back(IsLengthRow(m_, m_.aggregates[a]));
    if (m_.aggregates[a].rows == 0) continue;
    work_[a].kinematics.Resize(m_.aggregates[a]);
    work_[a].rows.Resize(m_.aggregates[a]);
  }
}

void ClosureSolver::Evaluate(int aggregate, const Eigen::VectorXd& q, const Eigen::VectorXd* v,
                             kinemorph::Residual residual) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  const double* velocities = v == nullptr ? nullptr : v->data();
  for (const int b : g.bodies) UpdateJoint(m_, b, q.data(), velocities, joints_);
  Work& work = work_[U(aggregate)];
  ComputeAggregateKinematics(m_, g, joints_, velocities, work.kinematics);
  ComputeConstraints(m_, g, work.kinematics, q.data(), velocities, residual, work.rows);
}

const ConstraintRows& ClosureSolver::Rows(int aggregate, const Eigen::VectorXd& q,
                                          const Eigen::VectorXd* v) {
  if (m_.aggregates[U(aggregate)].rows == 0) {
    work_[U(aggregate)].rows.Resize(m_.aggregates[U(aggregate)]);
  } else {
    Evaluate(aggregate, q, v, kinemorph::Residual::kExact);
  }
  return work_[U(aggregate)].rows;
}

const Eigen::MatrixXd& ClosureSolver::ScaledK(int aggregate, const Eigen::VectorXd& q) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  Eigen::MatrixXd& K = work_[U(aggregate)].scaled;
  K = Rows(aggregate, q).K;
  for (int r = 0; r < g.rows; ++r) {
    if (length_rows_[U(aggregate)][U(r)]) K.row(r) /= m_.length;
  }
  for (int c = 0; c < g.nv; ++c) {
    if (linear_[U(g.velocity[U(c)])]) K.col(c) *= m_.length;
  }
  for (const CouplingConstraint& coupling : g.couplings) {
    const double norm = K.row(coupling.row).norm();
    if (norm > 0) K.row(coupling.row) /= norm;
  }
  return K;
}

double ClosureSolver::Scaled(int aggregate, Eigen::VectorXd& phi) const {
  const std::vector<bool>& length = length_rows_[U(aggregate)];
  for (Eigen::Index r = 0; r < phi.size(); ++r) {
    if (length[static_cast<std::size_t>(r)]) phi[r] /= m_.length;
  }
  return phi.size() == 0 ? 0 : phi.lpNorm<Eigen::Infinity>();
}

double ClosureSolver::Residual(int aggregate, const Eigen::VectorXd& q) {
  if (m_.aggregates[U(aggregate)].rows == 0) return 0;
  Evaluate(aggregate, q, nullptr, kinemorph::Residual::kRotation);
  return Scaled(aggregate, work_[U(aggregate)].rows.phi);
}

double ClosureSolver::Residual(const Eigen::VectorXd& q) {
  double worst = 0;
  for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a)
    worst = std::max(worst, Residual(a, q));
  return worst;
}

double ClosureSolver::Violation(int aggregate, const Eigen::VectorXd& q) const {
  double sum = 0;
  for (const int b : m_.aggregates[U(aggregate)].bodies) {
    const Body& body = m_.bodies[U(b)];
    for (int i = 0; i < body.nv && body.nq == body.nv; ++i) {
      sum += std::max(0.0, q[body.q + i] - m_.upper[U(body.v + i)]) +
             std::max(0.0, m_.lower[U(body.v + i)] - q[body.q + i]);
    }
  }
  return sum;
}

void ClosureSolver::Displace(int aggregate, const Eigen::VectorXd& v, Eigen::VectorXd& q) const {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    const Body& body = m_.bodies[U(g.bodies[i])];
    if (body.nv > 0)
      IntegratePosition(body.kind, q.data() + body.q, v.data() + g.column[i], 1, q.data() + body.q);
  }
}

ClosureResult ClosureSolver::Close(int aggregate, Eigen::VectorXd& q) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  ClosureResult result;
  if (g.rows == 0) {
    result.closed = result.nearly = true;
    return result;
  }
  Work& work = work_[U(aggregate)];
  const auto evaluate = [&](const Eigen::VectorXd& at) {
    Evaluate(aggregate, at, nullptr, kinemorph::Residual::kRotation);
    const std::vector<bool>& length = length_rows_[U(aggregate)];
    for (int r = 0; r < g.rows; ++r) {
      if (length[U(r)]) work.rows.K.row(r) /= m_.length;
    }
    for (int c = 0; c < g.nv; ++c) {
      if (linear_[U(g.velocity[U(c)])]) work.rows.K.col(c) *= m_.length;
    }
    return Scaled(aggregate, work.rows.phi);
  };
  double residual = evaluate(q);
  double cost = work.rows.phi.squaredNorm();
  double damping = 1e-3;
  Eigen::MatrixXd H(g.nv, g.nv), K = work.rows.K;
  Eigen::VectorXd gradient = K.transpose() * work.rows.phi, step(g.nv), trial = q;
  for (; g.nv > 0 && residual > kExact && result.iterations < kMaxIterations; ++result.iterations) {
    H.noalias() = K.transpose() * K;
    // Damping fades with the residual: quadratic convergence, also with redundant rows.
    H.diagonal().array() +=
        damping * std::min(1.0, std::sqrt(cost)) + 1e-13 * H.diagonal().maxCoeff() + 1e-300;
    step = -H.ldlt().solve(gradient);
    if (!step.allFinite()) break;
    const double largest = step.lpNorm<Eigen::Infinity>();
    if (largest > 0.7) step *= 0.7 / largest;
    for (int c = 0; c < g.nv; ++c) {
      if (linear_[U(g.velocity[U(c)])]) step[c] *= m_.length;
    }
    trial = q;
    Displace(aggregate, step, trial);
    const double trial_residual = evaluate(trial);
    const double trial_cost = work.rows.phi.squaredNorm();
    if (trial_cost < cost) {
      const bool stalled = trial_cost > cost * (1 - 1e-9);
      q = trial, cost = trial_cost, residual = trial_residual;
      K = work.rows.K;
      gradient = K.transpose() * work.rows.phi;
      damping = std::max(damping * 0.2, 1e-9);
      if (stalled) break;
    } else {
      damping *= 8;
      if (residual < kClosed || damping > 1e9)
        break;  // at round-off, or in a minimum that is not zero
    }
  }
  result.residual = residual;
  result.closed = residual <= kClosed;
  result.nearly = residual <= kNearlyClosed;
  return result;
}

void ClosureSolver::RandomStart(int aggregate, double amplitude, Random& random,
                                Eigen::VectorXd& q) const {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  Eigen::VectorXd v(g.nv);
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    const Body& body = m_.bodies[U(g.bodies[i])];
    for (int k = 0; k < body.nv; ++k) {
      const double span = amplitude * (linear_[U(body.v + k)] ? m_.length : 1);
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

ClosureResult ClosureSolver::Assemble(int aggregate, Random& random, int restarts,
                                      Eigen::VectorXd& q) {
  const Eigen::VectorXd start = q;
  ClosureResult best = Close(aggregate, q);
  if (m_.aggregates[U(aggregate)].rows == 0 || m_.aggregates[U(aggregate)].nv == 0) return best;
  double best_violation = Violation(aggregate, q);
  const auto good_enough = [&] { return best.closed && best_violation <= 1e-9; };
  for (int i = 0; i < restarts && !good_enough(); ++i) {
    Eigen::VectorXd trial = start;
    RandomStart(aggregate, std::numbers::pi * (i + 1) / restarts, random, trial);
    ClosureResult result = Close(aggregate, trial);
    const double violation = Violation(aggregate, trial);
    const bool better = result.closed != best.closed ? result.closed
                        : result.closed              ? violation < best_violation
                                                     : result.residual < best.residual;
    if (better) best = result, best_violation = violation, q = trial;
  }
  return best;
}

ClosureResult ClosureSolver::Assemble(Random& random, int restarts, Eigen::VectorXd& q) {
  ClosureResult worst;
  worst.closed = worst.nearly = true;
  for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a) {
    const ClosureResult result = Assemble(a, random, restarts, q);
    worst.closed = worst.closed && result.closed, worst.nearly = worst.nearly && result.nearly;
    worst.residual = std::max(worst.residual, result.residual);
    worst.iterations = std::max(worst.iterations, result.iterations);
  }
  return worst;
}

void ClosureSolver::ProjectVelocity(int aggregate, const Eigen::VectorXd& q, int rank,
                                    Eigen::VectorXd& v) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  if (rank == 0 || g.nv == 0 || g.rows == 0) return;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(ScaledK(aggregate, q).transpose());
  if (rank < 0) {
    qr.setThreshold(1e-9);
    rank = static_cast<int>(qr.rank());
  }
  const auto unit = [&](int c) { return linear_[U(g.velocity[U(c)])] ? m_.length : 1.0; };
  for (int c = 0; c < g.nv; ++c) v[c] /= unit(c);
  v.applyOnTheLeft(qr.householderQ().adjoint());
  v.head(std::min(rank, g.nv)).setZero();
  v.applyOnTheLeft(qr.householderQ());
  for (int c = 0; c < g.nv; ++c) v[c] *= unit(c);
}

Eigen::VectorXd ClosureSolver::RandomState(const Eigen::VectorXd& assembled, double amplitude,
                                           const std::vector<int>& rank, Random& random) {
  Eigen::VectorXd q = assembled;
  for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a) {
    const Aggregate& g = m_.aggregates[U(a)];
    if (g.rows == 0) {
      RandomStart(a, amplitude, random, q);
      continue;
    }
    if (g.nv == 0) continue;
    Eigen::VectorXd best = assembled;
    double best_violation = std::numeric_limits<double>::infinity();
    for (double reach = amplitude; reach > amplitude / 20 && best_violation > 1e-9; reach /= 2) {
      Eigen::VectorXd v(g.nv), trial = assembled;
      for (int c = 0; c < g.nv; ++c)
        v[c] = random.Uniform(-reach, reach) * (linear_[U(g.velocity[U(c)])] ? m_.length : 1);
      ProjectVelocity(a, assembled, rank[U(a)], v);
      Displace(a, v, trial);
      const ClosureResult result = Close(a, trial);
      const double violation = Violation(a, trial);
      if (!(result.closed || result.nearly) || violation >= best_violation) continue;
      best = trial, best_violation = violation;
    }
    for (const int b : g.bodies)
      q.segment(m_.bodies[U(b)].q, m_.bodies[U(b)].nq) =
          best.segment(m_.bodies[U(b)].q, m_.bodies[U(b)].nq);
  }
  return q;
}

}  // namespace kinemorph
