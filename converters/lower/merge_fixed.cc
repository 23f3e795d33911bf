#include "lower/merge_fixed.h"

#include "model_edit.h"

namespace kinemorph {

void MergeFixed(Model& model, PassContext& context) {
  if (!context.options.merge_fixed) return;
  const SpanningTree tree = TreeOf(model);
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  std::vector<LinkId> head(model.num_links());
  std::vector<Merger> mergers;
  std::vector<bool> gone(model.num_joints(), false);
  for (const LinkId link : tree.order) {
    head[Index(link)] = link;
    const JointId up = tree.parent_joint[Index(link)];
    if (link == kWorld || up == kNoJoint || tree.parent[Index(link)] == kWorld || !std::holds_alternative<Fixed>(model.joint(up).kind))
      continue;
    head[Index(link)] = head[Index(tree.parent[Index(link)])];
    gone[Index(up)] = true;
    mergers.push_back({link, head[Index(link)], X_W[Index(head[Index(link)])].inverse() * X_W[Index(link)]});
    context.Lowered(SubjectOf(model.link(link)), "merged into '" + model.link(head[Index(link)]).name + "' as asked");
  }
  if (mergers.empty()) return;
  model.RemoveJoints([&](JointId id) { return gone[Index(id)]; });
  MergeLinks(model, mergers);
}

}  // namespace kinemorph
