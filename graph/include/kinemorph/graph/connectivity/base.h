// How robots stand in the world: fixed, free, or as nobody says.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A root of the tree, and what holds it in the world.
struct RobotBase {
  LinkId link;    ///< the root
  JointId joint;  ///< fixed or free, from the world; kNoJoint: nothing says how the root stands
};

/// The roots that stand fixed, free or as nobody says, in the order of the tree.
[[nodiscard]] std::vector<RobotBase> BasesOf(const Model& model, const SpanningTree& tree);

/// Lets a joint be of a kind, fixed or free: what was said of its coordinates is gone, unless it was
/// of that kind before.
void BecomeBase(Joint& joint, const JointKind& kind);

/// Lets a base stand by a joint of this kind; where it has none, one is made that is called `name`.
Joint& SetBase(Model& model, const RobotBase& base, const JointKind& kind, const std::string& name);

}  // namespace kinemorph
