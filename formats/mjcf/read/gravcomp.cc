// Bodies that gravity does not act on: gravcomp="1", where that is what MuJoCo makes of it.
#include <algorithm>

#include "native.h"
#include "read/reader.h"

namespace kinemorph::mjcf {
namespace {

// gravcomp is a share of the weight that MuJoCo takes away by a passive force. The model knows
// gravity on or off for a link; only where the force is exactly the weight, and nothing bounds it,
// is this the same.
constexpr std::string_view kGravcomp = "gravcomp";

}  // namespace

// A joint that takes the compensation as a force of its actuators bounds it, or loses it where
// nothing actuates.
const Joint* Reader::JointThatBoundsCompensation() const {
  const bool actuated =
      !IsOff("actuation") &&
      (!model_.actuators.empty() ||
       std::any_of(model_.native.begin(), model_.native.end(),
                   [](const NativeData& n) { return n.element.rfind("actuator/", 0) == 0; }));
  for (const JointId id : Joints(model_)) {
    const Joint& joint = model_.joint(id);
    const AttributeList says = NativeAttributes(joint.native, "joint");
    const std::string* const compensates = FindAttribute(says, "actuatorgravcomp");
    if (compensates == nullptr || *compensates != "true") continue;
    if (!actuated || (!joint.axes.empty() && joint.axes.front().effort)) return &joint;
  }
  return nullptr;
}

// 1 is no gravity, 0 says nothing; every other share has a place in MJCF only. It is a passive
// force: without those it is only text.
void Reader::ReadGravityCompensation() {
  // MuJoCo leaves out all passive forces where both springs and dampers are off.
  const bool passive = !(IsOff("spring") && IsOff("damper"));
  const Joint* const bound = JointThatBoundsCompensation();
  for (const LinkId id : Links(model_)) {
    Link& link = model_.link(id);
    const auto native = std::find_if(link.native.begin(), link.native.end(), [](const auto& n) {
      return n.format == "mjcf" && n.element == "body";
    });
    if (native == link.native.end()) continue;
    AttributeList& attributes = native->content.attributes;
    const std::string* const text = FindAttribute(attributes, kGravcomp);
    if (text == nullptr || !passive) continue;
    const std::optional<double> share = xml::ParseNumber(*text);
    if (!share || (*share != 0 && *share != 1)) continue;
    if (*share == 1 && bound != nullptr) {
      diagnostics_.Add(
          MessageAt(model_, link.where, Severity::kWarning, "gravcomp-actuator",
                    {"body", link.name,
                     "its gravcomp is a force of actuators at joint '" + bound->name +
                         "' (actuatorgravcomp), which limits this force or has no actuator; "
                         "only MJCF keeps gravcomp, and gravity acts on the body elsewhere"}));
      continue;
    }
    // What the model says now must not be said by the native attribute as well.
    if (*share == 1) link.gravity = false;
    std::erase_if(attributes, [](const auto& a) { return a.first == kGravcomp; });
    if (attributes.empty()) link.native.erase(native);
  }
}

}  // namespace kinemorph::mjcf
