#include "lower/physical_inertia.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "edit/model_edit.h"
#include "edit/nearest_inertia.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

std::string Moments(const Matrix3& I) {
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(I).eigenvalues();
  return FormatNumber(moments[0]) + ", " + FormatNumber(moments[1]) + ", " +
         FormatNumber(moments[2]) + " kg m^2";
}

// The density sigma = tr(I) / 2 - I of a body's tensor has no negative eigenvalue; rounding is
// forgiven.
bool IsOfABody(const Matrix3& I) {
  const Matrix3 sigma = 0.5 * I.trace() * Matrix3::Identity() - I;
  const Vector3 values =
      Eigen::SelfAdjointEigenSolver<Matrix3>(sigma, Eigen::EigenvaluesOnly).eigenvalues();
  return values.minCoeff() >= -1e-10 * values.maxCoeff();
}

// By link: the fixed joints where nothing is measured.
std::vector<std::vector<JointId>> RigidJoints(const Model& model) {
  std::vector<bool> measured(model.num_joints(), false);
  for (const Sensor& sensor : model.sensors)
    if (sensor.joint != kNoJoint) measured[Index(sensor.joint)] = true;
  std::vector<std::vector<JointId>> joints(model.num_links());
  for (const JointId id : Joints(model)) {
    if (!std::holds_alternative<Fixed>(model.joint(id).kind) || measured[Index(id)] ||
        model.joint(id).role == JointRole::kLoop)
      continue;
    joints[Index(model.predecessor(id))].push_back(id);
    joints[Index(model.successor(id))].push_back(id);
  }
  return joints;
}

// Adds `excess`, in the inertial axes of `link`, to a link that is fixed to it and has enough of
// its own: together they move as before, for a tensor about the own centre of mass moves freely.
// The link that took it; none when nobody can.
LinkId HandOver(Model& model, LinkId link, const std::vector<JointId>& rigid,
                const Matrix3& excess) {
  for (const JointId id : rigid) {
    const Joint& joint = model.joint(id);
    const bool down = model.predecessor(id) == link;
    const LinkId other = down ? model.successor(id) : model.predecessor(id);
    std::optional<Inertial>& taker = model.link(other).inertial;
    if (other == kWorld || !taker || taker->mass == 0) continue;
    const Matrix3 R_PS = joint.X_PF.R * joint.X_SM.R.transpose();
    const Matrix3 R = taker->X_LI.R.transpose() * (down ? Matrix3(R_PS.transpose()) : R_PS) *
                      model.link(link).inertial->X_LI.R;
    const Matrix3 sum = taker->I_I + R * excess * R.transpose();
    if (!IsWellPhysical(sum)) continue;
    taker->I_I = sum;
    return other;
  }
  return kNoLink;
}

}  // namespace

void PhysicalInertia(Model& model, PassContext& context) {
  if (context.Of(Feature::kUnphysicalInertia).pass != context.pass) return;
  const std::vector<std::vector<JointId>> rigid = RigidJoints(model);
  for (const FeatureUse& use :
       FeaturesUsed(model, FeatureSet().set(Position(Feature::kUnphysicalInertia)))) {
    Inertial& inertial = *model.link(use.link).inertial;
    if (inertial.mass == 0 && IsOfABody(inertial.I_I))
      continue;  // the mass is left to massless_links
    const Matrix3 nearest = NearestPhysicalInertia(inertial.I_I);
    const LinkId taker = HandOver(model, use.link, rigid[Index(use.link)], inertial.I_I - nearest);
    const std::string what =
        "principal moments " + Moments(inertial.I_I) + " are written as " + Moments(nearest);
    if (taker == kNoLink)
      context.Lose(model, use.feature, use.subject, what);
    else
      context.Lowered(use.subject, what + "; the rest goes to link '" + model.link(taker).name +
                                       "', which is fixed to it");
    inertial.I_I = nearest;
  }
  // What the author rounded just past the limit passes for physical, but not with the target's
  // library.
  for (const LinkId id : Links(model)) {
    auto& inertial = model.link(id).inertial;
    if (!inertial || inertial->mass == 0 || inertial->I_I.isZero(0) ||
        IsWellPhysical(inertial->I_I))
      continue;
    const Vector3 moments =
        Eigen::SelfAdjointEigenSolver<Matrix3>(inertial->I_I, Eigen::EigenvaluesOnly).eigenvalues();
    const double noise =
        inertial->I_I.isDiagonal(0) ? 0 : 1e-14 * moments[2];  // of anyone's eigenvalues
    if (moments[0] >= noise && moments[0] + moments[1] >= moments[2] + noise) continue;
    inertial->I_I = NearestPhysicalInertia(inertial->I_I);
    context.Lowered(SubjectOf(model.link(id)), "its inertia is rounded to that of a rigid body");
  }
}

}  // namespace kinemorph
