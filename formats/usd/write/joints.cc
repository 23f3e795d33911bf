// Joints: frames, limits in degrees and metres, drives, dynamics, and who follows whom.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/overloaded.h"
#include "words.h"
#include "write/writer.h"
#include "xml_reader.h"

namespace kinemorph::usd {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

// A position or a velocity in the file's unit.
double Unit(double value, bool angular) { return angular ? value * kDegrees : value; }
// What is per position or velocity: a stiffness, a damping.
double PerUnit(double value, bool angular) { return angular ? value / kDegrees : value; }

// U on the joint's axis: a coordinate axis of F where that is positive, else z.
// The axis can only be x, y or z: others are turned to z by the joint's frame, in both bodies
// alike.
void PutAxis(const Vector3& axis, JointForm& form) {
  if (axis == Vector3::UnitX()) {
    form.axis = "X";
  } else if (axis == Vector3::UnitY()) {
    form.axis = "Y";
  } else {
    form.axis = "Z";
    form.R_FU = RotationWithZ(axis);
  }
}

// What PhysX has words for: each free motion, and of a ball, whose dynamics are one for all turns,
// its three.
std::vector<FreeMotion> MotionsWithDynamics(const Joint& joint, const JointForm& form) {
  if (!std::holds_alternative<Ball>(joint.kind) || joint.axes.empty()) return form.free;
  return {{"rotX", 0, true}, {"rotY", 0, true}, {"rotZ", 0, true}};
}

bool IsLinear(const CouplingTerm& t) {
  return t.coefficients[1] == 0 && t.coefficients[2] == 0 && t.coefficients[3] == 0;
}

}  // namespace

// Which prim a kind becomes, how its frame is turned (R_FU), and which of its six motions are free,
// in the order of the kind's coordinates. No type: USD cannot hold the kind.
JointForm FormOf(const JointKind& kind, bool physx) {
  JointForm form;
  std::visit(
      Overloaded{
          [&](const Fixed&) { form.type = "PhysicsFixedJoint"; },
          [&](const Revolute& j) {
            form.type = "PhysicsRevoluteJoint";
            PutAxis(j.axis, form);
            form.free = {{"angular", 0, true}};
          },
          [&](const Prismatic& j) {
            form.type = "PhysicsPrismaticJoint";
            PutAxis(j.axis, form);
            form.free = {{"linear", 0, false}};
          },
          [&](const Ball&) {
            form.type = "PhysicsSphericalJoint";
            form.axis = "Z";
          },
          [&](const Planar& j) {
            form.type = "PhysicsJoint";
            form.R_FU = PlanarBasis(j.normal);
            form.free = {{"transX", 0, false}, {"transY", 1, false}, {"rotZ", 2, true}};
            form.locked = {"transZ", "rotX", "rotY"};
          },
          [&](const Cylindrical& j) {
            form.type = "PhysicsJoint";
            form.R_FU = RotationWithZ(j.axis);
            form.free = {{"rotZ", 0, true}, {"transZ", 1, false}};
            form.locked = {"transX", "transY", "rotX", "rotY"};
          },
          // Newton turns about x first, then about y; PhysX swings about y, then twists
          // about x.
          [&](const Universal& j) {
            if (std::abs(j.axis1.dot(j.axis2)) > 1e-12) return;
            form.type = "PhysicsJoint";
            form.R_FU.col(physx ? 1 : 0) = j.axis1;
            form.R_FU.col(physx ? 0 : 1) = j.axis2;
            form.R_FU.col(2) = form.R_FU.col(0).cross(form.R_FU.col(1));
            form.free = {{physx ? "rotY" : "rotX", 0, true}, {physx ? "rotX" : "rotY", 1, true}};
            form.locked = {"transX", "transY", "transZ", "rotZ"};
          },
          [](const auto&) {}},
      kind);
  return form;
}

