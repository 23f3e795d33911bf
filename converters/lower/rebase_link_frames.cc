// Pass `rebase_link_frames`: link frames move onto the frames of the joints that carry them.
#include "edit/model_edit.h"
#include "kinemorph/graph/model/references.h"
#include "lower/passes.h"

namespace kinemorph {

void RebaseLinkFrames(Model& model, PassContext& context) {
  std::vector<RigidTransform> X_old_new(model.num_links());
  std::vector<bool> moved(model.num_links(), false);
  bool any = false;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop || joint.X_SM.IsExactlyIdentity()) continue;
    const LinkId link = model.successor(id);
    if (link == kWorld) continue;
    X_old_new[Index(link)] = joint.X_SM;
    moved[Index(link)] = any = true;
  }
  if (!any) return;
  // Everything that is given in a link's frame is given anew in the moved one: its content, the
  // joints on it, the ends of loop joints, and what other elements place there.
  const auto follow = [&](LinkId link, RigidTransform& X) {
    if (moved[Index(link)]) X = X_old_new[Index(link)].inverse() * X;
  };
  for (const LinkId id : Links(model)) {
    if (!moved[Index(id)]) continue;
    RebaseLinkContent(model.link(id), X_old_new[Index(id)].inverse());
    context.report.frames.push_back({model.link(id).name, X_old_new[Index(id)]});
  }
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    follow(model.predecessor(id), joint.X_PF);
    if (joint.role == JointRole::kLoop)
      follow(model.successor(id), joint.X_SM);
    else if (moved[Index(model.successor(id))])
      joint.X_SM = RigidTransform();
  }
  VisitAllLinks(model, [&](LinkId link, RigidTransform* X) {
    if (X) follow(link, *X);
  });
}

}  // namespace kinemorph
