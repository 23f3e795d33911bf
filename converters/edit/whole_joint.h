// Which joints of several coordinates a target holds in one piece.
#pragma once

#include <vector>

#include "kinemorph/formats/profile.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Whether dynamics are the same for all coordinates, and no angle shares them with a length.
[[nodiscard]] bool HasEvenDynamics(const JointKind& kind, const std::vector<JointAxis>& axes);

/// Whether a target of these traits holds in one piece what is said of a joint of several
/// coordinates. `coupled`: a coupling names one of them.
[[nodiscard]] bool IsHeldInOnePiece(const JointKind& kind, const std::vector<JointAxis>& axes,
                                    bool coupled, const TargetTraits& traits);

}  // namespace kinemorph
