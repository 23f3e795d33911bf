#include "motion/change_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kinemorph::motion {
namespace {

// How a change point is passed.
// Near it w^T K = s(t) r(t)^T with a regular r and s that goes through zero linearly: the direction
// in which the null space of K goes has a limit, but K_z^-1 amplifies rounding by 1/s. So the point
// must not be approached by shrinking steps. Ahead extrapolates s of the last two steps to zero;
// Pass then looks for an interpolating polynomial of the slopes x' on both sides, none of them
// close to the point, and integrates it (Over). The slopes behind the point are those of states on
// the path itself, so they are iterated.

constexpr std::size_t kNodes = 6,        // before the point, at most
    kBehind = 3,                         // behind it
    kPast = 200;                         // states to choose them from
constexpr double kNear = 4e-3;           // least singular value: time to step over the point
constexpr double kFarOff = 0.3;          // least singular value: no change point within a step
constexpr double kFarthestPoint = 0.05;  // s: of such a point
constexpr double kFloor = 1e-10;         // of the relative error that can be asked for
constexpr double kApart = 0.1;           // of a leap: nodes closer to each other are no use
// The first node behind the point is this many times as far from it as the last one before it.
constexpr double kReaches[] = {1, 1.5, 2, 3};
constexpr double kAsFar = 0.8;               // of the least singular value at the start of a leap
constexpr double kLargestProjection = 1e-6;  // of the velocities, or where they are below 1
constexpr double kMostError = 10,            // in units of the tolerances: one leap for many steps
    kMostErrorAtLast = 1e4;                  // where coming closer is no use
constexpr double kLastSteps = 1.6;           // fixed ones, before the point
constexpr double kVanished = 1e-3;           // of the least singular value: as good as zero
constexpr double kTooNear = 1e-4;            // least singular value: coming closer makes it worse
constexpr double kLater = 0.2;               // of the distance: until the next attempt
constexpr int kRounds = 15;                  // of the slopes behind the point
constexpr double kConverged = 0.1;           // of a round, in units of the tolerances

double LeastOf(const std::vector<RankMargin>& margins) {
  double least = 1;
  for (const RankMargin& margin : margins) least = std::min(least, margin.least);
  return least;
}

}  // namespace

ChangePointWatch::ChangePointWatch(MotionSystem& system, Eigen::VectorXd absolute, double relative)
    : system_(system), absolute_(std::move(absolute)), relative_(std::max(relative, kFloor)) {
  // Tolerances finer than what rounding leaves beside the point cannot be asked for; both parts are
  // widened alike.
  absolute_ *= relative_ / relative;
}

void ChangePointWatch::Forget() { past_.clear(), before_.clear(), margins_.clear(); }

void ChangePointWatch::Note(double t, const Eigen::VectorXd& x, bool after_leap) {
  before_ = std::move(margins_);
  if (after_leap) before_.clear();
  t_before_ = past_.empty() ? t : past_.back().t;
  margins_ = system_.RankMargins();
  past_.push_back({t, x});
  if (past_.size() > kPast) past_.pop_front();
}

std::optional<ChangePoint> ChangePointWatch::Ahead(double within) const {
  std::optional<ChangePoint> first;
  for (std::size_t i = 0; i < margins_.size() && before_.size() == margins_.size(); ++i) {
    const double s = margins_[i].least, fall = before_[i].least - s;
    if (!(before_[i].least < 1) || !(fall > 0)) continue;
    const double t = past_.back().t, time = t + s * (t - t_before_) / fall;
    // Usually only the next steps matter. If s is already small, the point is announced from
    // farther away, for the leap wants room.
    if (time - t > (s > kNear ? within : kFarthestPoint)) continue;
    if (!first || time < first->time) first = ChangePoint{time, i};
  }
  return first;
}

std::optional<ChangePoint> ChangePointWatch::Within(double t, const Eigen::VectorXd& x) {
  const std::vector<RankMargin> now = system_.RankMargins();
  if (past_.empty() || now.size() != margins_.size()) return std::nullopt;
  const Past& start = past_.back();
  std::optional<ChangePoint> first;
  for (std::size_t i = 0; i < now.size(); ++i) {
    // A determinant that has changed its sign was zero on the way. That may be a mere fault of the
    // division (another z would have kept the sign), so K of all rows must be small at one end at
    // least.
    if (now[i].positive == margins_[i].positive) continue;
    const double s = system_.RankMarginAt(i, start.x), end = system_.RankMarginAt(i, x);
    if (s > kFarOff && end > kFarOff) continue;  // another division would have no zero
    // s is positive on both sides; it falls and rises linearly.
    const double time = start.t + (t - start.t) * s / std::max(s + end, 1e-300);
    if (!first || time < first->time) first = ChangePoint{time, i};
  }
  return first;
}

std::optional<ChangePointWatch::Nearness> ChangePointWatch::Nearest() const {
  std::optional<Nearness> nearest;
  for (std::size_t i = 0; i < margins_.size(); ++i)
    if (!nearest || margins_[i].least < nearest->least) nearest = Nearness{i, margins_[i].least};
  return nearest;
}

double ChangePointWatch::ErrorOf(const Eigen::VectorXd& difference,
                                 const Eigen::VectorXd& x) const {
  double worst = 0;
  for (Eigen::Index i = 0; i < difference.size(); ++i)
    worst = std::max(worst, std::abs(difference[i]) / (absolute_[i] + relative_ * std::abs(x[i])));
  return std::isfinite(worst) ? worst : 1e300;
}

// The velocities that the loops ask for beside the point are as uncertain as the rounding of the
// posture over the singular value, and get well with the distance from it: this only shows whether
// the loops go on behind the point as they came.
double ChangePointWatch::ProjectionAllowed(const Leap& leap) const {
  const double fastest =
      leap.x.segment(system_.mechanism().nq, system_.mechanism().nv).lpNorm<Eigen::Infinity>();
  return std::max(kLargestProjection, 10 * relative_) * (1 + fastest);
}

