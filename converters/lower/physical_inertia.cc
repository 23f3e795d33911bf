// Pass `physical_inertia`: tensors that no rigid body has, for targets whose library refuses them.
#include <algorithm>
#include <cmath>

#include "edit/model_edit.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/checks/nearest_inertia.h"
#include "kinemorph/graph/checks/turn_axes.h"
#include "kinemorph/graph/model/model_dump.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

std::string Moments(const Matrix3& I) {
  const Vector3 moments = PrincipalAxes(I).moments;
  return FormatNumber(moments[0]) + ", " + FormatNumber(moments[1]) + ", " +
         FormatNumber(moments[2]) + " kg m^2";
}

// The density sigma = tr(I) / 2 - I of a body's tensor has no negative eigenvalue; rounding is
// forgiven.
bool IsOfABody(const Matrix3& I) {
  const Matrix3 sigma = 0.5 * I.trace() * Matrix3::Identity() - I;
  const Vector3 values = PrincipalMoments(sigma);
  return values.minCoeff() >= -1e-10 * values.maxCoeff();
}

// Libraries that judge a tensor find its principal moments in closed form, to 8 digits: a rod or a
// plate that is turned may break the triangle there. This close to the limit, as a share of the
// largest moment, nobody is left to find them.
constexpr double kCloseToLimit = 1e-6;

// A tensor close to the limit in its principal axes, where it is diagonal. Moments that are equal
// but for rounding, or a moment that is the sum of the others, have equal digits. False: it stays.
bool TurnIfClose(Inertial& inertial) {
  if (IsDiagonal(inertial.I_I)) return false;
  const PrincipalAxes principal(inertial.I_I);
  Vector3 m = principal.moments.cwiseMax(0.0);  // the least first
  if (m[0] + m[1] - m[2] > kCloseToLimit * m[2]) return false;
  const double rounding = 1e-13 * m[2];
  if (m[0] <= rounding) m[0] = 0;
  if (m[1] - m[0] <= rounding) m[1] = m[0];
  if (m[2] - m[1] <= rounding) m[2] = m[1];
  if (std::abs(m[0] + m[1] - m[2]) <= rounding) m[2] = m[0] + m[1];
  Matrix3 axes = principal.axes;
  if (axes.determinant() < 0) axes.col(2) *= -1;
  inertial.X_LI.R = inertial.X_LI.R * axes;
  inertial.I_I = m.asDiagonal();
  return true;
}

}  // namespace

void PhysicalInertia(Model& model, PassContext& context) {
  const std::vector<FeatureUse> uses =
      FeaturesUsed(model, FeatureSet().set(Position(Feature::kUnphysicalInertia)));
  std::vector<std::optional<Vector3>> axes;
  if (!uses.empty()) axes = TurnAxes(model);
  for (const FeatureUse& use : uses) {
    Inertial& inertial = *model.link(use.link).inertial;
    if (inertial.mass == 0 && IsOfABody(inertial.I_I))
      continue;  // the mass is left to massless_links
    const PhysicalTensor nearest = NearestPhysicalTensor(inertial, axes[Index(use.link)]);
    Loss& loss = context.Lose(
        model, use.feature, use.subject,
        "principal moments " + Moments(inertial.I_I) + " are written as " + Moments(nearest.I_I));
    if (nearest.moves_alike) {
      loss.what += "; the link turns about one direction at most, and the moment about that stays";
      loss.weight = Weight::kInterface;
    }
    inertial.I_I = nearest.I_I;
  }
  // What the author rounded just past the limit passes for physical, but not with the target's
  // library.
  for (const LinkId id : Links(model)) {
    auto& inertial = model.link(id).inertial;
    if (!inertial || inertial->mass == 0 || inertial->I_I.isZero(0) ||
        IsWellPhysical(inertial->I_I))
      continue;
    const Vector3 moments = PrincipalMoments(inertial->I_I);
    const double noise =
        inertial->I_I.isDiagonal(0) ? 0 : 1e-14 * moments[2];  // of anyone's eigenvalues
    if (moments[0] >= noise && moments[0] + moments[1] >= moments[2] + noise) continue;
    inertial->I_I = NearestPhysicalInertia(inertial->I_I);
    context.Lowered(SubjectOf(model.link(id)),
                    "its inertia is rounded to the nearest one of a rigid body");
  }
  for (const LinkId id : Links(model)) {
    auto& inertial = model.link(id).inertial;
    if (inertial && TurnIfClose(*inertial))
      context.Lowered(SubjectOf(model.link(id)),
                      "its inertia, close to that of a rod or a plate, is given in its principal "
                      "axes");
  }
}

}  // namespace kinemorph
