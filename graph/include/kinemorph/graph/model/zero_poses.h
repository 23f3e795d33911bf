/// Where links stand when every coordinate is zero.
#pragma once

#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// X_PS: the pose of the successor's frame in the predecessor's that the joint makes at q = 0.
[[nodiscard]] inline RigidTransform PoseAtZero(const Joint& joint) {
  return joint.X_PF * joint.X_SM.inverse();
}

/// X_WL of every link at q = 0, along a tree that has `order` (parents before children) and, by
/// link, `parent` and `parent_joint`. Links without a parent joint stand on the world's frame.
template <class Tree>
[[nodiscard]] std::vector<RigidTransform> ZeroPoses(const Model& model, const Tree& tree) {
  std::vector<RigidTransform> X_WL(model.num_links());
  for (const LinkId link : tree.order) {
    const JointId id = tree.parent_joint[Index(link)];
    if (id == kNoJoint) continue;
    const RigidTransform X_PS = PoseAtZero(model.joint(id));
    X_WL[Index(link)] = X_WL[Index(tree.parent[Index(link)])] *
                        (model.successor(id) == link ? X_PS : X_PS.inverse());
  }
  return X_WL;
}

}  // namespace kinemorph
