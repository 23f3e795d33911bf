// Pass `loop_frames`: loop joints stand in frames of links, where the target names no others.
#include "edit/model_edit.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

constexpr double kAtOrigin = 1e-12;  // m

}  // namespace

void LoopFrames(Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
  UniqueNames links = LinkNames(model), joints = JointNames(model);
  std::vector<LinkId> new_predecessor(model.num_joints(), kNoLink);
  const auto stands_at = [&](LinkId link, const RigidTransform& X) {
    const JointId id = tree.parent_joint[Index(link)];
    return id != kNoJoint && !model.joint(id).implicit && X.p.norm() <= kAtOrigin;
  };
  for (const JointId id : tree.loop_joints) {
    const Joint loop = model.joint(id);
    if (stands_at(model.predecessor(id), loop.X_PF) || stands_at(model.successor(id), loop.X_SM))
      continue;
    const LinkId at = model.predecessor(id);
    const LinkId link = AddWelded(model, at, loop.X_PF, loop.name + "_frame", loop,
                                  model.link(at).scope, links, joints);
    model.joint(id).X_PF = RigidTransform();
    new_predecessor[Index(id)] = link;
    context.Lowered(SubjectOf(loop), "its frame is that of massless link '" +
                                         model.link(link).name + "', welded to '" +
                                         model.link(at).name + "'");
  }
  new_predecessor.resize(model.num_joints(), kNoLink);
  model.Reconnect([&](JointId id) {
    const LinkId moved = new_predecessor[Index(id)];
    return std::pair(moved == kNoLink ? model.predecessor(id) : moved, model.successor(id));
  });
}

}  // namespace kinemorph