void UsdWriter::WriteJoints() {
  out_.Open("Scope", joints_scope_.substr(robot_.size() + 1));
  for (const JointId id : Joints(model_)) {
    // A free joint to the world is no joint in USD: the body is simply not tied.
    const bool free_base = std::holds_alternative<Free>(model_.joint(id).kind) &&
                           model_.joint(id).role != JointRole::kLoop &&
                           model_.predecessor(id) == kWorld;
    if (!free_base)
      WriteJoint(id);
    else if (tied_)
      WriteFreeBase(id);
  }
  out_.Close();
}

// Six motions without an end, of which Newton makes six coordinates that are zero where the body
// stands; to UsdPhysics it is no constraint.
void UsdWriter::WriteFreeBase(JointId id) {
  constexpr std::array kAll = {"transX", "transY", "transZ", "rotX", "rotY", "rotZ"};
  PrimHead head{.shown = model_.joint(id).name};
  for (const char* const token : kAll) head.apis.push_back("PhysicsLimitAPI:" + std::string(token));
  const RigidTransform& X_WL = posture_.X_WL[Index(model_.successor(id))];
  out_.Open("PhysicsJoint", joint_names_[Index(id)], head);
  WriteEnds(id, X_WL, RigidTransform());
  out_.Set("bool physics:collisionEnabled", Boolean(true));
  for (const char* const token : kAll) {
    const std::string of = "float limit:" + std::string(token) + ":physics:";
    out_.Set(of + "low", Number(-kUnlimited));
    out_.Set(of + "high", Number(kUnlimited));
  }
  out_.Close();
}

// The world is the robot's own prim, so that a robot that is moved takes its base along.
void UsdWriter::WriteEnds(JointId id, const RigidTransform& X_PU, const RigidTransform& X_SU) {
  out_.Relate("physics:body0", {PathOf(model_.predecessor(id))});
  out_.Relate("physics:body1", {PathOf(model_.successor(id))});
  out_.Set("point3f physics:localPos0", Tuple(X_PU.p));
  out_.Set("quatf physics:localRot0", Quaternion(X_PU.R));
  out_.Set("point3f physics:localPos1", Tuple(X_SU.p));
  out_.Set("quatf physics:localRot1", Quaternion(X_SU.R));
}

// Two joints of one coordinate and of one kind: what Newton's and PhysX's own schemas hold.
bool UsdWriter::IsMimic(const Coupling& coupling) const {
  if (coupling.terms.size() != 2) return false;
  const CouplingTerm &follower = coupling.terms[0], &leader = coupling.terms[1];
  const JointKind &f = model_.joint(follower.coordinate.joint).kind,
                  &l = model_.joint(leader.coordinate.joint).kind;
  return IsLinear(follower) && IsLinear(leader) && f.index() == l.index() &&
         (std::holds_alternative<Revolute>(f) || std::holds_alternative<Prismatic>(f));
}

// The axis of a joint of one coordinate, of which PhysX knows the names of turns alone.
std::string UsdWriter::MimicToken(JointId id) const {
  return "rot" + std::string(FormOf(model_.joint(id).kind, physx_).axis);
}

// The one that moves it; null: none does. One that the reader did not interpret names its motion.
const Actuator* UsdWriter::DriveOf(JointId id, const FreeMotion& motion) const {
  const Actuator* const drive = drives_[Index(id)];
  const std::string* const axis =
      drive == nullptr ? nullptr : drive->native.content.Attribute("axis");
  return axis == nullptr || *axis == motion.token ? drive : nullptr;
}

// MuJoCo refuses a drive without any force, which moves nothing anyway.
bool UsdWriter::HasDrive(JointId id, const FreeMotion& motion) const {
  const JointAxis& axis = model_.joint(id).axes[motion.axis];
  return axis.effort.value_or(0) != 0 || axis.spring_stiffness.value_or(0) != 0 ||
         DriveOf(id, motion) != nullptr;
}

