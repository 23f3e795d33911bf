// What Isaac Lab must be told beside the stage, as Python to paste into an ArticulationCfg.
#include <algorithm>

#include "kinemorph/graph/mechanics/coordinates.h"
#include "write/writer.h"

namespace kinemorph::usd {
namespace {

struct JointList {
  std::vector<std::string> driven, passive, loops, start;
  std::string base;  // where it starts, as arguments; empty for one that is fixed
};

// PhysX calls the coordinates of a joint of several NAME:0, NAME:1 ...
// Isaac Lab takes names as regular expressions.
std::string Expression(const Joint& joint, const std::string& prim) {
  return Quoted(NumVelocities(joint.kind) > 1 ? prim + "(:[0-9])?" : prim);
}

// By joint: whether one of its coordinates is independent.
std::vector<bool> Independent(const Model& model) {
  std::vector<bool> independent(model.num_joints(), false);
  const Mechanism mechanism = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(mechanism);
  std::vector<bool> by_velocity(static_cast<std::size_t>(mechanism.nv), false);
  for (std::size_t a = 0; a < coordinates.aggregates.size(); ++a)
    for (const int column : coordinates.aggregates[a].independent)
      by_velocity[static_cast<std::size_t>(
          mechanism.aggregates[a].velocity[static_cast<std::size_t>(column)])] = true;
  for (const Body& body : mechanism.bodies) {
    if (body.joint == kNoJoint) continue;
    for (int i = 0; i < body.nv; ++i)
      if (by_velocity[static_cast<std::size_t>(body.v + i)]) independent[Index(body.joint)] = true;
  }
  return independent;
}

// A reset puts the base there, whatever the stage says: at the origin, if nothing is said.
std::string BaseStart(const RigidTransform& X_WB) {
  const auto list = [](const auto& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + Number(value);
    return "(" + text + ")";
  };
  std::string text = "        pos=" + list(X_WB.p) + ",\n";
  if (!X_WB.R.isIdentity(1e-9))
    text += "        rot=" + list(QuaternionFromRotation(X_WB.R)) +
            ",  # w, x, y, z of Isaac Lab 2; version 3 wants x, y, z, w\n";
  return text;
}

JointList ListJoints(const Model& model) {
  // A drive on the follower of a mimic works against the mimic.
  const Actuations actuations(model);
  std::vector<bool> driven(model.num_joints(), false);
  for (const Actuator& actuator : model.actuators)
    if (actuator.joint != kNoJoint)
      driven[Index(actuator.joint)] = actuations.Of(actuator.joint, 0) != Actuation::kFollows;
  // Where nothing is said of drives, the independent coordinates are those that can be driven
  // without fighting the loops.
  if (std::find(driven.begin(), driven.end(), true) == driven.end()) driven = Independent(model);
  const StartPosture posture = StartPostureOf(model);
  const std::vector<std::string> prims = JointPrims(model);
  std::vector<const Body*> body_of(model.num_joints(), nullptr);
  for (const Body& body : posture.mechanism.bodies)
    if (body.joint != kNoJoint) body_of[Index(body.joint)] = &body;
  JointList list;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop) {
      list.loops.push_back(Quoted(prims[Index(id)]));
      continue;
    }
    // A free base has no coordinate in an articulation.
    if (std::holds_alternative<Free>(joint.kind) && model.predecessor(id) == kWorld)
      list.base = BaseStart(posture.X_WL[Index(model.successor(id))]);
    const int n = NumVelocities(joint.kind);
    if (n == 0 || std::holds_alternative<Free>(joint.kind)) continue;
    const std::string& prim = prims[Index(id)];
    (driven[Index(id)] ? list.driven : list.passive).push_back(Expression(joint, prim));
    const Body* body = body_of[Index(id)];
    if (body == nullptr || body->nq != n) continue;  // the start of a ball is in the stage alone
    for (int i = 0; i < n; ++i)
      list.start.push_back(Quoted(n > 1 ? prim + ":" + std::to_string(i) : prim) + ": " +
                           Number(posture.q[body->q + i]));
  }
  return list;
}

}  // namespace

// Passive joints get a group without gains, since a drive on one of them holds the loops fast.
SideFile IsaacLabFile(const Model& model, const WriteOptions& options) {
  const JointList list = ListJoints(model);
  std::string start;
  for (const std::string& each : list.start) start += "    " + each + ",\n";
  const std::string file = options.stem + ".usda";
  std::string text = "# The joints of " + Quoted(file) + " for Isaac Lab, written by kinemorph.\n";
  text +=
      "import isaaclab.sim as sim_utils\n"
      "from isaaclab.actuators import ImplicitActuatorCfg\n"
      "from isaaclab.assets import ArticulationCfg\n\n";
  text += "DRIVEN_JOINTS = " + List(list.driven) + "\n";
  text += "# A drive on one of these would hold the loops fast.\n";
  text += "PASSIVE_JOINTS = " + List(list.passive) + "\n";
  text += "# Excluded from the articulation: these have no coordinate there.\n";
  text += "LOOP_JOINTS = " + List(list.loops) + "\n";
  text += "# rad and m: all loops are closed here.\n";
  text += "START_POSITIONS = {\n" + start + "}\n\n";
  text +=
      "ROBOT_CFG = ArticulationCfg(\n"
      "    spawn=sim_utils.UsdFileCfg(usd_path=" +
      Quoted(file) +
      "),\n"
      "    init_state=ArticulationCfg.InitialStateCfg(\n" +
      list.base +
      "        joint_pos=START_POSITIONS,\n"
      "    ),\n"
      "    actuators={\n";
  if (!list.driven.empty())
    text +=
        "        # None: the gains of the stage, if it has any\n"
        "        \"driven\": ImplicitActuatorCfg(joint_names_expr=DRIVEN_JOINTS, stiffness=None, "
        "damping=None),\n";
  if (!list.passive.empty())
    text +=
        "        \"passive\": ImplicitActuatorCfg(joint_names_expr=PASSIVE_JOINTS, "
        "stiffness=0.0, damping=0.0),\n";
  text += "    },\n)\n";
  return {options.stem + "_isaaclab.py", std::move(text), SideFileKind::kSideCar};
}

}  // namespace kinemorph::usd
