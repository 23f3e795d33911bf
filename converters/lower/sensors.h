// Sensors of one format in the words of another.
#pragma once

#include <string_view>

#include "plan/pass.h"

namespace kinemorph {

/// Sensors that the source's format and the target's both have words for become the target's own:
/// one by one, an imu as a gyroscope and an accelerometer, or these two at one place as an imu; force
/// and torque at a joint, or at a place of its child. `blocks`: another family that the target takes in blocks of links, or nothing. What the
/// target's words do not hold of them is lost by name.
void TranslateSensors(Model& model, std::string_view blocks, PassContext& context);

}  // namespace kinemorph
