// Pass `choose_tree`: every joint gets its role.
#include "edit/align.h"
#include "edit/model_edit.h"
#include "edit/removal.h"
#include "edit/roots.h"
#include "normalise/passes.h"

namespace kinemorph {

void ChooseTree(Model& model, PassContext& context) {
  SpanningTreeOptions options;
  options.cut = context.options.cut;
  Diagnostics messages;
  SpanningTree tree = ChooseSpanningTree(model, options, messages);
  for (const Diagnostic& d : messages.items())
    if (d.severity != Severity::kNote) context.diagnostics.Add(d);
  if (messages.has_errors()) return;

  // Cuts from a link to its own ancestor move, when the loops that become tree joints are closed as
  // drawn.
  if (context.Of(Feature::kLoopAncestor).support == Support::kLowered) {
    options.avoid_ancestor_loops = true;
    Diagnostics ignored;
    SpanningTree moved = ChooseSpanningTree(model, options, ignored);
    if (!ignored.has_errors() && moved.loop_joints != tree.loop_joints) {
      const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
      const auto X_PS = [&](JointId id) {
        return X_W[Index(model.predecessor(id))].inverse() * X_W[Index(model.successor(id))];
      };
      bool closed = true;
      std::vector<JointId> joining;
      for (const JointId id : tree.loop_joints)
        if (!moved.IsLoop(id)) joining.push_back(id);
      Model trial = model;
      for (const JointId id : joining)
        closed = closed && AlignToZero(trial, id, X_PS(id), kMaxLoopGap) <= kMaxLoopGap;
      if (closed) {
        model = std::move(trial);
        tree = std::move(moved);
      }
    }
  }

  std::vector<bool> is_loop(model.num_joints(), false);
  for (const JointId id : tree.loop_joints) is_loop[Index(id)] = true;
  for (std::size_t i = 0; i < tree.loop_joints.size(); ++i) {
    const Joint& joint = model.joint(tree.loop_joints[i]);
    if (joint.role == JointRole::kLoop) {
      context.authored_loops.insert(joint.where.origin);
      continue;
    }
    if (i < tree.reasons.size()) context.cut_reasons[joint.where.origin] = tree.reasons[i];
    LoseOffsets(model, tree.loop_joints[i], context);
  }
  for (const JointId id : Joints(model))
    model.joint(id).role = is_loop[Index(id)] ? JointRole::kLoop : JointRole::kTree;
  KeepRoots(model, context, UntiedRoots(tree));
}

}  // namespace kinemorph
