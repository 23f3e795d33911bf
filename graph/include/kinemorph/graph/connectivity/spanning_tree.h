// The spanning tree of a connectivity graph, rooted at the world vertex, and the loop joints left
// over.
//
//            world                 order            world, base, crank, rocker, coupler
//              |                   parent_joint     the tree joint that leads to each link
//            base                  reversed         true where that joint points against the tree
//           /    \                                  (the child is the joint's predecessor)
//       crank    rocker            loop_joints      coupler -- rocker
//         |        :
//      coupler ....:
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A spanning tree, rooted at the world; what it leaves over are the loop joints.
struct SpanningTree {
  std::vector<LinkId> order;   ///< every link, world first, parents before children (depth-first
                               ///< preorder, document order)
  std::vector<LinkId> parent;  ///< by link; kNoLink for the world
  std::vector<JointId>
      parent_joint;  ///< by link; kNoJoint for the world and for roots without a joint to the world
  std::vector<bool> reversed;        ///< by link: parent_joint's predecessor is the child
  std::vector<std::uint32_t> depth;  ///< by link; world 0
  std::vector<LinkId>
      jump;  ///< by link: an ancestor far up, so that ancestor queries take logarithmic time
  std::vector<JointId> loop_joints;  ///< in document order
  std::vector<std::string> reasons;  ///< per loop joint: why it was cut
  /// Whether a joint was cut. Logarithmic.
  [[nodiscard]] bool IsLoop(JointId id) const;
};

/// What may be asked of ChooseSpanningTree.
struct SpanningTreeOptions {
  std::vector<std::string> cut;  ///< joints that must become loop joints, by name
  /// Moves cuts, authored ones too, so that no loop joint joins a link to its own ancestor (the
  /// reference URDF+ parser cannot read those). Where the only choice is between two joints that
  /// join the same pair of links, such a loop joint stays.
  bool avoid_ancestor_loops = false;
};

/// Deterministic choice (house plan, section 5): explicit roles are honoured; actuated,
/// independent, limited joints stay in the tree; cuts prefer hints, then passive joints, ends that
/// are not ancestor and descendant, short branches, document order. Errors (unknown --cut name,
/// tree-role joints that form a cycle, loop-role joints that leave a link unreachable) go to
/// `diagnostics`. Linear up to a logarithm, no recursion. Roots without a joint to the world hang
/// on the world rigidly.
[[nodiscard]] SpanningTree ChooseSpanningTree(const Model& model,
                                              const SpanningTreeOptions& options,
                                              Diagnostics& diagnostics);
/// The same without options or messages, for models known to be valid.
[[nodiscard]] SpanningTree ChooseSpanningTree(const Model& model);

/// Nearest common ancestor of two links in the tree (may be the world). Logarithmic.
[[nodiscard]] LinkId NearestCommonAncestor(const SpanningTree& tree, LinkId a, LinkId b);
/// The ancestor of `link` (or itself) at `depth`, which must not exceed the link's own.
/// Logarithmic.
[[nodiscard]] LinkId AncestorAtDepth(const SpanningTree& tree, LinkId link, std::uint32_t depth);
/// Links on the path from `ancestor` (excluded) down to `link` (included); empty when they are
/// equal.
[[nodiscard]] std::vector<LinkId> PathSubchain(const SpanningTree& tree, LinkId ancestor,
                                               LinkId link);

}  // namespace kinemorph
