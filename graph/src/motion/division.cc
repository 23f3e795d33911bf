#include "motion/division.h"

#include "base/index.h"

namespace kinemorph::motion {

// A motion is divided for its numbers: only what is declared or driven rather leads.
std::vector<int> ReluctanceOf(const Mechanism& m) {
  constexpr int kLeads = static_cast<int>(Actuation::kDriven);
  std::vector<int> reluctance(U(m.nv), static_cast<int>(Actuation::kUnsaid));
  for (int v = 0; v < m.nv; ++v)
    if (m.declared.any && m.declared.independent[U(v)]) reluctance[U(v)] = kLeads;
  for (const Drive& drive : m.drives) reluctance[U(drive.velocity)] = kLeads;
  return reluctance;
}

// The coordinates as the closures and the recursion want them, from the division of the motion:
// within one aggregate the dependent columns are as many as its rank. No aggregates are called
// alike, since each stands in a posture of its own.
Coordinates CoordinatesOf(const Mechanism& m, const Eigen::VectorXd& q,
                          const std::vector<int>& independent) {
  Coordinates coordinates;
  coordinates.assembled = q;
  coordinates.aggregates.resize(m.aggregates.size());
  std::vector<bool> depends(U(m.nv), true);
  for (const int y : independent) depends[U(y)] = false;
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const Aggregate& g = m.aggregates[a];
    AggregateCoordinates& c = coordinates.aggregates[a];
    c.nv = g.nv, c.rows = g.rows;
    for (int column = 0; column < g.nv; ++column)
      (depends[U(g.velocity[U(column)])] ? c.dependent : c.independent).push_back(column);
    c.rank = static_cast<int>(c.dependent.size()), c.mobility = g.nv - c.rank;
    coordinates.first_alike.push_back(static_cast<int>(a));
  }
  return coordinates;
}

}  // namespace kinemorph::motion
