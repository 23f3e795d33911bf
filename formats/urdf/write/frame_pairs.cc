#include "write/frame_pairs.h"

#include <vector>

#include "kinemorph/graph/base/printable.h"
#include "three_hinges.h"
#include "write/yaml_text.h"

namespace kinemorph::urdf_format {
namespace {

// robot.yaml is written in one walk over the joints: pairs and their types from loop joints, kinds
// and motors from the joints of the tree. Below a comment stand keys of our own, which Gepetto's
// loader passes over and our reader takes back: names of loops, independent joints, links that were
// made.

std::string List(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) text += (text.size() > 1 ? ", " : "") + item;
  return text + "]";
}

// X, Y or Z; empty where it is none of them.
std::string Letter(const Vector3& axis) {
  for (int i = 0; i < 3; ++i)
    if (axis == Vector3::Unit(i)) return {"XYZ"[i]};
  return {};
}

// Made by a pass for the sake of a pair: a frame, or half of the link that stands beside it.
bool IsMade(const Model& model, LinkId id) { return id != kWorld && model.link(id).synthetic; }

LinkId HalfOf(const Model& model, const LinkTree& tree, JointId weld) {
  // From the frame that the pair names to the link that carries it.
  const auto body = [&](LinkId id) { return IsMade(model, id) ? tree.parent[Index(id)] : id; };
  const LinkId half = body(model.predecessor(weld)), whole = body(model.successor(weld));
  if (half == kWorld || whole == kWorld ||
      model.joint(weld).kind.index() != JointKind(Fixed{}).index())
    return kNoLink;
  const Link &a = model.link(half), &b = model.link(whole);
  // The half was made from the whole: it has its place in the source, and a name of its own making.
  const bool same = a.where.line == b.where.line && a.where.file == b.where.file;
  return same && a.name.starts_with(b.name + "_half") ? half : kNoLink;
}

bool IsMoving(const Joint& joint) {
  return joint.role != JointRole::kLoop && !joint.implicit && NumVelocities(joint.kind) > 0;
}

// What the file cannot make Gepetto's loader do.
void TellLimits(const Model& model, Diagnostics& diagnostics) {
  const auto say = [&](Severity severity, const char* code, SourceLocation where,
                       Statement statement) {
    diagnostics.Add(MessageAt(model, where, severity, code, std::move(statement)));
  };
  for (const Coupling& coupling : model.couplings)
    say(Severity::kWarning, "gepetto-mimic", coupling.where,
        {"coupling", coupling.name,
         "is in the URDF, where the loader of Gepetto ignores it: its joints are free there"});
  for (const auto& joints : HingesThatMeet(model, BuildLinkTree(model)))
    say(Severity::kNote, "frame-pairs-three-hinges", model.joint(joints[0]).where,
        {"joint", model.joint(joints[0]).name,
         "Gepetto's loader makes one ball joint of it, '" + model.joint(joints[1]).name +
             "' and '" + model.joint(joints[2]).name + "'"});
}

}  // namespace

std::string RetypedAs(const JointKind& kind) {
  if (std::holds_alternative<Ball>(kind)) return "SPHERICAL";
  const auto* both = std::get_if<Universal>(&kind);
  if (both == nullptr) return {};
  const std::string first = Letter(both->axis1), second = Letter(both->axis2);
  // The loader's word has letters only: other axes, or negative ones, are two hinges instead.
  if (first.empty() || second.empty() || first == second) return {};
  return "UJOINT_" + first + second;
}

SideFile FramePairsFile(const Model& model, const std::string& stem, Diagnostics& diagnostics) {
  std::vector<bool> driven(model.num_joints(), false);
  for (const Actuator& actuator : model.actuators)
    if (actuator.joint != kNoJoint) driven[Index(actuator.joint)] = true;
  std::vector<std::string> pairs, types, names, motors, independent, retyped, kinds, scalar, made;
  const LinkTree tree = BuildLinkTree(model);
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    const std::string name = yaml::Quoted(joint.name);
    if (joint.role == JointRole::kLoop) {
      pairs.push_back(List({yaml::Quoted(model.link(model.predecessor(id)).name),
                            yaml::Quoted(model.link(model.successor(id)).name)}));
      types.push_back(std::holds_alternative<Ball>(joint.kind) ? "'3d'" : "'6d'");
      names.push_back(name);
      for (const LinkId end : {model.predecessor(id), model.successor(id)})
        if (IsMade(model, end)) made.push_back(yaml::Quoted(model.link(end).name));
      if (const LinkId half = HalfOf(model, tree, id); half != kNoLink)
        made.push_back(yaml::Quoted(model.link(half).name));
    }
    if (!IsMoving(joint)) continue;
    if (const std::string kind = RetypedAs(joint.kind); !kind.empty())
      retyped.push_back(name), kinds.push_back(kind);
    if (driven[Index(id)]) motors.push_back(name);
    if (!joint.independent.value_or(true)) continue;
    independent.push_back(name);
    if (NumVelocities(joint.kind) == 1) scalar.push_back(name);
  }
  // The loader needs some motors; without drives in the model the independent joints are the
  // natural ones.
  if (motors.empty() && !scalar.empty()) {
    motors = scalar;
    diagnostics.Add(MakeDiagnostic(
        Severity::kNote, "gepetto-motors-chosen", "", 0, "",
        {"model", model.name,
         "no drive is on its joints; the independent ones are written as 'name_mot'"}));
  }
  TellLimits(model, diagnostics);
  std::string text = std::string(kLoopsMark) + Printable(stem) + ".urdf, for Gepetto's loader.\n";
  text += "closed_loop: " + List(pairs) + "\n";
  text += "type: " + List(types) + "\n";
  text += "name_mot: " + List(motors) + "\n";
  if (!retyped.empty())
    text += "joint_name: " + List(retyped) + "\njoint_type: " + List(kinds) + "\n";
  text += "# That loader passes these over.\n";
  text += "loop_name: " + List(names) + "\n";
  text += "independent: " + List(independent) + "\n";
  if (!made.empty()) text += "made: " + List(made) + "\n";
  return {stem + ".yaml", std::move(text), SideFileKind::kLoops};
}

}  // namespace kinemorph::urdf_format
