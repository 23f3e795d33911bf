// Pass `inertia_axes`: inertial frames of their own directions where the target has none.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: link frames are final. Ensures: every tensor is given in the axes of its link (R I
/// R^T), with what rounding leaves where zero is meant, 1e-15 of the largest entry, as exact zeros.
void InertiaAxes(Model& model, PassContext& context);

}  // namespace kinemorph
