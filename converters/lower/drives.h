// Drives of one format in the words of another.
#pragma once

#include <string_view>

#include "plan/pass.h"

namespace kinemorph {

/// Servos, and where `motors` motors, that the target has a word for become its own. `blocks`: another
/// family that the target takes in blocks, or nothing. What its words do not hold of them is lost by name.
void TranslateDrives(Model& model, std::string_view blocks, bool motors, PassContext& context);

/// Makes the servos that ConvertOptions::gains asks for; false, with errors, where it makes no sense.
bool GiveGains(Model& model, PassContext& context);

/// What else is said of a drive than its law and its names, each lost by name.
void LoseBeyondFields(const Model& model, const Actuator& drive, PassContext& context);

}  // namespace kinemorph
