// Coordinates that are free by the rank of K, and cannot move.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph {

/// Independent coordinates, by name, that an aggregate cannot move from the assembled posture: with
/// the other independent ones held, no posture near closes the loops a step further on, either way.
/// K counts velocities, and these loops (two bars as long together as the third, on one pivot)
/// admit more of those than motions. Nothing of aggregates that are large, do not close, or close
/// only nearly.
[[nodiscard]] std::vector<std::string> StuckCoordinates(const Mechanism& mechanism,
                                                        const Coordinates& coordinates);

}  // namespace kinemorph
