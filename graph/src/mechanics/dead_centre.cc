#include "kinemorph/graph/mechanics/dead_centre.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/index.h"
#include "kinemorph/graph/base/random.h"
#include "kinemorph/graph/mechanics/explicit_closure.h"

namespace kinemorph {
namespace {

constexpr int kStepsOfOne = 200, kSteps = 25;  // of a way; with one freedom, with more
constexpr int kAcross = 16;                    // ways that move all coordinates
constexpr int kBisections = 40;                // down to round-off
constexpr int kMostDependent = 40;             // above, a search takes seconds

// One aggregate at some y.
class Search {
 public:
  Search(const Mechanism& m, const Coordinates& coordinates, ExplicitClosures& closures,
         int aggregate)
      : m_(m),
        g_(m.aggregates[U(aggregate)]),
        c_(coordinates.aggregates[U(aggregate)]),
        closures_(closures),
        aggregate_(aggregate),
        q_(coordinates.assembled),
        linear_(IsLinearVelocity(m)) {
    for (const int b : g_.bodies) {
      const Body& body = m.bodies[U(b)];
      for (int k = 0; k < body.nv; ++k) q_of_.push_back(body.nq == body.nv ? body.q + k : -1);
    }
    for (const int c : c_.independent) {
      scalar_ = scalar_ && q_of_[U(c)] >= 0;
      if (!scalar_) return;
      const std::size_t v = U(g_.velocity[U(c)]);
      const double from = q_[q_of_[U(c)]], span = linear_[v] ? m.length : std::numbers::pi;
      start_.push_back(from);
      lower_.push_back(std::max(m.lower[v], from - span));
      upper_.push_back(std::min(m.upper[v], from + span));
    }
    Watch();
  }

  DeadCentreSearch Run() {
    DeadCentreSearch out;
    if (!scalar_)
      out.why_not = "a ball or free joint is among the independent coordinates";
    else if (std::ssize(c_.dependent) > kMostDependent)
      out.why_not = std::to_string(c_.dependent.size()) + " coordinates depend";
    else if (!Reach(start_))
      out.why_not = "the posture as drawn is one, or cannot be told by its coordinates";
    else if (!Within())
      out.why_not = "the posture as drawn is outside of the limits";
    if (!out.why_not.empty()) return out;
    drawn_ = q_, rates_of_drawn_ = rates_;
    if (start_.size() == 1) {
      Follow(lower_, kStepsOfOne, out.found);
      std::reverse(out.found.begin(), out.found.end());
      Follow(upper_, kStepsOfOne, out.found);
      out.ways = 2;
      return out;
    }
    std::vector<DeadCentre> all;
    for (const std::vector<double>& target : Targets()) Follow(target, kSteps, all), ++out.ways;
    for (const bool ends : {false, true}) {
      const auto nearer = [&](const DeadCentre& a, const DeadCentre& b) {
        return std::pair(a.stands.empty() != ends, Distance(a)) <
               std::pair(b.stands.empty() != ends, Distance(b));
      };
      const auto nearest = std::min_element(all.begin(), all.end(), nearer);
      if (nearest != all.end() && nearest->stands.empty() == ends) out.found.push_back(*nearest);
    }
    return out;
  }

