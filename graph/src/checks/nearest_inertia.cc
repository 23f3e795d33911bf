#include "kinemorph/graph/checks/nearest_inertia.h"

#include <algorithm>

#include "kinemorph/graph/base/linear_algebra.h"

namespace kinemorph {

Matrix3 NearestPhysicalInertia(const Matrix3& I) {
  // Sigma = tr(I)/2 - I holds the second moments of mass, integrals of squares: it is positive
  // semidefinite for every body, which says both that I is and that its triangle inequalities hold.
  // The nearest such matrix in the Frobenius norm has the same axes, negative values set to
  // (almost) zero.
  const Matrix3 sigma = 0.5 * I.trace() * Matrix3::Identity() - I;
  const PrincipalAxes principal(sigma);
  const double most = std::max(0.0, principal.moments.maxCoeff());
  const bool rounding = principal.moments.minCoeff() > -1e-9 * most;
  // Where no density is positive, a small body is nearer than none; but rounding is none.
  constexpr double kNothing = 1e-15;  // kg m^2
  const double largest = principal.moments.cwiseAbs().maxCoeff();
  const double size = most > 0 || largest < kNothing ? most : largest;
  const Vector3 moments = principal.moments.cwiseMax((rounding ? 1e-13 : 1e-6) * size);
  const Matrix3 nearest = principal.axes * moments.asDiagonal() * principal.axes.transpose();
  // Back by I = tr(Sigma) - Sigma.
  return nearest.trace() * Matrix3::Identity() - nearest;
}

}  // namespace kinemorph
