// Pass `physical_inertia`: tensors that no rigid body has, for targets whose library refuses them.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Ensures: every link with mass has the tensor of a rigid body; each change is a loss that gives
/// both sets of principal moments.
void PhysicalInertia(Model& model, PassContext& context);

}  // namespace kinemorph
