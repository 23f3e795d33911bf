// Two kinds of dead centre along straight lines of y from the assembled posture: where the loops
// can be closed no farther, and where the drives lose their hold (with one freedom the driven
// coordinate stands still, its entry of G is 0; with more the determinant of the drives' rows is).
// The former is found by a closure that fails, the latter by a sign (-, 0 or +) that changes; both
// are bracketed by equal steps and bisected. The closure starts warm, so that a way stays on its
// branch.
#include "kinemorph/graph/closures/dead_centre.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/index.h"
#include "closures/dead_centre_finder.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/base/random.h"

namespace kinemorph {
namespace {

constexpr int kStepsOfOne = 200, kSteps = 25;  // of a way; with one freedom, with more
constexpr int kAcross = 16;                    // ways that move all coordinates
constexpr int kBisections = 40;                // down to round-off
constexpr int kMostDependent = 40;             // above, a search takes seconds
constexpr double kStillRates = 1e-12;          // of the largest

int Sign(double x) { return (x > 0) - (x < 0); }

// One aggregate at some y.
class Search {
 public:
  // `q`: the assembled posture; only the aggregate's own coordinates move, and they are put back.
  Search(const ClosureWorkspace& workspace, const Aggregate& aggregate,
         const AggregateCoordinates& coordinates, const std::vector<bool>& driven,
         ClosureSequence& closure, Eigen::VectorXd& q)
      : m_(workspace.m),
        g_(aggregate),
        c_(coordinates),
        linear_(workspace.linear),
        driven_(driven),
        closure_(closure),
        q_(q) {
    for (const int b : g_.bodies) {
      const Body& body = m_.bodies[U(b)];
      for (int k = 0; k < body.nv; ++k) q_of_.push_back(body.nq == body.nv ? body.q + k : -1);
    }
    for (const int c : c_.independent) {
      scalar_ = scalar_ && q_of_[U(c)] >= 0;
      if (!scalar_) return;
      const std::size_t v = U(g_.velocity[U(c)]);
      const double from = q_[q_of_[U(c)]], span = linear_[v] ? m_.length : std::numbers::pi;
      // The box that is searched: the limits, where these are wider half a turn or one
      // characteristic length to either side.
      start_.push_back(from);
      lower_.push_back(std::max(m_.lower[v], from - span));
      upper_.push_back(std::min(m_.upper[v], from + span));
    }
    Watch();
  }

  DeadCentreSearch Run() {
    const std::vector<double> assembled = Own();
    DeadCentreSearch out = Look();
    SetOwn(assembled);
    return out;
  }

