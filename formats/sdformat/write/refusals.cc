// What libsdformat refuses a file for, in elements that we keep as they are.
#include <algorithm>
#include <iterator>

#include "sdf_model/description.h"
#include "sdformat.h"
#include "xml_reader.h"

namespace kinemorph {
namespace {

// libsdformat refuses a file in which a name attribute holds "::" ...
bool HasScopedName(const NativeElement& element) {
  const std::string* const name = element.Attribute("name");
  return name != nullptr && name->find("::") != std::string::npos;
}

// ... or is empty, or one that SDFormat keeps for itself (a sensor gets another one) ...
bool HasReservedName(const NativeElement& element) {
  constexpr std::string_view kNamed[] = {"light", "visual", "collision", "actor", "frame"};
  const std::string* const name = element.Attribute("name");
  return std::find(std::begin(kNamed), std::end(kNamed), element.name) != std::end(kNamed) &&
         name != nullptr && (name->empty() || sdformat::IsReservedName(*name));
}

// ... or in which a material's script lacks its name or the file that has it (a default is none) ...
bool IsHalfScript(const NativeElement& script) {
  const auto lacks = [&](const char* child) {
    const NativeElement* const found = script.Child(child);
    return found == nullptr || found->Text().empty() || found->Text() == "__default__";
  };
  return lacks("uri") || lacks("name");
}
bool HasHalfScript(const NativeElement& element) {
  const NativeElement* const script =
      element.name == "material" ? element.Child("script") : nullptr;
  return script != nullptr && IsHalfScript(*script);
}

// ... or in which a colour has a part that is not within 0 and 1.
bool IsBadColor(const NativeElement& element) {
  constexpr std::string_view kColors[] = {"diffuse", "specular", "ambient", "emissive"};
  if (!element.attributes.empty() ||
      std::find(std::begin(kColors), std::end(kColors), element.name) == std::end(kColors))
    return false;
  for (const std::string_view word : xml::SplitWords(element.Text())) {
    const std::optional<double> part = xml::ParseNumber(word);
    if (part && !(*part >= 0 && *part <= 1)) return true;
  }
  return false;
}

// Drake stops at what SDFormat does not define where it stands; libsdformat and Gazebo warn. Of the
// elements that robots have, by name, with the children that they have at any of the places that are
// looked at (up to SDFormat 1.12, which Drake 1.58 reads); rarer ones are let through.
bool IsUndefined(const NativeElement& element) {
  struct Children {
    std::string_view parent, defined;
  };
  constexpr Children kChildren[] = {
      // Joints and what collides.
      {"physics", " simbody ode provide_feedback "},
      {"ode",
       " bounce cfm cfm_damping erp fdir1 fudge_factor implicit_spring_damper kd kp limit "
       "max_force max_vel min_depth mu mu2 slip slip1 slip2 soft_cfm soft_erp suspension "
       "velocity "},
      {"surface", " bounce contact friction soft_contact "},
      {"friction", " bullet ode torsional "},
      {"torsional", " coefficient ode patch_radius surface_radius use_patch_radius "},
      {"bullet",
       " fdir1 friction friction2 kd kp rolling_friction soft_cfm soft_erp split_impulse "
       "split_impulse_penetration_threshold "},
      {"bounce", " restitution_coefficient threshold "},
      {"soft_contact", " dart "},
      {"contact",
       " bullet category_bitmask collide_bitmask collide_without_contact "
       "collide_without_contact_bitmask collision elastic_modulus ode poissons_ratio topic "},
      // Sensors.
      {"sensor",
       " air_pressure air_speed altimeter always_on camera contact enable_metrics force_torque "
       "frame_id gps imu lidar logical_camera magnetometer navsat plugin pose ray rfid rfidtag "
       "sonar topic transceiver update_rate visualize "},
      {"imu",
       " orientation_reference_frame angular_velocity linear_acceleration enable_orientation "},
      {"camera",
       " box_type camera_info_topic clip depth_camera distortion horizontal_fov image lens noise "
       "optical_frame_id pose save segmentation_type trigger_topic triggered visibility_mask "},
      {"image", " anti_aliasing format granularity height scale threshold uri width "},
      {"clip", " far near "},
      {"distortion", " center k1 k2 k3 p1 p2 "},
      {"lidar", " noise range scan visibility_mask "},
      {"ray", " noise range scan visibility_mask "},
      {"scan", " horizontal vertical "},
      {"range", " max min resolution "},
      {"force_torque", " force frame measure_direction torque "},
      {"gps", " position_sensing velocity_sensing "},
      {"navsat", " position_sensing velocity_sensing "},
      {"magnetometer", " x y z "},
      {"noise",
       " bias_mean bias_stddev dynamic_bias_correlation_time dynamic_bias_stddev mean precision "
       "stddev type "},
      // Looks.
      {"light",
       " attenuation cast_shadows diffuse direction intensity light_on pose specular spot "
       "visualize "},
      {"attenuation", " constant linear quadratic range "},
      {"spot", " falloff inner_angle outer_angle "},
      {"material",
       " ambient diffuse double_sided emissive lighting pbr render_order script shader shininess "
       "specular "},
      {"script", " name uri "},
      {"pbr", " metal specular "},
  };
  for (const auto& [parent, defined] : kChildren) {
    if (element.name != parent) continue;
    for (const NativeElement& child : element.children)
      if (child.IsElement() && child.name.find(':') == std::string::npos &&
          defined.find(" " + child.name + " ") == std::string_view::npos)
        return true;
  }
  return false;
}

// Some element, but in <plugin>, whose content libsdformat does not look at.
bool AnyOutsidePlugins(const NativeElement& element, bool (*is)(const NativeElement&)) {
  if (element.name == "plugin") return false;
  return is(element) ||
         std::any_of(element.children.begin(), element.children.end(),
                     [&](const NativeElement& child) { return AnyOutsidePlugins(child, is); });
}

}  // namespace

// Content that was kept is written back as it stands, and one bad name in it makes libsdformat drop
// the whole file. The passes ask here beforehand, and report such content as lost.
std::string SdfRefuses(const Model& model, const NativeData& native, const Joint* owner,
                       const WriteOptions& options) {
  // A loop joint of Drake is a set of points, where no child of a <joint> could stand.
  if (options.profile == "drake") {
    for (const Sensor& sensor : model.sensors)
      if (&sensor.native == &native && sensor.joint != kNoJoint) owner = &model.joint(sensor.joint);
    if (owner != nullptr && owner->role == JointRole::kLoop)
      return "no joint keeps two points together, so SDFormat cannot hold this";
    if (native.format == "sdf" && native.content.name == "joint")
      return "Drake has no joint of that type";
    if (native.format == "sdf" && native.content.name == "include")
      return "Drake stops at an include that it does not find";
    // Other elements, as <physics> of a world, are called alike and hold other things.
    const bool of_sensor = std::any_of(model.sensors.begin(), model.sensors.end(),
                                       [&](const Sensor& s) { return &s.native == &native; });
    const bool looked_at = owner != nullptr || of_sensor || native.content.name == "surface" ||
                           native.content.name == "light" || native.content.name == "material";
    if (native.format == "sdf" && looked_at && AnyOutsidePlugins(native.content, IsUndefined))
      return "Drake stops at an element that SDFormat does not define at its place";
  }
  if (AnyOutsidePlugins(native.content, HasScopedName))
    return "libsdformat refuses a file with '::' in a name";
  if (AnyOutsidePlugins(native.content, HasReservedName))
    return "libsdformat refuses a file with a name that is reserved or empty";
  if (AnyOutsidePlugins(native.content, HasHalfScript) ||
      (native.content.name == "script" && IsHalfScript(native.content)))
    return "libsdformat refuses a script of a material without <name> or <uri>";
  if (AnyOutsidePlugins(native.content, IsBadColor))
    return "libsdformat refuses a file with a colour beyond 1";
  return "";
}

}  // namespace kinemorph
