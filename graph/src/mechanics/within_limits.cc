#include "mechanics/within_limits.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"

namespace kinemorph {
namespace {

constexpr double kBeyond = 0.02;  // rad, m: frames of few digits close a little beside a limit
constexpr int kStarts = 24;

// Scalar coordinates between two limits.
template <class Visit>
void ForEachLimited(const Mechanism& m, int aggregate, const Visit& visit) {
  if (m.aggregates[U(aggregate)].rows == 0) return;
  for (const int b : m.aggregates[U(aggregate)].bodies) {
    const Body& body = m.bodies[U(b)];
    for (int i = 0; body.nq == body.nv && i < body.nv; ++i) {
      const double lower = m.lower[U(body.v + i)], upper = m.upper[U(body.v + i)];
      if (lower <= upper && std::isfinite(lower) && std::isfinite(upper))
        visit(body.q + i, body.v + i, lower, upper);
    }
  }
}

}  // namespace

bool IsWithinLimits(const Mechanism& mechanism, int aggregate, const Eigen::VectorXd& q) {
  bool within = true;
  ForEachLimited(mechanism, aggregate, [&](int i, int, double lower, double upper) {
    within = within && q[i] > lower - kBeyond && q[i] < upper + kBeyond;
  });
  return within;
}

bool GoWithinLimits(ClosureSolver& solver, int aggregate, Eigen::VectorXd& q) {
  const Mechanism& m = solver.mechanism();
  if (solver.IsLarge(aggregate)) return false;
  Random random(1);
  for (int start = 0; start < kStarts; ++start) {
    Eigen::VectorXd trial = q;
    ClosingOptions held;
    held.held.assign(U(m.nv), false);
    ForEachLimited(m, aggregate, [&](int i, int v, double lower, double upper) {
      trial[i] = start == 0 ? std::clamp(q[i], lower, upper) : random.Uniform(lower, upper);
      held.held[U(v)] = true;
    });
    // First the others go where they fit to those with limits, then all may move.
    solver.Close(aggregate, trial, held);
    if (!solver.Close(aggregate, trial).closed || !IsWithinLimits(m, aggregate, trial)) continue;
    q = trial;
    return true;
  }
  return false;
}

}  // namespace kinemorph
