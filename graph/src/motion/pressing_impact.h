// Which feet stand after an impact.
#pragma once

#include <vector>

#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph::motion {

/// A foot this near to the ground (m) is on it.
inline constexpr double kOnGround = 1e-9;

/// The impact at a settled x with all feet of `standing` on the ground, whatever that takes; the
/// coordinates are divided for them. Not ok: MotionSystem::Why says why not; `divided` tells whether
/// it is for want of independent coordinates.
[[nodiscard]] ImpactResult ImpactOfAll(MotionSystem& system, const Eigen::VectorXd& x,
                                       const std::vector<bool>& standing, bool& divided);

/// The impact at a settled x of the feet `standing` on the ground, without those that it would pull,
/// the worst first. Where one of these would then go into the ground, slipping is all that is left
/// to it, and all stand. `standing` gets the feet that do. `weight` (N) is the measure of what is
/// nothing. For the rest as ImpactOfAll.
[[nodiscard]] ImpactResult PressingImpact(MotionSystem& system, const Eigen::VectorXd& x,
                                          double weight, std::vector<bool>& standing,
                                          bool& divided);

}  // namespace kinemorph::motion
