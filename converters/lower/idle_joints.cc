// Pass `idle_joints`: effort limits that say what drives a joint.
#include <algorithm>
#include <cmath>
#include <string>

#include "edit/actuation.h"
#include "edit/model_edit.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/checks/contacts.h"
#include "kinemorph/graph/model/actuation.h"
#include "kinemorph/graph/model/model_dump.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

constexpr double kLeastEffort = 1e-9;  // N or N m

}  // namespace

// Where a robot of the source drives nothing, it leaves drives to others: to those joints whose
// effort it limits. Where it limits none, nothing is known.
void IdleJoints(Model& model, PassContext& context) {
  // What is written for the target is read by it already.
  if (model.dialect == "drake" && model.format == context.traits.native_format) return;
  const Actuations drives(model);
  const std::vector<std::uint32_t> outermost = OutermostModels(model);
  const auto robot_of = [&](const Joint& joint) {
    const bool scoped = joint.scope != kNoScope && Index(joint.scope) < outermost.size();
    return std::size_t{scoped ? outermost[Index(joint.scope)] : 0};
  };
  // A format whose limits are those of drives says all its drives.
  const Format* const source = FindFormat(model.format);
  const bool says_all = source != nullptr && source->drives.says_all;
  std::vector<bool> driven(model.scopes.size() + 1, says_all), limited(driven.size(), false);
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (drives.IsDriven(id)) driven[robot_of(joint)] = true;
    for (const JointAxis& axis : joint.axes)
      if (axis.effort) limited[robot_of(joint)] = true;
  }
  const auto has_effort = [&](const Joint& joint) {
    return joint.role != JointRole::kLoop && NumVelocities(joint.kind) == 1 && !joint.axes.empty();
  };
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (!has_effort(joint) || joint.axes[0].effort == 0) continue;
    const std::size_t robot = robot_of(joint);
    if (!driven[robot] && !limited[robot]) continue;
    if (driven[robot] ? drives.IsDriven(id) : joint.axes[0].effort.has_value()) continue;
    // A rotor there is a drive's, which can next to nothing.
    const bool rotor = joint.axes[0].armature.value_or(0) != 0;
    ChangeEffort(
        model, joint, rotor ? kLeastEffort : 0,
        "nothing drives the joint, and the target drives every joint of one coordinate whose "
        "effort limit is not 0",
        context);
  }
  const std::vector<std::optional<double>> efforts = EffortsOfDrives(model);
  for (const Actuator& drive : model.actuators) {
    if (drive.joint == kNoJoint) continue;
    Joint& joint = model.joint(drive.joint);
    if (!has_effort(joint) || joint.axes[0].effort) continue;
    if (const auto effort = efforts[Index(drive.joint)])
      ChangeEffort(model, joint, *effort, "the target has drives without limits of their own",
                   context);
  }
}

}  // namespace kinemorph
