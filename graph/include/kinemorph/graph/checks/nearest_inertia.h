// The inertia tensor of a rigid body that is nearest to one that no body has.
#pragma once

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

/// The tensor (kg m^2, about the centre of mass) nearest to `I` in the Frobenius norm of the second
/// moments of mass Sigma = tr(I) / 2 - I, whose principal values must not be negative (Wensing,
/// Kim, Slotine 2017); they are kept a 1e-6th of the largest above zero, so that rounding does not
/// take them below (1e-13 where `I` is physical but for rounding).
[[nodiscard]] Matrix3 NearestPhysicalInertia(const Matrix3& I);

}  // namespace kinemorph
