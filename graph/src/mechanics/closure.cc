// Levenberg-Marquardt closure with seeded random restarts, and random closed configurations.
#include "kinemorph/graph/mechanics/closure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "mechanics/linearisation.h"
#include "mechanics/loop_cycles.h"
#include "mechanics/normal_equations.h"

namespace kinemorph {
namespace {

constexpr int kMaxIterations = 80;
constexpr int kMaxIterationsOfLarge = 25, kMaxRestartsOfLarge = 3;
constexpr double kDrift = 0.01;       // rad, m, of a quaternion: more is not worth a gain by kGain
constexpr double kHardlyFelt = 1e-6;  // of squares of singular values
constexpr int kFeltSteps = 5;
constexpr double kExact = 1e-14, kStationary = 1e-14;
constexpr double kAtLimit = 1e-9;            // rad, characteristic lengths
constexpr double kSingularThreshold = 1e-9;  // of pivots of K

}  // namespace

std::string_view Name(ClosureStatus status) {
  switch (status) {
    case ClosureStatus::kClosed:
      return "closed";
    case ClosureStatus::kNearlyClosed:
      return "nearly closed";
    case ClosureStatus::kSingular:
      return "singular posture";
    case ClosureStatus::kAtLimit:
      return "at a limit";
    case ClosureStatus::kOutOfReach:
      return "out of reach";
    case ClosureStatus::kNoConvergence:
      return "no convergence";
  }
  return "";
}

ClosureSolver::ClosureSolver(const Mechanism& mechanism)
    : m_(mechanism), joints_(mechanism), linear_(IsLinearVelocity(mechanism)) {
  work_.resize(m_.aggregates.size());
  for (std::size_t a = 0; a < m_.aggregates.size(); ++a) {
    length_rows_.push_back(IsLengthRow(m_, m_.aggregates[a]));
    if (kinemorph::IsLarge(m_.aggregates[a]))
      work_[a].cycles = std::make_unique<LoopCycles>(m_, m_.aggregates[a]);
  }
}
ClosureSolver::~ClosureSolver() = default;
ClosureSolver::ClosureSolver(ClosureSolver&&) noexcept = default;

void ClosureSolver::UpdateKinematics(int aggregate, const Eigen::VectorXd& q, const double* v) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  Work& work = work_[U(aggregate)];
  if (work.kinematics.X.empty()) {  // of many aggregates that are alike one is looked at
    work.kinematics.Resize(g);
    if (!work.cycles) work.rows.Resize(g);
  }
  for (const int b : g.bodies) UpdateJoint(m_, b, q.data(), v, joints_);
  ComputeAggregateKinematics(m_, g, joints_, v, work.kinematics);
}

void ClosureSolver::Evaluate(int aggregate, const Eigen::VectorXd& q, const Eigen::VectorXd* v,
                             kinemorph::Residual residual) {
  const double* velocities = v == nullptr ? nullptr : v->data();
  UpdateKinematics(aggregate, q, velocities);
  Work& work = work_[U(aggregate)];
  ComputeConstraints(m_, m_.aggregates[U(aggregate)], work.kinematics, q.data(), velocities,
                     residual, work.rows);
}

const ConstraintRows& ClosureSolver::Rows(int aggregate, const Eigen::VectorXd& q,
                                          const Eigen::VectorXd* v) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  ConstraintRows& rows = work_[U(aggregate)].rows;
  if (rows.K.rows() != g.rows || rows.K.cols() != g.nv || g.rows == 0) rows.Resize(g);
  if (g.rows > 0) Evaluate(aggregate, q, v, kinemorph::Residual::kExact);
  return rows;
}

const std::vector<CycleRow>& ClosureSolver::SparseRows(int aggregate, const Eigen::VectorXd& q) {
  UpdateKinematics(aggregate, q, nullptr);
  Work& work = work_[U(aggregate)];
  return work.cycles->ComputeRows(work.kinematics, q.data());
}

int ClosureSolver::SparseColumns(int aggregate) const {
  return work_[U(aggregate)].cycles->columns();
}

