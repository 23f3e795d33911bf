// Pass `orient_joints`: joints that point against the tree are turned round.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures: every tree joint leads from the parent to the child. The axis
/// is negated and the frames change places, so that coordinates keep their values, limits and
/// couplings; a universal joint's two coordinates change places.
void OrientJoints(Model& model, PassContext& context);

}  // namespace kinemorph
