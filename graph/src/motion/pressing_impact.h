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

/// The impact at a settled x with the feet `standing` on the ground: those that it would pull leave,
/// the worst first, and of these no one that would then go into the ground. `standing` gets the
/// ones that are left. `weight` (N) is the measure of what is nothing. For the rest as ImpactOfAll.
[[nodiscard]] ImpactResult PressingImpact(MotionSystem& system, const Eigen::VectorXd& x,
                                          double weight, std::vector<bool>& standing,
                                          bool& divided);

}  // namespace kinemorph::motion
