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

/// A vertex of the LACG. The spans view the arrays of the LoopAggregatedConnectivityGraph it is of.
struct AggregateLink {
  std::span<const LinkId> links;      ///< in tree order (parents first)
  std::optional<std::size_t> parent;  ///< index of the parent aggregate; none for the world's
  /// The one link outside that all its base joints hang on; kNoLink for the world's.
  LinkId parent_link = kNoLink;
  std::span<const JointId> loop_joints;    ///< loop joints closed inside
  std::span<const std::size_t> couplings;  ///< inside; indices into Model::couplings
};

/// The LACG of a model with its spanning tree. Not copied, since aggregates view its arrays.
struct LoopAggregatedConnectivityGraph {
  std::vector<AggregateLink> aggregates;    ///< parents first; [0] is {world}
  std::vector<std::uint32_t> aggregate_of;  ///< by link: index into `aggregates`

  LoopAggregatedConnectivityGraph() = default;
  /// @{
  /// The arrays stay where they are: what aggregates view remains.
  LoopAggregatedConnectivityGraph(LoopAggregatedConnectivityGraph&&) = default;
  LoopAggregatedConnectivityGraph& operator=(LoopAggregatedConnectivityGraph&&) = default;
  /// @}

  std::vector<LinkId> links;           ///< aggregate after aggregate; each in tree order
  std::vector<JointId> loop_joints;    ///< aggregate after aggregate
  std::vector<std::size_t> couplings;  ///< aggregate after aggregate; indices into Model::couplings
};

/// The aggregate of every link, numbered parents first: the strongly connected components of the
/// CDD, without its edges.
struct Clusters {
  std::vector<std::uint32_t> of;  ///< by link: the number of its aggregate, 0 the world's
  std::uint32_t count = 0;        ///< of aggregates
};
/// The clusters of a model with its spanning tree.
///
/// Near linear: the edges of each constraint make one cycle of the paths nu below its nearest
/// common ancestor c, so that a component is a union of overlapping paths. All of them hang on one
/// link, and contracting them leaves a tree: there are no other cycles.
[[nodiscard]] Clusters ClusterLinks(const Model& model, const SpanningTree& tree);

/// Builds it, by ClusterLinks; `tree` must be of this model.
[[nodiscard]] LoopAggregatedConnectivityGraph BuildLoopAggregatedConnectivityGraph(
    const Model& model, const SpanningTree& tree);

}  // namespace kinemorph
