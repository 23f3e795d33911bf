#include "lower/motors.h"

#include "edit/model_edit.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {

void Motors(Model& model, PassContext& context) {
  if (!context.options.motors) return;
  std::vector<bool> driven(model.num_joints(), false);
  for (const Actuator& actuator : model.actuators)
    if (actuator.joint != kNoJoint) driven[Index(actuator.joint)] = true;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (driven[Index(id)] || joint.role == JointRole::kLoop || NumAxes(joint.kind) != 1 ||
        joint.axes.empty())
      continue;
    const std::optional<double> effort = joint.axes[0].effort;
    if (!effort || *effort <= 0 || *effort >= 1e15) continue;
    Actuator motor;
    motor.name = joint.name + "_motor";
    motor.type = "motor";
    motor.joint = id;
    motor.effort_lower = joint.axes[0].effort_lower.value_or(-*effort);
    motor.effort_upper = effort;
    motor.where = joint.where;
    context.Lowered(SubjectOf(joint), "driven by '" + motor.name + "' as asked");
    model.actuators.push_back(std::move(motor));
  }
}

}  // namespace kinemorph
