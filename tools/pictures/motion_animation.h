// A motion that plays in a browser.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/simulate.h"

namespace kinemorph::tools {

/// An SVG of stick figures that moves by itself, over and over, one colour per link; below it a bar
/// with the time and marks where `events` happened. Motions of less than two seconds play slower
/// and say so.
[[nodiscard]] std::string AnimateMotion(const std::vector<MotionSample>& samples,
                                        const std::vector<MotionEvent>& events,
                                        const MotionSystem& system);

}  // namespace kinemorph::tools
