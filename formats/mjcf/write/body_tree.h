// The nested bodies a model is written as: links between several joints of one body folded back,
// legality checked.
#pragma once

#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph::mjcf {

/// A joint of a body, its frame M in the body at zero.
struct FoldedJoint {
  JointId id = kNoJoint;
  RigidTransform X_BM;
};

/// A link that becomes a body.
struct BodyNode {
  LinkId link = kWorld;
  RigidTransform X_PB;                ///< in the parent body at zero
  std::vector<FoldedJoint> joints;    ///< nearest the parent first; empty: welded
  std::vector<std::size_t> children;  ///< indices into BodyTree::nodes
  std::uint32_t depth = 0;            ///< 1 for bodies of the world
};

struct BodyTree {
  std::vector<BodyNode> nodes;       ///< [0] is the world; parents before children
  std::vector<RigidTransform> X_WL;  ///< of every link at zero
  std::vector<JointId> loops;
  std::vector<bool> open;  ///< by JointId: a ball or revolute loop that does not close at zero
};

/// Errors (in `diagnostics`): joint kinds MJCF has not, two tree joints at one link, joints against
/// the tree, cycles, free joints below the top, more than 6 degrees of freedom in one body. A
/// warning (`mjcf-open-loop`): loops open at zero.
[[nodiscard]] BodyTree MakeBodyTree(const Model& model, Diagnostics& diagnostics);

}  // namespace kinemorph::mjcf
