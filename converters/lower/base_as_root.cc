// Pass `base_as_root`: the link that stands on the ground as the root of the tree, without a joint
// above it.
#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/model/references.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// Links on fixed joints of the world: the first one stays, the others follow it.
std::vector<LinkId> Standing(const Model& model, const SpanningTree& tree) {
  std::vector<LinkId> links;
  for (const LinkId link : tree.order) {
    const JointId up = tree.parent_joint[Index(link)];
    if (link != kWorld && up != kNoJoint && tree.parent[Index(link)] == kWorld &&
        std::holds_alternative<Fixed>(model.joint(up).kind))
      links.push_back(link);
  }
  return links;
}

}  // namespace

void BaseAsRoot(Model& model, PassContext& context) {
  const bool must = !context.Native(Feature::kJointFixed);  // nothing else holds it
  if (!must && !context.options.base_as_root) return;
  if (must && model.gravity && model.gravity->norm() > 0 &&
      *model.gravity / model.gravity->norm() != -Vector3::UnitZ()) {
    context.Report(Severity::kError, model, {}, "gravity-direction",
                   {"model", model.name,
                    "its gravity does not point along -z of the world, as the target assumes"});
    return;
  }
  const SpanningTree tree = TreeOf(model);
  const std::vector<LinkId> standing = Standing(model, tree);
  if (standing.empty()) return;
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  const LinkId base = standing.front();
  const RigidTransform& X_WB = X_W[Index(base)];

  // The base's frame moves onto the world's; its joints' frames follow.
  if (!X_WB.IsExactlyIdentity()) {
    RebaseLinkContent(model.link(base), X_WB);
    for (const JointId id : Joints(model)) {
      if (model.predecessor(id) == base) model.joint(id).X_PF = X_WB * model.joint(id).X_PF;
      if (model.successor(id) == base) model.joint(id).X_SM = X_WB * model.joint(id).X_SM;
    }
    VisitAllLinks(model, [&](LinkId link, RigidTransform* X) {
      if (link == base && X) *X = X_WB * *X;
    });
    context.report.frames.push_back({model.link(base).name, X_WB.inverse()});
  }
  const std::string name = model.link(base).name;
  const JointId standing_joint = tree.parent_joint[Index(base)];
  context.Lowered(SubjectOf(model.link(base)),
                  "is the root: the base is fixed, and its frame is the frame of the world");
  std::vector<bool> gone(model.num_joints(), false);
  gone[Index(standing_joint)] = true;
  // Where the target has no fixed joints, all that stands on the ground is one root.
  std::vector<Merger> mergers;
  for (std::size_t i = 1; must && i < standing.size(); ++i) {
    gone[Index(tree.parent_joint[Index(standing[i])])] = true;
    mergers.push_back({standing[i], base, X_W[Index(standing[i])]});
    context.Lowered(SubjectOf(model.link(standing[i])),
                    "merged into '" + name + "': both are fixed");
  }
  for (const JointId id : Joints(model))
    if (gone[Index(id)])
      context.Lowered(SubjectOf(model.joint(id)), "its link is the root, or fixed to the root");
  Lose(model, TakeJoints(model, [&](JointId id) { return gone[Index(id)]; }),
       "its joint holds the base, which is the root", context);

  // What stands on the world stands on the base.
  const auto move = [&](LinkId& at) {
    if (at == kWorld) at = base;
  };
  model.Reconnect([&](JointId id) {
    std::pair ends(model.predecessor(id), model.successor(id));
    move(ends.first);
    move(ends.second);
    return ends;
  });
  Link& world = model.link(kWorld);
  Link& root = model.link(base);
  for (Visual& visual : world.visuals) root.visuals.push_back(std::move(visual));
  for (Collision& collision : world.collisions) root.collisions.push_back(std::move(collision));
  for (NativeData& native : world.native) root.native.push_back(std::move(native));
  world.visuals.clear();
  world.collisions.clear();
  world.native.clear();
  VisitAllLinks(model, [&](LinkId& at, const RigidTransform*) { move(at); });
  if (!mergers.empty()) MergeLinks(model, mergers);
}

}  // namespace kinemorph
