// The tree that URDF's joints form, as far as the reader and the writer need it: parents, depths,
// paths, zero poses.
#pragma once

#include <cstdint>
#include <vector>

#include "kinemorph/graph/model/model.h"
#include "kinemorph/graph/model/zero_poses.h"

namespace kinemorph::urdf_format {

/// Links without a parent joint hang on the world (depth 1). Links on or behind a cycle of joints
/// are not in `order`.
struct LinkTree {
  std::vector<JointId> parent_joint;  ///< by link; kNoJoint for roots and the world
  std::vector<LinkId> parent;         ///< by link; kWorld for roots
  std::vector<std::uint32_t> depth;   ///< by link; world 0
  std::vector<LinkId> order;          ///< world first, parents before children
  std::vector<bool> reached;          ///< by link
  std::vector<LinkId> roots;          ///< links that no tree joint leads to
};

/// From all joints that are not loop joints; of several that lead to one link, the first counts.
/// Linear.
[[nodiscard]] LinkTree BuildLinkTree(const Model& model);

/// Nothing is said of its inertia, or that it has none.
[[nodiscard]] bool WeighsNothing(const Link& link);

/// Nearest common ancestor. Precondition: both links are reached.
[[nodiscard]] LinkId CommonAncestor(const LinkTree& tree, LinkId a, LinkId b);

/// The joints from `ancestor` down to `link`, top first.
[[nodiscard]] std::vector<JointId> PathJoints(const LinkTree& tree, LinkId ancestor, LinkId link);

/// Coupling rows: +1 on the coordinates down to `successor`, -ratio on those down to `predecessor`,
/// from their common ancestor.
struct RatioTerms {
  std::vector<CouplingTerm> terms;
  LinkId ancestor = kWorld;
  std::size_t predecessor_side = 0, successor_side = 0;  ///< number of coordinates on each side
  JointId several_dof = kNoJoint;  ///< a joint on the path with more than one coordinate
};
[[nodiscard]] RatioTerms TermsOfRatio(const Model& model, const LinkTree& tree, LinkId predecessor,
                                      LinkId successor, double ratio);

}  // namespace kinemorph::urdf_format
