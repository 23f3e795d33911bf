// Limits, drives and lengths.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "lint/rules.h"

namespace kinemorph::lint {
namespace {

constexpr double kDegrees = 30,     // rad: limits from here on that are multiples of
    kDegreeStep = 5,                // rad: are degrees by their look, but from
    kNoLimit = 1e4;                 // rad on they mean that there is none
constexpr double kStiff = 1e4;      // N m s/rad: an explicit simulator leaps out of its skin
constexpr double kLongest = 20;     // m: no robot of 659 has links farther apart
constexpr std::size_t kDrives = 3;  // that have no strength, of which one word is worth saying

// What the rules find on several joints, said of the first.
struct Found {
  std::size_t count = 0;
  JointId first = kNoJoint;
  void Add(JointId id) {
    if (count++ == 0) first = id;
  }
};

// "joint 'knee' (and 3 more)".
std::string Subject(const Model& model, const Found& found) {
  return "joint '" + model.joint(found.first).name + "'" +
         (found.count > 1 ? " (and " + std::to_string(found.count - 1) + " more)" : "");
}

bool HasPosition(const JointKind& kind) {
  return std::holds_alternative<Revolute>(kind) || std::holds_alternative<Prismatic>(kind);
}

// The costliest silent default of URDF: a <limit> with effort and velocity alone locks the joint at
// 0, and nobody meant it. A slide without end makes no sense, so that "continuous" is offered only
// where some joint turns.
void LintAbsentLimits(const RobotFacts& robot, const Diagnostics& reading, const Words& words) {
  const Model& model = robot.model;
  Found absent, slides;
  for (const JointId id : LockedByAbsence(model, reading)) {
    absent.Add(id);
    if (std::holds_alternative<Prismatic>(model.joint(id).kind)) slides.Add(id);
  }
  if (absent.count == 0) return;
  words.Say(Severity::kWarning, "lint-limits-absent", model.joint(absent.first).where,
            {Subject(model, absent),
             "its <limit> has neither lower nor upper; URDF reads 0 and 0, so the joint is locked"},
            slides.count == absent.count
                ? "write lower and upper"
                : "type=\"continuous\" turns without end (--fix=lint-limits-absent writes it), or "
                  "write lower and upper");
}

void LintDrives(const RobotFacts& robot, const Words& words) {
  const Model& model = robot.model;
  Found all, weak, still, stiff;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (!HasPosition(joint.kind) || robot.tree.IsLoop(id)) continue;

    // Efforts and velocities of 0 on all joints are an exporter's defaults; on some joints they are
    // passive joints by intent. Effort alone is 0 in robots whose author meant "unknown", hence a
    // note only.
    const JointAxis& axis = joint.axes[0];
    if (axis.damping && *axis.damping >= kStiff) stiff.Add(id);
    if (!axis.effort && !axis.velocity) continue;
    all.Add(id);
    if (axis.effort == 0.0) weak.Add(id);
    if (axis.effort == 0.0 && axis.velocity == 0.0) still.Add(id);
  }
  if (weak.count >= kDrives && weak.count == all.count) {
    const bool both = still.count == all.count;
    words.Say(both ? Severity::kWarning : Severity::kNote, "lint-drive-zero",
              model.joint(all.first).where,
              {"joint", model.joint(all.first).name,
               "it and all others, " + Counted(all.count, "joint") + ", have effort 0" +
                   (both ? " and velocity 0, the defaults of an exporter" : "") +
                   "; drives cannot move them"},
              std::string("write what the motors can do, effort in N m or N") +
                  (both ? ", velocity in rad/s or m/s" : ""));
  }
  if (stiff.count > 0) {
    words.Say(Severity::kNote, "lint-drive-stiff", model.joint(stiff.first).where,
              {Subject(model, stiff),
               "damping " + Brief(*model.joint(stiff.first).axes[0].damping) +
                   " works like a brake; simulators need very short steps",
               {{"damping", *model.joint(stiff.first).axes[0].damping, "N m s/rad"}}},
              "is this in N m s/rad, not per degree? a geared motor has 0.01 to 10");
  }
}

void LintDegrees(const Model& model, const Words& words) {
  // Degrees by their look: multiples of 5 from 30 on. From 1e4 on, a limit means that there is none.
  const auto looks = [](const std::optional<double>& limit) {
    const double size = std::abs(limit.value_or(0));
    return size >= kDegrees && size < kNoLimit && std::fmod(size, kDegreeStep) == 0;
  };
  Found found;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (!std::holds_alternative<Revolute>(joint.kind)) continue;
    if (looks(joint.axes[0].lower) || looks(joint.axes[0].upper)) found.Add(id);
  }
  if (found.count == 0) return;
  const JointAxis& axis = model.joint(found.first).axes[0];
  const double limit = looks(axis.upper) ? *axis.upper : *axis.lower;
  words.Say(Severity::kNote, "lint-limit-degrees", model.joint(found.first).where,
            {Subject(model, found),
             "a limit of " + Brief(limit) + " rad is " + Brief(std::abs(limit) / 6.283185307) +
                 " turns: degrees?",
             {{"limit", limit, "rad"}}},
            "limits are in radians: " + Brief(limit) + " degrees are " +
                Brief(limit * 0.017453292519943295));
}

void LintLengths(const RobotFacts& robot, const Words& words) {
  if (robot.longest_offset <= kLongest) return;
  const Joint& joint = robot.model.joint(robot.longest);  // one word for the robot
  words.Say(
      Severity::kWarning, "lint-length-unit", joint.where,
      {"joint",
       joint.name,
       "the frames of its links are " + Brief(robot.longest_offset) + " m apart: millimetres?",
       {{"distance", robot.longest_offset, "m"}}},
      "lengths are in metres");
}

}  // namespace

std::vector<JointId> LockedByAbsence(const Model& model, const Diagnostics& reading) {
  // Whether lower and upper were absent is nowhere in the model (a limit of 0 is one too): the
  // reader's message at the element tells.
  std::unordered_set<std::string> told;  // ends of paths, "joint[knee]/limit"
  for (const Diagnostic& message : reading.items())
    if (message.code == "limit-default-zero")
      told.insert(message.element.substr(message.element.find('/') + 1));
  std::vector<JointId> locked;
  if (told.empty()) return locked;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (HasPosition(joint.kind) && joint.axes[0].lower == 0.0 && joint.axes[0].upper == 0.0 &&
        told.count("joint[" + joint.name.substr(0, 80) + "]/limit") > 0)
      locked.push_back(id);
  }
  return locked;
}

void LintJoints(const RobotFacts& robot, const Diagnostics& reading, const Words& words) {
  LintAbsentLimits(robot, reading, words);
  LintDrives(robot, words);
  LintDegrees(robot.model, words);
  LintLengths(robot, words);
}

}  // namespace kinemorph::lint
