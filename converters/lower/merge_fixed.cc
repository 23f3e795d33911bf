#include "lower/merge_fixed.h"

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph {
namespace {

std::string OriginText(const RigidTransform& X) {
  const Vector3 rpy = RpyFromRotation(X.R);
  std::string text = "xyz=\"";
  for (int i = 0; i < 6; ++i)
    text += (i == 3 ? "\" rpy=\"" : i > 0 ? " " : "") + FormatNumber(i < 3 ? X.p[i] : rpy[i - 3]);
  return text + "\"";
}

}  // namespace

void MergeFixed(Model& model, PassContext& context) {
  const bool asked = context.options.merge_fixed;
  if (!asked && !context.traits.fixed_joints_merge) return;
  const SpanningTree tree = TreeOf(model);
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  std::vector<LinkId> head(model.num_links());
  std::vector<Merger> mergers;
  std::vector<bool> gone(model.num_joints(), false);
  for (const LinkId link : tree.order) {
    head[Index(link)] = link;
    const JointId up = tree.parent_joint[Index(link)];
    if (model.link(link).synthetic)
      continue;  // the anchor of a loop, which must not stand on the loop's own branch
    if (link == kWorld || up == kNoJoint || tree.parent[Index(link)] == kWorld ||
        !std::holds_alternative<Fixed>(model.joint(up).kind))
      continue;
    head[Index(link)] = head[Index(tree.parent[Index(link)])];
    gone[Index(up)] = true;
    mergers.push_back(
        {link, head[Index(link)], X_W[Index(head[Index(link)])].inverse() * X_W[Index(link)]});
    context.Lowered(SubjectOf(model.link(link)),
                    "merged into '" + model.link(head[Index(link)]).name +
                        (asked ? "' as asked" : "' at " + OriginText(mergers.back().X_IF)));
  }
  if (mergers.empty()) return;
  for (const JointId id : Joints(model))
    if (gone[Index(id)]) context.Lowered(SubjectOf(model.joint(id)), "its links are one");
  Lose(model, TakeJoints(model, [&](JointId id) { return gone[Index(id)]; }),
       "the links of its fixed joint are merged as asked", context);
  MergeLinks(model, mergers);
}

}  // namespace kinemorph
