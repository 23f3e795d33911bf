// Pass `motors`: drives for independent joints that have an effort limit, on request.
#include <algorithm>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "lower/passes.h"

namespace kinemorph {

namespace {

// A drive of another format: its joint, gear and range are those of a motor too.
void BecomeMotor(Actuator& drive, const Joint& joint) {
  drive.type = "motor";
  drive.kind = DriveKind::kEffort;
  drive.native = {};
  if (drive.effort_lower || drive.effort_upper || joint.axes.empty()) return;
  const JointAxis& axis = joint.axes[0];
  if (!axis.effort || *axis.effort >= FormatLimits::kNone) return;
  // The joint's effort seen at the motor: joint torque = gear * motor torque. A negative gear
  // exchanges the ends.
  const double lower = axis.effort_lower.value_or(-*axis.effort) / drive.gear,
               upper = *axis.effort / drive.gear;
  drive.effort_lower = std::min(lower, upper);
  drive.effort_upper = std::max(lower, upper);
}

void AddMotors(Model& model, DriveRule drives, PassContext& context) {
  std::vector<bool> driven(model.num_joints(), false);
  for (Actuator& actuator : model.actuators) {
    if (actuator.joint == kNoJoint) continue;
    driven[Index(actuator.joint)] = true;
    if (drives == DriveRule::kOnJoints || actuator.native.format == context.traits.native_format)
      continue;
    const std::string was = Text(SubjectOf(model, actuator));
    BecomeMotor(actuator, model.joint(actuator.joint));
    context.Lowered(SubjectOf(model, actuator), was + " is written as a motor");
  }
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (driven[Index(id)] || joint.role == JointRole::kLoop || NumVelocities(joint.kind) != 1 ||
        joint.axes.empty() || context.dependent.contains(joint.where.origin))
      continue;
    const std::optional<double> effort = joint.axes[0].effort;
    if (!effort || *effort <= 0 || *effort >= FormatLimits::kNone) continue;
    Actuator motor;
    motor.name = joint.name + "_motor";
    motor.type = "motor";
    motor.kind = DriveKind::kEffort;
    motor.joint = id;
    motor.effort_lower = joint.axes[0].effort_lower.value_or(-*effort);
    motor.effort_upper = effort;
    motor.where = joint.where;
    context.Lowered(SubjectOf(joint), "driven by '" + motor.name + "' as asked");
    model.actuators.push_back(std::move(motor));
  }
  if (model.actuators.empty())
    context.Report(Severity::kWarning, model, {}, "motors-none",
                   {Text(SubjectOf(model)),
                    "--actuators motor adds no motor, because no joint has an effort limit "
                    "(--gains adds servos)"});
}

// A rotor is said of a drive: what stands on a joint without one goes.
void LoseRotors(Model& model, DriveRule drives, PassContext& context) {
  std::vector<bool> driven(model.num_joints(), false);
  for (const Actuator& actuator : model.actuators)
    if (actuator.joint != kNoJoint) driven[Index(actuator.joint)] = true;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    // Where drives are no elements, an effort limit is one.
    if (drives != DriveRule::kOnJoints)
      driven[Index(id)] = joint.axes.empty() || joint.axes[0].effort.value_or(1) != 0;
    if (driven[Index(id)] && NumVelocities(joint.kind) == 1) continue;
    const char* why =
        drives == DriveRule::kOnJoints
            ? "the target holds rotor inertias only for drives, and this joint has none "
              "(--actuators motor adds a drive to independent joints with an effort limit)"
            : "the target holds rotor inertias only for drives, and this joint has none: "
              "several coordinates, or an effort limit of 0";
    for (std::size_t i = 0; i < joint.axes.size(); ++i)
      LoseNumber(model, joint, i, AxisNumber(&JointAxis::armature), why, context);
  }
}

}  // namespace

void Motors::operator()(Model& model, PassContext& context) const {
  if (context.options.motors && drives != DriveRule::kOwn) AddMotors(model, drives, context);
  if (context.Mine(Feature::kArmature)) LoseRotors(model, drives, context);
}

}  // namespace kinemorph
