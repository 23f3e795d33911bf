// Poses of a motion as figures and as states for others: a strip of stick figures (SVG), and
// MuJoCo's keyframes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/simulate.h"

namespace kinemorph::tools {

/// Poses over time, seen along the world axis along which the motion extends least, from its
/// positive end. Poses of a motion that stays in place stand side by side.
[[nodiscard]] std::string DrawStrip(const std::vector<MotionSample>& samples,
                                    const MotionSystem& system);

/// A <mujoco> file with one <key> per sample for the MJCF that `source`, the model of `system`,
/// becomes: its links stand and move as in the sample, its loops are closed. Nothing, and why, where
/// they cannot be.
[[nodiscard]] std::optional<std::string> KeyframesOf(const std::vector<MotionSample>& samples,
                                                     const Model& source,
                                                     const MotionSystem& system, std::string& why);

}  // namespace kinemorph::tools
