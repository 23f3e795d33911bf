// Pass `assemble`: a zero configuration in which all loops are closed.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures, where the target takes one frame of a loop from the zero
/// configuration: every loop joint is closed at q = 0, with X_FM(0) the identity. A model drawn
/// open is moved to the assembled configuration nearest to the drawing: the successor frames take
/// the displacement, limits, springs and couplings are measured from there, and position_offset
/// keeps the author's coordinate. A model that cannot be assembled is an error.
void Assemble(Model& model, PassContext& context);

}  // namespace kinemorph
