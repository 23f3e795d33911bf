// The three graphs as data and as pictures.
#include <nlohmann/json.hpp>

#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/connectivity/constraint_dependency.h"
#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/views.h"

namespace kinemorph {
namespace {

// The graphs of the paper on constraint embedding: the connectivity graph (spanning tree and loop
// joints), the constraint dependency digraph (which link's motion a loop makes depend on which),
// and the loop-aggregated connectivity graph of its strongly connected components, which is a tree
// again. Each is derived anew from the model, as data here and as a picture in the language of
// Graphviz.

// Links in tree order: nodes, and by link the index of its node.
std::vector<std::size_t> AddLinks(const Model& model, const SpanningTree& tree, GraphView& graph) {
  std::vector<std::size_t> node_of(model.num_links(), 0);
  for (const LinkId link : tree.order) {
    node_of[Index(link)] = graph.nodes.size();
    graph.nodes.push_back({model.link(link).name, {model.link(link).name}, 0});
  }
  return node_of;
}

GraphEdge EdgeOf(const Model& model, JointId id, std::size_t from, std::size_t to, bool loop) {
  const Joint& joint = model.joint(id);
  return {from, to, joint.name, std::string(KindName(joint.kind)), loop};
}

GraphView Connectivity(const Model& model, const SpanningTree& tree) {
  GraphView graph;
  const std::vector<std::size_t> node_of = AddLinks(model, tree, graph);

  // Tree edges point away from the world, as the tree leads, whichever way the joint points.
  for (const LinkId link : tree.order)
    if (const JointId up = tree.parent_joint[Index(link)]; up != kNoJoint)
      graph.edges.push_back(
          EdgeOf(model, up, node_of[Index(tree.parent[Index(link)])], node_of[Index(link)], false));
  for (const JointId id : tree.loop_joints)
    graph.edges.push_back(EdgeOf(model, id, node_of[Index(model.predecessor(id))],
                                 node_of[Index(model.successor(id))], true));
  return graph;
}

GraphView ConstraintDependency(const Model& model, const SpanningTree& tree) {
  GraphView graph;
  const std::vector<std::size_t> node_of = AddLinks(model, tree, graph);
  const ConstraintDependencyDigraph cdd = BuildConstraintDependencyDigraph(model, tree);
  for (const auto& [from, to] : cdd.tree_edges)
    graph.edges.push_back({node_of[Index(from)], node_of[Index(to)], "", "", false});
  for (const auto& [from, to] : cdd.loop_edges)
    graph.edges.push_back({node_of[Index(from)], node_of[Index(to)], "", "", true});
  return graph;
}

// By aggregate: how many coordinates its loops leave free.
std::vector<int> Mobilities(const Model& model, const SpanningTree& tree,
                            const LoopAggregatedConnectivityGraph& lacg) {
  std::vector<int> mobility;
  for (const AggregateCoordinates& aggregate :
       AnalyseCoordinates(Compile(model, tree, lacg)).aggregates)
    mobility.push_back(aggregate.mobility);
  return mobility;
}

GraphView LoopAggregated(const Model& model, const SpanningTree& tree) {
  GraphView graph;
  const LoopAggregatedConnectivityGraph lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
  const std::vector<int> mobility = Mobilities(model, tree, lacg);
  for (std::size_t a = 0; a < lacg.aggregates.size(); ++a) {
    GraphNode& node = graph.nodes.emplace_back();
    for (const LinkId link : lacg.aggregates[a].links) {
      node.links.push_back(model.link(link).name);
      node.name += (node.name.empty() ? "" : ", ") + model.link(link).name;
    }
    node.mobility = mobility[a];
  }

  // Of tree edges only those between aggregates are left: the others, and all loops, are inside of
  // one.
  for (const LinkId link : tree.order) {
    const JointId up = tree.parent_joint[Index(link)];
    if (up == kNoJoint) continue;
    const std::size_t to = lacg.aggregate_of[Index(link)],
                      from = lacg.aggregate_of[Index(tree.parent[Index(link)])];
    if (from != to) graph.edges.push_back(EdgeOf(model, up, from, to, false));
  }
  return graph;
}

}  // namespace

std::optional<GraphKind> GraphKindNamed(std::string_view name) {
  if (name == "cg") return GraphKind::kConnectivity;
  if (name == "cdd") return GraphKind::kConstraintDependency;
  if (name == "lacg") return GraphKind::kLoopAggregated;
  return std::nullopt;
}

GraphView GraphOf(const Model& model, GraphKind kind) {
  const SpanningTree tree = ChooseSpanningTree(model);
  switch (kind) {
    case GraphKind::kConnectivity:
      return Connectivity(model, tree);
    case GraphKind::kConstraintDependency:
      return ConstraintDependency(model, tree);
    case GraphKind::kLoopAggregated:
      break;
  }
  return LoopAggregated(model, tree);
}

std::string DrawGraph(const Model& model, GraphKind kind, const PictureOptions& options) {
  const SpanningTree tree = ChooseSpanningTree(model);
  switch (kind) {
    case GraphKind::kConnectivity:
      return ConnectivityGraphDot(model, tree, options);
    case GraphKind::kConstraintDependency:
      return ConstraintDependencyDigraphDot(model, tree,
                                            BuildConstraintDependencyDigraph(model, tree), options);
    case GraphKind::kLoopAggregated:
      break;
  }
  const LoopAggregatedConnectivityGraph lacg = BuildLoopAggregatedConnectivityGraph(model, tree);
  PictureOptions with_mobility = options;
  with_mobility.mobility = Mobilities(model, tree, lacg);
  return LoopAggregatedConnectivityGraphDot(model, tree, lacg, with_mobility);
}

std::string GraphJson(const GraphView& graph) {
  nlohmann::ordered_json json = {{"nodes", nlohmann::ordered_json::array()},
                                 {"edges", nlohmann::ordered_json::array()}};
  for (const GraphNode& node : graph.nodes)
    json["nodes"].push_back(
        {{"name", node.name}, {"links", node.links}, {"mobility", node.mobility}});
  for (const GraphEdge& edge : graph.edges)
    json["edges"].push_back({{"from", edge.from},
                             {"to", edge.to},
                             {"name", edge.name},
                             {"type", edge.type},
                             {"loop", edge.loop}});
  return PrintableJson(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace kinemorph