Eigen::VectorXd ClosureSolver::Rates(int aggregate, const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& v) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  Eigen::VectorXd rates(g.rows);
  UpdateKinematics(aggregate, q, v.data());
  const AggregateKinematics& kinematics = work_[U(aggregate)].kinematics;

  // K v without K: each row is the covector of its loop joint on the relative twist of its two
  // ends. In a ladder of loops K alone would cost the square of the number of bodies.
  const auto velocity = [&](int position) {
    return position < 0 ? Vector6(Vector6::Zero()) : kinematics.V[U(position)];
  };
  for (const LoopConstraint& loop : g.loops) {
    const LoopRows own = RowsOf(loop, kinematics, false, kinemorph::Residual::kExact);
    const Vector6 between = velocity(loop.successor) - velocity(loop.predecessor);
    for (int r = 0; r < loop.rows; ++r) rates[loop.row + r] = own.W.col(r).dot(between);
  }
  for (const CouplingConstraint& coupling : g.couplings) {
    rates[coupling.row] = 0;
    for (const CouplingConstraint::Term& term : coupling.terms) {
      const Body& body = m_.bodies[U(g.bodies[U(term.body)])];
      rates[coupling.row] += Quartic(term.c, q[body.q + term.axis]).slope * v[body.v + term.axis];
    }
  }
  return rates;
}

bool ClosureSolver::NearlySingular(int aggregate, const Eigen::VectorXd& q, double least,
                                   int rank) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  if (g.rows == 0 || g.nv == 0) return false;
  if (IsLarge(aggregate)) {
    const Elimination found =
        Eliminate(SparseRows(aggregate, q), SparseColumns(aggregate), std::vector<int>(U(g.nv), 0));
    return found.rank() < rank || found.least < least * found.largest;
  }
  // Values at round-off belong to redundant rows, or to rank that is lost here.
  const Eigen::VectorXd sigma = SingularValues(ScaledK(aggregate, q));
  const auto found = std::count_if(sigma.begin(), sigma.end(),
                                   [&](double value) { return value > 1e-11 * sigma[0]; });
  return found < rank || (found > 0 && sigma[found - 1] < least * sigma[0]);
}

const Eigen::MatrixXd& ClosureSolver::ScaledK(int aggregate, const Eigen::VectorXd& q) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  Eigen::MatrixXd& K = work_[U(aggregate)].scaled;
  K = Rows(aggregate, q).K;
  // Rows of lengths are divided and columns of slides multiplied by the characteristic length: all
  // that is left is angles, whose singular values can be compared. A gear of ratio 100 or a thread
  // of 1 mm/turn must not weigh more or less than a loop, hence couplings of unit norm.
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
  Work& work = work_[U(aggregate)];
  if (IsLarge(aggregate)) {
    UpdateKinematics(aggregate, q, nullptr);
    work.cycles->ComputePhi(work.kinematics, q.data(), work.rows.phi);
    return work.rows.phi.lpNorm<Eigen::Infinity>();
  }
  Evaluate(aggregate, q, nullptr, kinemorph::Residual::kRotation);
  return Scaled(aggregate, work.rows.phi);
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

Eigen::VectorXd ClosureSolver::Part(int aggregate, const Eigen::VectorXd& q) const {
  Eigen::Index size = 0, at = 0;
  for (const int b : m_.aggregates[U(aggregate)].bodies) size += m_.bodies[U(b)].nq;
  Eigen::VectorXd part(size);
  for (const int b : m_.aggregates[U(aggregate)].bodies) {
    const Body& body = m_.bodies[U(b)];
    for (int i = 0; i < body.nq; ++i) part[at++] = q[body.q + i];
  }
  return part;
}

void ClosureSolver::SetPart(int aggregate, const Eigen::VectorXd& part, Eigen::VectorXd& q) const {
  Eigen::Index at = 0;
  for (const int b : m_.aggregates[U(aggregate)].bodies) {
    const Body& body = m_.bodies[U(b)];
    for (int i = 0; i < body.nq; ++i) q[body.q + i] = part[at++];
  }
}

ClosureResult ClosureSolver::Close(int aggregate, Eigen::VectorXd& q,
                                   const ClosingOptions& options) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  if (g.rows == 0) {
    ClosureResult result;
    result.closed = result.nearly = true;
    result.status = ClosureStatus::kClosed;
    return result;
  }
  if (IsLarge(aggregate)) {
    SparseLinearisation linear(*this, aggregate);
    return Close(aggregate, linear, kMaxIterationsOfLarge, options, q);
  }
  DenseLinearisation linear(*this, aggregate);
  ClosureResult result = Close(aggregate, linear, kMaxIterations, options, q);
  // Closing can end in a posture where K has lost rank: phi is zero there, but velocities are not
  // determined, which whoever starts a simulation must know.
  if (!result.nearly || options.rank < 0) return result;
  if (RankOf(ScaledK(aggregate, q), kSingularThreshold) < options.rank)
    result.status = ClosureStatus::kSingular;
  return result;
}

