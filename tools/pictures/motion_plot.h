// A picture of a motion for people, drawn by gnuplot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/simulate.h"

namespace kinemorph::tools {

/// SVG: positions of the joints, closure error on a logarithmic scale, energy, height of the feet,
/// and dotted lines where `events` happened, one colour per kind.
/// Nothing, and why, where gnuplot cannot draw it.
[[nodiscard]] std::optional<std::string> PlotMotion(const std::vector<MotionSample>& samples,
                                                    const std::vector<MotionEvent>& events,
                                                    const std::vector<JointPlace>& joints,
                                                    const MotionSystem& system,
                                                    const std::string& title, std::string& why);

}  // namespace kinemorph::tools
