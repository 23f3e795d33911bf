// Pass `physical_inertia`: tensors that no rigid body has, for targets whose library refuses them.
#pragma once

#include "pass.h"

namespace kinemorph {

/// The tensor (kg m^2, about the centre of mass) nearest to `I` in the Frobenius norm of the second
/// moments of mass Sigma = tr(I) / 2 - I, whose principal values must not be negative (Wensing,
/// Kim, Slotine 2017); they are kept a 1e-6th of the largest above zero, so that rounding does not
/// take them below (1e-13 where `I` is physical but for rounding).
[[nodiscard]] Matrix3 NearestPhysicalInertia(const Matrix3& I);

/// Ensures: every link with mass has the tensor of a rigid body; each change is a loss that gives
/// both sets of principal moments.
void PhysicalInertia(Model& model, PassContext& context);

}  // namespace kinemorph
