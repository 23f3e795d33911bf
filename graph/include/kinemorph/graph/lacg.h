// The loop-aggregated connectivity graph (LACG): strongly connected components of the CDD are aggregate links, and what is left
// of the tree joints between them is a tree. A four-bar on a base:
//
//   CDD   base -> crank -> coupler            LACG   {base} -> {crank, coupler, rocker}
//           \--> rocker <--/ ^ (both ways)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/graph/constraint_dependency.h"
#include "kinemorph/graph/model.h"
#include "kinemorph/graph/spanning_tree.h"

namespace kinemorph {

struct AggregateLink {
  std::vector<LinkId> links;           ///< in tree order (parents first)
  std::optional<std::size_t> parent;   ///< index of the parent aggregate; none for the world's
  LinkId parent_link = kNoLink;        ///< the one link outside that all its base joints hang on
  std::vector<JointId> loop_joints;    ///< loop joints closed inside
  std::vector<std::size_t> couplings;  ///< indices into Model::couplings
};

struct LoopAggregatedConnectivityGraph {
  std::vector<AggregateLink> aggregates;  ///< parents first; [0] is {world}
  std::vector<std::size_t> aggregate_of;  ///< by link
};

[[nodiscard]] LoopAggregatedConnectivityGraph BuildLoopAggregatedConnectivityGraph(const Model& model, const SpanningTree& tree,
                                                                                   const ConstraintDependencyDigraph& cdd);
/// What must hold: every link is in exactly one aggregate, parents come first, all tree parents outside an aggregate are one link,
/// every loop joint and coupling lies inside one aggregate. Returns the first violation, empty when all hold.
[[nodiscard]] std::string CheckInvariants(const Model& model, const SpanningTree& tree, const LoopAggregatedConnectivityGraph& lacg);

}  // namespace kinemorph
