#include "write/srdf.h"

#include <algorithm>
#include <map>
#include <vector>

#include "kinemorph/graph/model/actuation.h"
#include "link_tree.h"
#include "write/touching.h"

namespace kinemorph::urdf_format {
namespace {

// SrdfFile writes what MoveIt and Pinocchio read beside a URDF; WriteRos2Control the block in the
// URDF that gives each joint its interfaces. Both follow the declarations: a dependent joint is
// passive, and has states but no command.

bool IsListed(const Joint& joint) {
  return joint.role != JointRole::kLoop && !joint.implicit && NumVelocities(joint.kind) > 0 &&
         !std::holds_alternative<Free>(joint.kind);
}

// Links with shapes that a joint joins, through links that have neither shapes nor mass.
std::map<LinkPair, const char*> Pairs(const Model& model, const SampledPairs& sampled) {
  std::vector<std::vector<LinkId>> beside(model.num_links());
  for (const JointId id : Joints(model)) {
    beside[Index(model.predecessor(id))].push_back(model.successor(id));
    beside[Index(model.successor(id))].push_back(model.predecessor(id));
  }
  const auto is_between = [&](LinkId id) {
    return id != kWorld && model.link(id).collisions.empty() && WeighsNothing(model.link(id));
  };
  std::map<LinkPair, const char*> pairs;
  for (const LinkId start : Links(model)) {
    if (model.link(start).collisions.empty()) continue;
    // From each link with shapes outwards, through links that are only places, as the setup
    // assistant of MoveIt bridges them. Loop joints count too: what they join touches all the time.
    std::vector<LinkId> queue = beside[Index(start)], seen{start};
    while (!queue.empty()) {
      const LinkId here = queue.back();
      queue.pop_back();
      if (std::find(seen.begin(), seen.end(), here) != seen.end()) continue;
      seen.push_back(here);
      if (here != kWorld && !model.link(here).collisions.empty())
        pairs.emplace(std::minmax(start, here), "Adjacent");
      else if (is_between(here))
        queue.insert(queue.end(), beside[Index(here)].begin(), beside[Index(here)].end());
    }
  }
  pairs.insert(sampled.reasons.begin(), sampled.reasons.end());  // but for neighbours
  for (const ContactExclusion& each : model.contact_exclusions)
    // What somebody chose overrules the reason found here; our reader takes back only these.
    pairs[std::minmax(each.a, each.b)] = "User";
  return pairs;
}

// What was looked at, or why nothing was, in words for the file and for its user. Empty: there is
// nothing to look at.
std::string Told(const SampledPairs& sampled, const std::map<LinkPair, const char*>& pairs) {
  if (sampled.postures == 0 && sampled.unknown == 0) return "";
  if (sampled.postures == 0)
    return "no pairs that never touch are known: links with shapes of unknown extent, such as "
           "meshes that were not found: " +
           std::to_string(sampled.unknown);
  const auto count = [&](const std::string& reason) {
    return std::to_string(
        std::ranges::count_if(pairs, [&](const auto& pair) { return pair.second == reason; }));
  };
  std::string text =
      "pairs of links that never touch in " + std::to_string(sampled.postures) +
      " random postures, with the loops of the file closed, by the boxes around their shapes: " +
      count("Never") + "; that always touch: " + count("Always");
  if (sampled.unknown > 0)
    text += "; links with shapes of unknown extent, which were left out: " +
            std::to_string(sampled.unknown);
  return text;
}

}  // namespace

SideFile SrdfFile(const Model& model, const std::string& stem, const ResourceResolver* files,
                  Diagnostics& diagnostics) {
  xml::Writer out;
  out.Comment("Beside " + stem + ".urdf; written by kinemorph");
  const SampledPairs sampled = SamplePairs(model, files);
  const std::map<LinkPair, const char*> pairs = Pairs(model, sampled);
  if (const std::string told = Told(sampled, pairs); !told.empty()) {
    out.Comment("Never and Always: " + told + " (seed 1)");
    diagnostics.Add(MakeDiagnostic(Severity::kNote, "srdf-sampled", stem + ".srdf", 0, "",
                                   {"model", model.name, told}));
  }
  out.Open("robot").Attribute("name", model.name);
  // A state belongs to a group: one of all joints is written for it.
  out.Open("group").Attribute("name", "all");
  for (const JointId id : Joints(model))
    if (IsListed(model.joint(id)))
      out.Open("joint").Attribute("name", model.joint(id).name).Close();
  out.Close();
  bool starts = false, rotors = false;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (IsListed(joint) && !joint.independent.value_or(true))
      out.Open("passive_joint").Attribute("name", joint.name).Close();
    if (!IsListed(joint) || joint.axes.size() != 1) continue;
    starts = starts || joint.axes[0].initial_position;
    rotors = rotors || joint.axes[0].armature.value_or(0) != 0;
  }
  const auto name_of = [&](LinkId id) { return id == kWorld ? "world" : model.link(id).name; };
  for (const auto& [pair, reason] : pairs)
    out.Open("disable_collisions")
        .Attribute("link1", name_of(pair.first))
        .Attribute("link2", name_of(pair.second))
        .Attribute("reason", reason)
        .Close();
  const auto each = [&](const auto& visit) {
    for (const JointId id : Joints(model)) {
      const Joint& joint = model.joint(id);
      if (IsListed(joint) && joint.axes.size() == 1) visit(joint, joint.axes[0]);
    }
  };
  if (starts) {
    out.Open("group_state").Attribute("name", "initial").Attribute("group", "all");
    each([&](const Joint& joint, const JointAxis& axis) {
      if (axis.initial_position)
        out.Open("joint")
            .Attribute("name", joint.name)
            .Attribute("value", *axis.initial_position)
            .Close();
    });
    out.Close();
  }
  if (rotors) {
    out.Open("rotor_params");
    each([&](const Joint& joint, const JointAxis& axis) {
      if (axis.armature.value_or(0) != 0)
        out.Open("joint")
            .Attribute("name", joint.name)
            .Attribute("mass", *axis.armature)
            .Attribute("gear_ratio", 1.0)
            .Close();
    });
    out.Close();
  }
  out.Close();
  return {stem + ".srdf", std::move(out).text(), SideFileKind::kSideCar};
}

