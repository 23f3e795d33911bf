// URDF for Drake: loops as points that coincide, couplings as tendons that cannot stretch, links
// that do not collide as groups, friction and rotors.
#include "drake.h"

#include "write/writer.h"

namespace kinemorph::urdf_format {
namespace {

NativeElement Valued(std::string_view name, double value) {
  NativeElement element;
  element.name = name;
  element.attributes = {{"value", xml::NumberText(value)}};
  return element;
}

}  // namespace

void RobotWriter::WriteDrakeElements() {
  // The elements are SDFormat's of Drake too; the form is URDF's, with values in attributes.
  xml::DrakeWriter drake(
      model_, out_, xml::DrakeForm::kAttributes, [&](LinkId link) { return LinkName(link); },
      [&](JointId id) { return model_.joint(id).name; });
  for (const JointId id : Joints(model_))
    if (model_.joint(id).role == JointRole::kLoop && IsWritten(id)) drake.WriteLoop(id);
  for (const Coupling& coupling : model_.couplings)
    if (IsDrakeTendon(coupling)) drake.WriteTendon(coupling, coupling.name);
  drake.WriteGroups(model_.contact_exclusions);
}

void RobotWriter::CheckDrakeLoop(const Joint& joint) {
  if (xml::DrakeHolds(joint.kind)) return;
  Refuse("loop-type-not-lowered", joint.where,
         {"loop", joint.name,
          "Drake joins points, which hold no loop of kind '" + std::string(KindName(joint.kind)) +
              "'"});
}

bool RobotWriter::IsDrakeTendon(const Coupling& coupling) const {
  return drake_ && coupling.form == CouplingForm::kTendon;
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

// What is kept of a collision, with its friction as Drake reads it: mu is the static coefficient,
// mu2 the dynamic one.
std::vector<NativeData> RobotWriter::WithFriction(const Collision& collision) {
  std::vector<NativeData> native = collision.native;
  if (!collision.mu && !collision.mu2) return native;
  constexpr std::string_view kProperties = "drake:proximity_properties";
  auto own = std::find_if(native.begin(), native.end(), [&](const NativeData& data) {
    return data.format == "urdf" && data.content.name == kProperties;
  });
  if (own == native.end()) {
    own = native.insert(native.end(), NativeData{});
    own->format = "urdf", own->element = kProperties, own->content.name = kProperties;
  }
  NativeElements& children = own->content.children;
  // Drake says one that is missing with the other; here it is 1.
  children.insert(children.begin(), {Valued("drake:mu_static", collision.mu.value_or(1)),
                                     Valued("drake:mu_dynamic", collision.mu2.value_or(1))});
  return native;
}

// A kept transmission with its rotor, as Drake says it of the motor.
NativeElement RobotWriter::WithRotor(NativeElement transmission, const Actuator& actuator) const {
  const std::optional<double> inertia = RotorInertia(actuator);
  if (!inertia) return transmission;
  // Drake reads a rotor only within <actuator>.
  if (transmission.Child("actuator") == nullptr) {
    NativeElement motor;
    motor.name = "actuator";
    motor.attributes = {{"name", actuator.name + "_motor"}};
    transmission.children.push_back(std::move(motor));
  }
  NativeElement& motor = *transmission.Child("actuator");
  // The armature is seen from the joint already, which is a rotor with a gear of 1.
  motor.children.push_back(Valued("drake:rotor_inertia", *inertia));
  motor.children.push_back(Valued("drake:gear_ratio", 1));
  return transmission;
}

}  // namespace kinemorph::urdf_format
