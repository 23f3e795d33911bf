// Pass `idle_joints`: effort limits that say what drives a joint.
#include <algorithm>
#include <cmath>
#include <string>

#include "edit/actuation.h"
#include "edit/model_edit.h"
#include "kinemorph/graph/model/actuation.h"
#include "kinemorph/graph/model/model_dump.h"
#include "lower/passes.h"

namespace kinemorph {

// Where the source drives nothing at all, it leaves drives to others, and nothing is known.
void IdleJoints(Model& model, PassContext& context) {
  const Actuations drives(model);
  bool any = false;
  for (const JointId id : Joints(model)) any = any || drives.IsDriven(id);
  if (!any) return;
  const auto has_effort = [&](const Joint& joint) {
    return joint.role != JointRole::kLoop && NumVelocities(joint.kind) == 1 && !joint.axes.empty();
  };
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (drives.IsDriven(id) || !has_effort(joint) || joint.axes[0].effort == 0) continue;
    if (joint.axes[0].armature.value_or(0) != 0) continue;  // a rotor there is a drive's
    ChangeEffort(
        model, joint, 0,
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
