// Pass `free_joints`: a free joint constrains nothing, so it may as well lead from the world.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures: every free joint of the tree leads from the world, at the same
/// zero configuration.
void FreeJoints(Model& model, PassContext& context);

}  // namespace kinemorph
