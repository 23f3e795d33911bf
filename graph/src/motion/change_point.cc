#include "motion/change_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kinemorph::motion {
namespace {

constexpr std::size_t kNodes = 8,            // before the point, at most
    kPast = 200;                             // states to choose them from
constexpr double kNear = 1e-3;               // least singular value: time to step over the point
constexpr double kFloor = 3e-11;             // of the relative error that can be asked for
constexpr double kApart = 0.1;               // of a leap: nodes closer to each other are no use
constexpr double kReaches[] = {2, 3, 4, 6};  // distances from the point
constexpr double kLargestProjection = 1e-6;  // of the velocities, or where they are below 1
constexpr double kAsFar = 0.4;               // of the least singular value at the start of a leap
constexpr double kMostError = 10,            // in units of the tolerances: one leap for many steps
    kMostErrorOfFixed = 1e4;                 // where steps cannot be shorter
constexpr double kTooNear = 1e-4;            // least singular value: coming closer makes it worse
constexpr int kCorrections = 4;              // of the slope behind the point
constexpr double kConverged = 1e-2;          // of a correction, in units of the tolerances
double LeastOf(const std::vector<RankMargin>& margins) {
  double least = 1;
  for (const RankMargin& margin : margins) least = std::min(least, margin.least);
  return least;
}

}  // namespace

ChangePointWatch::ChangePointWatch(MotionSystem& system, Eigen::VectorXd absolute, double relative)
    : system_(system), absolute_(std::move(absolute)), relative_(std::max(relative, kFloor)) {
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
    if (time - t > within && s > kNear) continue;
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

// The velocities that the loops ask for beside the point are as uncertain as the rounding of the
// posture over the singular value, and get well with the distance from it: this only shows whether
// the loops go on behind the point as they came.
double ChangePointWatch::ProjectionAllowed(const Leap& leap) const {
  const double fastest =
      leap.x.segment(system_.mechanism().nq, system_.mechanism().nv).lpNorm<Eigen::Infinity>();
  return std::max(kLargestProjection, 10 * relative_) * (1 + fastest);
}

// The least singular value grows there.
bool ChangePointWatch::IsBehind(const Leap& leap) {
  constexpr double kFarther = 0.05;
  Eigen::VectorXd x = leap.path.Value(leap.to + kFarther * (leap.to - leap.from));
  return system_.Settle(x) && LeastOf(system_.RankMargins()) >= leap.least;
}

std::optional<Leap> ChangePointWatch::Pass(const ChangePoint& point, double step) {
  const double from = past_.back().t, here = margins_[point.block].least;
  const double distance = std::max(point.time - from, 0.5 * step);
  for (const double reach : kReaches) {
    double to = from + reach * distance;
    if (step > 0) to = std::ceil(to / step * (1 - 1e-9)) * step;
    const std::optional<Leap> leap = Over(to);
    if (getenv("LEAPS")) {
      fprintf(stderr, "from %.6f d %.3e here %.2e to %.6f: ", from, distance, here, to);
      if (leap)
        fprintf(stderr, "error %.2e proj %.2e least %.2e\n", leap->error, leap->projection,
                leap->least);
      else
        fprintf(stderr, "none: %s\n", system_.Why().c_str());
    }
    if (!leap) continue;
    if (leap->projection > ProjectionAllowed(*leap)) return std::nullopt;
    if (leap->error > (step > 0 || here < kTooNear ? kMostErrorOfFixed : kMostError))
      return std::nullopt;
    if (leap->least >= kAsFar * here && IsBehind(*leap)) return leap;
  }
  return std::nullopt;
}

// Slopes of the past, the newest first.
std::vector<ChangePointWatch::Past> ChangePointWatch::Slopes(double reach) {
  std::vector<Past> slopes;
  for (auto past = past_.rbegin(); past != past_.rend() && slopes.size() < kNodes; ++past) {
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
  SlopePath best = path;
  error = 1e300;
  for (const Past& slope : slopes) {
    path.Add(slope.t, slope.x);
    const double change = ErrorOf(path.LastTerm(to), past_.back().x);
    if (change < error) error = change, best = path;
  }
  return best;
}

// A multistep rule with a slope behind the point: it knows nothing of what lies between.
std::optional<Leap> ChangePointWatch::Over(double to) {
  const Past& start = past_.back();
  const std::vector<Past> slopes = Slopes(to - start.t);
  if (slopes.empty()) return std::nullopt;
  Leap leap{start.t, to, {}, SlopePath(start.t, start.x)};
  Eigen::VectorXd free = Best(leap.path, slopes, to, leap.error).Value(to), rate;
  leap.x = free;
  if (!system_.Settle(leap.x)) return std::nullopt;
  for (int i = 0; i < kCorrections; ++i) {
    if (!Rate(to, leap.x, rate)) return std::nullopt;
    SlopePath path(start.t, start.x);
    path.Add(to, rate);
    leap.path = Best(std::move(path), slopes, to, leap.error);
    const Eigen::VectorXd former = std::exchange(free, leap.path.Value(to));
    leap.x = free;
    if (!system_.Settle(leap.x)) return std::nullopt;
    if (ErrorOf(free - former, free) < kConverged) break;
  }
  const Eigen::VectorXd moved = leap.x - free;
  leap.projection = moved.head(moved.size() - 1).lpNorm<Eigen::Infinity>();
  leap.least = LeastOf(system_.RankMargins());
  return leap;
}

}  // namespace kinemorph::motion
