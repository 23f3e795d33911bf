// Pass `merge_fixed`: links on fixed joints become one, on request.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures, with --fixed merge: no tree joint between two links is fixed;
/// the parent takes over the child's mass properties, geometry, frames, sensors and joints. Without
/// it: nothing.
void MergeFixed(Model& model, PassContext& context);

}  // namespace kinemorph