void WriteRos2Control(const Model& model, const std::string& plugin, xml::Writer& out) {
  // By the kind of the drive; effort where nothing says more.
  std::vector<const Actuator*> servo(model.num_joints(), nullptr);
  for (const Actuator& drive : model.actuators)
    if (drive.joint != kNoJoint && IsServo(drive)) servo[Index(drive.joint)] = &drive;
  std::vector<bool> follows(model.num_joints(), false);
  for (const Coupling& coupling : model.couplings)
    if (coupling.form == CouplingForm::kMimic && !coupling.terms.empty())
      follows[Index(coupling.terms[0].coordinate.joint)] = true;
  // The followers of mimics may have no command, whatever is declared of them; nor has a joint
  // that nothing drives beside others that something does.
  const Actuations actuations(model);
  const auto leads = [&](JointId id) {
    const Joint& joint = model.joint(id);
    return IsListed(joint) && NumVelocities(joint.kind) == 1 && !follows[Index(id)] &&
           joint.independent.value_or(true);
  };
  bool any_driven = false;
  for (const JointId id : Joints(model))
    any_driven = any_driven || (leads(id) && actuations.IsDriven(id));
  out.Open("ros2_control").Attribute("name", model.name).Attribute("type", "system");
  out.Open("hardware").Leaf("plugin", plugin).Close();
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (!IsListed(joint) || NumVelocities(joint.kind) != 1) continue;
    out.Open("joint").Attribute("name", joint.name);
    const auto param = [&out](const char* name, std::optional<double> value) {
      if (value) out.Open("param").Attribute("name", name).Text(xml::NumberText(*value)).Close();
    };
    const Actuator* const drive = servo[Index(id)];
    if (leads(id) && (!any_driven || actuations.IsDriven(id))) {
      const bool position = drive != nullptr && drive->kind == DriveKind::kPosition;
      out.Open("command_interface")
          .Attribute("name", position           ? "position"
                             : drive != nullptr ? "velocity"
                                                : "effort");
      if (drive != nullptr) param("min", drive->control_lower), param("max", drive->control_upper);
      out.Close();
    }
    for (const char* state : {"position", "velocity"})
      out.Open("state_interface").Attribute("name", state).Close();
    // For hardware that has no gains of its own.
    if (drive != nullptr) param("kp", drive->stiffness), param("kd", drive->damping);
    out.Close();
  }
  out.Close();
}

}  // namespace kinemorph::urdf_format
