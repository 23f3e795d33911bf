// Pass `choose_tree`: every joint gets its role.
#include "edit/align.h"
#include "edit/model_edit.h"
#include "edit/removal.h"
#include "edit/roots.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "normalise/passes.h"

namespace kinemorph {

namespace {

// The root of the tree that the source decided, from which the first link hangs; the world where that
// holds it.
LinkId DecidedRoot(const Model& model) {
  std::vector<JointId> up(model.num_links(), kNoJoint);
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kTree && !FloatsBesideTree(model, id))
      up[Index(model.successor(id))] = id;
  // Up from the first link of the file; the bound ends a circle of joints, which is an error
  // elsewhere.
  LinkId root{1};
  for (std::size_t i = 0; i < model.num_links() && root != kWorld && up[Index(root)] != kNoJoint;
       ++i)
    root = model.predecessor(up[Index(root)]);
  return root;
}

// Couplings are of joints of the tree: so are those of blocks that one names, with what leads to them.
void TakeCoupledJoints(Model& model, const SpanningTree& tree) {
  const auto is_open = [&](JointId id) {
    return id != kNoJoint && model.joint(id).role == JointRole::kUndecided;
  };
  for (const Coupling& coupling : model.couplings) {
    for (const CouplingTerm& term : coupling.terms) {
      const JointId id = term.coordinate.joint;
      if (!is_open(id) || tree.IsLoop(id)) continue;

      // All undecided joints on the way from the joint to the tree join it, else its coordinate
      // would hang on a part that floats.
      LinkId at = model.successor(id);
      if (tree.parent_joint[Index(at)] != id) at = model.predecessor(id);
      std::vector<JointId> path;
      for (; at != kWorld && is_open(tree.parent_joint[Index(at)]); at = tree.parent[Index(at)])
        path.push_back(tree.parent_joint[Index(at)]);
      const JointId held = at == kWorld ? kNoJoint : tree.parent_joint[Index(at)];
      if (held != kNoJoint && FloatsBesideTree(model, held)) continue;
      for (const JointId up : path) model.joint(up).role = JointRole::kTree;
    }
  }
}

// Links in <gazebo> that the tree of URDF does not hold stay there: each floats, and all joints at it
// are loop joints. Those by which the world holds the tree are part of it.
void LeaveBesideTree(Model& model, PassContext& context) {
  if (!HasBlocks(model)) return;
  const SpanningTree tree = ChooseSpanningTree(model);
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  LinkId root = DecidedRoot(model);
  std::vector<JointId> path;
  for (LinkId at = root; at != kWorld; at = tree.parent[Index(at)])
    path.push_back(tree.parent_joint[Index(at)]);
  if (!path.empty() && path.back() != kNoJoint && !FloatsBesideTree(model, path.back())) {
    for (const JointId id : path) model.joint(id).role = JointRole::kTree;
    root = kWorld;
  }
  TakeCoupledJoints(model, tree);
  std::vector<bool> in_tree(model.num_links(), false), beside(model.num_links(), false);
  for (const JointId id : Joints(model)) {
    const bool open = model.joint(id).role == JointRole::kUndecided || FloatsBesideTree(model, id);
    for (const LinkId end : {model.predecessor(id), model.successor(id)})
      (open ? beside : in_tree)[Index(end)] = true;
  }
  in_tree[0] = true;
  if (in_tree.size() > 1) in_tree[1] = true;  // a robot may have one link
  for (const JointId id : Joints(model)) {
    if (model.joint(id).role != JointRole::kUndecided) continue;
    model.joint(id).role = JointRole::kLoop;
    context.authored_loops.insert(model.joint(id).where.origin);
  }
  static_cast<void>(model.RemoveJoints([&](JointId id) { return FloatsBesideTree(model, id); }));
  UniqueNames names = JointNames(model);
  for (const LinkId id : Links(model)) {
    if (!beside[Index(id)] || in_tree[Index(id)]) continue;
    Joint joint;
    joint.name = names.Take("world_to_" + model.link(id).name);
    joint.kind = Free{};
    joint.role = JointRole::kTree;
    // The pose at zero that the joints of before gave, seen from the root.
    joint.X_PF = X_W[Index(root)].inverse() * X_W[Index(id)];
    joint.implicit = true;
    joint.scope = model.link(id).scope;
    joint.where = model.link(id).where;
    model.AddJoint(root, id, std::move(joint));
  }
}

}  // namespace

void ChooseTree::operator()(Model& model, PassContext& context) const {
  if (links_beside_tree) LeaveBesideTree(model, context);
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
    // The model stays as it is unless all of the moves are exact, tried on a copy.
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

  // The author's own loop joints keep their data. Cuts of ours are told with their reasons, and
  // lose the offset of a coordinate that is not counted any more.
  std::vector<bool> is_loop(model.num_joints(), false);
  for (const JointId id : tree.loop_joints) is_loop[Index(id)] = true;
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kLoop)
      context.authored_loops.insert(model.joint(id).where.origin);
  for (std::size_t i = 0; i < tree.loop_joints.size(); ++i) {
    const Joint& joint = model.joint(tree.loop_joints[i]);
    if (joint.role == JointRole::kLoop) continue;
    if (i < tree.reasons.size()) context.cut_reasons[joint.where.origin] = tree.reasons[i];
    LoseOffsetsOfLoop(model, tree.loop_joints[i], context);
  }
  for (const JointId id : Joints(model))
    model.joint(id).role = is_loop[Index(id)] ? JointRole::kLoop : JointRole::kTree;
  KeepRoots(model, context, UntiedRoots(tree));
}

}  // namespace kinemorph
