#include "lower/physical_inertia.h"

#include <Eigen/Eigenvalues>

#include "kinemorph/graph/model_dump.h"
#include "model_edit.h"

namespace kinemorph {
namespace {

std::string Moments(const Matrix3& I) {
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(I).eigenvalues();
  return FormatNumber(moments[0]) + ", " + FormatNumber(moments[1]) + ", " + FormatNumber(moments[2]) + " kg m^2";
}

}  // namespace

Matrix3 NearestPhysicalInertia(const Matrix3& I) {
  const Matrix3 sigma = 0.5 * I.trace() * Matrix3::Identity() - I;
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(sigma);
  const Vector3 moments = solver.eigenvalues().cwiseMax(1e-6 * solver.eigenvalues().maxCoeff());
  const Matrix3 nearest = solver.eigenvectors() * moments.asDiagonal() * solver.eigenvectors().transpose();
  return nearest.trace() * Matrix3::Identity() - nearest;
}

void PhysicalInertia(Model& model, PassContext& context) {
  for (const FeatureUse& use : FeaturesUsed(model)) {
    if (use.feature != Feature::kUnphysicalInertia || !context.Mine(use.feature)) continue;
    Inertial& inertial = *model.link(use.link).inertial;
    if (inertial.mass == 0) continue;  // left to massless_links
    const Matrix3 nearest = NearestPhysicalInertia(inertial.I_I);
    context.Lose(model, use.feature, Quoted("link", model.link(use.link).name), use.where,
                 "principal moments " + Moments(inertial.I_I) + " are written as " + Moments(nearest));
    inertial.I_I = nearest;
  }
}

}  // namespace kinemorph
