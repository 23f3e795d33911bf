// Which links stand in the world, and joints that point away from them.
#pragma once

#include <vector>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "plan/pass.h"

namespace kinemorph {

/// Turns the joints round that point against `tree`: see orient_joints.
void TurnAgainst(SpanningTree tree, Model& model, PassContext& context);

/// Links that stand in the world without a joint, in document order.
[[nodiscard]] std::vector<LinkId> UntiedRoots(const SpanningTree& tree);

/// A root that nothing ties to the world is told by no joint leading to it. Where a change of the
/// tree made another link look like the root, the joints that point at `roots` are turned, so that
/// these are the roots again. Roles are decided.
void KeepRoots(Model& model, PassContext& context, const std::vector<LinkId>& roots);

/// The free joint is what the target means by saying nothing: its name is gone, and what is said of
/// it is lost.
void LeaveUnsaid(Model& model, JointId id, PassContext& context);

}  // namespace kinemorph
