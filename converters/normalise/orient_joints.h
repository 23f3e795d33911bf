// Pass `orient_joints`: joints that point against the tree are turned round.
#pragma once

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures: every tree joint leads from the parent to the child. The axis
/// is negated and the frames change places, so that coordinates keep their values, limits and
/// couplings; a universal joint's two coordinates change places.
void OrientJoints(Model& model, PassContext& context);

/// Links that stand in the world without a joint, in document order.
[[nodiscard]] std::vector<LinkId> UntiedRoots(const SpanningTree& tree);

/// A root that nothing ties to the world is told by no joint leading to it. Where a change of the
/// tree made another link look like the root, the joints that point at `roots` are turned, so that
/// these are the roots again. Roles are decided.
void KeepRoots(Model& model, PassContext& context, const std::vector<LinkId>& roots);

}  // namespace kinemorph
