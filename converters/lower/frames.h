// Pass `frames`: named frames for targets that have links only.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: where the table lowers frames, none is left: each is a massless link
/// on a fixed joint, or, with
/// --frames drop, a loss. Where the table keeps a part of it (a point has a position only), the
/// rest is a loss.
void LowerFrames(Model& model, PassContext& context);

}  // namespace kinemorph