// Schemas must be named for their attributes to count. The instances of multiple-apply schemas are
// the motions.
std::vector<std::string> UsdWriter::ApisOf(JointId id, const JointForm& form) const {
  const Joint& joint = model_.joint(id);
  std::vector<std::string> apis;
  const bool several = !form.locked.empty();
  for (const std::string_view token : form.locked)
    apis.push_back("PhysicsLimitAPI:" + std::string(token));
  for (const FreeMotion& motion : form.free) {
    const JointAxis& axis = joint.axes[motion.axis];
    if (several && (!physx_ || axis.lower || axis.upper))
      apis.push_back("PhysicsLimitAPI:" + std::string(motion.token));
  }
  for (const FreeMotion& motion : form.free)
    if (HasDrive(id, motion)) apis.push_back("PhysicsDriveAPI:" + std::string(motion.token));
  for (const FreeMotion& motion : form.free)
    if (physx_ && StartOf(id, motion))
      apis.push_back("PhysicsJointStateAPI:" + std::string(motion.token));
  // PhysX has words of a joint, for older readers, and of an axis: see WriteDynamics.
  const auto says = [&](const JointAxis& a) {
    return a.damping || a.friction || a.armature || a.velocity;
  };
  if (!physx_) {
    if (std::any_of(joint.axes.begin(), joint.axes.end(), says))
      apis.emplace_back("NewtonJointAPI");
  } else {
    const std::vector<FreeMotion> motions = MotionsWithDynamics(joint, form);
    for (const FreeMotion& motion : motions) {
      const JointAxis& a = joint.axes[motion.axis];
      const bool of_joint = motions.size() == 1 && (a.armature || a.velocity);
      if (of_joint) apis.emplace_back("PhysxJointAPI");
      if (a.damping || a.friction || (!of_joint && (a.armature || a.velocity)))
        apis.push_back("PhysxJointAxisAPI:" + std::string(motion.token));
    }
  }
  if (roots_.contains(PathOf(id))) AddRootApis(apis);
  if (const Coupling* coupling = follows_[Index(id)]) {
    apis.push_back(physx_ ? "PhysxMimicJointAPI:" + MimicToken(id) : "NewtonMimicAPI");
    if (!physx_ && (!IsMimic(*coupling) || SaysMujoco(coupling->native, "equality")))
      apis.emplace_back("MjcEqualityJointAPI");
  }
  if (SaysMujoco(joint.native, "joint")) apis.emplace_back("MjcJointAPI");
  if (SaysMujoco(joint.native, "equality"))
    apis.emplace_back(std::holds_alternative<Fixed>(joint.kind) ? "MjcEqualityWeldAPI"
                                                                : "MjcEqualityConnectAPI");
  return apis;
}

void UsdWriter::WriteJoint(JointId id) {
  const Joint& joint = model_.joint(id);
  const JointForm form = FormOf(joint.kind, physx_);
  if (form.type.empty()) {
    Error("usd-joint-kind", joint.where,
          {"joint", joint.name,
           " of kind '" + std::string(KindName(joint.kind)) +
               "' has no equivalent in UsdPhysics; kinemorph must lower it first"});
    return;
  }
  out_.Open(form.type, joint_names_[Index(id)], {.apis = ApisOf(id, form), .shown = joint.name});
  WriteEnds(id, {joint.X_PF.R * form.R_FU, joint.X_PF.p}, {joint.X_SM.R * form.R_FU, joint.X_SM.p});
  if (!form.axis.empty()) out_.Set("uniform token physics:axis", Quoted(form.axis));
  if (joint.role == JointRole::kLoop)
    out_.Set("uniform bool physics:excludeFromArticulation", Boolean(true));
  if (joined_collide_[Index(id)]) out_.Set("bool physics:collisionEnabled", Boolean(true));
  if (roots_.contains(PathOf(id))) WriteRoot();
  WriteLimits(joint, form);
  WriteDrives(id, form);
  WriteDynamics(joint, form);
  WriteStart(id, form);
  for (const char* const element : {"joint", "equality"}) WriteMujoco(joint.native, element);
  if (const Coupling* coupling = follows_[Index(id)]) {
    WriteFollowing(*coupling);
    WriteMujoco(coupling->native, "equality");
  }
  out_.Close();
}

