// The constraint dependency digraph by the rules that its header states (URDF+ paper, Algorithm 3).
// First comes what a coupling ties together, in the same terms as the two ends of a loop joint, so
// that one rule `tie` draws the edges of both. lacg.cc asks the same functions and finds the same
// components by union-find.
#include "kinemorph/graph/connectivity/constraint_dependency.h"

#include <algorithm>
#include <array>

#include "connectivity/coupled_links.h"

namespace kinemorph {
namespace {

// The first link on the path from c (excluded) to x: the paper's min nu_x. kNoLink when the path is
// empty.
LinkId FirstBelow(const SpanningTree& tree, LinkId c, LinkId x) {
  return x == c ? kNoLink : AncestorAtDepth(tree, x, tree.depth[Index(c)] + 1);
}

}  // namespace

std::vector<CoupledLink> CoupledLinks(const Model& model, const SpanningTree& tree,
                                      const Coupling& coupling) {
  std::vector<CoupledLink> links;
  // A ratio names links: every joint on the two paths below their nearest common ancestor counts.
  // Other couplings name joints: their paths begin above these joints, so that each is inside.
  if (coupling.form == CouplingForm::kRatio || coupling.terms.empty()) {
    for (const LinkId link : {coupling.predecessor, coupling.successor})
      if (link != kNoLink) links.push_back({link, link});
    return links;
  }
  // A joint may point against the tree, so that its predecessor is what it moves. The coordinate of
  // a loop joint depends on both of its paths; the deeper end is below their common ancestor for
  // sure.
  for (const CouplingTerm& term : coupling.terms) {
    const JointId joint = term.coordinate.joint;
    if (joint == kNoJoint) continue;
    const LinkId p = model.predecessor(joint), s = model.successor(joint);
    if (tree.parent_joint[Index(s)] == joint)
      links.push_back({s, p});
    else if (tree.parent_joint[Index(p)] == joint)
      links.push_back({p, s});
    else
      links.push_back({tree.depth[Index(p)] > tree.depth[Index(s)] ? p : s,
                       NearestCommonAncestor(tree, p, s)});  // a loop joint
  }
  return links;
}

LinkId CouplingAncestor(const SpanningTree& tree, const std::vector<CoupledLink>& links) {
  if (links.empty()) return kNoLink;
  LinkId c = links.front().against;
  for (const CoupledLink& link : links) c = NearestCommonAncestor(tree, c, link.against);
  return c;
}

LinkId InnerEnd(const Model& model, const SpanningTree& tree, JointId loop) {
  const LinkId p = model.predecessor(loop), s = model.successor(loop);
  return tree.depth[Index(p)] > tree.depth[Index(s)] ? p : s;
}

LinkId InnerLink(const SpanningTree& tree, const std::vector<CoupledLink>& links) {
  LinkId inner = kNoLink;
  for (const CoupledLink& link : links) {
    if (inner == kNoLink || tree.depth[Index(link.moved)] > tree.depth[Index(inner)])
      inner = link.moved;
  }
  return inner;
}

ConstraintDependencyDigraph BuildConstraintDependencyDigraph(const Model& model,
                                                             const SpanningTree& tree) {
  ConstraintDependencyDigraph cdd;
  cdd.tree_edges.reserve(model.num_links());
  for (const LinkId link : tree.order)
    if (link != kWorld) cdd.tree_edges.emplace_back(tree.parent[Index(link)], link);

  // The links x1 .. xk are tied together: x1 -> min nu_x2, x2 -> min nu_x3, ..., xk -> min nu_x1,
  // empty paths left out.
  const auto tie = [&](const auto& links, LinkId c) {
    // The ring must be closed: it begins with the last link that is not c itself. Where one end of
    // a loop is c its path is empty, and a single edge closes the other path. The paper's (5)
    // counts c in, which would swallow the body that carries the loop.
    LinkId last = kNoLink;
    for (const LinkId x : links)
      if (x != c) last = x;
    for (const LinkId x : links) {
      if (x == c) continue;
      const LinkId first = FirstBelow(tree, c, x);
      if (last != first) cdd.loop_edges.emplace_back(last, first);
      last = x;
    }
  };
  for (const JointId id : tree.loop_joints) {
    if (std::holds_alternative<Free>(model.joint(id).kind)) continue;  // constrains nothing
    const std::array<LinkId, 2> ends{model.predecessor(id), model.successor(id)};
    tie(ends, NearestCommonAncestor(tree, ends[0], ends[1]));
  }
  std::vector<LinkId> moved;
  for (const Coupling& coupling : model.couplings) {
    const std::vector<CoupledLink> links = CoupledLinks(model, tree, coupling);
    moved.clear();
    for (const CoupledLink& link : links) moved.push_back(link.moved);
    if (!links.empty()) tie(moved, CouplingAncestor(tree, links));
  }
  // Single edges in a fixed order: loops that repeat each other must not show in the digraph.
  std::sort(cdd.loop_edges.begin(), cdd.loop_edges.end());
  cdd.loop_edges.erase(std::unique(cdd.loop_edges.begin(), cdd.loop_edges.end()),
                       cdd.loop_edges.end());

  // The compressed graph cannot grow, so it gets all edges at once. Vertices are the values of
  // LinkId, the world included: components map back without a table.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(cdd.tree_edges.size() + cdd.loop_edges.size());
  for (const auto* part : {&cdd.tree_edges, &cdd.loop_edges})
    for (const auto& [from, to] : *part)
      edges.emplace_back(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
  cdd.digraph = ConstraintDependencyDigraph::Digraph(boost::edges_are_unsorted_multi_pass,
                                                     edges.begin(), edges.end(), model.num_links());
  return cdd;
}

}  // namespace kinemorph
