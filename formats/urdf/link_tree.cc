// Parents, depths, paths and zero poses of URDF's tree of joints.
#include "link_tree.h"

#include <algorithm>

namespace kinemorph::urdf_format {

LinkTree BuildLinkTree(const Model& model) {
  const std::size_t n = model.num_links();
  LinkTree tree;
  tree.parent_joint.assign(n, kNoJoint);
  tree.parent.assign(n, kWorld);
  tree.depth.assign(n, 0);
  tree.reached.assign(n, false);
  // Children in one array per parent (counting sort), so that a star of 100,000 links costs no more
  // than a chain.
  std::vector<std::size_t> first(n + 1, 0);
  for (const JointId id : Joints(model)) {
    if (model.joint(id).role == JointRole::kLoop) continue;
    // The first joint that leads to a link is its parent joint. Others are errors, which reader and
    // writer report with their own words; the tree must be sound all the same.
    const LinkId child = model.successor(id);
    if (child == kWorld || tree.parent_joint[Index(child)] != kNoJoint) continue;
    tree.parent_joint[Index(child)] = id;
    tree.parent[Index(child)] = model.predecessor(id);
  }
  for (const LinkId link : Links(model)) {
    // Counts, then their running sums: `first` says where the children of each link begin.
    ++first[Index(tree.parent[Index(link)]) + 1];
    if (tree.parent_joint[Index(link)] == kNoJoint) tree.roots.push_back(link);
  }
  for (std::size_t i = 0; i < n; ++i) first[i + 1] += first[i];
  std::vector<LinkId> children(n > 0 ? n - 1 : 0, kNoLink);
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (const LinkId link : Links(model)) children[next[Index(tree.parent[Index(link)])]++] = link;
  // Depth-first preorder with an explicit stack.
  std::vector<LinkId> stack{kWorld};
  while (!stack.empty()) {
    const LinkId link = stack.back();
    stack.pop_back();
    tree.reached[Index(link)] = true;
    tree.order.push_back(link);
    // From the last child on, so that the stack yields them in the order of the file.
    for (std::size_t c = first[Index(link) + 1]; c-- > first[Index(link)];) {
      tree.depth[Index(children[c])] = tree.depth[Index(link)] + 1;
      stack.push_back(children[c]);
    }
  }
  return tree;
}

bool WeighsNothing(const Link& link) {
  return !link.inertial || (link.inertial->mass == 0 && link.inertial->I_I.isZero(0) &&
                            link.inertial->unknown.empty());
}

LinkId CommonAncestor(const LinkTree& tree, LinkId a, LinkId b) {
  while (a != b) {
    // The deeper one climbs, so that both arrive at one depth and then meet. Cost: the length of
    // the path.
    LinkId& deeper = tree.depth[Index(a)] >= tree.depth[Index(b)] ? a : b;
    deeper = tree.parent[Index(deeper)];
  }
  return a;
}

std::vector<JointId> PathJoints(const LinkTree& tree, LinkId ancestor, LinkId link) {
  std::vector<JointId> joints;
  for (; link != ancestor; link = tree.parent[Index(link)]) {
    if (tree.parent_joint[Index(link)] != kNoJoint)
      joints.push_back(tree.parent_joint[Index(link)]);
  }
  std::reverse(joints.begin(), joints.end());
  return joints;
}

RatioTerms TermsOfRatio(const Model& model, const LinkTree& tree, LinkId predecessor,
                        LinkId successor, double ratio) {
  RatioTerms result;
  result.ancestor = CommonAncestor(tree, predecessor, successor);
  // Joints that are fixed have no coordinate and are passed over; one with several has no single
  // coordinate that a ratio could mean, which the caller reports.
  const auto add = [&](LinkId end, double coefficient, std::size_t& count) {
    for (const JointId id : PathJoints(tree, result.ancestor, end)) {
      const int coordinates = NumVelocities(model.joint(id).kind);
      if (coordinates > 1) result.several_dof = id;
      if (coordinates != 1) continue;
      result.terms.push_back({{id, 0}, {coefficient, 0, 0, 0}});
      ++count;
    }
  };
  // The row of the reference library: +1 on the successor's side, -ratio on the predecessor's. The
  // URDF+ paper has the inverse ratio (its eta); the caller has turned it by now.
  add(successor, 1, result.successor_side);
  add(predecessor, -ratio, result.predecessor_side);
  return result;
}

}  // namespace kinemorph::urdf_format
