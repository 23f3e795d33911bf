// Joints that stand still: they keep their coordinates and have no velocities.
#pragma once

#include <vector>

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// The same mechanism with the joints of these bodies (by body) held where they are at `q`. Its q
/// has the same entries; what speaks of velocities is renumbered. Couplings count the held
/// coordinates as constants.
[[nodiscard]] Mechanism WithHeldJoints(const Mechanism& mechanism, const std::vector<bool>& held,
                                       const Eigen::VectorXd& q);

/// By velocity of `mechanism`: its index with those joints held, -1 where it is held.
[[nodiscard]] std::vector<int> VelocitiesWithHeldJoints(const Mechanism& mechanism,
                                                        const std::vector<bool>& held);

}  // namespace kinemorph
