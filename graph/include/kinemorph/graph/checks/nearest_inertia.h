// The inertia tensor of a rigid body that is nearest to one that no body has.
#pragma once

#include <optional>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// The tensor (kg m^2, about the centre of mass) nearest to `I` in the Frobenius norm of the second
/// moments of mass Sigma = tr(I) / 2 - I, whose principal values must not be negative (Wensing,
/// Kim, Slotine 2017); they are kept a 1e-6th of the largest above zero, so that rounding does not
/// take them below (1e-13 where `I` is physical but for rounding).
[[nodiscard]] Matrix3 NearestPhysicalInertia(const Matrix3& I);

/// A tensor of a body in place of one that no body has.
struct PhysicalTensor {
  Matrix3 I_I;               ///< in axes of the inertial
  bool moves_alike = false;  ///< the link moves with it as before; only bearings carry other loads
};

/// The nearest one. Where the link turns about one direction n alone (`turn`: that of TurnAxes, in
/// axes of the link), the second moments across n are scaled so that the moment about n stays.
[[nodiscard]] PhysicalTensor NearestPhysicalTensor(const Inertial& inertial,
                                                   const std::optional<Vector3>& turn);

}  // namespace kinemorph
