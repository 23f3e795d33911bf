#include "kinemorph/graph/mechanics/dead_centre.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/index.h"
#include "kinemorph/graph/mechanics/explicit_closure.h"

namespace kinemorph {
namespace {

constexpr int kSteps = 200;      // on either side of the assembled posture
constexpr int kBisections = 40;  // down to round-off

// One aggregate of one freedom at some y.
class Sweep {
 public:
  Sweep(const Mechanism& m, const Coordinates& coordinates, ExplicitClosures& closures,
        int aggregate)
      : m_(m),
        g_(m.aggregates[U(aggregate)]),
        c_(coordinates.aggregates[U(aggregate)]),
        closures_(closures),
        aggregate_(aggregate),
        q_(coordinates.assembled) {
    for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
      const Body& body = m.bodies[U(g_.bodies[i])];
      scalar_ = scalar_ && body.nq == body.nv;
      for (int k = 0; k < body.nv; ++k) q_of_.push_back(body.q + k);
    }
    if (!scalar_) return;
    start_ = q_[q_of_[U(c_.independent.front())]];
    for (const int c : c_.dependent) {
      const int v = g_.velocity[U(c)];
      const auto moves = [&](const Drive& drive) { return drive.velocity == v; };
      if (std::any_of(m.drives.begin(), m.drives.end(), moves)) watched_.push_back(c);
    }
    if (!watched_.empty()) return;
    const auto mine = [&](const Drive& drive) { return drive.velocity == velocity(); };
    if (std::any_of(m.drives.begin(), m.drives.end(), mine)) return;  // y itself is driven
    const std::vector<bool> linear = IsLinearVelocity(m);
    for (const int c : c_.dependent)
      if (linear[U(g_.velocity[U(c)])]) watched_.push_back(c);
  }

  [[nodiscard]] int velocity() const { return g_.velocity[U(c_.independent.front())]; }

  void Run(std::vector<DeadCentre>& out) {
    if (!scalar_ || !Reach(Start()) || !Within()) return;
    const std::vector<double> rates = rates_;
    std::vector<DeadCentre> below;
    Go(std::max(m_.lower[U(velocity())], Start() - Span()), rates, below);
    std::reverse(below.begin(), below.end());
    out.insert(out.end(), below.begin(), below.end());
    Go(std::min(m_.upper[U(velocity())], Start() + Span()), rates, out);
  }

 private:
  [[nodiscard]] double Start() const { return start_; }
  [[nodiscard]] double Span() const {
    return IsLinearVelocity(m_)[U(velocity())] ? m_.length : std::numbers::pi;
  }
  // Closes at y; the rates of what is watched.
  bool Reach(double y) {
    q_[q_of_[U(c_.independent.front())]] = y;
    if (closures_.Position(aggregate_, q_) != GammaStatus::kOk ||
        closures_.Velocity(aggregate_, q_, G_) != GammaStatus::kOk)
      return false;
    rates_.clear();
    for (const int c : watched_) rates_.push_back(G_(c, 0));
    return true;
  }
  [[nodiscard]] bool Within() const {
    for (std::size_t c = 0; c < q_of_.size(); ++c) {
      const std::size_t v = U(g_.velocity[c]);
      if (q_[q_of_[c]] < m_.lower[v] - 1e-9 || q_[q_of_[c]] > m_.upper[v] + 1e-9) return false;
    }
    return true;
  }
  // Where `inside` ends between a (where it holds) and b.
  template <class Inside>
  double Boundary(double a, double b, const Inside& inside) {
    for (int i = 0; i < kBisections; ++i) {
      const double middle = (a + b) / 2;
      (inside(middle) ? a : b) = middle;
    }
    return a;
  }
  void Go(double to, std::vector<double> rates, std::vector<DeadCentre>& out) {
    double y = Start();
    for (int i = 1; i <= kSteps; ++i) {
      const double next = Start() + (to - Start()) * i / kSteps;
      const bool reached = Reach(next);
      if (reached && !Within()) return;
      if (!reached) {
        const double end = Boundary(y, next, [&](double at) { return Reach(at); });
        if (Reach(end) && Within()) out.push_back({aggregate_, velocity(), end, -1});
        return;
      }
      const std::vector<double> now = rates_;
      for (std::size_t w = 0; w < watched_.size(); ++w) {
        if (rates[w] == 0 || (rates[w] > 0) == (now[w] > 0)) continue;
        const double zero = Boundary(
            y, next, [&](double at) { return Reach(at) && (rates_[w] > 0) == (rates[w] > 0); });
        out.push_back({aggregate_, velocity(), zero, g_.velocity[U(watched_[w])]});
      }
      rates = now, y = next;
    }
  }

  const Mechanism& m_;
  const Aggregate& g_;
  const AggregateCoordinates& c_;
  ExplicitClosures& closures_;
  int aggregate_;
  Eigen::VectorXd q_;
  std::vector<int> q_of_, watched_;  // by column; columns
  bool scalar_ = true;
  Eigen::MatrixXd G_;
  std::vector<double> rates_;
  double start_ = 0;
};

}  // namespace

std::vector<DeadCentre> FindDeadCentres(const Mechanism& m, const Coordinates& coordinates) {
  std::vector<DeadCentre> found;
  if (coordinates.rank == 0 || !coordinates.assembles) return found;
  ExplicitClosures closures(m, coordinates);
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const AggregateCoordinates& c = coordinates.aggregates[U(a)];
    if (c.independent.size() != 1 || c.dependent.empty()) continue;
    const ClosureNature nature = closures.Describe(a).nature;
    if (nature == ClosureNature::kLinear || nature == ClosureNature::kNone) continue;
    Sweep sweep(m, coordinates, closures, a);
    sweep.Run(found);
  }
  return found;
}

}  // namespace kinemorph
