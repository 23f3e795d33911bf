// Graphviz text of the three graphs.
#pragma once

#include <string>

#include "kinemorph/graph/connectivity/constraint_dependency.h"
#include "kinemorph/graph/connectivity/lacg.h"

namespace kinemorph {

[[nodiscard]] std::string ConnectivityGraphDot(const Model& model, const SpanningTree& tree);
[[nodiscard]] std::string ConstraintDependencyDigraphDot(const Model& model,
                                                         const ConstraintDependencyDigraph& cdd);
[[nodiscard]] std::string LoopAggregatedConnectivityGraphDot(
    const Model& model, const SpanningTree& tree, const LoopAggregatedConnectivityGraph& lacg);

}  // namespace kinemorph
