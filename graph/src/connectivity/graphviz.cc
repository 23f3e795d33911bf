#include "kinemorph/graph/connectivity/graphviz.h"

#include "base/quoted.h"

namespace kinemorph {
namespace {

constexpr const char* kLoopColor = "#c8102e";
constexpr const char* kCouplingColor = "#0057b7";

// The look that the three graphs share.
std::string Head(const char* what, const Model& model) {
  return std::string("digraph ") + what + " {\n  label=" + Quoted(model.name) +
         ";\n  labelloc=t;\n  fontname=\"Helvetica\";\n  rankdir=TB;\n"
         "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f2f5f9\", color=\"#44546a\", "
         "fontname=\"Helvetica\", fontsize=12];\n"
         "  edge [color=\"#44546a\", fontname=\"Helvetica\", fontsize=10, "
         "fontcolor=\"#44546a\"];\n";
}

std::string Node(LinkId id) { return "n" + std::to_string(Index(id)); }

// The world is drawn only where something hangs on it by a joint.
bool IsWorldJoined(const Model& model) {
  const auto [begin, end] = boost::out_edges(Index(kWorld), model.graph());
  return begin != end || boost::in_degree(Index(kWorld), model.graph()) > 0;
}

std::string NodeLine(const Model& model, LinkId id, const std::string& indent) {
  std::string look;
  if (id == kWorld)
    look = ", shape=plaintext, style=\"\", fontsize=11";
  else if (model.link(id).synthetic)
    look = ", style=\"rounded,dashed\", fontsize=9";
  return indent + Node(id) + " [label=" + Quoted(model.link(id).name) + look + "];\n";
}

std::string JointLabel(const Model& model, JointId id) {
  const Joint& joint = model.joint(id);
  if (joint.implicit) return "\"" + std::string(KindName(joint.kind)) + "\"";
  const std::string name = Quoted(joint.name);
  return name.substr(0, name.size() - 1) + "\\n" + std::string(KindName(joint.kind)) + "\"";
}

// A tree joint always runs downwards in the picture; one that points against the tree gets its
// arrow head at the parent.
std::string TreeJointLine(const Model& model, const SpanningTree& tree, LinkId child) {
  const JointId joint = tree.parent_joint[Index(child)];
  if (joint == kNoJoint) return {};
  return "  " + Node(tree.parent[Index(child)]) + " -> " + Node(child) +
         " [label=" + JointLabel(model, joint) + (tree.reversed[Index(child)] ? ", dir=back" : "") +
         "];\n";
}

std::string LoopJointLine(const Model& model, JointId id) {
  return "  " + Node(model.predecessor(id)) + " -> " + Node(model.successor(id)) +
         " [label=" + JointLabel(model, id) + ", style=dashed, constraint=false, color=\"" +
         kLoopColor + "\", fontcolor=\"" + kLoopColor + "\"];\n";
}

// Dotted lines between the links that a coupling ties together, without a direction.
std::string CouplingLines(const Model& model, const SpanningTree& tree) {
  std::string out;
  for (const Coupling& coupling : model.couplings) {
    std::vector<LinkId> links;
    for (const LinkId link : {coupling.predecessor, coupling.successor})
      if (coupling.form == CouplingForm::kRatio && link != kNoLink) links.push_back(link);
    for (const CouplingTerm& term : coupling.terms) {
      if (coupling.form == CouplingForm::kRatio || term.coordinate.joint == kNoJoint) continue;
      const LinkId p = model.predecessor(term.coordinate.joint),
                   s = model.successor(term.coordinate.joint);
      links.push_back(tree.parent_joint[Index(p)] == term.coordinate.joint ? p : s);
    }
    for (std::size_t i = 1; i < links.size(); ++i) {
      out += "  " + Node(links[i - 1]) + " -> " + Node(links[i]) +
             " [label=" + Quoted(coupling.name) +
             ", style=dotted, dir=none, constraint=false, color=\"" + kCouplingColor +
             "\", fontcolor=\"" + kCouplingColor + "\"];\n";
    }
  }
  return out;
}

}  // namespace

std::string ConnectivityGraphDot(const Model& model, const SpanningTree& tree) {
  std::string out = Head("connectivity", model);
  for (const LinkId link : tree.order)
    if (link != kWorld || IsWorldJoined(model)) out += NodeLine(model, link, "  ");
  for (const LinkId link : tree.order) out += TreeJointLine(model, tree, link);
  for (const JointId id : tree.loop_joints) out += LoopJointLine(model, id);
  return out + CouplingLines(model, tree) + "}\n";
}

std::string ConstraintDependencyDigraphDot(const Model& model,
                                           const ConstraintDependencyDigraph& cdd) {
  const bool world = IsWorldJoined(model);
  std::string out = Head("constraint_dependency", model);
  if (world) out += NodeLine(model, kWorld, "  ");
  for (const LinkId link : Links(model)) out += NodeLine(model, link, "  ");
  for (const auto& [from, to] : cdd.tree_edges)
    if (world || from != kWorld) out += "  " + Node(from) + " -> " + Node(to) + ";\n";
  for (const auto& [from, to] : cdd.loop_edges) {
    out += "  " + Node(from) + " -> " + Node(to) + " [style=dashed, constraint=false, color=\"" +
           kLoopColor + "\"];\n";
  }
  return out + "}\n";
}

std::string LoopAggregatedConnectivityGraphDot(const Model& model, const SpanningTree& tree,
                                               const LoopAggregatedConnectivityGraph& lacg) {
  std::string out = Head("loop_aggregated", model);
  for (std::size_t a = 0; a < lacg.aggregates.size(); ++a) {
    const AggregateLink& aggregate = lacg.aggregates[a];
    if (a == 0 && !IsWorldJoined(model)) continue;
    if (aggregate.links.size() == 1) {
      out += NodeLine(model, aggregate.links[0], "  ");
      continue;
    }
    out += "  subgraph cluster_" + std::to_string(a) +
           " {\n    label=\"\";\n    style=\"rounded,filled\";\n    color=\"" + kLoopColor +
           "\";\n    fillcolor=\"#fdf3f4\";\n";
    for (const LinkId link : aggregate.links) out += NodeLine(model, link, "    ");
    out += "  }\n";
  }
  for (const LinkId link : tree.order) out += TreeJointLine(model, tree, link);
  for (const JointId id : tree.loop_joints) out += LoopJointLine(model, id);
  return out + CouplingLines(model, tree) + "}\n";
}

}  // namespace kinemorph
