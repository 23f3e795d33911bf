#include "edit/nearest_inertia.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace kinemorph {

Matrix3 NearestPhysicalInertia(const Matrix3& I) {
  const Matrix3 sigma = 0.5 * I.trace() * Matrix3::Identity() - I;
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(sigma);
  const double most = std::max(0.0, solver.eigenvalues().maxCoeff());
  const bool rounding = solver.eigenvalues().minCoeff() > -1e-9 * most;
  const Vector3 moments = solver.eigenvalues().cwiseMax((rounding ? 1e-13 : 1e-6) * most);
  const Matrix3 nearest =
      solver.eigenvectors() * moments.asDiagonal() * solver.eigenvectors().transpose();
  return nearest.trace() * Matrix3::Identity() - nearest;
}

}  // namespace kinemorph
