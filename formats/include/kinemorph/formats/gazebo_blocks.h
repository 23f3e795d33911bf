/// What stands in `<gazebo>` blocks of URDF, or in a model of SDFormat, and is said in another way too.
#pragma once

#include <functional>
#include <string_view>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A plugin of gz sim that makes a fixed joint when the simulation starts, on that joint.
[[nodiscard]] inline bool IsWeldPlugin(const NativeData& data) {
  return data.element == "plugin" && data.content.Child("parent_link") != nullptr &&
         data.content.Child("child_link") != nullptr;
}

/// The text that makes the joint, or null.
[[nodiscard]] inline const NativeData* WeldPluginOf(const Joint& joint) {
  if (!std::holds_alternative<Fixed>(joint.kind)) return nullptr;
  for (const NativeData& data : joint.native)
    if (IsWeldPlugin(data)) return &data;
  return nullptr;
}

/// It says nothing but which links the joint joins.
[[nodiscard]] inline bool SaysOnlyWeld(const NativeData& data) {
  return IsWeldPlugin(data) && data.idle;
}

/// Of URDF: what its own elements cannot say stands in `<gazebo>` blocks.
[[nodiscard]] inline bool HasBlocks(const Model& model) { return model.format.starts_with("urdf"); }

/// A joint that stands for none: it lets a link float that stands in a `<gazebo>` block, beside the
/// tree of URDF.
[[nodiscard]] inline bool FloatsBesideTree(const Model& model, JointId id) {
  const Joint& joint = model.joint(id);
  return joint.implicit && std::holds_alternative<Free>(joint.kind) &&
         joint.role != JointRole::kLoop && HasBlocks(model);
}

/// The family whose content such blocks hold.
inline constexpr std::string_view kFormatOfBlocks = "sdf";

/// Of the written URDF libsdformat makes the links of this joint one, by the name of the upper one.
[[nodiscard]] bool IsLumped(const Model& model, JointId id);

/// kg: twice the mass below which libsdformat 12 takes a link for massless, as it compares to 1e-6.
inline constexpr double kLeastMassInGazebo = 2e-6;

/// The name of Gazebo Classic's file of materials, whose names the tag `material` takes.
inline constexpr std::string_view kGazeboMaterials =
    "file://media/materials/scripts/gazebo.material";

/// Coupling::native_type of one that a plugin makes.
inline constexpr const char* kByPlugin = "plugin";
/// Coupling::native_type of one that the parameters of ros2_control make.
inline constexpr const char* kByRos2Control = "ros2_control";

/// Gives the joints that a block of ros2_control names, leaders among them, other names; any other
/// text stays as it is.
inline void NameJointsOfControl(NativeData& data,
                                const std::function<std::string(const std::string&)>& named) {
  if (data.element != "ros2_control") return;
  for (NativeElement& joint : data.content.children) {
    if (joint.name != "joint") continue;
    if (const std::string* const name = joint.Attribute("name"))
      SetAttribute(joint.attributes, "name", named(*name));
    for (NativeElement& param : joint.children) {
      const std::string* const what = param.Attribute("name");
      if (param.name == "param" && what != nullptr && *what == "mimic")
        param.text = named(std::string(param.Text()));
    }
  }
}

}  // namespace kinemorph
