#include "kinemorph/graph/mechanics/stuck_coordinates.h"

#include <algorithm>
#include <array>

#include "kinemorph/graph/mechanics/closure.h"

namespace kinemorph {
namespace {

constexpr double kStep = 0.02;      // rad, and characteristic lengths
constexpr double kLeftOpen = 1e-6;  // of a step whose square is 4e-4: what a motion never leaves

// One step along a coordinate, the other independent ones held.
bool Moves(const Mechanism& m, ClosureSolver& solver, const Eigen::VectorXd& assembled, int a,
           const std::vector<bool>& held, std::size_t v, double unit) {
  return std::ranges::any_of(std::array{1, -1}, [&](int sign) {
    Eigen::VectorXd velocity = Eigen::VectorXd::Zero(m.nv);
    velocity[static_cast<Eigen::Index>(v)] = sign * kStep * unit;
    Eigen::VectorXd q = m.Integrate(assembled, velocity, 1);
    return solver.Close(a, q, {.held = held}).residual < kLeftOpen;
  });
}

}  // namespace

std::vector<std::string> StuckCoordinates(const Mechanism& m, const Coordinates& coordinates) {
  std::vector<std::string> stuck;
  ClosureSolver solver(m);
  const std::vector<bool> linear = IsLinearVelocity(m);
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const int aggregate = static_cast<int>(a);
    const AggregateCoordinates& c = coordinates.aggregates[a];
    if (c.rank == 0 || c.mobility == 0 || !(c.residual <= kClosed) || solver.IsLarge(aggregate))
      continue;
    const auto velocity = [&](int column) {
      return static_cast<std::size_t>(m.aggregates[a].velocity[static_cast<std::size_t>(column)]);
    };
    std::vector<bool> held(static_cast<std::size_t>(m.nv), false);
    for (const int column : c.independent) held[velocity(column)] = true;
    for (const int column : c.independent)
      if (const std::size_t v = velocity(column);
          !Moves(m, solver, coordinates.assembled, aggregate, held, v, linear[v] ? m.length : 1))
        stuck.push_back(m.names[v]);
  }
  return stuck;
}

}  // namespace kinemorph
