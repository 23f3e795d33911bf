// Where a motion starts: velocities that the loops allow with some rates given.
#pragma once

#include <vector>

#include "kinemorph/graph/closures/posture.h"
#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph {

/// A velocity with the given rates that the loops allow, the least one; the system's coordinates
/// are divided at q.
[[nodiscard]] Posture FindVelocity(MotionSystem& system, const Eigen::VectorXd& q,
                                   const std::vector<GivenCoordinate>& given);

}  // namespace kinemorph
