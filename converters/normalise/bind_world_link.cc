// Pass `bind_world_link`: the URDF custom of a root link called "world".
#include "edit/model_edit.h"
#include "kinemorph/graph/base/number.h"
#include "normalise/passes.h"

namespace kinemorph {

// URDF has no word for the world; by custom a root link "world" is it, as in MoveIt and Gazebo.
// Were it a link like others, targets with a world would get a second one of that name.
void BindWorldLink(Model& model, PassContext& context) {
  for (const LinkId id : Links(model)) {
    if (model.link(id).name != "world") continue;
    // A loop may end there.
    bool is_root = true;
    for (const JointId joint : Joints(model))
      is_root =
          is_root && (model.successor(joint) != id || model.joint(joint).role == JointRole::kLoop);
    const bool carries = boost::out_degree(Index(id), model.graph()) > 0;
    if (!is_root || !carries) return;
    const Link& world = model.link(id);
    context.Lowered(SubjectOf(world), "is the world");
    if (!IsMassless(world))
      context
          .Lose(model, Feature::kReservedName, SubjectOf(world), "its mass is not written",
                "a root link of this name is the world, where mass has no effect")
          .source = FormatNumber(world.inertial->mass) + " kg";
    model.link(kWorld).where = model.link(id).where;
    DropInertial(model.link(id));
    MergeLinks(model, {{id, kWorld, RigidTransform()}});
    return;
  }
}

}  // namespace kinemorph
