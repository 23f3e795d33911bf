// WriteMjcf: the sections in order, names, and what a MJCF source said that only MuJoCo
// understands.
#include "write/writer.h"

#include <algorithm>

#include "mjcf.h"
#include "xml_reader.h"

namespace kinemorph {

Bundle WriteMjcf(const Model& model, const WriteOptions& options, Diagnostics& diagnostics) {
  mjcf::MjcfWriter writer(model, options, diagnostics);
  Bundle bundle;
  bundle.text = writer.Write();
  if (!options.scene_of.empty() && !bundle.text.empty())
    bundle.side_files.push_back(writer.WriteScene());
  return bundle;
}

namespace mjcf {

// Write goes through the sections in the order in which MuJoCo's documentation has them. Names and
// places are chosen before, because sections refer to each other in both directions. Native content
// is put back where it came from; every other word comes from the model.

void MjcfWriter::Error(std::string code, SourceLocation where, Statement statement) {
  failed_ = true;
  diagnostics_.Add(
      MessageAt(model_, where, Severity::kError, std::move(code), std::move(statement)));
}

std::string MjcfWriter::Write() {
  const std::size_t errors = diagnostics_.num_errors();
  tree_ = MakeBodyTree(model_, diagnostics_);
  if (diagnostics_.num_errors() != errors) return "";
  lever_arm_ = LeverArm();
  ChooseNames();
  PlaceLoopSites();
  PlaceSensorSites();
  CollectAssets();
  if (portable_)
    out_.Comment(
        "MJCF profile: portable (loops are connects of bodies; no couplings, no defaults)");
  out_.Open("mujoco").Attribute("model", model_.name);
  WriteSettings();
  for (const char* section : {"size", "visual", "statistic", "extension", "custom"})
    WriteNatives(section);
  WriteAssets();
  WriteBodies();
  WriteNatives("deformable");
  WriteContacts();
  WriteCouplingTendons();
  WriteEqualities();
  WriteActuators();
  WriteSensors();
  WriteNatives("keyframe");
  out_.Close();
  return failed_ ? "" : std::move(out_).text();
}

// Names are unique for each kind in MuJoCo, not over all: a joint may be called like a body.
void MjcfWriter::ChooseNames() {
  UniqueNames bodies, joints;
  static_cast<void>(bodies.Take("world"));
  // A link that is folded into a body has no name of its own; nothing can refer to it.
  body_names_.assign(model_.num_links(), "world");
  for (std::size_t i = 1; i < tree_.nodes.size(); ++i) {
    const LinkId id = tree_.nodes[i].link;
    body_names_[Index(id)] = bodies.Take(model_.link(id).name);
  }
  for (const JointId id : Joints(model_))
    joint_names_.push_back(
        joints.Take(model_.joint(id).role == JointRole::kLoop ? "" : model_.joint(id).name));
  sites_of_.resize(model_.num_links());
  for (const Frame& frame : model_.frames) sites_of_[Index(frame.link)].push_back(&frame);
  cameras_of_.resize(model_.num_links());
  for (const Sensor& sensor : model_.sensors)
    if (IsCamera(sensor)) cameras_of_[Index(sensor.link)].push_back(&sensor);
  // A pair of another format names links; its geoms need names (WriteCollision).
  if (model_.format != "mjcf") {  // else they are kept as text
    for (const ContactPair& pair : model_.contact_pairs)
      for (const LinkId id : {pair.a, pair.b})
        for (const Collision& collision : model_.link(id).collisions) paired_[&collision];
  }
  // Tendons of the source keep their names.
  for (const NativeData& native : model_.native) {
    if (native.format != "mjcf" || native.element.rfind("tendon/", 0) != 0) continue;
    if (const std::string* const name = native.content.Attribute("name"))
      static_cast<void>(tendon_names_.Take(*name));
  }
}

// Where not, Drake and Pinocchio stop unless shapes may give a body its mass; ours weigh nothing.
bool MjcfWriter::SaysAllInertias() const {
  return std::all_of(tree_.nodes.begin() + 1, tree_.nodes.end(),
                     [&](const BodyNode& node) { return SaysInertia(model_.link(node.link)); });
}

// Nothing is left to defaults that changed between versions, and no mass is invented.
void MjcfWriter::WriteSettings() {
  out_.Open("compiler")
      .Attribute("angle", "radian")
      .Attribute("autolimits", "true")
      .Attribute("inertiafromgeom", SaysAllInertias() ? "false" : "auto");
  out_.Attribute("balanceinertia", "false")
      .Attribute("boundmass", "0")
      .Attribute("boundinertia", "0");
  WriteAttributes(NativeAttributes(model_.native, "compiler"));
  for (const NativeData& native : model_.native)
    if (native.format == "mjcf" && native.element == "compiler") WriteChildren(native);
  out_.Close();
  // Several sections say one thing: the last word counts.
  AttributeList option, flags;
  for (const NativeData& native : model_.native) {
    if (native.format != "mjcf" || (native.element != "option" && native.element != "option/flag"))
      continue;
    for (const auto& [name, value] : native.content.attributes)
      SetAttribute(native.element == "option" ? option : flags, name, value);
  }
  if (option.empty() && flags.empty() && !model_.gravity) return;
  out_.Open("option");
  if (model_.gravity) out_.Attribute("gravity", *model_.gravity);
  WriteAttributes(option);
  if (!flags.empty()) {
    out_.Open("flag");
    WriteAttributes(flags);
    out_.Close();
  }
  out_.Close();
}

void MjcfWriter::WriteChildren(const NativeData& native) {
  for (const NativeElement& child : native.content.children) out_.Native(child);
}

void MjcfWriter::WriteNatives(std::string_view section) {
  for (const NativeData& native : model_.native)
    if (native.format == "mjcf" && native.element == section) out_.Native(native.content);
}

bool MjcfWriter::HasGroup(std::string_view prefix) const {
  const std::string start = std::string(prefix) + "/";
  return std::any_of(model_.native.begin(), model_.native.end(), [&](const NativeData& n) {
    return n.format == "mjcf" && n.element.rfind(start, 0) == 0;
  });
}

void MjcfWriter::WriteGroup(std::string_view prefix) {
  const std::string start = std::string(prefix) + "/";
  for (const NativeData& native : model_.native)
    if (native.format == "mjcf" && native.element.rfind(start, 0) == 0) out_.Native(native.content);
}

// MJCF pairs geoms, the model links.
// Shape by shape, where the masks let them collide.
void MjcfWriter::WritePairs() {
  for (const ContactPair& pair : model_.contact_pairs)
    for (const Collision& a : model_.link(pair.a).collisions)
      for (const Collision& b : model_.link(pair.b).collisions)
        if (Touch(a, b))
          out_.Open("pair")
              .Attribute("geom1", paired_.at(&a))
              .Attribute("geom2", paired_.at(&b))
              .Close();
}

void MjcfWriter::WriteContacts() {
  if (model_.contact_exclusions.empty() && !HasGroup("contact") && paired_.empty()) return;
  out_.Open("contact");
  WriteGroup("contact");
  if (!paired_.empty()) WritePairs();
  // An exclusion has no order of its ends; each pair is written once.
  std::set<std::pair<LinkId, LinkId>> written;
  for (const ContactExclusion& pair : model_.contact_exclusions) {
    if (pair.a == pair.b || !written.insert(std::minmax(pair.a, pair.b)).second) continue;
    out_.Open("exclude");
    if (!pair.name.empty()) out_.Attribute("name", pair.name);
    out_.Attribute("body1", body_names_[Index(pair.a)])
        .Attribute("body2", body_names_[Index(pair.b)])
        .Close();
  }
  out_.Close();
}

// One of no format is a motor that conversion added: its control is the force itself.
bool MjcfWriter::IsAdded(const Actuator& actuator) {
  return actuator.native.format.empty() && actuator.joint != kNoJoint;
}
// An actuator of another format is nothing that MuJoCo understands, and was accounted for by a pass.
bool MjcfWriter::IsWritten(const Actuator& actuator) {
  return actuator.native.format == "mjcf" || IsAdded(actuator);
}

void MjcfWriter::WriteActuators() {
  if (std::ranges::none_of(model_.actuators, IsWritten) && !HasGroup("actuator")) return;
  out_.Open("actuator");
  WriteGroup("actuator");
  for (const Actuator& actuator : model_.actuators) {
    if (!IsWritten(actuator)) continue;
    AttributeList attributes;
    if (IsAdded(actuator)) {
      attributes = {{"joint", ""}};
      if (actuator.gear != 1) attributes.emplace_back("gear", xml::NumberText(actuator.gear));
      if (actuator.effort_lower && actuator.effort_upper) {
        attributes.emplace_back("ctrllimited", "true");
        attributes.emplace_back("ctrlrange", xml::NumberText(*actuator.effort_lower) + " " +
                                                 xml::NumberText(*actuator.effort_upper));
      }
    } else {
      attributes = actuator.native.content.attributes;
    }
    SetAttribute(attributes, "name", actuator.name);
    // Joints may have been renamed since the source.
    if (actuator.joint != kNoJoint) {
      for (auto& [key, value] : attributes)
        if (key == "joint" || key == "jointinparent") value = joint_names_[Index(actuator.joint)];
    }
    out_.Open(actuator.type);
    WriteAttributes(attributes);
    WriteChildren(actuator.native);
    out_.Close();
  }
  out_.Close();
}

// As MuJoCo has its axes.
RigidTransform MjcfWriter::PlaceOf(const Sensor& sensor) {
  return sensor.X_LS * RigidTransform::Rotation(ModelAxes(sensor.kind).transpose());
}

// Sensors of other formats stand on links: sites say where, one for all at one place.
void MjcfWriter::PlaceSensorSites() {
  // A sensor that names a site or a body keeps it; only those of other formats name neither.
  for (const Sensor& sensor : model_.sensors) {
    const NativeElement& element = sensor.native.content;
    if (sensor.native.format != "mjcf" || sensor.link == kNoLink || element.Attribute("site") ||
        element.Attribute("body") || element.Attribute("objname") || IsCamera(sensor))
      continue;
    const RigidTransform X_LS = PlaceOf(sensor);
    const auto there =
        std::find_if(site_of_sensor_.begin(), site_of_sensor_.end(), [&](const auto& placed) {
          return placed.first->link == sensor.link && PlaceOf(*placed.first) == X_LS;
        });
    if (there == site_of_sensor_.end())
      added_sites_[sensor.link].push_back({site_names_.Take(sensor.name), X_LS});
    site_of_sensor_[&sensor] = there == site_of_sensor_.end()
                                   ? added_sites_[sensor.link].back().name
                                   : std::string(there->second);
  }
}

void MjcfWriter::WriteSensors() {
  // A camera stands in its body.
  const auto is_here = [](const Sensor& sensor) {
    return sensor.native.format == "mjcf" && !IsCamera(sensor);
  };
  if (std::none_of(model_.sensors.begin(), model_.sensors.end(), is_here)) return;
  out_.Open("sensor");
  for (const Sensor& sensor : model_.sensors) {
    if (!is_here(sensor)) continue;
    NativeElement element = sensor.native.content;
    if (const auto site = site_of_sensor_.find(&sensor); site != site_of_sensor_.end()) {
      SetAttribute(element.attributes, element.Attribute("objtype") ? "objname" : "site",
                   site->second);
      if (element.Attribute("interval") != nullptr)
        diagnostics_.Add(MessageAt(model_, sensor.where, Severity::kNote, "mjcf-sensor-interval",
                                   {"sensor", sensor.name,
                                    "its update rate is written as an interval, which MuJoCo "
                                    "before 3.5 does not read"}));
    }
    out_.Native(element);
  }
  out_.Close();
}

}  // namespace mjcf

namespace mjcf {
namespace {

// What the portable profile keeps of a MJCF source: what all readers take, or pass over without
// harm.
bool IsPortable(const Model& model, const NativeData& native) {
  constexpr std::string_view kSections[] = {"tendon/", "equality/", "deformable", "extension",
                                            "custom"};
  const auto starts = [&](std::string_view section) { return native.element.starts_with(section); };
  if (std::any_of(std::begin(kSections), std::end(kSections), starts)) return false;
  bool portable = true;
  ForEachIn(native.content, [&](const NativeElement& element) {
    constexpr std::string_view kElements[] = {"plugin", "composite", "flexcomp", "flex", "skin"};
    for (const std::string_view name : kElements) portable = portable && element.name != name;
    for (const auto& [name, value] : element.attributes) {
      portable = portable && !name.starts_with("tendon") && name != "plugin";
      portable = portable && (name != "type" || value != "sdf");  // a plugin says its distances
      // What hangs on an actuator that goes.
      const bool of_drives = name == "actuator" || name == "ctrl" || name == "act";
      if (!of_drives) continue;
      for (const Actuator& a : model.actuators)
        if (name != "actuator" || a.name == value)
          portable = portable && (a.native.format != "mjcf" || IsPortable(model, a.native));
    }
  });
  return portable;
}

}  // namespace
}  // namespace mjcf

// A keyframe is a list of coordinates; it fits as long as the joints are those of the source.
std::string MjcfRefuses(const Model& model, const NativeData& native, const Joint* owner,
                        const WriteOptions& options) {
  if (options.profile == mjcf::kPortable && native.format == "mjcf" &&
      !mjcf::IsPortable(model, native))
    return "other readers of MJCF than MuJoCo stop at it or pass over it";
  if (options.profile == mjcf::kPortable && owner != nullptr &&
      native.content.Attribute("torquescale") != nullptr)
    return "three connects have no scale of their torque";
  if (native.element != "keyframe") return "";

  // Joints that passes split, join or lock change the number of coordinates.
  std::size_t positions = 0;
  for (const JointId id : Joints(model))
    if (model.joint(id).role != JointRole::kLoop)
      positions += static_cast<std::size_t>(NumPositions(model.joint(id).kind));
  bool fits = true;
  ForEachIn(native.content, [&](const NativeElement& element) {
    const std::string* const qpos = element.Attribute("qpos");
    fits = fits && (qpos == nullptr || xml::SplitWords(*qpos).size() == positions);
  });
  return fits ? "" : "the text does not fit the joints of the output";
}

}  // namespace kinemorph
