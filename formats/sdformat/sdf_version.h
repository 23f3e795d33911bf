// The versions of SDFormat that are known.
#pragma once

#include "kinemorph/formats/version.h"

namespace kinemorph::sdformat {

inline constexpr Version kOldest{1, 4};
inline constexpr Version kNewest{1, 12};
/// The first with <inertial auto="true">.
inline constexpr Version kComputesInertia{1, 11};

}  // namespace kinemorph::sdformat
