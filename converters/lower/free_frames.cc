// Pass `free_frames`: free links whose joint frames stand at the origin of the world.
#include "lower/passes.h"

namespace kinemorph {

// The frame of the joint on the link takes the place of the one on the world: no link moves.
void FreeFrames(Model& model, PassContext&) {
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop || !std::holds_alternative<Free>(joint.kind) ||
        model.predecessor(id) != kWorld)
      continue;
    joint.X_SM = joint.X_SM * joint.X_PF.inverse();
    joint.X_PF = RigidTransform();
  }
}

}  // namespace kinemorph
