// Links that can move while every other one stands still: a rod that spins between two balls.
#pragma once

#include <vector>

#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

/// Positions in Aggregate::bodies, at the configuration q of `kinematics`.
[[nodiscard]] std::vector<int> IdleLinks(const Mechanism& m, const Aggregate& aggregate,
                                         const AggregateKinematics& kinematics, const double* q);

}  // namespace kinemorph
