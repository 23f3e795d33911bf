#include "kinemorph/graph/mechanics/stuck_coordinates.h"

#include <algorithm>
#include <array>

#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/joint_motion.h"

namespace kinemorph {
namespace {

constexpr double kStep = 0.02;      // rad, and characteristic lengths
constexpr double kLeftOpen = 1e-6;  // of a step whose square is 4e-4: what a motion never leaves

// Works on one aggregate after the other, in place: each costs what its own bodies cost.
class Stuck {
 public:
  Stuck(const Mechanism& m, const Eigen::VectorXd& assembled)
      : m_(m), solver_(m), assembled_(assembled), q_(assembled), linear_(IsLinearVelocity(m)) {
    options_.held.assign(static_cast<std::size_t>(m.nv), false);
  }

  void Add(int a, const AggregateCoordinates& c, std::vector<std::string>& names) {
    const Aggregate& g = m_.aggregates[static_cast<std::size_t>(a)];
    if (c.rank == 0 || c.mobility == 0 || !(c.residual <= kClosed) || solver_.IsLarge(a)) return;
    Hold(g, c, true);
    for (std::size_t i = 0; i < g.bodies.size(); ++i) {
      const Body& body = m_.bodies[static_cast<std::size_t>(g.bodies[i])];
      for (int k = 0; k < body.nv; ++k)
        if (std::ranges::binary_search(c.independent, g.column[i] + k) && !Moves(a, body, k))
          names.push_back(m_.names[static_cast<std::size_t>(body.v + k)]);
    }
    Hold(g, c, false);
  }

 private:
  void Hold(const Aggregate& g, const AggregateCoordinates& c, bool held) {
    for (const int column : c.independent)
      options_.held[static_cast<std::size_t>(g.velocity[static_cast<std::size_t>(column)])] = held;
  }

  // One step along a coordinate, either way, the other independent ones held.
  bool Moves(int a, const Body& body, int coordinate) {
    return std::ranges::any_of(std::array{1, -1}, [&](int sign) {
      std::array<double, 6> v{};
      const bool length = linear_[static_cast<std::size_t>(body.v + coordinate)];
      v[static_cast<std::size_t>(coordinate)] = sign * kStep * (length ? m_.length : 1);
      IntegratePosition(body.kind, assembled_.data() + body.q, v.data(), 1, q_.data() + body.q);
      const double residual = solver_.Close(a, q_, options_).residual;
      for (const int b : m_.aggregates[static_cast<std::size_t>(a)].bodies) {
        const Body& moved = m_.bodies[static_cast<std::size_t>(b)];
        q_.segment(moved.q, moved.nq) = assembled_.segment(moved.q, moved.nq);
      }
      return residual < kLeftOpen;
    });
  }

  const Mechanism& m_;
  ClosureSolver solver_;
  const Eigen::VectorXd& assembled_;
  Eigen::VectorXd q_;  // the assembled posture between two steps
  const std::vector<bool> linear_;
  ClosingOptions options_;
};

}  // namespace

std::vector<std::string> StuckCoordinates(const Mechanism& m, const Coordinates& coordinates) {
  std::vector<std::string> names;
  Stuck stuck(m, coordinates.assembled);
  for (std::size_t a = 0; a < m.aggregates.size(); ++a)
    stuck.Add(static_cast<int>(a), coordinates.aggregates[a], names);
  return names;
}

}  // namespace kinemorph
