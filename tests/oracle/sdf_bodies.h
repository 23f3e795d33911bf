// Two robots in SDFormat where links on fixed joints count as one body, as libsdformat's URDF reader
// makes them one.
#pragma once

#include <string>

#include "sdformat_judge.h"

namespace kinemorph::test {

/// Empty when both are the same robot: masses, centres and tensors of the bodies, joints with their
/// anchors, axes, limits and dynamics, in world axes.
[[nodiscard]] std::string DifferencesOfBodies(const SdfFacts& ours, const SdfFacts& theirs);

}  // namespace kinemorph::test
