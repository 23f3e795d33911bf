// Random closed states of a mechanism for tests.
#pragma once

#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph::test {

struct State {
  Eigen::VectorXd q, v, tau;
};

/// A closed configuration with K v = 0 and random forces.
inline State RandomClosedState(const Mechanism& m, const Coordinates& coordinates,
                               ClosureSolver& solver, Random& random, double amplitude = 0.5) {
  State state;
  const std::vector<int> ranks = coordinates.Ranks();
  state.q = solver.RandomState(coordinates.assembled, amplitude, ranks, random);
  state.v.resize(m.nv), state.tau.resize(m.nv);
  for (double& x : state.v) x = random.Uniform(-1, 1);
  for (double& x : state.tau) x = random.Uniform(-5, 5);
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const Aggregate& g = m.aggregates[static_cast<std::size_t>(a)];
    Eigen::VectorXd part(g.nv);
    for (int c = 0; c < g.nv; ++c) part[c] = state.v[g.velocity[static_cast<std::size_t>(c)]];
    solver.ProjectVelocity(a, state.q, ranks[static_cast<std::size_t>(a)], part);
    for (int c = 0; c < g.nv; ++c) state.v[g.velocity[static_cast<std::size_t>(c)]] = part[c];
  }
  return state;
}

inline double RelativeDifference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  if (a.size() == 0) return 0;
  return (a - b).lpNorm<Eigen::Infinity>() / std::max(1.0, b.lpNorm<Eigen::Infinity>());
}

}  // namespace kinemorph::test
