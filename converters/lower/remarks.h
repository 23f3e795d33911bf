// Pass `remarks`: what is written, but not as the source meant it.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: all other lowering is done. Ensures: nothing changes; every use of a feature that the
/// table gives to this pass is a loss that says, in the table's words, what a consumer makes of it
/// (a limit kept as a number that nothing acts on, an inertia that the target's own library
/// refuses).
void Remarks(Model& model, PassContext& context);

}  // namespace kinemorph
