#include "edit/actuation.h"

#include <algorithm>
#include <cmath>

#include "edit/model_edit.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {

// The independent coordinates of a loop are chosen by who drives what (a driven coordinate before a
// passive one). Passes that run later drop actuators and effort limits that the target has no word
// for, and then a count over the lowered model would choose others than the author's robot has. So
// the drives are noted before the first pass, by the origin of the joint, which outlives renaming.
void RememberActuation(const Model& model, PassContext& context) {
  const Actuations actuations(model);
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    std::vector<Actuation>& of_joint = context.actuation[joint.where.origin];
    of_joint.clear();
    for (int i = 0; i < NumVelocities(joint.kind); ++i) of_joint.push_back(actuations.Of(id, i));
  }
}

Mechanism CompileAsDriven(const Model& model, const PassContext& context) {
  Mechanism mechanism = Compile(model);
  for (const Body& body : mechanism.bodies) {
    if (body.joint == kNoJoint) continue;

    // A part of a joint that became a chain is what all coordinates of that were; where those
    // differ, or a pass made the joint, it is judged by what the model says of it now. What follows
    // others by a coupling now stays a follower.
    const auto source = context.actuation.find(model.joint(body.joint).where.origin);
    if (source == context.actuation.end() || source->second.empty()) continue;
    const std::vector<Actuation>& said = source->second;
    const bool whole = std::ssize(said) == body.nv;
    if (!whole && std::ranges::count(said, said.front()) != std::ssize(said)) continue;
    for (int i = 0; i < body.nv; ++i) {
      Actuation& now = mechanism.actuation[static_cast<std::size_t>(body.v + i)];
      if (now != Actuation::kFollows) now = said[whole ? static_cast<std::size_t>(i) : 0];
    }
  }
  return mechanism;
}

namespace {

// Of one drive, before its gear.
std::optional<double> GreatestEffort(const Actuator& drive) {
  if (!drive.effort_lower || !drive.effort_upper) return std::nullopt;
  return std::max(std::abs(*drive.effort_lower), std::abs(*drive.effort_upper));
}

}  // namespace

std::vector<std::optional<double>> EffortsOfDrives(const Model& model) {
  std::vector<std::optional<double>> sums(model.num_joints());
  std::vector<bool> unlimited(model.num_joints(), false);
  for (const Actuator& drive : model.actuators) {
    if (drive.joint == kNoJoint) continue;
    const std::size_t joint = Index(drive.joint);
    if (const std::optional<double> one = GreatestEffort(drive))
      sums[joint] = sums[joint].value_or(0) + *one * std::abs(drive.gear);
    else
      unlimited[joint] = true;
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (unlimited[i]) sums[i].reset();
  return sums;
}

void ChangeEffort(Model& model, Joint& joint, double effort, const char* why,
                  PassContext& context) {
  JointAxis& axis = joint.axes[0];
  Loss& loss = context.Lose(model, Feature::kEffortLimit, SubjectOf(joint),
                            "the effort limit is written as " + FormatNumber(effort), why);
  loss.weight = Weight::kInterface;
  loss.source = axis.effort ? FormatNumber(*axis.effort) : "none";
  loss.target = FormatNumber(effort);
  axis.effort = effort;
  axis.effort_lower.reset();
}

}  // namespace kinemorph
