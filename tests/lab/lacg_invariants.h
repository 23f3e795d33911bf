// The judge of loop-aggregated connectivity graphs.
#pragma once

#include <string>

#include "kinemorph/graph/connectivity/lacg.h"

namespace kinemorph {

/// What must hold: every link is in exactly one aggregate, parents come first, all tree parents
/// outside an aggregate are one link, every loop joint and coupling lies inside one aggregate.
/// Returns the first violation, empty when all hold.
[[nodiscard]] std::string CheckInvariants(const Model& model, const SpanningTree& tree,
                                          const LoopAggregatedConnectivityGraph& lacg);

}  // namespace kinemorph
