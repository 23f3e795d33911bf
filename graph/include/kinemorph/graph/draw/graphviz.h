// The three graphs as pictures: Graphviz text with title, caption and legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/graph/connectivity/constraint_dependency.h"
#include "kinemorph/graph/connectivity/lacg.h"

namespace kinemorph {

/// What becomes one box.
enum class Collapse {
  kNothing,  ///< every link is one
  kFixed,    ///< links on fixed joints
  kChains,   ///< those, and links in a row that no loop, coupling or branch touches
  kRepeats,  ///< links on fixed joints, and each branch that is like another of the same link
};

/// What a picture shows.
struct PictureOptions {
  Collapse collapse = Collapse::kNothing;  ///< which links share a box
  LinkId focus = kNoLink;                  ///< the middle; kNoLink: the roots
  std::optional<int> depth;  ///< links this many joints from there; what is farther is counted
  std::vector<int> mobility =
      {};  ///< by aggregate of the LACG, for caption and labels; may be empty
};

/// Links and joints, loop joints among them, as text for `dot`.
///
/// All linear but for the choice of layout. A picture that would be far wider than high runs from
/// left to right, and leaves of one link stand in several ranks, so that no side is more than about
/// three times the other where the graph allows it.
[[nodiscard]] std::string ConnectivityGraphDot(const Model& model, const SpanningTree& tree,
                                               const PictureOptions& options = {});
/// Links, with the tree edges and the edges of loops and couplings between them.
[[nodiscard]] std::string ConstraintDependencyDigraphDot(const Model& model,
                                                         const SpanningTree& tree,
                                                         const ConstraintDependencyDigraph& cdd,
                                                         const PictureOptions& options = {});
/// Aggregate links and the tree joints between them.
[[nodiscard]] std::string LoopAggregatedConnectivityGraphDot(
    const Model& model, const SpanningTree& tree, const LoopAggregatedConnectivityGraph& lacg,
    const PictureOptions& options = {});

/// What belongs behind the first tag of an SVG that Graphviz made of them: colours for readers in
/// the dark (prefers-color-scheme).
[[nodiscard]] std::string DarkModeStyle();

}  // namespace kinemorph
