#include "inertia_check.h"

#include <Eigen/Eigenvalues>

namespace kinemorph {

InertiaFault CheckInertia(const Matrix3& I, Vector3& moments) {
  moments = Eigen::SelfAdjointEigenSolver<Matrix3>(I, Eigen::EigenvaluesOnly).eigenvalues();
  const double rounding = 1e-10 * moments.cwiseAbs().maxCoeff();  // far above the solver's noise, far below what authors write
  if (moments[0] < -rounding) return InertiaFault::kIndefinite;
  if (moments[0] + moments[1] < moments[2] - rounding) return InertiaFault::kTriangle;
  return InertiaFault::kNone;
}

}  // namespace kinemorph
