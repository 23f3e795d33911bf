// What is looked at: the graphs of a model as data and as pictures, and its shapes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/draw/graphviz.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// One of the three graphs.
enum class GraphKind {
  kConnectivity,          ///< links, tree joints and loop joints
  kConstraintDependency,  ///< the digraph of URDF+'s Algorithm 3
  kLoopAggregated,        ///< aggregate links and the joints between them
};
/// "cg", "cdd", "lacg"; nothing for another name.
[[nodiscard]] std::optional<GraphKind> GraphKindNamed(std::string_view name);

/// A link, or an aggregate link.
struct GraphNode {
  std::string name;                ///< of a link; of an aggregate link the names of its links
  std::vector<std::string> links;  ///< one, or those of an aggregate link in tree order
  int mobility = 0;                ///< of an aggregate link with loops or couplings
};
/// A joint, or a dependency.
struct GraphEdge {
  std::size_t from = 0,  ///< index of a node
      to = 0;            ///< index of a node
  std::string name,      ///< of the joint; empty for a dependency
      type;              ///< of the joint, as KindName says
  bool loop = false;     ///< a loop joint, or a dependency that a loop or coupling makes
};
/// A graph as data: what a page draws.
struct GraphView {
  std::vector<GraphNode> nodes;  ///< the world first, parents before children
  std::vector<GraphEdge> edges;  ///< of the tree first
};
/// The graph of a model along its default spanning tree.
[[nodiscard]] GraphView GraphOf(const Model& model, GraphKind kind);
/// The same as Graphviz text.
[[nodiscard]] std::string DrawGraph(const Model& model, GraphKind kind,
                                    const PictureOptions& options = {});

/// `{"nodes": [...], "edges": [...]}`.
[[nodiscard]] std::string GraphJson(const GraphView& graph);
/// Links with shapes, colours and poses in their links, joints, loops: what a page shows. Poses are
/// 16 numbers, row by row.
[[nodiscard]] std::string SceneJson(const Model& model);

}  // namespace kinemorph
