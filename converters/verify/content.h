// What hangs on the links: shapes with their looks, frames, sensors; and drives, contacts,
// models with their gravity, and text of the format.
#pragma once

#include "verify/native_text.h"

namespace kinemorph::verify {

/// Link by link; what moved to another link of the same rigid group is found there. Text of one
/// format is compared as what it says.
void CompareContent(const Compared& sides, std::vector<Worst>& checks);

/// Links that only one side has, and frames: a frame equals a massless link in its place.
void CompareFrames(const Compared& sides, NativeText& native, std::vector<Worst>& checks);
/// Sensors and actuators, by name and by what they are on.
void CompareDevices(const Compared& sides, NativeText& native, std::vector<Worst>& checks);
/// Gravity of the world and of links; models and worlds of a file.
void CompareModels(const Compared& sides, std::vector<Worst>& checks);

}  // namespace kinemorph::verify
