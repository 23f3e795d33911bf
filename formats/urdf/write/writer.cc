// Writing a robot: the order of the parts, materials' names, and what was kept as text.
#include "write/writer.h"

#include <algorithm>

#include "characters.h"
#include "drake.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/formats/version.h"
#include "pose_text.h"
#include "sdf_model/drive_words.h"
#include "urdf.h"
#include "write/frame_pairs.h"
#include "write/srdf.h"
#include "write/submechanisms.h"

namespace kinemorph {
namespace urdf_format {

// RobotWriter transcribes and repairs nothing. Passes have made the model legal for the dialect;
// Check (checks.cc) refuses what is not, before the first element is written. The parts come in the
// usual order: materials, links, joints, loops, couplings, and last what only some programs read.
RobotWriter::RobotWriter(const Model& model, const WriteOptions& options, bool plus,
                         Diagnostics& diagnostics)
    : model_(model),
      options_(options),
      plus_(plus),
      hyrodyn_(!plus && HasSideCar(options, kHyrodyn)),
      gepetto_(!plus && HasSideCar(options, kGepetto)),
      ros2_control_(!plus && HasSideCar(options, kRos2Control)),
      srdf_(!plus && (ros2_control_ || HasSideCar(options, kSrdf))),
      gazebo_(!plus && !hyrodyn_ && !gepetto_ && options.profile != "drake" &&
              options.loops != LoopChoice::kNone),
      detachable_(gazebo_ && options.loops == LoopChoice::kDetachable),
      paper_(plus && options.profile == "paper"),
      grbda_(plus && options.profile == "grbda"),
      drake_(!plus && options.profile == "drake"),
      diagnostics_(diagnostics),
      errors_before_(diagnostics.num_errors()) {}

void RobotWriter::Refuse(std::string code, SourceLocation where, Statement statement) {
  diagnostics_.Add(
      MessageAt(model_, where, Severity::kError, std::move(code), std::move(statement)));
}

bool RobotWriter::IsWritten(JointId id) const {
  const Joint& joint = model_.joint(id);
  if (beside_tree_[Index(model_.successor(id))] && FloatsBesideTree(model_, id)) return false;
  // Nor one that stands for <static>.
  // What holds a static model to the world is said by <static>, and what frees a base by saying
  // nothing.
  const bool held = std::holds_alternative<Fixed>(joint.kind) &&
                    Index(joint.scope) < model_.scopes.size() &&
                    model_.scopes[Index(joint.scope)].is_static;
  return !(joint.implicit && (held || std::holds_alternative<Free>(joint.kind)) &&
           model_.predecessor(id) == kWorld);
}

std::string RobotWriter::Write() && {
  tree_ = BuildLinkTree(model_);
  beside_tree_.assign(model_.num_links(), false);
  for (const JointId id : Joints(model_)) {
    if (gazebo_ && !detachable_ && FloatsBesideTree(model_, id))
      beside_tree_[Index(model_.successor(id))] = true;
    if (detachable_ && model_.joint(id).role == JointRole::kLoop)
      for (const LinkId end : {model_.predecessor(id), model_.successor(id)})
        welded_.insert(static_cast<std::uint32_t>(end));
    // A loop in <gazebo> names the world without a link of that name.
    if (IsWritten(id) && !(gazebo_ && model_.joint(id).role == JointRole::kLoop))
      world_link_ =
          world_link_ || model_.predecessor(id) == kWorld || model_.successor(id) == kWorld;
  }
  for (const Coupling& coupling : model_.couplings) {
    if (coupling.form == CouplingForm::kMimic && !coupling.terms.empty() && !IsInControl(coupling))
      mimic_of_[static_cast<std::uint32_t>(coupling.terms[0].coordinate.joint)] = &coupling;
  }
  for (const Actuator& actuator : model_.actuators)
    if (actuator.joint != kNoJoint)
      first_drive_of_.emplace(static_cast<std::uint32_t>(actuator.joint), &actuator);
  // Errors end here: a file that is half written is worse than none.
  Check();
  ChooseVersion();
  if (diagnostics_.num_errors() > errors_before_) return "";
  NameMaterials();
  WeighTree();
  // No ": " and no " #": a launch file of ROS 2 reads the output of a command as YAML.
  if (plus_) {
    out_.Comment(grbda_ ? "URDF+, profile grbda (ratio = successor motion / predecessor motion; a "
                          "loop without axis joins two points)"
                 : paper_
                     ? "URDF+, profile paper (ratio = predecessor motion / successor motion; "
                       "universal and spherical types)"
                     : "URDF+, profile reference (ratio = successor motion / predecessor motion)");
  }
  if (drake_)
    out_.Comment("URDF, profile drake (loops, couplings and contact groups in Drake's elements)");
  out_.Open("robot").Attribute("name", model_.name);
  if (!version_.empty()) out_.Attribute("version", version_);
  WriteSharedMaterials();
  if (world_link_) WriteLink(kWorld);
  for (const LinkId id : TreeLinks()) WriteLink(id);
  for (const JointId id : Joints(model_))
    if (model_.joint(id).role != JointRole::kLoop && IsWritten(id)) WriteJoint(id);
  for (const JointId id : Joints(model_))
    if (plus_ && model_.joint(id).role == JointRole::kLoop && IsWritten(id)) WriteLoop(id);
  for (const Coupling& coupling : model_.couplings)
    if (coupling.form == CouplingForm::kRatio) WriteCoupling(coupling);
  for (const Coupling& coupling : model_.couplings)
    if (IsLinearTransmission(coupling)) WriteLinearTransmission(coupling);
  if (drake_) WriteDrakeElements();
  WriteActuators();
  if (ros2_control_ && !HasOwnControl()) WriteRos2Control(model_, options_.hardware_plugin, out_);
  WriteSensors();
  WriteGazebo();
  WriteOtherNative();
  out_.Close();
  return diagnostics_.num_errors() > errors_before_ ? "" : xml::TextToYaml(std::move(out_).text());
}

// The author's own block stands: two of them would drive the same joints.
bool RobotWriter::HasOwnControl() const {
  const auto is_control = [](const NativeData& data) { return data.element == "ros2_control"; };
  return std::any_of(model_.native.begin(), model_.native.end(), is_control) ||
         std::any_of(model_.scopes.begin(), model_.scopes.end(), [&](const Scope& scope) {
           return std::any_of(scope.native.begin(), scope.native.end(), is_control);
         });
}

// The author's block makes the coupling, and its joint may have a command there, which ros2_control
// refuses of one that has <mimic>.
bool RobotWriter::IsInControl(const Coupling& coupling) const {
  return coupling.native_type == kByRos2Control && HasOwnControl();
}

std::vector<LinkId> RobotWriter::TreeLinks() const {
  std::vector<LinkId> links;
  for (const LinkId id : Links(model_))
    if (!beside_tree_[Index(id)]) links.push_back(id);
  return links;
}

void RobotWriter::ChooseVersion() {
  int needed = 0;
  // The least version that holds the model, since many readers refuse what they do not know: none
  // is written where 1.0 will do.
  const auto capsule = [](const auto& list) {
    return std::any_of(list.begin(), list.end(), [](const auto& item) {
      return std::holds_alternative<Capsule>(item.shape);
    });
  };
  for (std::uint32_t i = 0; i < model_.num_links(); ++i) {
    const Link& link = model_.link(LinkId{i});
    if (capsule(link.visuals) || capsule(link.collisions)) needed = std::max(needed, 1);
  }
  for (const JointId id : Joints(model_)) {
    for (const JointAxis& axis : model_.joint(id).axes)
      // Drake asks for no version, and urdfdom refuses a later one.
      if (!drake_ && (axis.acceleration || axis.deceleration || axis.jerk)) needed = 2;
  }
  version_ = options_.version;
  if (version_.empty()) {
    if (needed > 0) version_ = "1." + std::to_string(needed);
  } else if (ParseVersion(version_).value_or(Version{1, 0}) < Version{1, needed}) {
    Refuse(
        "version-too-old", {},
        {"robot", model_.name,
         std::string(needed == 2 ? "acceleration, deceleration and jerk limits need"
                                 : "a capsule needs") +
             " URDF 1." + std::to_string(needed) + ", but version " + version_ + " was asked for"});
  }
}

MaterialKey KeyOf(const Material& material) {
  MaterialKey key{material.name,
                  std::nullopt,
                  material.texture ? std::string_view(*material.texture) : std::string_view(),
                  {}};
  if (const auto& c = material.diffuse) std::get<1>(key) = {(*c)[0], (*c)[1], (*c)[2], (*c)[3]};
  for (const NativeData& data : material.native)
    if (data.format != "sdf") std::get<3>(key).push_back(data.content);
  return key;
}

bool HasContent(const Material& material) {
  return material.diffuse || material.texture ||
         std::any_of(material.native.begin(), material.native.end(),
                     [](const NativeData& data) { return data.format != "sdf"; });
}

void RobotWriter::WeighTree() {
  // From the leaves up: mass of a link counts for all that carry it.
  weighs_.assign(model_.num_links(), false);
  for (auto it = tree_.order.rbegin(); it != tree_.order.rend(); ++it) {
    const auto& inertial = model_.link(*it).inertial;
    if (inertial && inertial->mass > 0) weighs_[Index(*it)] = true;
    if (*it != kWorld && weighs_[Index(*it)]) weighs_[Index(tree_.parent[Index(*it)])] = true;
  }
}

// Names are unique per content: the first material of a name keeps it; others and nameless ones get
// a number.
void RobotWriter::NameMaterials() {
  std::unordered_set<std::string> taken;
  const auto each = [&](const auto& visit) {
    for (std::uint32_t i = 0; i < model_.num_links(); ++i) {
      for (const Visual& visual : model_.link(LinkId{i}).visuals) {
        if (visual.material && HasContent(*visual.material) && !HasOwnMaterialText(visual))
          visit(*visual.material);
      }
    }
  };
  each([&](const Material& material) {
    if (!material.name.empty() && taken.insert(material.name).second)
      material_names_[KeyOf(material)] = material.name;
  });
  // Only materials whose name is taken by another content are left by now.
  std::unordered_map<std::string, int> next;
  each([&](const Material& material) {
    std::string& name = material_names_[KeyOf(material)];
    if (!name.empty()) return;
    const std::string base = material.name.empty() ? "material" : material.name;
    int& number = next[base];
    do name = base + "_" + std::to_string(++number);
    while (!taken.insert(name).second);
  });
}

// What several visuals share is defined at the top: iDynTree leaves out all visuals of a robot, and
// yourdfpy the colour, where a visual names what another one defines. urdfdom takes nothing there
// without a colour or a texture.
void RobotWriter::WriteSharedMaterials() {
  std::unordered_map<std::string_view, int> uses;
  const auto each = [&](const auto& visit) {
    for (const LinkId id : TreeLinks())
      for (const Visual& visual : model_.link(id).visuals)
        if (visual.material && (visual.material->diffuse || visual.material->texture) &&
            !HasOwnMaterialText(visual))
          visit(*visual.material, material_names_.at(KeyOf(*visual.material)));
  };
  each([&](const Material&, const std::string& name) { ++uses[name]; });
  each([&](const Material& material, const std::string& name) {
    if (uses[name] < 2 || !defined_materials_.insert(name).second) return;
    out_.Open("material").Attribute("name", name);
    WriteMaterialContent(material, About("material", name));
    out_.Close();
  });
}

NativeElement WithAttribute(NativeElement element, std::string_view name,
                            std::string_view attribute, const std::string& value) {
  // A transmission or a sensor names its joint or link within its kept text: passes may have
  // renamed it.
  bool found = false;
  ForEachIn(element, [&](NativeElement& each) {
    if (found || each.name != name) return;
    found = true;
    if (each.Attribute(attribute) != nullptr) SetAttribute(each.attributes, attribute, value);
  });
  return element;
}

void RobotWriter::WriteInnerNative(const std::vector<NativeData>& native,
                                   const std::string& owner) {
  for (const NativeData& data : native) {
    if (data.format == "urdf") {
      if (data.element != "gazebo" || data.content.Attribute("reference") == nullptr)
        out_.Native(data.content);
    } else if (data.format != "sdf") {
      Refuse("native-data-foreign", data.where,
             {owner,
              "<" + data.element + "> of format '" + data.format + "' cannot be written in URDF"});
    }
  }
}

void RobotWriter::WriteOtherNative() {
  // What SDFormat has under a model stands in a block without reference, which libsdformat copies
  // into the model.
  const auto write = [&](const NativeData& data) {
    if (data.element == "ros2_control")  // it has its place in URDF too
      out_.Native(data.content);
    else
      out_.Open("gazebo").Native(data.content).Close();
  };
  for (const Scope& scope : model_.scopes) {
    for (const NativeData& data : scope.native)
      if (data.format == "sdf") write(data);
  }
  for (const NativeData& data : model_.native) {
    if (data.format == "urdf") {
      out_.Native(data.content);
    } else if (data.format == "sdf") {
      write(data);
    } else {
      Refuse("native-data-foreign", data.where,
             {"robot", model_.name,
              "<" + data.element + "> of format '" + data.format + "' cannot be written in URDF"});
    }
  }
}

void RobotWriter::WriteActuators() {
  for (const Actuator& actuator : model_.actuators) {
    // The author's own transmission, with its interfaces; only the joint's name and Drake's rotor
    // may differ by now.
    if (actuator.native.format == "urdf") {
      const NativeElement content = WithRotor(actuator.native.content, actuator);
      out_.Native(actuator.joint == kNoJoint
                      ? content
                      : WithAttribute(content, "joint", "name", model_.joint(actuator.joint).name));
      continue;
    }
    if (actuator.native.format == "sdf") {
      out_.Open("gazebo")
          .Native(sdformat::PluginOfDrive(actuator, model_.joint(actuator.joint).name))
          .Close();
      continue;
    }
    if (actuator.joint == kNoJoint) {
      Refuse("actuator-without-joint", actuator.where,
             {"actuator", actuator.name, "drives no joint, which a URDF transmission must"});
      continue;
    }
    // ROS refuses a transmission without type, joint, interface and actuator: all are written. Ours
    // is the plain one of an effort.
    const std::string name =
        actuator.name.empty() ? model_.joint(actuator.joint).name + "_motor" : actuator.name;
    out_.Open("transmission").Attribute("name", name + "_transmission");
    out_.Leaf("type", "transmission_interface/SimpleTransmission");
    out_.Open("joint")
        .Attribute("name", model_.joint(actuator.joint).name)
        .Leaf("hardwareInterface", "hardware_interface/EffortJointInterface")
        .Close();
    out_.Open("actuator").Attribute("name", name).Leaf("mechanicalReduction", actuator.gear);
    if (const std::optional<double> inertia = RotorInertia(actuator)) {
      out_.Open("drake:rotor_inertia").Attribute("value", *inertia).Close();
      out_.Open("drake:gear_ratio").Attribute("value", 1.0).Close();
    }
    out_.Close();
    out_.Close();
  }
}

void RobotWriter::WriteSensors() {
  for (const Sensor& sensor : model_.sensors) {
    if (gazebo_ && sensor.joint != kNoJoint && sensor.native.format == "sdf" &&
        model_.joint(sensor.joint).role == JointRole::kLoop)
      continue;  // it stands in the joint
    if (sensor.link != kNoLink && beside_tree_[Index(sensor.link)]) continue;  // in the link
    // A sensor of URDF names its parent itself; one of SDFormat stands in a block that does.
    const bool on_link = sensor.link != kNoLink;
    const std::string owner = on_link                    ? LinkName(sensor.link)
                              : sensor.joint != kNoJoint ? model_.joint(sensor.joint).name
                                                         : "";
    if (sensor.native.format == "urdf") {
      NativeElement element = sensor.native.content;
      xml::SetOrigin(element, sensor.X_LS);
      out_.Native(owner.empty() ? element
                                : WithAttribute(std::move(element), "parent",
                                                on_link ? "link" : "joint", owner));
    } else if (sensor.native.format == "sdf" && !owner.empty()) {
      out_.Open("gazebo").Attribute("reference", owner);
      WriteSdfSensor(sensor);
      out_.Close();
    } else {
      Refuse("sensor-foreign", sensor.where,
             {"sensor", sensor.name,
              "of format '" + sensor.native.format + "' cannot be written in URDF"});
    }
  }
}

}  // namespace urdf_format

Bundle WriteUrdf(const Model& model, const WriteOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.num_errors();
  const bool hyrodyn = HasSideCar(options, kHyrodyn), gepetto = HasSideCar(options, kGepetto);
  if (hyrodyn && gepetto) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kError, "side-cars-clash", "", 0, "",
        {"model", model.name,
         "'hyrodyn' and 'gepetto' both hold the loops, each in its own way: ask for one of them"}));
    return {};
  }
  if (HasSideCar(options, kRos2Control) && options.hardware_plugin.empty()) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kError, "hardware-plugin-missing", "", 0, "",
        {"model", model.name,
         "ros2_control needs the class that drives the joints: --hardware-plugin CLASS"}));
    return {};
  }
  // Side-cars are written last, and only beside a URDF that is good: they refer to its names.
  Bundle bundle{urdf_format::RobotWriter(model, options, false, diagnostics).Write(), {}};
  if (hyrodyn && diagnostics.num_errors() == errors_before)
    bundle.side_files = urdf_format::SubmechanismFiles(model, options.stem, diagnostics);
  if (gepetto && diagnostics.num_errors() == errors_before)
    bundle.side_files.push_back(urdf_format::FramePairsFile(model, options.stem, diagnostics));
  if ((HasSideCar(options, kSrdf) || HasSideCar(options, kRos2Control)) &&
      diagnostics.num_errors() == errors_before)
    bundle.side_files.push_back(
        urdf_format::SrdfFile(model, options.stem, options.files, diagnostics));
  if (diagnostics.num_errors() > errors_before) return {};
  return bundle;
}

Bundle WriteUrdfPlus(const Model& model, const WriteOptions& options, Diagnostics& diagnostics) {
  return {urdf_format::RobotWriter(model, options, true, diagnostics).Write(), {}};
}

}  // namespace kinemorph
