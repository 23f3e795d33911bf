// What is said of the coordinates of a joint: limits, drives, and the words of Newton, PhysX and
// MuJoCo.
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/fields.h"
#include "read/builder.h"
#include "words.h"

namespace kinemorph::usd {
namespace {

constexpr double kRadian = std::numbers::pi / 180;  // per degree

void Take(std::optional<double>& field, std::optional<double> value, double factor) {
  if (value) field = *value * factor;
}

}  // namespace

// Of a torque or a force.
// The file's units are the stage's: a torque in cm and kg, a stiffness per degree.
double Builder::Force(bool angular) const {
  return stage_.kilograms() * stage_.metres() * (angular ? stage_.metres() : 1);
}
double Builder::Length(bool angular) const { return angular ? kRadian : stage_.metres(); }

void Builder::ReadAxes(PrimId prim, Joint& joint, const std::vector<Freedom>& free) {
  if (joint.axes.empty()) return;
  if (std::holds_alternative<Ball>(joint.kind)) {  // one word for all its turns
    ReadMujoco(prim, joint.axes[0], true);
    ReadNewton(prim, joint.axes[0], true);
    for (const char* token : {"rotX", "rotY", "rotZ"})
      ReadPhysx(prim, joint.axes[0], {token, "", true}, false);
    return;
  }
  // A planar joint has two slides and a turn: a number "of the joint" could be of either, and stays
  // unread.
  const bool mixed =
      std::holds_alternative<Planar>(joint.kind) || std::holds_alternative<Cylindrical>(joint.kind);
  for (std::size_t i = 0; i < free.size() && i < joint.axes.size(); ++i) {
    JointAxis& axis = joint.axes[i];
    ReadLimits(prim, axis, free[i]);

    // Where several schemas say the same thing the later one here wins: PhysX over Newton over
    // MuJoCo.
    if (!mixed) {  // what is said of a whole joint has one unit
      ReadMujoco(prim, axis, free[i].angular);
      ReadNewton(prim, axis, free[i].angular);
    }
    ReadPhysx(prim, axis, free[i], free.size() == 1);
    ReadDrive(prim, joint, axis, free[i]);
  }
}

void Builder::ReadLimits(PrimId prim, JointAxis& axis, const Freedom& free) {
  const bool one = free.limits == "physics:";
  const double unit = Length(free.angular);
  auto lower = stage_.Number(prim, free.limits + (one ? "lowerLimit" : "low")),
       upper = stage_.Number(prim, free.limits + (one ? "upperLimit" : "high"));
  if (!one && lower.value_or(0) <= -kUnlimited) lower.reset();
  if (!one && upper.value_or(0) >= kUnlimited) upper.reset();
  Take(axis.lower, lower, unit);
  Take(axis.upper, lower && upper && IsLocked(*lower, *upper) ? lower : upper, unit);
  for (const bool physx : {false, true})
    Take(axis.initial_position, stage_.Number(prim, StartWord(free.token, physx)), unit);
}

// Without gains a drive is the limit of an effort; with gains and no limit a spring and a damper;
// with both it follows a command, which is an actuator.
void Builder::ReadDrive(PrimId prim, const Joint& joint, JointAxis& axis, const Freedom& free) {
  const std::string of = "drive:" + free.token + ":physics:";
  const double unit = Length(free.angular), force = Force(free.angular);
  const std::string type = stage_.Word(prim, of + "type").value_or("force");
  const auto limit = stage_.Number(prim, of + "maxForce"),
             stiffness = stage_.Number(prim, of + "stiffness"),
             damping = stage_.Number(prim, of + "damping"),
             target = stage_.Number(prim, of + "targetPosition"),
             speed = stage_.Number(prim, of + "targetVelocity");
  // Where no drive is left that could say it, as the converter from URDF of Newton's authors has it.
  Take(axis.effort, stage_.Number(prim, EffortWord(free.token)), force);
  if (limit && *limit < kUnlimited) Take(axis.effort, limit, force);
  const double k = stiffness.value_or(0) * force / unit, d = damping.value_or(0) * force / unit;
  if (k == 0 && d == 0) return;
  // Without a limit and without a speed to reach, such a drive is a spring and a damper.
  const bool commanded = limit || type != "force" || speed.value_or(0) != 0;
  if (!commanded) {
    if (k != 0) axis.spring_stiffness = k;
    if (k != 0 && target) axis.spring_reference = *target * unit;
    if (d != 0) axis.damping = axis.damping.value_or(0) + d;
    return;
  }
  Actuator drive;
  drive.name = joint.name;
  drive.type = "drive";
  drive.where = joint.where;
  NativeElement content{.name = "drive"};
  const auto say = [&](const char* name, std::optional<double> value) {
    if (value) content.attributes.emplace_back(name, FormatNumber(*value));
  };
  if (type == "force" && joint.axes.size() == 1 && k >= 0 && d >= 0) {
    drive.kind = k > 0 ? DriveKind::kPosition : DriveKind::kVelocity;
    if (k > 0) drive.stiffness = k;
    if (d > 0) drive.damping = d;
  } else {
    // Not interpreted: as in a stage of metres and kilograms. What an acceleration is per degree or
    // metre has no such unit.
    const double scale =
        type == "force" ? Force(free.angular) / (free.angular ? 1 : Length(false)) : 1;
    content.attributes.emplace_back("axis", free.token);
    content.attributes.emplace_back("type", type);
    say("stiffness", stiffness ? std::optional(*stiffness * scale) : std::nullopt);
    say("damping", damping ? std::optional(*damping * scale) : std::nullopt);
  }
  // Where the drive holds the joint at its start, the start says so.
  const bool elsewhere =
      target && std::abs(*target * unit - axis.initial_position.value_or(0)) > 1e-6;
  const bool moves = speed.value_or(0) != 0;
  if (drive.kind == DriveKind::kPosition && elsewhere) drive.target = *target * unit;
  if (drive.kind == DriveKind::kVelocity && moves) drive.target = *speed * unit;
  const double length = free.angular ? 1 : stage_.metres();
  if (drive.kind == DriveKind::kOther && target) say("targetPosition", *target * length);
  if (drive.kind != DriveKind::kVelocity && moves) say("targetVelocity", *speed * length);
  content.line = Where(prim, stage_.LineOf(prim, of + "stiffness")).line;
  drive.native = {"usd", "drive", std::move(content), joint.where};
  drive.joint = JointId{static_cast<std::uint32_t>(model_.num_joints())};  // which comes next
  model_.actuators.push_back(std::move(drive));
}

void Builder::ReadNewton(PrimId prim, JointAxis& axis, bool angular) const {
  const double unit = Length(angular), force = Force(angular);
  Take(axis.damping, stage_.Number(prim, "newton:damping"), force / unit);
  Take(axis.friction, stage_.Number(prim, "newton:friction"), force);
  Take(axis.armature, stage_.Number(prim, "newton:armature"), angular ? force : stage_.kilograms());
  Take(axis.velocity, stage_.Number(prim, "newton:velocityLimit"), unit);
}

// Where an axis has words of its own they win over those of the joint.
void Builder::ReadPhysx(PrimId prim, JointAxis& axis, const Freedom& free, bool of_joint) const {
  const double unit = Length(free.angular), force = Force(free.angular);
  const double inertia = free.angular ? force : stage_.kilograms();
  if (of_joint) {
    Take(axis.armature, stage_.Number(prim, "physxJoint:armature"), inertia);
    Take(axis.velocity, stage_.Number(prim, "physxJoint:maxJointVelocity"), unit);
  }
  const std::string of = "physxJointAxis:" + free.token + ":";
  Take(axis.armature, stage_.Number(prim, of + "armature"), inertia);
  Take(axis.velocity, stage_.Number(prim, of + "maxJointVelocity"), unit);
  Take(axis.friction, stage_.Number(prim, of + "staticFrictionEffort"), force);
  Take(axis.friction, stage_.Number(prim, of + "dynamicFrictionEffort"), force);
  Take(axis.damping, stage_.Number(prim, of + "viscousFrictionCoefficient"), force / unit);
}

// Radians, as in MuJoCo.
void Builder::ReadMujoco(PrimId prim, JointAxis& axis, bool angular) const {
  const double unit = angular ? 1 : stage_.metres(), force = Force(angular);
  Take(axis.damping, stage_.Number(prim, "mjc:damping"), force / unit);
  Take(axis.friction, stage_.Number(prim, "mjc:frictionloss"), force);
  Take(axis.armature, stage_.Number(prim, "mjc:armature"), force / unit);
  Take(axis.spring_stiffness, stage_.Number(prim, "mjc:stiffness"), force / unit);
  Take(axis.spring_reference, stage_.Number(prim, "mjc:springref"), unit);
  // Limits and springs count from `ref`, what the coordinate reads where the frames coincide.
  const double ref = stage_.Number(prim, "mjc:ref").value_or(0) * unit;
  const std::optional<double> start = axis.initial_position;
  CountFrom(ref, axis);
  axis.initial_position = start;
  axis.position_offset = ref;
}

}  // namespace kinemorph::usd