// A low above the high locks an axis; an absent side is open.
// The order 1 to -1 is locked for every reader; 0 to 0 would be a limit for some.
void UsdWriter::WriteLimits(const Joint& joint, const JointForm& form) {
  for (const std::string_view token : form.locked) {
    const std::string of = "float limit:" + std::string(token) + ":physics:";
    out_.Set(of + "low", "1");
    out_.Set(of + "high", "-1");
  }
  for (const FreeMotion& motion : form.free) {
    const JointAxis& axis = joint.axes[motion.axis];
    if (axis.lower && axis.upper && *axis.lower > *axis.upper)
      Error("usd-limits-reversed", joint.where,
            {"joint", joint.name, "the lower limit is above the upper one, which locks it"});
    const bool several = !form.locked.empty();
    const std::string of =
        several ? "float limit:" + std::string(motion.token) + ":physics:" : "float physics:";
    const auto in_file = [&](const std::optional<double>& limit) {
      return limit ? std::optional(Unit(*limit, motion.angular)) : std::nullopt;
    };
    const auto set = [&](const char* side, std::optional<double> limit, double endless) {
      if (limit || (several && !physx_)) out_.Set(of + side, Number(limit.value_or(endless)));
    };
    const bool locked = axis.lower && axis.lower == axis.upper;
    set(several ? "low" : "lowerLimit", in_file(axis.lower), -kUnlimited);
    set(several ? "high" : "upperLimit",
        locked ? EndOfLock(*in_file(axis.lower)) : in_file(axis.upper), kUnlimited);
  }
}

// A drive without gains carries an effort limit alone; one whose force is unlimited is a spring, and a
// servo has a limit, be it a number that is none. A servo holds the joint where it starts.
void UsdWriter::WriteDrives(JointId id, const JointForm& form) {
  const Joint& joint = model_.joint(id);
  for (const FreeMotion& motion : form.free) {
    const JointAxis& axis = joint.axes[motion.axis];
    if (!HasDrive(id, motion)) {
      if (axis.effort) out_.Set("custom float " + EffortWord(motion.token), "0");
      continue;
    }
    const Actuator* const drive = DriveOf(id, motion);
    const std::string of = "drive:" + std::string(motion.token) + ":physics:";
    const auto kept = [&](const char* word) -> std::optional<double> {
      const std::string* const text =
          drive == nullptr ? nullptr : drive->native.content.Attribute(word);
      return text == nullptr ? std::nullopt : xml::ParseNumber(*text);
    };
    const auto set = [&](const char* word, std::optional<double> value) {
      if (value) out_.Set("float " + of + word, Number(*value));
    };
    const std::string* const type =
        drive == nullptr ? nullptr : drive->native.content.Attribute("type");
    out_.Set("uniform token " + of + "type", Quoted(type == nullptr ? "force" : *type));
    const auto limit = drive != nullptr ? axis.effort.value_or(kUnlimited) : axis.effort;
    set("maxForce", limit);
    const double k = drive != nullptr ? drive->stiffness.value_or(0)
                                      : axis.spring_stiffness.value_or(0),
                 d = drive != nullptr ? drive->damping.value_or(0) : 0;
    set("stiffness", kept("stiffness").value_or(PerUnit(k, motion.angular)));
    // The damping of the joint is written with the dynamics, not twice.
    set("damping", kept("damping").value_or(PerUnit(d, motion.angular)));
    const auto asked = [&](DriveKind kind) -> std::optional<double> {
      if (drive == nullptr || drive->kind != kind || !drive->target) return std::nullopt;
      return Unit(*drive->target, motion.angular);
    };
    std::optional<double> target = asked(DriveKind::kPosition);
    if (!target) target = kept("targetPosition");
    if (!target && drive != nullptr && drive->kind == DriveKind::kPosition)
      target = StartOf(id, motion);
    if (drive == nullptr && axis.spring_reference)
      target = Unit(*axis.spring_reference, motion.angular);
    const std::optional<double> speed = asked(DriveKind::kVelocity);
    set("targetPosition", target);
    set("targetVelocity", speed ? speed : kept("targetVelocity"));
  }
}

