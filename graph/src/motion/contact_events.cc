#include "motion/contact_events.h"

#include <algorithm>
#include <cmath>

namespace kinemorph::motion {
namespace {

constexpr double kRisen = 1e-6;       // m
constexpr double kTimeExact = 1e-13;  // s
constexpr int kBrackets = 80, kRefinements = 6;

}  // namespace

// Gauges are functions whose zero is an event: the height of a foot in flight, the normal force of
// one that stands. A step is searched for the first zero by its interpolant. Then the step is made
// again so that it ends there, because the interpolant is of lower order.
void ContactWatch::Arm(const Eigen::VectorXd& x) {
  for (std::size_t f = 0; f < armed_.size(); ++f) {
    if (!system_.standing()[f] && !armed_[f]) armed_[f] = system_.FootHeight(x, f) > kRisen;
  }
}

bool ContactWatch::Gauges(double t, Eigen::VectorXd& x, std::vector<double>& gauges) {
  gauges.assign(armed_.size(), 0);
  if (!system_.Settle(x) || !system_.Measure(t, x, sample_)) return false;
  const Ground& ground = system_.options().ground;
  for (std::size_t f = 0; f < gauges.size(); ++f)
    gauges[f] =
        system_.standing()[f] ? ground.normal.dot(sample_.force[f]) : ground.Above(sample_.foot[f]);
  return true;
}

// A foot that has just left the ground stands at zero, where rounding has either sign. It counts
// only once it has risen by kRisen (armed), or if it moves downwards.
bool ContactWatch::Below(std::size_t foot, const Eigen::VectorXd& x, double gauge) const {
  if (!(gauge < 0)) return false;
  return system_.standing()[foot] || armed_[foot] || system_.FootRate(x, foot) < 0;
}

bool ContactWatch::IsBelow(double t, Eigen::VectorXd x) {
  if (armed_.empty()) return false;
  std::vector<double> gauges;
  if (!Gauges(t, x, gauges)) return true;
  for (std::size_t f = 0; f < gauges.size(); ++f)
    if (Below(f, x, gauges[f])) return true;
  return false;
}

// By the interpolant: share of the step between `low` (above) and `high` (below), Illinois.
double ContactWatch::Root(Stepper& stepper, double t, std::size_t foot, double h, double low,
                          double high) {
  std::vector<double> gauges;
  Eigen::VectorXd x;
  const auto value = [&](double s) {
    stepper.Interpolate(s, x);
    return Gauges(t + s * h, x, gauges) ? gauges[foot] : -1;
  };
  double f_low = value(low), f_high = value(high);
  if (!(f_low > 0)) return low;
  for (int i = 0; i < kBrackets && (high - low) * h > kTimeExact; ++i) {
    // Illinois: regula falsi, where the end that stays twice gets half its weight, which keeps it
    // from creeping.
    double s = low + (high - low) * f_low / (f_low - f_high);
    if (!(s > low && s < high)) s = 0.5 * (low + high);
    const double f = value(s);
    if (f > 0) {
      low = s, f_low = f, f_high *= 0.5;
    } else {
      high = s, f_high = f, f_low *= 0.5;
    }
    if (f == 0) return s;
  }
  return high;
}

std::optional<Crossing> ContactWatch::Find(Stepper& stepper, double t, const Eigen::VectorXd& x0,
                                           double h) {
  if (armed_.empty()) return std::nullopt;
  constexpr double kLooks[] = {0.5, 1};  // a foot may dip and rise within a step
  std::vector<double> gauges;
  double before = 0, first = 2;
  std::size_t foot = 0;
  for (const double look : kLooks) {
    Eigen::VectorXd x;
    stepper.Interpolate(look, x);
    if (!Gauges(t + look * h, x, gauges)) return std::nullopt;
    const std::vector<double> at_look = gauges;
    for (std::size_t f = 0; f < at_look.size(); ++f) {
      if (!Below(f, x, at_look[f])) continue;
      const double s = Root(stepper, t, f, h, before, look);
      if (s < first) first = s, foot = f;
    }
    if (first <= 1) break;
    before = look;
  }
  if (first > 1) return std::nullopt;
  // The interpolant is of lower order than the step: steps that end at the zero itself.
  // Secant steps on the length of the step itself, each from the start of the step with the rule's
  // full order. They end at rounding, or where the secant leads away.
  Crossing crossing{first * h, foot, {}};
  stepper.Interpolate(first, crossing.x);
  if (!system_.Settle(crossing.x)) return std::nullopt;
  double last_h = 0, last = 0;
  Eigen::VectorXd x = x0;
  if (!Gauges(t, x, gauges)) return crossing;
  last = gauges[foot];
  for (int i = 0; i < kRefinements; ++i) {
    if (!(crossing.h > kTimeExact)) {
      crossing.x = x;
      break;
    }
    if (!stepper.Step(t, x0, crossing.h)) break;
    Eigen::VectorXd end = stepper.end();
    if (!Gauges(t + crossing.h, end, gauges)) break;
    crossing.x = end;
    const double value = gauges[foot];
    const double slope = (value - last) / (crossing.h - last_h);
    const double move = slope != 0 ? -value / slope : 0;
    if (!(std::abs(move) > kTimeExact) || !(std::abs(move) < 0.1 * h)) break;
    last_h = crossing.h, last = value;
    crossing.h = std::clamp(crossing.h + move, 0.0, h);
  }
  return crossing;
}

}  // namespace kinemorph::motion
