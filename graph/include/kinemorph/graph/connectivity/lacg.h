// The loop-aggregated connectivity graph (LACG): strongly connected components of the CDD are
// aggregate links, and what is left of the tree joints between them is a tree. A four-bar on a
// base:
//
//   CDD   base -> crank -> coupler            LACG   {base} -> {crank, coupler, rocker}
//           \--> rocker <--/ ^ (both ways)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

struct AggregateLink {
  std::span<const LinkId> links;         ///< in tree order (parents first)
  std::optional<std::size_t> parent;     ///< index of the parent aggregate; none for the world's
  LinkId parent_link = kNoLink;          ///< the one link outside that all its base joints hang on
  std::span<const JointId> loop_joints;  ///< loop joints closed inside
  std::span<const std::size_t> couplings;  ///< indices into Model::couplings
};

struct LoopAggregatedConnectivityGraph {
  std::vector<AggregateLink> aggregates;    ///< parents first; [0] is {world}
  std::vector<std::uint32_t> aggregate_of;  ///< by link

  LoopAggregatedConnectivityGraph() = default;
  LoopAggregatedConnectivityGraph(LoopAggregatedConnectivityGraph&&) =
      default;  // not copied: aggregates view the arrays below
  LoopAggregatedConnectivityGraph& operator=(LoopAggregatedConnectivityGraph&&) = default;

  // Aggregate after aggregate.
  std::vector<LinkId> links;
  std::vector<JointId> loop_joints;
  std::vector<std::size_t> couplings;
};

/// The aggregate of every link, numbered parents first: the strongly connected components of the
/// CDD, without its edges.
struct Clusters {
  std::vector<std::uint32_t> of;  ///< by link
  std::uint32_t count = 0;
};
/// Near linear: the edges of each constraint make one cycle of the paths nu below its nearest
/// common ancestor c, so that a component is a union of overlapping paths. All of them hang on one
/// link, and contracting them leaves a tree: there are no other cycles.
[[nodiscard]] Clusters ClusterLinks(const Model& model, const SpanningTree& tree);

[[nodiscard]] LoopAggregatedConnectivityGraph BuildLoopAggregatedConnectivityGraph(
    const Model& model, const SpanningTree& tree);
/// What must hold: every link is in exactly one aggregate, parents come first, all tree parents
/// outside an aggregate are one link, every loop joint and coupling lies inside one aggregate.
/// Returns the first violation, empty when all hold.
[[nodiscard]] std::string CheckInvariants(const Model& model, const SpanningTree& tree,
                                          const LoopAggregatedConnectivityGraph& lacg);

}  // namespace kinemorph
