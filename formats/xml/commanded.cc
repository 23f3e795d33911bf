#include "commanded.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

namespace kinemorph::xml {

// Which joints somebody drives is said outside of their elements: ros2_control names those with a
// command interface, plugins of Gazebo those that they move. Loops are cut at joints that nobody
// drives, so both are looked through as text that was kept.

namespace {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// It follows another one, as the block itself says: Jazzy's attribute, Humble's parameter.
bool IsFollower(const NativeElement& joint) {
  const std::string* const mimic = joint.Attribute("mimic");
  if (mimic != nullptr && *mimic == "true") return true;
  return std::any_of(joint.children.begin(), joint.children.end(), [](const NativeElement& child) {
    const std::string* const name = child.Attribute("name");
    return child.name == "param" && name != nullptr && *name == "mimic";
  });
}

// Drives of Gazebo Classic and gz sim by their words: DiffDrive, JointPositionController,
// AckermannSteering, MulticopterMotorModel, gazebo_ros_skid_steer_drive ...
// By their words, because their names are legion, and a joint taken for driven by mistake only
// moves a cut.
bool IsDrive(const NativeElement& plugin) {
  constexpr std::array<std::string_view, 4> kWords = {"drive", "controller", "steering", "motor"};
  for (const char* of : {"filename", "name"}) {
    const std::string* const given = plugin.Attribute(of);
    const std::string word = given == nullptr ? "" : LowerCase(*given);
    if (std::any_of(kWords.begin(), kWords.end(),
                    [&](std::string_view each) { return word.find(each) != std::string::npos; }))
      return true;
  }
  return false;
}

void NamesIn(const NativeElement& element, std::unordered_set<std::string>& names) {
  if (element.name == "ros2_control") {
    for (const NativeElement& joint : element.children) {
      const std::string* const name = joint.Attribute("name");
      // A joint that follows another one is moved by it, whatever interface it has.
      if (joint.name == "joint" && name != nullptr && joint.Child("command_interface") != nullptr &&
          !IsFollower(joint))
        names.insert(*name);
    }
  } else if (element.name == "plugin" && IsDrive(element)) {
    // joint, left_joint, joint_name ...: any parameter with a joint's name in it.
    for (const NativeElement& child : element.children)
      if (LowerCase(child.name).find("joint") != std::string::npos)
        names.insert(std::string(child.Text()));
  }
}

}  // namespace

void MarkCommandedJoints(Model& model) {
  std::unordered_set<std::string> names;
  const auto look = [&](const std::vector<NativeData>& native) {
    for (const NativeData& data : native)
      ForEachIn(data.content, [&](const NativeElement& element) { NamesIn(element, names); });
  };
  look(model.native);
  for (const Scope& scope : model.scopes) look(scope.native);
  if (names.empty()) return;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    // A block in a nested model leaves out the names of the models around it.
    const std::size_t scopes = joint.name.rfind("::");
    joint.commanded =
        joint.commanded || names.contains(joint.name) ||
        (scopes != std::string::npos && names.contains(joint.name.substr(scopes + 2)));
  }
}

}  // namespace kinemorph::xml