 private:
  DeadCentreSearch Look() {
    DeadCentreSearch out;
    if (!scalar_)
      out.why_not = "a ball or free joint is among the independent coordinates";
    else if (std::ssize(c_.dependent) > kMostDependent)
      out.why_not = std::to_string(c_.dependent.size()) + " coordinates depend";
    else if (!Reach(start_, 0))
      out.why_not = "the posture as drawn is one, or cannot be told by its coordinates";
    else if (!Within())
      out.why_not = "the posture as drawn is outside of the limits";
    if (!out.why_not.empty()) return out;
    drawn_ = Own(), rates_of_drawn_ = rates_;
    if (start_.size() == 1) {
      std::vector<DeadCentre> above;
      Follow(lower_, kStepsOfOne, out.found);
      std::reverse(out.found.begin(), out.found.end());
      Follow(upper_, kStepsOfOne, above);
      // One at the posture as drawn is on both ways.
      for (const DeadCentre& dead : above)
        if (std::find(out.found.begin(), out.found.end(), dead) == out.found.end())
          out.found.push_back(dead);
      out.ways = 2;
      return out;
    }
    // With more freedoms dead centres make surfaces, which many ways meet: of either kind the point
    // nearest to the drawing says how much room there is.
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
  // The aggregate's part of q.
  [[nodiscard]] std::vector<double> Own() const {
    std::vector<double> own;
    for (const int b : g_.bodies)
      for (int k = 0; k < m_.bodies[U(b)].nq; ++k) own.push_back(q_[m_.bodies[U(b)].q + k]);
    return own;
  }
  void SetOwn(const std::vector<double>& own) {
    std::size_t i = 0;
    for (const int b : g_.bodies)
      for (int k = 0; k < m_.bodies[U(b)].nq; ++k) q_[m_.bodies[U(b)].q + k] = own[i++];
  }
  // What drives move, or without drives the sliders: of one freedom each for itself, else as many
  // as there are freedoms.
  void Watch() {
    bool driven = false;
    for (int c = 0; c < g_.nv; ++c) {
      if (!driven_[U(g_.velocity[U(c)])]) continue;
      driven = true, watched_.push_back(c);
    }
    if (!driven) {
      for (const int c : c_.dependent)
        if (linear_[U(g_.velocity[U(c)])]) watched_.push_back(c);
    }
    if (start_.size() > 1 && watched_.size() != start_.size()) watched_.clear();
  }
  // Closes at a share of the way, from where it stands; what the rates of what is watched make of
  // it.
  bool Reach(const std::vector<double>& target, double share) {
    for (std::size_t i = 0; i < start_.size(); ++i)
      q_[q_of_[U(c_.independent[i])]] = Between(target, share, i);
    if (closure_.Position(q_) != GammaStatus::kOk ||
        closure_.Rates(q_, true, nullptr, G_, nullptr) != GammaStatus::kOk)
      return false;
    // Without units, and 0 where it is round-off: what the loops hold still has no sign.
    for (int c = 0; c < g_.nv; ++c)
      if (linear_[U(g_.velocity[U(c)])]) G_.row(c) /= m_.length;
    const double still = kStillRates * G_.cwiseAbs().maxCoeff();
    G_ = (G_.array().abs() > still).select(G_, 0.0).eval();
    rates_.clear();
    if (start_.size() == 1) {
      for (const int c : watched_) rates_.push_back(G_(c, 0));
    } else if (!watched_.empty()) {
      Eigen::MatrixXd of_drives(G_.cols(), G_.cols());
      for (std::size_t i = 0; i < watched_.size(); ++i)
        of_drives.row(static_cast<Eigen::Index>(i)) = G_.row(watched_[i]);
      const double determinant = SquareFactors(of_drives).Determinant(),
                   most = of_drives.rowwise().norm().prod();
      rates_.push_back(std::abs(determinant) > kStillRates * most ? determinant : 0);
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
  [[nodiscard]] double Between(const std::vector<double>& target, double share,
                               std::size_t i) const {
    return start_[i] + share * (target[i] - start_[i]);
  }
  [[nodiscard]] std::vector<double> Between(const std::vector<double>& target, double share) const {
    std::vector<double> y;
    for (std::size_t i = 0; i < start_.size(); ++i) y.push_back(Between(target, share, i));
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
    SetOwn(drawn_);
    std::vector<double> rates = rates_of_drawn_, now;
    double last = 0;
    for (int i = 1; i <= steps; ++i) {
      double next = static_cast<double>(i) / steps;
      const bool reached = Reach(target, next), inside = reached && Within();
      // A failed closure leaves the dependent coordinates as they were, so each attempt starts from
      // the last posture that closed.
      if (!reached) {
        const double end = Boundary(last, next, [&](double at) { return Reach(target, at); });
        if (Reach(target, end) && Within()) {
          out.push_back({Between(target, end), {}});
          return;
        }
      }
      // The last step ends where a joint meets its limit.
      if (!inside) {
        next = Boundary(last, next, [&](double at) { return Reach(target, at) && Within(); });
        if (!Reach(target, next)) return;
      }
      now = rates_;
      std::vector<double> here;
      for (std::size_t w = 0; w < now.size(); ++w) {
        // A rate that is 0 at a sample has been told there, unless the posture as drawn is the one.
        if (Sign(rates[w]) == Sign(now[w]) || (rates[w] == 0 && last > 0)) continue;
        // Bisection walks q about; the next step must begin where this one ended.
        if (here.empty()) here = Own();
        const double zero = rates[w] == 0 ? 0 : Boundary(last, next, [&](double at) {
          return Reach(target, at) && Sign(rates_[w]) == Sign(rates[w]);
        });
        DeadCentre& dead = out.emplace_back();
        dead.y = Between(target, zero);
        if (start_.size() == 1)
          dead.stands = {g_.velocity[U(watched_[w])]};
        else
          for (const int c : watched_) dead.stands.push_back(g_.velocity[U(c)]);
        SetOwn(here);
      }
      if (!inside) return;
      rates.swap(now), last = next;
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
      // One coordinate goes to the end of its range, so that every way leaves the box; sides take
      // turns.
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
  const std::vector<bool>&linear_, &driven_;  // by velocity
  ClosureSequence& closure_;
  Eigen::VectorXd& q_;
  std::vector<double> drawn_;
  std::vector<int> q_of_, watched_;  // by column; columns
  std::vector<double> start_, lower_, upper_;
  bool scalar_ = true;
  Eigen::MatrixXd G_;
  std::vector<double> rates_, rates_of_drawn_;  // what must keep its sign
};

}  // namespace

DeadCentreFinder::DeadCentreFinder(const ClosureWorkspace& workspace,
                                   const Coordinates& coordinates)
    : workspace_(workspace),
      coordinates_(coordinates),
      driven_(IsDriven(workspace.m)),
      q_(coordinates.assembled) {}

DeadCentreSearch DeadCentreFinder::Run(std::size_t aggregate, ClosureSequence& closure) {
  const AggregateCoordinates& c = coordinates_.aggregates[aggregate];
  if (!coordinates_.assembles || c.independent.empty() || c.dependent.empty()) return {};
  return Search(workspace_, workspace_.m.aggregates[aggregate], c, driven_, closure, q_).Run();
}

}  // namespace kinemorph
