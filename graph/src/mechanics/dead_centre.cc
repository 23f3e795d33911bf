#include "kinemorph/graph/mechanics/dead_centre.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/index.h"
#include "mechanics/dead_centre_finder.h"

namespace kinemorph {
namespace {

constexpr int kSteps = 200;      // on either side of the assembled posture
constexpr int kBisections = 40;  // down to round-off

// One aggregate of one freedom at some y.
class Sweep {
 public:
  Sweep(const ClosureWorkspace& workspace, const Aggregate& aggregate,
        const AggregateCoordinates& coordinates, const std::vector<bool>& driven,
        ClosureSequence& closure, Eigen::VectorXd& q)
      : m_(workspace.m),
        g_(aggregate),
        c_(coordinates),
        linear_(workspace.linear),
        closure_(closure),
        q_(q) {
    for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
      const Body& body = m_.bodies[U(g_.bodies[i])];
      scalar_ = scalar_ && body.nq == body.nv;
      for (int k = 0; k < body.nv; ++k) q_of_.push_back(body.q + k);
    }
    if (!scalar_) return;
    start_ = q_[q_of_[U(c_.independent.front())]];
    for (const int c : c_.dependent)
      if (driven[U(g_.velocity[U(c)])]) watched_.push_back(c);
    if (!watched_.empty() || driven[U(velocity())]) return;
    for (const int c : c_.dependent)
      if (linear_[U(g_.velocity[U(c)])]) watched_.push_back(c);
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
  [[nodiscard]] int Number() const { return m_.bodies[U(g_.bodies.front())].aggregate; }
  [[nodiscard]] double Start() const { return start_; }
  [[nodiscard]] double Span() const {
    return linear_[U(velocity())] ? m_.length : std::numbers::pi;
  }
  // Closes at y; the rates of what is watched.
  bool Reach(double y) {
    q_[q_of_[U(c_.independent.front())]] = y;
    if (closure_.Position(q_) != GammaStatus::kOk) return false;
    if (watched_.empty()) return true;
    if (closure_.Rates(q_, nullptr, G_, nullptr) != GammaStatus::kOk) return false;
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
        if (Reach(end) && Within()) out.push_back({Number(), velocity(), end, -1});
        return;
      }
      const std::vector<double> now = rates_;
      for (std::size_t w = 0; w < watched_.size(); ++w) {
        if (rates[w] == 0 || (rates[w] > 0) == (now[w] > 0)) continue;
        const double zero = Boundary(
            y, next, [&](double at) { return Reach(at) && (rates_[w] > 0) == (rates[w] > 0); });
        out.push_back({Number(), velocity(), zero, g_.velocity[U(watched_[w])]});
      }
      rates = now, y = next;
    }
  }

  const Mechanism& m_;
  const Aggregate& g_;
  const AggregateCoordinates& c_;
  const std::vector<bool>& linear_;  // by velocity
  ClosureSequence& closure_;
  Eigen::VectorXd& q_;
  std::vector<int> q_of_, watched_;  // by column; columns
  bool scalar_ = true;
  Eigen::MatrixXd G_;
  std::vector<double> rates_;
  double start_ = 0;
};

}  // namespace

DeadCentreFinder::DeadCentreFinder(const ClosureWorkspace& workspace,
                                   const Coordinates& coordinates)
    : workspace_(workspace),
      coordinates_(coordinates),
      driven_(static_cast<std::size_t>(workspace.m.nv), false),
      q_(coordinates.assembled) {
  for (const Drive& drive : workspace.m.drives) driven_[U(drive.velocity)] = true;
}

void DeadCentreFinder::Add(std::size_t aggregate, ClosureSequence& closure,
                           std::vector<DeadCentre>& out) {
  const AggregateCoordinates& c = coordinates_.aggregates[aggregate];
  if (!coordinates_.assembles || c.independent.size() != 1) return;
  Sweep(workspace_, workspace_.m.aggregates[aggregate], c, driven_, closure, q_).Run(out);
}

}  // namespace kinemorph
