// Pass `check_inertias`: inertias that no rigid body has are written as they are, and said.
#pragma once

#include "pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: nothing changes; every link whose inertia is not that of a rigid body is a loss that says what the
/// target's own library makes of it.
void CheckInertias(Model& model, PassContext& context);

}  // namespace kinemorph
