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
// elements that robots have, by the end of their path, with the children that they have (up to
// SDFormat 1.12, which Drake 1.58 reads); of several ends that fit the first one counts. Others are
// let through.
struct DefinedChildren {
  std::string_view parent, names;
};
constexpr std::string_view kLook =
    " albedo_map ambient_occlusion_map emissive_map environment_map glossiness glossiness_map "
    "light_map metalness metalness_map normal_map roughness roughness_map specular_map ";
constexpr DefinedChildren kDefined[] = {
    // Joints and what collides.
    {"/physics", " ode provide_feedback simbody "},
    {"/physics/ode",
     " bounce cfm cfm_damping erp fudge_factor implicit_spring_damper limit max_force suspension "
     "velocity "},
    {"/ode/limit", " cfm erp "},
    {"/ode/suspension", " cfm erp "},
    {"/surface", " bounce contact friction soft_contact "},
    {"/surface/bounce", " restitution_coefficient threshold "},
    {"/surface/friction", " bullet ode torsional "},
    {"/friction/ode", " fdir1 mu mu2 slip1 slip2 "},
    {"/friction/bullet", " fdir1 friction friction2 rolling_friction "},
    {"/torsional", " coefficient ode patch_radius surface_radius use_patch_radius "},
    {"/torsional/ode", " slip "},
    {"/surface/contact",
     " bullet category_bitmask collide_bitmask collide_without_contact "
     "collide_without_contact_bitmask elastic_modulus ode poissons_ratio "},
    {"/contact/ode", " kd kp max_vel min_depth soft_cfm soft_erp "},
    {"/contact/bullet",
     " kd kp soft_cfm soft_erp split_impulse split_impulse_penetration_threshold "},
    {"/soft_contact", " dart "},
    {"/soft_contact/dart", " bone_attachment damping flesh_mass_fraction stiffness "},
    // Sensors.
    {"/sensor",
     " air_pressure air_speed altimeter always_on camera contact enable_metrics force_torque "
     "frame_id gps imu lidar logical_camera magnetometer navsat plugin pose ray rfid rfidtag "
     "sonar topic transceiver update_rate visualize "},
    {"/sensor/contact", " collision topic "},
    {"/imu",
     " angular_velocity enable_orientation linear_acceleration orientation_reference_frame "},
    {"/orientation_reference_frame", " custom_rpy grav_dir_x localization "},
    {"/camera",
     " box_type camera_info_topic clip depth_camera distortion horizontal_fov image lens noise "
     "optical_frame_id pose save segmentation_type trigger_topic triggered visibility_mask "},
    {"/image", " anti_aliasing format granularity height scale threshold uri width "},
    {"/clip", " far near "},
    {"/distortion", " center k1 k2 k3 p1 p2 "},
    {"/lens",
     " custom_function cutoff_angle env_texture_size intrinsics projection scale_to_hfov type "},
    {"/lens/custom_function", " c1 c2 c3 f fun "},
    {"/lens/intrinsics", " cx cy fx fy s "},
    {"/lens/projection", " p_cx p_cy p_fx p_fy tx ty "},
    {"/lidar", " noise range scan visibility_mask "},
    {"/ray", " noise range scan visibility_mask "},
    {"/scan", " horizontal vertical "},
    {"/scan/horizontal", " max_angle min_angle resolution samples "},
    {"/scan/vertical", " max_angle min_angle resolution samples "},
    {"/attenuation", " constant linear quadratic range "},
    {"/range", " max min resolution "},
    {"/force_torque", " force frame measure_direction torque "},
    {"/gps", " position_sensing velocity_sensing "},
    {"/navsat", " position_sensing velocity_sensing "},
    {"/magnetometer", " x y z "},
    {"/altimeter", " vertical_position vertical_velocity "},
    {"/vertical_position", " noise "},
    {"/vertical_velocity", " noise "},
    {"/air_pressure", " pressure reference_altitude "},
    {"/air_speed", " pressure "},
    {"/pressure", " noise "},
    {"/magnetometer/x", " noise "},
    {"/magnetometer/y", " noise "},
    {"/magnetometer/z", " noise "},
    {"/angular_velocity", " x y z "},
    {"/linear_acceleration", " x y z "},
    {"/angular_velocity/x", " noise "},
    {"/angular_velocity/y", " noise "},
    {"/angular_velocity/z", " noise "},
    {"/linear_acceleration/x", " noise "},
    {"/linear_acceleration/y", " noise "},
    {"/linear_acceleration/z", " noise "},
    {"/position_sensing", " horizontal vertical "},
    {"/velocity_sensing", " horizontal vertical "},
    {"_sensing/horizontal", " noise "},
    {"_sensing/vertical", " noise "},
    {"/force_torque/force", " x y z "},
    {"/force_torque/torque", " x y z "},
    {"/force/x", " noise "},
    {"/force/y", " noise "},
    {"/force/z", " noise "},
    {"/torque/x", " noise "},
    {"/torque/y", " noise "},
    {"/torque/z", " noise "},
    {"/camera/save", " path "},
    {"/depth_camera", " clip output "},
    {"/audio_source", " contact gain loop pitch playing pose uri "},
    {"/audio_source/contact", " collision "},
    {"/logical_camera", " aspect_ratio far horizontal_fov near "},
    {"/sonar", " geometry max min radius "},
    {"/transceiver", " essid frequency gain max_frequency min_frequency power sensitivity "},
    {"/noise",
     " bias_mean bias_stddev dynamic_bias_correlation_time dynamic_bias_stddev mean precision "
     "stddev type "},
    // Looks, and what else a link has.
    {"/light",
     " attenuation cast_shadows diffuse direction intensity light_on pose specular spot "
     "visualize "},
    {"/spot", " falloff inner_angle outer_angle "},
    {"/material",
     " ambient diffuse double_sided emissive lighting pbr render_order script shader shininess "
     "specular "},
    {"/material/script", " name uri "},
    {"/shader", " normal_map "},
    {"/pbr", " metal specular "},
    {"/pbr/metal", kLook},
    {"/pbr/specular", kLook},
    {"/meta", " layer "},
    {"/battery", " voltage "},
    {"/velocity_decay", " angular linear "},
    {"/gripper", " gripper_link grasp_check palm_link "},
    {"/grasp_check", " attach_steps detach_steps min_contact_count "},
    {"/projector", " far_clip fov near_clip plugin pose texture visibility_flags "},
    {"/particle_emitter",
     " color_end color_range_image color_start duration emitting lifetime material max_velocity "
     "min_velocity particle_scatter_ratio particle_size pose rate scale_rate size topic "},
};

// `path`: of the elements around it.
bool HoldsUndefined(const NativeElement& element, std::string path) {
  if (element.name == "plugin") return false;
  path += "/" + element.name;
  const auto* const row = std::ranges::find_if(
      kDefined, [&](const DefinedChildren& of) { return path.ends_with(of.parent); });
  return std::ranges::any_of(element.children, [&](const NativeElement& child) {
    if (!child.IsElement() || child.name.find(':') != std::string::npos) return false;
    const bool unknown = row != std::end(kDefined) &&
                         row->names.find(" " + child.name + " ") == std::string_view::npos;
    return unknown || HoldsUndefined(child, path);
  });
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
    // The <physics> of a world is called alike and holds other things.
    const bool looked_at = owner != nullptr || native.content.name != "physics";
    if (native.format == "sdf" && looked_at && HoldsUndefined(native.content, ""))
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
