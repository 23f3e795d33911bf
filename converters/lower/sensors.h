// Sensors of one format in the words of another.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Sensors on links that the source's format and the target's both have words for become the
/// target's own: one by one, an imu as a gyroscope and an accelerometer, or these two at one place as
/// an imu. What the target's words do not hold of them is lost by name.
void TranslateSensors(Model& model, PassContext& context);

}  // namespace kinemorph
