// URDF for Drake: loops as points that coincide, couplings as tendons that cannot stretch, links
// that do not collide as groups of one link, rotors on the drives of transmissions.
#include <algorithm>
#include <map>
#include <set>

#include "pose_text.h"
#include "write/writer.h"

namespace kinemorph::urdf_format {
namespace {

// The points of a revolute or fixed loop stand as far apart as joints do on the mean, so that its
// rows are of one size.
double MeanJointDistance(const Model& model) {
  double sum = 0;
  std::size_t count = 0;
  for (const JointId id : Joints(model)) {
    const double length = model.joint(id).X_PF.p.norm();
    if (length > 0) sum += length, ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 1;
}

NativeElement Valued(std::string_view name, double value) {
  NativeElement element;
  element.name = name;
  element.attributes = {{"value", xml::NumberText(value)}};
  return element;
}

}  // namespace

void RobotWriter::WriteDrakeLoops() {
  const double lever = MeanJointDistance(model_);
  const auto body = [&](const char* side, LinkId link) {
    out_.Open(std::string("drake:ball_constraint_body_") + side)
        .Attribute("name", LinkName(link))
        .Close();
  };
  const auto value = [&](const char* element, const Vector3& p) {
    const Vector3 rounded = p.unaryExpr([](double v) { return xml::Rounded(v); });
    out_.Open(element).Attribute("value", rounded).Close();
  };
  for (const JointId id : Joints(model_)) {
    const Joint& joint = model_.joint(id);
    if (joint.role != JointRole::kLoop || !IsWritten(id)) continue;
    const auto point = [&](const std::string& name, const Vector3& p_F) {
      out_.Open("drake:ball_constraint").Attribute("name", name);
      body("A", model_.predecessor(id));
      body("B", model_.successor(id));
      value("drake:ball_constraint_p_AP", joint.X_PF * p_F);
      value("drake:ball_constraint_p_BQ", joint.X_SM * p_F);
      out_.Close();
    };
    point(joint.name, Vector3::Zero());
    if (const auto* revolute = std::get_if<Revolute>(&joint.kind))
      point(joint.name + "_axis", lever * revolute->axis);
    if (!std::holds_alternative<Fixed>(joint.kind)) continue;
    point(joint.name + "_x", lever * Vector3::UnitX());
    point(joint.name + "_y", lever * Vector3::UnitY());
  }
}

void RobotWriter::CheckDrakeLoop(const Joint& joint) {
  if (std::holds_alternative<Ball>(joint.kind) || std::holds_alternative<Revolute>(joint.kind) ||
      std::holds_alternative<Fixed>(joint.kind))
    return;
  Refuse("loop-type-not-lowered", joint.where,
         "loop '" + joint.name + "': Drake joins points, which hold no loop of kind '" +
             std::string(KindName(joint.kind)) + "'");
}

bool RobotWriter::IsDrakeTendon(const Coupling& coupling) const {
  return drake_ && coupling.form == CouplingForm::kTendon;
}

// Both limits are the one length that the sum of the joints has.
void RobotWriter::WriteDrakeTendon(const Coupling& coupling) {
  const std::string tag = "drake:tendon_constraint";
  out_.Open(tag).Attribute("name", coupling.name);
  for (const CouplingTerm& term : coupling.terms)
    out_.Open(tag + "_joint")
        .Attribute("name", model_.joint(term.coordinate.joint).name)
        .Attribute("a", term.coefficients[0])
        .Close();
  const auto value = [&](const char* part, double number) {
    out_.Open(tag + part).Attribute("value", number).Close();
  };
  value("_offset", 0);
  value("_lower_limit", coupling.constant);
  value("_upper_limit", coupling.constant);
  out_.Close();
}

// A group for each link that is in a pair; of a pair the first one ignores the other.
void RobotWriter::WriteDrakeGroups() {
  std::map<LinkId, std::set<LinkId>> ignored;
  for (const ContactExclusion& pair : model_.contact_exclusions) {
    if (pair.a == pair.b) continue;
    ignored[std::min(pair.a, pair.b)].insert(std::max(pair.a, pair.b));
    ignored[std::max(pair.a, pair.b)];
  }
  for (const auto& [link, others] : ignored) {
    out_.Open("drake:collision_filter_group").Attribute("name", LinkName(link));
    out_.Open("drake:member").Attribute("link", LinkName(link)).Close();
    for (const LinkId other : others)
      out_.Open("drake:ignored_collision_filter_group").Attribute("name", LinkName(other)).Close();
    out_.Close();
  }
}

// The armature of the joint, where this is the first of its drives.
std::optional<double> RobotWriter::RotorInertia(const Actuator& actuator) const {
  if (!drake_ || actuator.joint == kNoJoint ||
      first_drive_of_.at(static_cast<std::uint32_t>(actuator.joint)) != &actuator)
    return std::nullopt;
  const Joint& joint = model_.joint(actuator.joint);
  const bool said = !joint.axes.empty() && joint.axes[0].armature.value_or(0) != 0;
  return said ? joint.axes[0].armature : std::nullopt;
}

// A kept transmission with its rotor, as Drake says it of the motor.
NativeElement RobotWriter::WithRotor(NativeElement transmission, const Actuator& actuator) const {
  const std::optional<double> inertia = RotorInertia(actuator);
  if (!inertia) return transmission;
  if (transmission.Child("actuator") == nullptr) {
    NativeElement motor;
    motor.name = "actuator";
    motor.attributes = {{"name", actuator.name + "_motor"}};
    transmission.children.push_back(std::move(motor));
  }
  NativeElement& motor = *transmission.Child("actuator");
  motor.children.push_back(Valued("drake:rotor_inertia", *inertia));
  motor.children.push_back(Valued("drake:gear_ratio", 1));
  return transmission;
}

}  // namespace kinemorph::urdf_format