// Newton's attributes are of the whole joint, PhysX's of an axis. Where PhysX has an axis its words
// win over those of the joint, said or not; older readers know those of the joint alone.
void UsdWriter::WriteDynamics(const Joint& joint, const JointForm& form) {
  const auto write = [&](const std::string& name, const std::optional<double>& value,
                         double factor) {
    if (value) out_.Set("float " + name, Number(*value * factor));
  };
  // Newton's words are per joint: of several coordinates the first one's are written.
  if (!physx_) {
    if (joint.axes.empty()) return;
    const JointAxis& a = joint.axes.front();
    const bool angular = form.free.empty() || form.free.front().angular;
    write("newton:armature", a.armature, 1);
    write("newton:damping", a.damping, PerUnit(1, angular));
    write("newton:friction", a.friction, 1);
    write("newton:velocityLimit", a.velocity, Unit(1, angular));
    return;
  }
  const std::vector<FreeMotion> motions = MotionsWithDynamics(joint, form);
  const bool one = motions.size() == 1;
  for (const FreeMotion& motion : motions) {
    const JointAxis& a = joint.axes[motion.axis];
    if (one) {
      write("physxJoint:armature", a.armature, 1);
      write("physxJoint:maxJointVelocity", a.velocity, Unit(1, motion.angular));
    }
    if (one && !a.damping && !a.friction) continue;
    const std::string axis = "physxJointAxis:" + std::string(motion.token) + ":";
    write(axis + "armature", a.armature, 1);
    write(axis + "maxJointVelocity", a.velocity, Unit(1, motion.angular));
    write(axis + "staticFrictionEffort", a.friction, 1);
    write(axis + "dynamicFrictionEffort", a.friction, 1);
    write(axis + "viscousFrictionCoefficient", a.damping, PerUnit(1, motion.angular));
  }
}

// What starts a joint in Newton and PhysX, wherever its bodies stand.
std::optional<double> UsdWriter::StartOf(JointId id, const FreeMotion& motion) const {
  const Body* const body = led_[Index(id)];
  if (body == nullptr || body->nq != body->nv) return std::nullopt;
  const double q = posture_.q[body->q + static_cast<int>(motion.axis)];
  return q == 0 ? std::nullopt : std::optional(Unit(q, motion.angular));
}

void UsdWriter::WriteStart(JointId id, const JointForm& form) {
  for (const FreeMotion& motion : form.free)
    if (const auto start = StartOf(id, motion))
      out_.Set("float " + StartWord(motion.token, physx_), Number(*start));
}

// q = o + m l + ...: Newton has it so, PhysX as q - m l - o = 0; o is in the unit of the joint, all
// else in radians and metres.
void UsdWriter::WriteFollowing(const Coupling& coupling) {
  const CouplingTerm& follower = coupling.terms[0];
  if (coupling.terms.size() != 2 || !IsLinear(follower) || (physx_ && !IsMimic(coupling))) {
    Error(
        "usd-coupling", coupling.where,
        "coupling '" + coupling.name + "' is not a relation between two joints that USD can hold");
    return;
  }
  const CouplingTerm& leader = coupling.terms[1];
  const JointId id = follower.coordinate.joint;
  // Divided by the follower's own factor, so that it stands alone on the left.
  const double scale = follower.coefficients[0];
  const auto factor = [&](std::size_t power) { return -leader.coefficients[power - 1] / scale; };
  const double offset =
      Unit(coupling.constant / scale, std::holds_alternative<Revolute>(model_.joint(id).kind));
  const std::string leads = PathOf(leader.coordinate.joint);
  if (physx_) {
    const std::string of = "physxMimicJoint:" + MimicToken(id) + ":";
    out_.Set("float " + of + "gearing", Number(-factor(1)));
    out_.Set("float " + of + "offset", Number(-offset));
    out_.Relate(of + "referenceJoint", {leads});
    out_.Set("uniform token " + of + "referenceJointAxis",
             Quoted(MimicToken(leader.coordinate.joint)));
    return;
  }
  out_.Relate("newton:mimicJoint", {leads});
  out_.Set("float newton:mimicCoef0", Number(offset));
  out_.Set("float newton:mimicCoef1", Number(factor(1)));
  for (std::size_t power = 2; power <= 4; ++power)
    if (factor(power) != 0)
      out_.Set("uniform double mjc:coef" + std::to_string(power), Number(factor(power)));
}

}  // namespace kinemorph::usd