// The step is shortened as a whole, so that its direction stays one of descent. A joint that stands
// at its limit and would go on is held and the step made anew without it: shortening for its sake
// would end every motion there.
bool ClosureSolver::KeepWithinLimits(int aggregate, Linearisation& linear, double damping,
                                     const Eigen::VectorXd& q, std::vector<bool>& still,
                                     Eigen::VectorXd& step) const {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  bool any = false;
  double share = 1;
  // Each round holds one more joint, or is the last.
  for (bool again = true; again;) {
    again = false, share = 1;
    for (std::size_t i = 0; i < g.bodies.size(); ++i) {
      const Body& body = m_.bodies[U(g.bodies[i])];
      for (int k = 0; k < body.nv && body.nq == body.nv; ++k) {
        const int c = g.column[i] + k, v = body.v + k;
        const double unit = linear_[U(v)] ? m_.length : 1, move = step[c];
        if (still[U(c)] || move == 0) continue;
        const double limit = move > 0 ? m_.upper[U(v)] : m_.lower[U(v)];
        const double room = (limit - q[body.q + k]) / unit;
        if (std::abs(move) <= std::abs(room) && room * move >= 0) continue;
        if (room * move <= kAtLimit * std::abs(move)) {
          still[U(c)] = again = any = true;
        } else {
          share = std::min(share, room / move);
        }
      }
    }
    if (again) linear.Hold(still), linear.Step(damping, step);
  }
  step *= share;
  return any;
}

// Of a scaled step (rad, characteristic lengths).
void ClosureSolver::ToUnits(int aggregate, Eigen::VectorXd& step) const {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  for (int c = 0; c < g.nv; ++c) {
    if (linear_[U(g.velocity[U(c)])]) step[c] *= m_.length;
  }
}

ClosureResult ClosureSolver::Close(int aggregate, Linearisation& linear, int iterations,
                                   const ClosingOptions& options, Eigen::VectorXd& q) {
  const Aggregate& g = m_.aggregates[U(aggregate)];
  ClosureResult result;
  std::vector<bool> held;
  if (!options.held.empty() || options.within_limits) {
    for (const int v : g.velocity) held.push_back(!options.held.empty() && options.held[U(v)]);
  }
  // Levenberg-Marquardt on |phi|^2 in scaled unknowns (rad, characteristic lengths). A step is kept
  // only where the cost falls; damping falls to a fifth after a success and rises eightfold after a
  // failure.
  bool at_limit = false, minimum = false;
  double cost = 0, damping = 1e-3;
  double residual = linear.Evaluate(q, cost);
  Eigen::VectorXd step(g.nv);
  std::vector<std::pair<double, Eigen::VectorXd>> near;  // residuals and postures, nearly closed
  const bool may_stay = !options.within_limits && !IsLarge(aggregate);
  for (; g.nv > 0 && residual > kExact && result.iterations < iterations; ++result.iterations) {
    if (result.iterations == 0) linear.Accept();
    // Damping fades with the residual: quadratic convergence, also with redundant rows. In a long
    // cluster it fades with the square, below the squares of small singular values.
    const double fading = IsLarge(aggregate) ? cost : std::sqrt(cost);
    const double damped = damping * std::min(1.0, fading);
    std::vector<bool> still = held;
    if (!held.empty()) linear.Hold(still);
    linear.Step(damped, step);
    if (!step.allFinite()) break;
    if (options.within_limits)
      at_limit = KeepWithinLimits(aggregate, linear, damped, q, still, step);
    const double largest = step.lpNorm<Eigen::Infinity>();
    if (largest < kStationary) {  // what is left is what redundant rows contradict
      minimum = true;
      break;
    }
    // More than 40 degrees at once is beyond what the derivative of a turn says.
    if (largest > 0.7) step *= 0.7 / largest;
    ToUnits(aggregate, step);
    const Eigen::VectorXd before = Part(aggregate, q);
    if (may_stay && residual <= kNearlyClosed && residual > kClosed)
      near.emplace_back(residual, before);
    Displace(aggregate, step, q);
    double trial_cost = 0;
    const double trial_residual = linear.Evaluate(q, trial_cost);
    if (trial_cost < cost) {
      // A success that gains next to nothing is a minimum, and at a residual that is not zero: out
      // of reach.
      const bool stalled = trial_cost > cost * (1 - 1e-9);
      cost = trial_cost, residual = trial_residual;
      linear.Accept();
      damping = std::max(damping * 0.2, 1e-9);
      minimum = stalled;
      if (stalled) break;
    } else {
      SetPart(aggregate, before, q);
      damping *= 8;
      minimum = damping > 1e9;                   // not zero
      if (residual < kClosed || minimum) break;  // at round-off
    }
  }

  // What cannot close, for the digits of its frames, is no better far away for being a little less
  // open there: a freedom that the loops hardly feel would drift for nothing. So it stays, and what
  // the loops do feel is solved for.
  const auto first =
      std::ranges::find_if(near, [&](const auto& each) { return each.first <= kGain * residual; });
  if (residual > kClosed && first != near.end() &&
      (first->second - Part(aggregate, q)).lpNorm<Eigen::Infinity>() > kDrift) {
    const Eigen::VectorXd found = Part(aggregate, q);
    const double least = residual;
    SetPart(aggregate, first->second, q);
    for (int i = 0; i < kFeltSteps; ++i) {
      linear.Evaluate(q, cost);
      linear.Accept();
      if (!held.empty()) linear.Hold(held);
      linear.Step(kHardlyFelt, step);
      if (!step.allFinite()) break;
      ToUnits(aggregate, step);
      Displace(aggregate, step, q);
    }
    residual = linear.Evaluate(q, cost);
    if (!(residual <= kGain * least)) SetPart(aggregate, found, q), residual = least;
  }

  // A joint held at its limit is blamed before the geometry, since another posture may close.
  result.residual = residual;
  result.closed = residual <= kClosed;
  result.nearly = residual <= kNearlyClosed;
  result.status = result.closed   ? ClosureStatus::kClosed
                  : result.nearly ? ClosureStatus::kNearlyClosed
                  : at_limit      ? ClosureStatus::kAtLimit
                  : minimum       ? ClosureStatus::kOutOfReach
                                  : ClosureStatus::kNoConvergence;
  return result;
}

