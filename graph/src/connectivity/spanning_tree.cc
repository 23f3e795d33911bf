// Orients the chosen joints away from the world, finds ancestors fast, and says why each loop joint
// was cut.
#include "kinemorph/graph/connectivity/spanning_tree.h"

#include <algorithm>
#include <utility>

#include "connectivity/incidence.h"
#include "connectivity/tree_choice.h"

namespace kinemorph {
namespace {

// Depth-first preorder from the world; children in document order of their joints, then the links
// that hang on it without a joint.
SpanningTree Orient(const Model& model, const std::vector<bool>& in_tree,
                    const std::vector<LinkId>& roots) {
  const std::size_t n = model.num_links();
  SpanningTree tree;
  tree.order.reserve(n);
  tree.parent.assign(n, kNoLink);
  tree.parent_joint.assign(n, kNoJoint);
  tree.reversed.assign(n, false);
  tree.depth.assign(n, 0);
  tree.jump.assign(n, kWorld);
  const auto hang = [&](LinkId child, LinkId parent) {
    tree.parent[Index(child)] = parent;
    tree.depth[Index(child)] = tree.depth[Index(parent)] + 1;
    // Two equal jumps in a row make a double one: a path of any length is climbed in logarithmic
    // time.
    const LinkId once = tree.jump[Index(parent)], twice = tree.jump[Index(once)];
    const bool equal = tree.depth[Index(parent)] - tree.depth[Index(once)] ==
                       tree.depth[Index(once)] - tree.depth[Index(twice)];
    tree.jump[Index(child)] = equal ? twice : parent;
  };

  // A stack of its own, since a chain of a million links would overflow the program's. Children are
  // pushed in document order and then turned round, so that the first of them is popped first.
  const Incidence incidence(model, [&](JointId id) { return in_tree[Index(id)]; });
  std::vector<LinkId> stack{kWorld};
  while (!stack.empty()) {
    const LinkId link = stack.back();
    stack.pop_back();
    tree.order.push_back(link);
    const auto first_child = static_cast<std::ptrdiff_t>(stack.size());
    for (const JointId joint : incidence.At(link)) {
      if (joint == tree.parent_joint[Index(link)]) continue;
      const LinkId child = OtherEnd(model, joint, link);
      hang(child, link);
      tree.parent_joint[Index(child)] = joint;
      tree.reversed[Index(child)] = model.predecessor(joint) == child;
      stack.push_back(child);
    }
    if (link == kWorld) {
      for (const LinkId root : roots) {
        hang(root, kWorld);
        stack.push_back(root);
      }
    }
    std::reverse(stack.begin() + first_child, stack.end());
  }
  for (const JointId id : Joints(model))
    if (!in_tree[Index(id)]) tree.loop_joints.push_back(id);
  return tree;
}

bool ClosesOnAncestor(const Model& model, const SpanningTree& tree, JointId id) {
  const LinkId p = model.predecessor(id), s = model.successor(id),
               c = NearestCommonAncestor(tree, p, s);
  return c == p || c == s;
}

// Loop joints between a link and its ancestor that another cut of the same loop would avoid (not:
// two joints between one pair of links).
std::vector<JointId> AvoidableAncestorLoops(const Model& model, const SpanningTree& tree) {
  std::vector<JointId> found;
  for (const JointId id : tree.loop_joints) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    if (tree.parent[Index(p)] == s || tree.parent[Index(s)] == p) continue;
    if (ClosesOnAncestor(model, tree, id)) found.push_back(id);
  }
  return found;
}

std::string QuotedName(const std::string& name) { return "'" + name + "'"; }

std::string Reason(const Model& model, const SpanningTree& tree, const TreeChoice& choice,
                   JointId id) {
  const LinkId p = model.predecessor(id), s = model.successor(id);
  if (p == s) return "the joint connects a link to itself";
  const LinkId c = NearestCommonAncestor(tree, p, s);
  const std::string where =
      c == p || c == s ? ", and the loop closes on the ancestor " + QuotedName(model.link(c).name)
                       : ", at the far end of the loop from " + QuotedName(model.link(c).name);
  const std::string kind(KindName(model.joint(id).kind));
  // What the joint itself carries. Among joints that carry the same its place on the loop decided,
  // which `where` tells.
  switch (choice.KeepOf(id)) {
    case Keep::kRequested:
      return "its cut was asked for";
    case Keep::kAuthoredLoop:
      return "the source writes a loop joint";
    case Keep::kHinted:
      return "the author asks for it (cut hint)";
    case Keep::kFree:
      return "a free joint constrains nothing";
    case Keep::kPassive:
      return "passive " + kind + " joint" + where;
    case Keep::kLimited:
      return kind + " joint with an effort limit, in a loop whose joints all have one" + where;
    case Keep::kEquipped:
      return kind + " joint with limits or dynamics, in a loop without a passive joint" + where;
    case Keep::kDriven:
      return kind + " joint in a loop whose joints are all driven, independent or coupled" + where;
    case Keep::kAuthored:
      return "the joint closes a loop of tree joints" + where;
  }
  return {};
}

// A cycle of tree joints: two joints with the same successor on it, or joints that follow each
// other round.
void ReportCycle(const Model& model, const SpanningTree& tree, JointId closer, std::size_t& budget,
                 Diagnostics& diagnostics) {
  const LinkId p = model.predecessor(closer), s = model.successor(closer);
  const Joint& joint = model.joint(closer);
  const auto add = [&](std::string code, std::string message) {
    diagnostics.Add({Severity::kError,
                     std::move(code),
                     model.FileName(joint.where),
                     joint.where.line,
                     "joint[" + joint.name + "]",
                     std::move(message),
                     {}});
  };
  const std::string advice = "; write one of its joints as a loop joint (URDF+: <loop>)";
  const LinkId c = NearestCommonAncestor(tree, p, s);

  // A cycle of tree joints has either a link that two of them enter, or all of them point the same
  // way round. So collect the link that each enters, and look for one that comes twice; the joint
  // that closed the cycle is kept first among equals.
  std::vector<std::pair<LinkId, JointId>> entered{
      {s, closer}};  // successor and joint, along the cycle
  // The budget of all cycles together: long ones in great number would take quadratic time.
  for (const LinkId end : {p, s}) {
    for (LinkId link = end; link != c && budget > 0; link = tree.parent[Index(link)], --budget) {
      const JointId up = tree.parent_joint[Index(link)];
      if (up != kNoJoint) entered.emplace_back(model.successor(up), up);
    }
  }
  const auto length = tree.depth[Index(p)] + tree.depth[Index(s)] - 2 * tree.depth[Index(c)] + 1;
  std::sort(entered.begin() + 1, entered.end());
  std::stable_sort(entered.begin(), entered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto twice =
      std::adjacent_find(entered.begin(), entered.end(),
                         [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != entered.end()) {
    add("two-parents",
        "link " + QuotedName(model.link(twice->first).name) +
            ": the link is the child of both joint " +
            QuotedName(model.joint(std::min(twice->second, std::next(twice)->second)).name) +
            " and joint " +
            QuotedName(model.joint(std::max(twice->second, std::next(twice)->second)).name) +
            advice);
  } else {
    add("joint-cycle", "joint " + QuotedName(joint.name) + ": closes a cycle of " +
                           std::to_string(length) + " tree joints from " +
                           QuotedName(model.link(s).name) + " round to " +
                           QuotedName(model.link(p).name) + advice);
  }
}

}  // namespace

SpanningTree ChooseSpanningTree(const Model& model, const SpanningTreeOptions& options,
                                Diagnostics& diagnostics) {
  // The choice as the author's roles, --cut and the house policy make it. Cycles of tree joints are
  // errors of the source and told on this tree: the relaxed ones below may cut elsewhere.
  TreeChoice choice(model, options, diagnostics);
  choice.Choose();
  SpanningTree tree = Orient(model, choice.in_tree(), choice.roots());
  std::size_t budget =
      1'000'000;  // links walked to describe cycles: errors need not be told at any length
  for (const JointId closer : choice.cycle_closers())
    ReportCycle(model, tree, closer, budget, diagnostics);
  // At most two more rounds for the loops in question: at first away from the link through which
  // the root enters them, then breadth-first. There the ends of a cut differ in depth by one at
  // most, and can be ancestor and descendant only as a pair of links with two joints.
  if (options.avoid_ancestor_loops) {
    for (const bool strictly : {false, true}) {
      const std::vector<JointId> ancestor_loops = AvoidableAncestorLoops(model, tree);
      if (ancestor_loops.empty() || !choice.Relax(ancestor_loops, strictly)) break;
      choice.Choose();
      tree = Orient(model, choice.in_tree(), choice.roots());
    }
  }
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (!choice.IsRequested(id) || !choice.in_tree()[Index(id)]) continue;
    diagnostics.Add({Severity::kError,
                     "cut-no-loop",
                     model.FileName(joint.where),
                     joint.where.line,
                     "joint[" + joint.name + "]",
                     "joint " + QuotedName(joint.name) + ": --cut names this joint, but then '" +
                         model.link(model.predecessor(id)).name + "' and '" +
                         model.link(model.successor(id)).name +
                         "' would not be connected; cut a joint of a loop",
                     {}});
  }
  tree.reasons.reserve(tree.loop_joints.size());
  for (const JointId id : tree.loop_joints) tree.reasons.push_back(Reason(model, tree, choice, id));
  return tree;
}

SpanningTree ChooseSpanningTree(const Model& model) {
  Diagnostics ignored;
  return ChooseSpanningTree(model, {}, ignored);
}

bool SpanningTree::IsLoop(JointId id) const {
  return std::binary_search(loop_joints.begin(), loop_joints.end(), id);
}

// Jumps of a skew-binary list: take one where it does not overshoot, else one step up.
LinkId AncestorAtDepth(const SpanningTree& tree, LinkId link, std::uint32_t depth) {
  while (tree.depth[Index(link)] > depth) {
    const LinkId far = tree.jump[Index(link)];
    link = tree.depth[Index(far)] >= depth ? far : tree.parent[Index(link)];
  }
  return link;
}

// At equal depth the jumps of two links have equal length, so both may leap as long as the links
// that they reach differ.
LinkId NearestCommonAncestor(const SpanningTree& tree, LinkId a, LinkId b) {
  const std::uint32_t depth = std::min(tree.depth[Index(a)], tree.depth[Index(b)]);
  a = AncestorAtDepth(tree, a, depth);
  b = AncestorAtDepth(tree, b, depth);
  while (a != b) {
    const bool leap = tree.jump[Index(a)] != tree.jump[Index(b)];
    a = leap ? tree.jump[Index(a)] : tree.parent[Index(a)];
    b = leap ? tree.jump[Index(b)] : tree.parent[Index(b)];
  }
  return a;
}

std::vector<LinkId> PathSubchain(const SpanningTree& tree, LinkId ancestor, LinkId link) {
  std::vector<LinkId> path;
  for (; link != ancestor && link != kNoLink; link = tree.parent[Index(link)]) path.push_back(link);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace kinemorph
