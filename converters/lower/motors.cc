#include "lower/motors.h"

#include <algorithm>

#include "edit/model_edit.h"
#include "kinemorph/graph/model/axis_fields.h"

namespace kinemorph {

namespace {

// A drive of another format: its joint, gear and range are those of a motor too.
void BecomeMotor(Actuator& drive, const Joint& joint) {
  drive.type = "motor";
  drive.native = {};
  if (drive.effort_lower || drive.effort_upper || joint.axes.empty()) return;
  const JointAxis& axis = joint.axes[0];
  if (!axis.effort || *axis.effort >= FormatLimits::kNone) return;
  const double lower = axis.effort_lower.value_or(-*axis.effort) / drive.gear,
               upper = *axis.effort / drive.gear;
  drive.effort_lower = std::min(lower, upper);
  drive.effort_upper = std::max(lower, upper);
}

}  // namespace

void Motors(Model& model, PassContext& context) {
  if (!context.options.motors) return;
  std::vector<bool> driven(model.num_joints(), false);
  for (Actuator& actuator : model.actuators) {
    if (actuator.joint == kNoJoint) continue;
    driven[Index(actuator.joint)] = true;
    if (context.traits.actuators_on_joints ||
        actuator.native.format == context.traits.native_format)
      continue;
    const std::string was = Text(SubjectOf(model, actuator));
    BecomeMotor(actuator, model.joint(actuator.joint));
    context.Lowered(SubjectOf(model, actuator), was + " is written as a motor");
  }
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (driven[Index(id)] || joint.role == JointRole::kLoop || NumVelocities(joint.kind) != 1 ||
        joint.axes.empty())
      continue;
    const std::optional<double> effort = joint.axes[0].effort;
    if (!effort || *effort <= 0 || *effort >= FormatLimits::kNone) continue;
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