ClosureResult ClosureSolver::Assemble(int aggregate, Random& random, int restarts,
                                      Eigen::VectorXd& q) {
  const Eigen::VectorXd start = Part(aggregate, q);
  // A configuration closed as drawn stays as it is drawn, whatever its limits say.
  const bool as_drawn = Residual(aggregate, q) <= kNearlyClosed;
  if (IsLarge(aggregate)) restarts = std::min(restarts, kMaxRestartsOfLarge);
  if (as_drawn) restarts = 0;
  ClosureResult best = Close(aggregate, q);
  if (m_.aggregates[U(aggregate)].rows == 0 || m_.aggregates[U(aggregate)].nv == 0) return best;
  double best_violation = Violation(aggregate, q);
  Eigen::VectorXd best_part = Part(aggregate, q);
  const auto good_enough = [&] { return best.closed && best_violation <= 1e-9; };
  // From where it was drawn, and ever farther from there up to half a turn, so that a posture near
  // the drawing is found first. Closed postures compete by their limits, open ones by their
  // residual.
  for (int i = 0; i < restarts && !good_enough(); ++i) {
    SetPart(aggregate, start, q);
    RandomStart(aggregate, std::numbers::pi * (i + 1) / restarts, random, q);
    const ClosureResult result = Close(aggregate, q);
    const double violation = Violation(aggregate, q);
    const bool better = result.closed != best.closed ? result.closed
                        : result.closed              ? violation < best_violation
                                                     : result.residual < best.residual;
    if (better) best = result, best_violation = violation, best_part = Part(aggregate, q);
  }
  SetPart(aggregate, best_part, q);
  return best;
}

ClosureResult ClosureSolver::Assemble(std::uint64_t seed, int restarts, Eigen::VectorXd& q) {
  ClosureResult worst;
  worst.status = ClosureStatus::kClosed;
  worst.closed = worst.nearly = true;
  for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a) {
    Random random(seed);
    const ClosureResult result = Assemble(a, random, restarts, q);
    if (worst.status == ClosureStatus::kClosed) worst.status = result.status;
    worst.closed = worst.closed && result.closed, worst.nearly = worst.nearly && result.nearly;
    worst.residual = std::max(worst.residual, result.residual);
    worst.iterations = std::max(worst.iterations, result.iterations);
  }
  return worst;
}

}  // namespace kinemorph
