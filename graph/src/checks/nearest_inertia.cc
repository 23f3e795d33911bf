#include "kinemorph/graph/checks/nearest_inertia.h"

#include <algorithm>
#include <cmath>

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

PhysicalTensor NearestPhysicalTensor(const Inertial& inertial, const std::optional<Vector3>& turn) {
  const Matrix3& I = inertial.I_I;
  Matrix3 nearest = NearestPhysicalInertia(I);
  if (!turn || turn->isZero(0)) return {nearest, turn.has_value()};
  // With P = 1 - n n^T the moment about n is n^T I n = tr(P Sigma P): it is scaled by s^2 where
  // Sigma becomes D Sigma D, D = n n^T + s P, and that stays positive.
  const Vector3 n = inertial.X_LI.R.transpose() * *turn;
  const double moment = n.dot(I * n), now = n.dot(nearest * n);
  if (!(moment > 0 && now > 0)) return {nearest};
  const Matrix3 along = n * n.transpose();
  const Matrix3 D = along + std::sqrt(moment / now) * (Matrix3::Identity() - along);
  const Matrix3 sigma = D * (0.5 * nearest.trace() * Matrix3::Identity() - nearest) * D;
  return {sigma.trace() * Matrix3::Identity() - sigma, true};
}

}  // namespace kinemorph
