#include "edit/actuation.h"

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

    // A joint that became a chain, or was made by a pass, has no entry of as many velocities: it is
    // judged by what the model says of it now. What follows others by a coupling now stays a
    // follower.
    const auto source = context.actuation.find(model.joint(body.joint).where.origin);
    if (source == context.actuation.end() || std::ssize(source->second) != body.nv) continue;
    for (int i = 0; i < body.nv; ++i) {
      Actuation& now = mechanism.actuation[static_cast<std::size_t>(body.v + i)];
      if (now != Actuation::kFollows) now = source->second[static_cast<std::size_t>(i)];
    }
  }
  return mechanism;
}

}  // namespace kinemorph