// By looking, then by sections: K itself is regular on the way.
void ChangePointWatch::Locate(Leap& leap) {
  constexpr int kLooks = 32, kSections = 40;
  const double length = (leap.to - leap.from) / kLooks;
  const auto value = [&](double look) {
    return system_.RankMarginAt(leap.point.block, leap.path.Value(leap.from + look * length));
  };
  // 32 looks find the valley, which may hold two points at a distance; then thirds of an interval
  // around it.
  double best = 1;
  leap.least = 2;
  for (int i = 1; i < kLooks; ++i)
    if (const double s = value(i); s < leap.least) leap.least = s, best = i;
  double low = best - 1, high = best + 1;
  for (int i = 0; i < kSections; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (value(left) < value(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  leap.point.time = leap.from + 0.5 * (low + high) * length;
  leap.least = std::min(leap.least, value(0.5 * (low + high)));
}

std::optional<Leap> ChangePointWatch::Pass(const ChangePoint& point, double step) {
  const double from = past_.back().t, here = system_.RankMarginAt(point.block, past_.back().x);
  const double distance = std::max(point.time - from, 0.5 * step);
  if (step == 0 && from < next_attempt_) return std::nullopt;
  for (const double reach : kReaches) {
    double to = point.time + 2 * reach * distance;
    if (step > 0) to = std::ceil(to / step * (1 - 1e-9)) * step;
    // The SPF leaves phi that has not faded; beside the point that would bend the branch, so the
    // loops are closed here in every method.
    system_.CloseAlways(true);
    std::optional<Leap> leap = Over(point.time + reach * distance, to, kAsFar * here);
    system_.CloseAlways(false);
    if (!leap) continue;
    // A leap with a large error is declined while a closer start would make it better. Where the
    // singular value or the fixed step leaves no closer start, it is taken.
    const bool last = here < kTooNear || distance < kLastSteps * step;
    if (leap->projection > ProjectionAllowed(*leap) ||
        leap->error > (last ? kMostErrorAtLast : kMostError))
      continue;
    next_attempt_ = 0;
    leap->point = point;
    Locate(*leap);
    // s at the bottom of the valley tells a crossing from a near miss.
    leap->crosses = leap->least < kVanished * here;
    return leap;
  }
  next_attempt_ = from + kLater * distance;
  return std::nullopt;
}

// Slopes of the past, the newest first.
std::vector<ChangePointWatch::Past> ChangePointWatch::Slopes(double reach) {
  std::vector<Past> slopes;
  for (auto past = past_.rbegin(); past != past_.rend() && slopes.size() < kNodes; ++past) {
    // Nodes too close to each other bring rounding, divided by their distance.
    if (!slopes.empty() && slopes.back().t - past->t < kApart * reach) continue;
    Eigen::VectorXd rate;
    if (!Rate(past->t, past->x, rate)) break;
    slopes.push_back({past->t, std::move(rate)});
  }
  return slopes;
}

// The path through as many slopes as make it better; `error` is what the last of them changed.
SlopePath ChangePointWatch::Best(SlopePath path, const std::vector<Past>& slopes, double to,
                                 double& error) const {
  // One slope more is one order more, as long as its term gets smaller: when it grows, the past is
  // not smooth enough for that order.
  SlopePath best = path;
  error = 1e300;
  for (const Past& slope : slopes) {
    path.Add(slope.t, slope.x);
    const double change = ErrorOf(path.LastTerm(to), past_.back().x);
    if (change < error) error = change, best = path;
  }
  return best;
}

// A multistep rule with nodes before and behind the point: it knows nothing of what lies between.
// The nodes behind it come one after the other, then all of them until they agree.
// `least`: the singular value that the first node must have, growing from node to node, or another
// point is near.
std::optional<Leap> ChangePointWatch::Over(double first, double to, double least) {
  Past start = past_.back();
  if (!system_.SettleToRounding(start.x)) return std::nullopt;
  const std::vector<Past> slopes = Slopes(to - start.t);
  Leap leap{start.t, to, {}, SlopePath(start.t, start.x), {}};
  leap.path = Best(leap.path, slopes, first, leap.error);
  std::vector<Past> behind;
  Eigen::VectorXd end = leap.path.Value(to);
  double change = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    double last = least;
    for (std::size_t i = 0; i < kBehind; ++i) {
      const double t = first + (to - first) * static_cast<double>(i) / (kBehind - 1);
      leap.x = leap.path.Value(t);
      const Eigen::VectorXd free = leap.x;
      Eigen::VectorXd rate;
      if (!system_.SettleToRounding(leap.x)) return std::nullopt;
      const double here = LeastOf(system_.RankMargins());
      if (here < last) return std::nullopt;  // it has to grow
      last = here;
      leap.projection = (leap.x - free).head(free.size() - 1).lpNorm<Eigen::Infinity>();
      if (!Rate(t, leap.x, rate)) return std::nullopt;
      if (round == 0) behind.push_back({t, {}});
      behind[i].x = rate;
      leap.path = SlopePath(start.t, start.x);
      for (const Past& node : behind) leap.path.Add(node.t, node.x);
      leap.path = Best(leap.path, slopes, to, leap.error);
    }
    const Eigen::VectorXd former = std::exchange(end, leap.path.Value(to));
    const double last_change = std::exchange(change, ErrorOf(end - former, end));
    if (change < kConverged * (1 + leap.error) || (round > 1 && change > 0.5 * last_change)) break;
  }
  leap.error = std::max(leap.error, change);
  return leap;
}

}  // namespace kinemorph::motion
