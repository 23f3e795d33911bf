// How the coordinates of a mechanism in motion are divided, for those that compute with it.
#pragma once

#include <vector>

#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph::motion {

/// By velocity: who would rather stay independent, by what the author said and by the drives.
[[nodiscard]] std::vector<int> ReluctanceOf(const Mechanism& m);

/// Of a closed q with these velocities independent.
[[nodiscard]] Coordinates CoordinatesOf(const Mechanism& m, const Eigen::VectorXd& q,
                                        const std::vector<int>& independent);

}  // namespace kinemorph::motion
