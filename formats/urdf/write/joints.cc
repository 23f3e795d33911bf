// Joints, mimics, loops and couplings.
#include <algorithm>

#include "kinemorph/formats/submechanisms.h"
#include "kinemorph/graph/model/fields.h"
#include "urdf.h"
#include "write/frame_pairs.h"
#include "write/writer.h"

namespace kinemorph::urdf_format {

void RobotWriter::WriteJoint(JointId id) {
  const Joint& joint = model_.joint(id);
  // robot.yaml says the kind of such a joint: the URDF has a hinge in its place, with any axis,
  // which Gepetto's loader replaces.
  const bool retyped = gepetto_ && !RetypedAs(joint.kind).empty();
  out_.Open("joint")
      .Attribute("name", joint.name)
      .Attribute("type", retyped ? "continuous" : JointType(joint));
  if (plus_ && joint.independent)
    out_.Attribute("independent", *joint.independent ? "true" : "false");
  out_.Open("parent").Attribute("link", LinkName(model_.predecessor(id))).Close();
  out_.Open("child").Attribute("link", LinkName(model_.successor(id))).Close();
  WriteOrigin(joint.X_PF, true);
  const std::vector<Vector3> axes = AxesOf(joint.kind);
  if (retyped && axes.empty()) out_.Open("axis").Attribute("xyz", Vector3::UnitX()).Close();
  if (!axes.empty()) out_.Open("axis").Attribute("xyz", axes[0]).Close();
  if (axes.size() > 1 && !retyped) out_.Open("axis2").Attribute("xyz", axes[1]).Close();
  if (NumVelocities(joint.kind) == 1 && !joint.axes.empty()) {
    const JointAxis& axis = joint.axes[0];
    WriteLimit(joint);
    if (axis.damping || axis.friction) {
      out_.Open("dynamics");
      if (axis.damping) out_.Attribute("damping", *axis.damping);
      if (axis.friction) out_.Attribute("friction", *axis.friction);
      out_.Close();
    }
    WriteSafety(axis);
    WriteMimic(id);
  }
  WriteInnerNative(joint.native, About("joint", joint.name));
  out_.Close();
}

void RobotWriter::WriteLimit(const Joint& joint) {
  const JointAxis& axis = joint.axes[0];
  // urdfdom demands <limit> with effort and velocity of revolute and prismatic joints, so that
  // "none" is a large number, which our reader and libsdformat take back for none.
  const bool continuous = JointType(joint) == "continuous";
  if (continuous && !axis.effort && !axis.velocity && !axis.acceleration && !axis.deceleration &&
      !axis.jerk)
    return;
  out_.Open("limit");
  if (!continuous)
    out_.Attribute("lower", axis.lower.value_or(-FormatLimits::kNone))
        .Attribute("upper", axis.upper.value_or(FormatLimits::kNone));
  out_.Attribute("effort", axis.effort.value_or(FormatLimits::kNone))
      .Attribute("velocity", axis.velocity.value_or(FormatLimits::kNone));
  if (axis.acceleration)
    out_.Attribute(drake_ ? "drake:acceleration" : "acceleration", *axis.acceleration);
  if (axis.deceleration) out_.Attribute("deceleration", *axis.deceleration);
  if (axis.jerk) out_.Attribute("jerk", *axis.jerk);
  out_.Close();
}

void RobotWriter::WriteSafety(const JointAxis& axis) {
  if (axis.safety) {
    out_.Open("safety_controller");
    if (axis.safety->soft_lower) out_.Attribute("soft_lower_limit", *axis.safety->soft_lower);
    if (axis.safety->soft_upper) out_.Attribute("soft_upper_limit", *axis.safety->soft_upper);
    if (axis.safety->k_position) out_.Attribute("k_position", *axis.safety->k_position);
    out_.Attribute("k_velocity", axis.safety->k_velocity.value_or(0))
        .Close();  // urdfdom demands it
  }
  if (axis.calibration) {
    out_.Open("calibration");
    if (axis.calibration->rising) out_.Attribute("rising", *axis.calibration->rising);
    if (axis.calibration->falling) out_.Attribute("falling", *axis.calibration->falling);
    if (axis.calibration->reference_position)
      out_.Attribute("reference_position", *axis.calibration->reference_position);
    out_.Close();
  }
}

// c0 q_follower + c1 q_leader = constant.
void RobotWriter::WriteMimic(JointId id) {
  const auto found = mimic_of_.find(static_cast<std::uint32_t>(id));
  if (found == mimic_of_.end()) return;
  const Coupling& coupling = *found->second;
  const double c0 = coupling.terms[0].coefficients[0], c1 = coupling.terms[1].coefficients[0];
  out_.Open("mimic")
      .Attribute("joint", model_.joint(coupling.terms[1].coordinate.joint).name)
      .Attribute("multiplier", c1 == 0 ? 0 : -c1 / c0);
  out_.Attribute("offset", coupling.constant / c0).Close();
}

void RobotWriter::WriteLoop(JointId id) {
  const Joint& joint = model_.joint(id);
  const bool points =
      grbda_ && std::holds_alternative<Ball>(
                    joint.kind);  // the parser knows no such type, the library no other
  out_.Open("loop")
      .Attribute("name", joint.name)
      .Attribute("type", points ? "revolute" : LoopType(joint.kind));
  if (points) out_.Attribute(kLoopMark, kBallMark);
  // Both origins are always written, rotations too: not every reader takes a missing one for the
  // identity.
  out_.Open("predecessor").Attribute("link", LinkName(model_.predecessor(id)));
  WriteOrigin(joint.X_PF, true);
  out_.Close();
  out_.Open("successor").Attribute("link", LinkName(model_.successor(id)));
  WriteOrigin(joint.X_SM, true);
  out_.Close();
  const std::vector<Vector3> axes = AxesOf(joint.kind);
  if (!axes.empty()) out_.Open("axis").Attribute("xyz", axes[0]).Close();
  if (axes.size() > 1) out_.Open("axis2").Attribute("xyz", axes[1]).Close();
  out_.Close();
}

void RobotWriter::WriteCoupling(const Coupling& coupling) {
  out_.Open("coupling").Attribute("name", coupling.name);
  out_.Open("predecessor").Attribute("link", LinkName(coupling.predecessor)).Close();
  out_.Open("successor").Attribute("link", LinkName(coupling.successor)).Close();
  // The model's ratio is successor motion over predecessor motion. The paper's is the inverse, and
  // our mark says which one stands there, as nothing else in the file would.
  out_.Open("ratio").Attribute("value", paper_ ? 1 / coupling.ratio : coupling.ratio);
  if (paper_) out_.Attribute(kRatioMark, kPaperRatio);
  out_.Close().Close();
}

bool RobotWriter::IsLinearTransmission(const Coupling& coupling) const {
  return coupling.form == CouplingForm::kTendon && !grbda_ && !drake_ &&
         (hyrodyn_ || gepetto_ || coupling.native_type == kLinearTransmission);
}

// The first joint that is not independent follows, else the first: the sum divided by its factor.
void RobotWriter::WriteLinearTransmission(const Coupling& coupling) {
  // A coupling that came from a transmission keeps its own follower, whatever is declared since.
  const auto follows = [&](const CouplingTerm& term) {
    return coupling.native_type != kLinearTransmission &&
           !model_.joint(term.coordinate.joint).independent.value_or(true);
  };
  auto follower = std::find_if(coupling.terms.begin(), coupling.terms.end(), follows);
  if (follower == coupling.terms.end()) follower = coupling.terms.begin();
  const double scale = follower->coefficients[0];
  out_.Open("transmission").Attribute("name", coupling.name).Leaf("type", kLinearTransmission);
  out_.Open("joint").Attribute("name", model_.joint(follower->coordinate.joint).name);
  // The whole offset goes to the first leader: only the sum of them counts.
  double offset = coupling.constant / scale;
  for (auto term = coupling.terms.begin(); term != coupling.terms.end(); ++term) {
    if (term == follower) continue;
    out_.Open("depends_on")
        .Attribute("joint", model_.joint(term->coordinate.joint).name)
        .Attribute("multiplier", -term->coefficients[0] / scale)
        .Attribute("offset", offset)
        .Close();
    offset = 0;
  }
  out_.Close().Close();
}

}  // namespace kinemorph::urdf_format
