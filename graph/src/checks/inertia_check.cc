#include "checks/inertia_check.h"

#include <algorithm>

#include "kinemorph/graph/base/linear_algebra.h"

namespace kinemorph {

InertiaFault CheckInertia(const Matrix3& I, Vector3& moments) {
  // Most tensors pass by one Cholesky factorisation; eigenvalues are for the doubtful.
  if (IsWellPhysical(I)) return InertiaFault::kNone;
  moments = PrincipalMoments(I);
  // Far above the solver's noise, far below what authors write; below 1e-15 kg m^2 exporters leave
  // noise of any sign.
  const double rounding = std::max(1e-10 * moments.cwiseAbs().maxCoeff(), 1e-15);
  // A moment is an integral of y^2 + z^2: none may be negative, nor greater than the sum of the
  // others.
  if (moments[0] < -rounding) return InertiaFault::kIndefinite;
  if (moments[0] + moments[1] < moments[2] - rounding) return InertiaFault::kTriangle;
  return InertiaFault::kNone;
}

}  // namespace kinemorph
