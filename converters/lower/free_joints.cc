// Pass `free_joints`: a free joint constrains nothing, so it may as well lead from the world.
#include "edit/model_edit.h"
#include "edit/roots.h"
#include "lower/passes.h"

namespace kinemorph {

void FreeJoints::operator()(Model& model, PassContext& context) const {
  if (!context.HasWork(model)) return;
  const SpanningTree tree = TreeOf(model);
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  std::vector<bool> moved(model.num_joints(), false), turned(model.num_joints(), false);
  for (const LinkId child : tree.order) {
    const JointId id = tree.parent_joint[Index(child)];
    if (id == kNoJoint || !std::holds_alternative<Free>(model.joint(id).kind)) continue;
    if (tree.parent[Index(child)] == kWorld && !tree.reversed[Index(child)]) continue;
    Joint& joint = model.joint(id);
    if (tree.reversed[Index(child)]) {
      FlipJoint(joint);
      turned[Index(id)] = true;
    }
    joint.X_PF = X_W[Index(tree.parent[Index(child)])] * joint.X_PF;
    joint.implicit = joint.implicit && free_is_implicit;
    if (free_is_implicit) LeaveUnsaid(model, id, context);
    moved[Index(id)] = true;
    context.Lowered(SubjectOf(joint),
                    "leads from the world: a free joint constrains nothing wherever it starts");
  }
  model.Reconnect([&](JointId id) {
    const LinkId child = turned[Index(id)] ? model.predecessor(id) : model.successor(id);
    return moved[Index(id)] ? std::pair(kWorld, child)
                            : std::pair(model.predecessor(id), model.successor(id));
  });
}

}  // namespace kinemorph
