// Pass `native_data`: content of one format stays with that format.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: every NativeData, native shape, sensor and actuator that is left
/// belongs to the target's family; each of the others is a loss.
void DropNativeData(Model& model, PassContext& context);

}  // namespace kinemorph
