// Is a tensor that of a rigid body?
#pragma once

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

enum class InertiaFault {
  kNone,
  kIndefinite,  ///< a negative principal moment
  kTriangle,    ///< one principal moment exceeds the sum of the others
};

/// With a fault, `moments` receives the principal moments in ascending order (kg m^2). The tensor
/// must be finite.
[[nodiscard]] InertiaFault CheckInertia(const Matrix3& I, Vector3& moments);

}  // namespace kinemorph
