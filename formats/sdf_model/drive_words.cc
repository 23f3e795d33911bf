#include "sdf_model/drive_words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/formats/drive_law.h"
#include "kinemorph/formats/version.h"
#include "kinemorph/graph/model/fields.h"
#include "xml_reader.h"
#include "xml_writer.h"

namespace kinemorph::sdformat {

// gz sim commands a joint by plugins of its model. Three of them are drives as other formats have
// them: JointPositionController, effort = p (u - q) - d v, JointController with force commands, whose
// p is a damping, and ApplyJointForce. The engine adds what the controller gives as an effort, kept
// between cmd_min and cmd_max.

namespace {

struct Controller {
  DriveKind kind;
  std::string_view file;  // without what names the version
  std::string_view name;  // of the class
};
constexpr std::array<Controller, 3> kControllers = {
    {{DriveKind::kPosition, "joint-position-controller-system", "JointPositionController"},
     {DriveKind::kVelocity, "joint-controller-system", "JointController"},
     {DriveKind::kEffort, "apply-joint-force-system", "ApplyJointForce"}}};

// What the plugins take where nothing is said (gz-sim, its systems of these names).
constexpr double kGain = 1, kIntegral = 0.1, kDerivative = 0.01, kCommand = 1000;
// Larger than any effort: there is no other word for no limit.
constexpr double kNoCommandLimit = FormatLimits::kNone;

// By its class, under the names that it has had, or by its library alone.
const Controller* ControllerOf(const NativeElement& plugin) {
  const std::string *const name = plugin.Attribute("name"), *const file =
                                                                plugin.Attribute("filename");
  for (const Controller& each : kControllers) {
    const bool of_class =
        name != nullptr && !name->empty()
            ? name->ends_with("::systems::" + std::string(each.name))
            : file != nullptr && file->find("sim-" + std::string(each.file)) != std::string::npos;
    if (of_class) return &each;
  }
  return nullptr;
}

// Nothing where the text is no number.
std::optional<double> NumberOf(const NativeElement& plugin, std::string_view child,
                               double silence) {
  const NativeElement* const found = plugin.Child(child);
  return found == nullptr ? silence : xml::ParseNumber(found->Text());
}

bool Says(const NativeElement& plugin, std::string_view flag) {
  const NativeElement* const found = plugin.Child(flag);
  return found != nullptr && (found->Text() == "true" || found->Text() == "1");
}

// False: its law has more in it than a stiffness and a damping.
bool TakeGains(const NativeElement& plugin, Actuator& drive) {
  const bool position = drive.kind == DriveKind::kPosition;
  if (position ? Says(plugin, "use_velocity_commands") : !Says(plugin, "use_force_commands"))
    return false;
  const auto p = NumberOf(plugin, "p_gain", kGain), i = NumberOf(plugin, "i_gain", kIntegral),
             d = NumberOf(plugin, "d_gain", kDerivative),
             least = NumberOf(plugin, "cmd_min", -kCommand),
             most = NumberOf(plugin, "cmd_max", kCommand);
  if (!p || !i || !d || !least || !most) return false;
  if (*i != 0 || (position ? !(*p > 0 && *d >= 0) : !(*p > 0 && *d == 0))) return false;
  (position ? drive.stiffness : drive.damping) = p;
  if (position && *d != 0) drive.damping = d;
  if (const auto target = NumberOf(plugin, "initial_position", 0);
      position && target && *target != 0)
    drive.target = target;
  // A largest command below the least is no limit.
  if (*most < *least) return true;
  if (*least > -kNoCommandLimit) drive.effort_lower = least;
  if (*most < kNoCommandLimit) drive.effort_upper = most;
  return true;
}

}  // namespace

std::optional<Actuator> DriveOfPlugin(NativeElement plugin, std::string& joint) {
  const Controller* const controller = ControllerOf(plugin);
  const auto of_joint = [](const NativeElement& child) { return child.name == "joint_name"; };
  if (controller == nullptr ||
      std::count_if(plugin.children.begin(), plugin.children.end(), of_joint) != 1)
    return std::nullopt;
  joint = plugin.Child("joint_name")->Text();
  Actuator drive;
  drive.type = controller->name;
  drive.kind = controller->kind;
  if (IsServo(drive) && !TakeGains(plugin, drive)) return std::nullopt;
  plugin.Erase("joint_name");  // which the model holds
  drive.native = {"sdf", "plugin", std::move(plugin), {}};
  return drive;
}

NativeElement RestOfDrive(NativeElement plugin) {
  plugin.attributes.clear();
  for (const std::string_view said :
       {"joint_name", "p_gain", "i_gain", "d_gain", "i_max", "i_min", "cmd_max", "cmd_min",
        "initial_position", "use_force_commands", "use_velocity_commands"})
    plugin.Erase(said);
  std::erase_if(plugin.children, [](const NativeElement& child) { return !child.IsElement(); });
  return plugin;
}

std::optional<Actuator> WriteDriveWords(const Model& model, const Actuator& drive,
                                        const WriteOptions& options) {
  const std::optional<Version> version = ParseVersion(options.version);
  // Gazebo Classic and Drake have no such plugins, and where a class of the user's drives the joints a
  // plugin would work against it.
  if (!options.hardware_plugin.empty() || options.profile == "drake" ||
      (version && *version < Version{1, 8}))
    return std::nullopt;
  const auto controller =
      std::find_if(kControllers.begin(), kControllers.end(),
                   [&](const Controller& each) { return each.kind == drive.kind; });
  if (controller == kControllers.end()) return std::nullopt;
  Actuator held = AtJoint(drive);
  held.name = model.joint(drive.joint).name;
  held.type = controller->name;
  held.control_lower.reset(), held.control_upper.reset();
  NativeElement plugin{.name = "plugin"};
  plugin.attributes = {{"filename", "gz-sim-" + std::string(controller->file)},
                       {"name", "gz::sim::systems::" + std::string(controller->name)}};
  const auto say = [&](const char* name, double value) {
    plugin.Add(name, xml::NumberText(value));
  };
  if (IsServo(held)) {
    const bool position = held.kind == DriveKind::kPosition;
    if (!position) plugin.Add("use_force_commands", "true");
    say("p_gain", (position ? held.stiffness : held.damping).value_or(0));
    say("i_gain", 0);
    say("d_gain", position ? held.damping.value_or(0) : 0);
    say("cmd_max", held.effort_upper.value_or(kNoCommandLimit));
    say("cmd_min", held.effort_lower.value_or(-kNoCommandLimit));
    if (position && held.target) say("initial_position", *held.target);
    if (!position) held.target.reset();
  } else {
    held.effort_lower.reset(), held.effort_upper.reset();
  }
  held.native = {"sdf", "plugin", std::move(plugin), drive.where};
  return held;
}

NativeElement PluginOfDrive(const Actuator& drive, const std::string& joint) {
  NativeElement plugin = drive.native.content;
  plugin.children.insert(plugin.children.begin(),
                         NativeElement{.name = "joint_name", .text = joint});
  return plugin;
}

}  // namespace kinemorph::sdformat
