// The versions of SDFormat that are known.
#pragma once

#include "kinemorph/formats/version.h"

namespace kinemorph::sdformat {

inline constexpr Version kOldest{1, 4};
inline constexpr Version kNewest{1, 12};
/// As which libsdformat 9 to 13 reads <gazebo> blocks of URDF.
inline constexpr Version kOfBlocks{1, 7};
/// The first with <inertial auto="true">.
inline constexpr Version kComputesInertia{1, 11};

}  // namespace kinemorph::sdformat