 private:
  // What drives move, or without drives the sliders: of one freedom each for itself, else as many
  // as there are freedoms.
  void Watch() {
    bool driven = false;
    for (int c = 0; c < g_.nv; ++c) {
      const int v = g_.velocity[U(c)];
      const auto moves = [&](const Drive& drive) { return drive.velocity == v; };
      if (!std::any_of(m_.drives.begin(), m_.drives.end(), moves)) continue;
      driven = true, watched_.push_back(c);
    }
    if (!driven) {
      for (const int c : c_.dependent)
        if (linear_[U(g_.velocity[U(c)])]) watched_.push_back(c);
    }
    if (start_.size() > 1 && watched_.size() != start_.size()) watched_.clear();
  }
  // Closes at y, from where it stands; what the rates of what is watched make of it.
  bool Reach(const std::vector<double>& y) {
    for (std::size_t i = 0; i < y.size(); ++i) q_[q_of_[U(c_.independent[i])]] = y[i];
    if (closures_.Position(aggregate_, q_) != GammaStatus::kOk ||
        closures_.Velocity(aggregate_, q_, G_) != GammaStatus::kOk)
      return false;
    rates_.clear();
    if (start_.size() == 1) {
      for (const int c : watched_) rates_.push_back(G_(c, 0));
    } else if (!watched_.empty()) {
      Eigen::MatrixXd of_drives(G_.cols(), G_.cols());
      for (std::size_t i = 0; i < watched_.size(); ++i)
        of_drives.row(static_cast<Eigen::Index>(i)) = G_.row(watched_[i]);
      rates_.push_back(of_drives.determinant());
    }
    return true;
  }
  [[nodiscard]] bool Within() const {
    for (std::size_t c = 0; c < q_of_.size(); ++c) {
      const std::size_t v = U(g_.velocity[c]);
      if (q_of_[c] < 0) continue;
      if (q_[q_of_[c]] < m_.lower[v] - 1e-9 || q_[q_of_[c]] > m_.upper[v] + 1e-9) return false;
    }
    return true;
  }
  [[nodiscard]] std::vector<double> Between(const std::vector<double>& target, double share) const {
    std::vector<double> y = start_;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += share * (target[i] - start_[i]);
    return y;
  }
  // Where `inside` ends between the shares a (where it holds) and b of a way.
  template <class Inside>
  double Boundary(double a, double b, const Inside& inside) {
    for (int i = 0; i < kBisections; ++i) {
      const double middle = (a + b) / 2;
      (inside(middle) ? a : b) = middle;
    }
    return a;
  }
  void Follow(const std::vector<double>& target, int steps, std::vector<DeadCentre>& out) {
    q_ = drawn_;
    std::vector<double> rates = rates_of_drawn_;
    double last = 0;
    for (int i = 1; i <= steps; ++i) {
      const double next = static_cast<double>(i) / steps;
      const bool reached = Reach(Between(target, next));
      if (reached && !Within()) return;
      if (!reached) {
        const double end =
            Boundary(last, next, [&](double at) { return Reach(Between(target, at)); });
        if (Reach(Between(target, end)) && Within()) out.push_back({Between(target, end), {}});
        return;
      }
      const std::vector<double> now = rates_;
      const Eigen::VectorXd here = q_;
      for (std::size_t w = 0; w < now.size(); ++w) {
        if (rates[w] == 0 || (rates[w] > 0) == (now[w] > 0)) continue;
        const double zero = Boundary(last, next, [&](double at) {
          return Reach(Between(target, at)) && (rates_[w] > 0) == (rates[w] > 0);
        });
        DeadCentre& dead = out.emplace_back();
        dead.y = Between(target, zero);
        if (start_.size() == 1)
          dead.stands = {g_.velocity[U(watched_[w])]};
        else
          for (const int c : watched_) dead.stands.push_back(g_.velocity[U(c)]);
        q_ = here;
      }
      rates = now, last = next;
    }
  }
  // To the ends of every coordinate alone, and to points on all sides of the box of the limits.
  [[nodiscard]] std::vector<std::vector<double>> Targets() const {
    std::vector<std::vector<double>> targets;
    for (std::size_t i = 0; i < start_.size(); ++i) {
      for (const std::vector<double>* end : {&lower_, &upper_}) {
        targets.push_back(start_);
        targets.back()[i] = (*end)[i];
      }
    }
    Random random(1);
    for (std::size_t w = 0; w < kAcross; ++w) {
      std::vector<double>& target = targets.emplace_back();
      for (std::size_t i = 0; i < start_.size(); ++i)
        target.push_back(random.Uniform(lower_[i], upper_[i]));
      const std::size_t side = w / 2 % start_.size();
      target[side] = (w % 2 == 0 ? lower_ : upper_)[side];
    }
    return targets;
  }
  [[nodiscard]] double Distance(const DeadCentre& dead) const {
    double square = 0;
    for (std::size_t i = 0; i < start_.size(); ++i) {
      const bool length = linear_[U(g_.velocity[U(c_.independent[i])])];
      square += std::pow((dead.y[i] - start_[i]) / (length ? m_.length : 1), 2);
    }
    return square;
  }

  const Mechanism& m_;
  const Aggregate& g_;
  const AggregateCoordinates& c_;
  ExplicitClosures& closures_;
  int aggregate_;
  Eigen::VectorXd q_, drawn_;
  std::vector<bool> linear_;         // by velocity
  std::vector<int> q_of_, watched_;  // by column; columns
  std::vector<double> start_, lower_, upper_;
  bool scalar_ = true;
  Eigen::MatrixXd G_;
  std::vector<double> rates_, rates_of_drawn_;  // what must keep its sign
};

}  // namespace

std::vector<DeadCentreSearch> FindDeadCentres(const Mechanism& m, const Coordinates& coordinates) {
  std::vector<DeadCentreSearch> all(m.aggregates.size());
  if (coordinates.rank == 0 || !coordinates.assembles) return all;
  ExplicitClosures closures(m, coordinates, {.warm = true});
  for (std::size_t a = 0; a < all.size(); ++a) {
    const AggregateCoordinates& c = coordinates.aggregates[a];
    if (c.independent.empty() || c.dependent.empty()) continue;
    const int aggregate = static_cast<int>(a);
    const ClosureNature nature = closures.Describe(aggregate).nature;
    if (nature == ClosureNature::kLinear || nature == ClosureNature::kNone) continue;
    all[a] = Search(m, coordinates, closures, aggregate).Run();
  }
  return all;
}

}  // namespace kinemorph
