#include "motion/change_point.h"

#include <algorithm>
#include <cmath>

namespace kinemorph::motion {
namespace {

constexpr std::size_t kNodes = 4,            // before the point: degree 8 with the slope behind it
    kPast = 24;                              // states to choose them from
constexpr double kApart = 0.1;               // of a leap: nodes closer to each other are no use
constexpr double kReaches[] = {2, 3, 4, 6};  // distances from the point
constexpr double kAsFar = 0.4;               // of the least singular value at the start of a leap
constexpr double kMostError = 1,             // in units of the tolerances
    kMostErrorOfFixed = 1e4;                 // where steps cannot be shorter
constexpr int kCorrections = 4;              // of the slope behind the point
constexpr double kConverged = 1e-2;          // of a correction, in units of the tolerances
// The error that is left of what the slope behind the point changed; Milne's ratio is a thirtieth
// for a leap as long as the motion's own time.
constexpr double kLeft = 0.1;

double LeastOf(const std::vector<RankMargin>& margins) {
  double least = 1;
  for (const RankMargin& margin : margins) least = std::min(least, margin.least);
  return least;
}

}  // namespace

void ChangePointWatch::Forget() { past_.clear(), before_.clear(), margins_.clear(); }

void ChangePointWatch::Note(double t, const Eigen::VectorXd& x, bool after_leap) {
  before_ = std::move(margins_);
  if (after_leap) before_.clear();
  t_before_ = past_.empty() ? t : past_.back().t;
  margins_ = system_.RankMargins();
  past_.push_back({t, x});
  if (past_.size() > kPast) past_.pop_front();
}

std::optional<ChangePoint> ChangePointWatch::Ahead() const {
  std::optional<ChangePoint> first;
  for (std::size_t i = 0; i < margins_.size() && before_.size() == margins_.size(); ++i) {
    const double s = margins_[i].least, fall = before_[i].least - s;
    if (!(before_[i].least < 1) || !(fall > 0)) continue;
    const double t = past_.back().t, time = t + s * (t - t_before_) / fall;
    if (!first || time < first->time) first = ChangePoint{time, i};
  }
  return first;
}

std::optional<ChangePoint> ChangePointWatch::Within(double t) const {
  const std::vector<RankMargin>& now = system_.RankMargins();
  if (past_.empty() || now.size() != margins_.size()) return std::nullopt;
  std::optional<ChangePoint> first;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double s = margins_[i].least, end = now[i].least, start = past_.back().t;
    if (now[i].positive == margins_[i].positive || (s == 1 && end == 1)) continue;
    const double time = start + (t - start) * s / std::max(s + end, 1e-300);
    if (!first || time < first->time) first = ChangePoint{time, i};
  }
  return first;
}

double ChangePointWatch::ErrorOf(const Eigen::VectorXd& difference,
                                 const Eigen::VectorXd& x) const {
  double worst = 0;
  for (Eigen::Index i = 0; i < difference.size(); ++i)
    worst = std::max(worst, std::abs(difference[i]) / (absolute_[i] + relative_ * std::abs(x[i])));
  return std::isfinite(worst) ? worst : 1e300;
}

std::optional<Leap> ChangePointWatch::Pass(const ChangePoint& point, double step) {
  const double from = past_.back().t, here = margins_[point.block].least;
  const double distance = std::max(point.time - from, 0.5 * step);
  for (const double reach : kReaches) {
    double to = from + reach * distance;
    if (step > 0) to = std::ceil(to / step * (1 - 1e-9)) * step;
    const std::optional<Leap> leap = Over(to);
    if (!leap) continue;
    if (leap->error > (step > 0 ? kMostErrorOfFixed : kMostError)) return std::nullopt;
    if (leap->least >= kAsFar * here) return leap;
  }
  return std::nullopt;
}

// p through the past, then p + c w with w = prod (t - t_i)^2, so that its slope at `to` is x'
// there: a multistep rule that knows nothing of what lies between.
std::optional<Leap> ChangePointWatch::Over(double to) {
  if (past_.empty()) return std::nullopt;
  Leap leap;
  leap.from = past_.back().t, leap.to = to;
  Hermite before;
  Eigen::VectorXd rate;
  std::size_t nodes = 0;
  double last = to;
  for (auto node = past_.rbegin(); node != past_.rend() && nodes < kNodes; ++node) {
    if (last - node->t < kApart * (to - leap.from)) continue;
    last = node->t, ++nodes;
    if (!Rate(node->t, node->x, rate)) return std::nullopt;
    before.Add(node->t, node->x, rate);
  }
  const Eigen::VectorXd predicted = before.Value(to);
  Eigen::VectorXd free = predicted;
  leap.x = predicted;
  if (!system_.Settle(leap.x)) return std::nullopt;
  for (int i = 0; i < kCorrections; ++i) {
    if (!Rate(to, leap.x, rate)) return std::nullopt;
    leap.path = before;
    leap.path.Bend(to, rate);
    const Eigen::VectorXd former = std::move(free);
    leap.x = free = leap.path.Value(to);
    if (!system_.Settle(leap.x)) return std::nullopt;
    if (ErrorOf(free - former, free) < kConverged) break;
  }
  const Eigen::VectorXd moved = leap.x - free;
  leap.projection = moved.head(moved.size() - 1).lpNorm<Eigen::Infinity>();
  leap.error = kLeft * ErrorOf(leap.x - predicted, predicted) + ErrorOf(moved, predicted);
  leap.least = LeastOf(system_.RankMargins());
  return leap;
}

}  // namespace kinemorph::motion
