#include "mechanics/within_limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/index.h"

namespace kinemorph {
namespace {

constexpr double kBeyond = 0.02;  // rad, m: frames of few digits close a little beside a limit
constexpr int kStarts = 24;

// Scalar coordinates with a limit: visit(position, velocity, lower, upper).
template <class Visit>
void ForEachLimited(const Mechanism& m, int aggregate, const Visit& visit) {
  if (m.aggregates[U(aggregate)].rows == 0) return;
  for (const int b : m.aggregates[U(aggregate)].bodies) {
    const Body& body = m.bodies[U(b)];
    for (int i = 0; body.nq == body.nv && i < body.nv; ++i) {
      const double lower = m.lower[U(body.v + i)], upper = m.upper[U(body.v + i)];
      if (lower <= upper && (std::isfinite(lower) || std::isfinite(upper)))
        visit(body.q + i, body.v + i, lower, upper);
    }
  }
}

}  // namespace

double BeyondLimits(const Mechanism& mechanism, int aggregate, const Eigen::VectorXd& q) {
  double beyond = 0;
  ForEachLimited(mechanism, aggregate, [&](int i, int, double lower, double upper) {
    beyond = std::max({beyond, lower - q[i], q[i] - upper});
  });
  return beyond;
}

bool IsWithinLimits(const Mechanism& mechanism, int aggregate, const Eigen::VectorXd& q) {
  return BeyondLimits(mechanism, aggregate, q) < kBeyond;
}

bool GoWithinLimits(ClosureSolver& solver, int aggregate, Eigen::VectorXd& q) {
  const Mechanism& m = solver.mechanism();
  if (solver.IsLarge(aggregate)) return false;
  const double open = std::max(kClosed, kGain * solver.Residual(aggregate, q));
  Random random(1);
  for (int start = 0; start < kStarts; ++start) {
    Eigen::VectorXd trial = q;
    ClosingOptions held;
    held.held.assign(U(m.nv), false);
    ForEachLimited(m, aggregate, [&](int i, int v, double lower, double upper) {
      trial[i] = std::clamp(q[i], lower, upper);
      if (start > 0)
        trial[i] = random.Uniform(std::max(lower, trial[i] - std::numbers::pi),
                                  std::min(upper, trial[i] + std::numbers::pi));
      held.held[U(v)] = true;
    });
    // First the others go where they fit to those with limits, then all may move.
    solver.Close(aggregate, trial, held);
    if (!(solver.Close(aggregate, trial).residual <= open) || !IsWithinLimits(m, aggregate, trial))
      continue;
    q = trial;
    return true;
  }
  return false;
}

}  // namespace kinemorph
