#include "normalise/base.h"

#include <algorithm>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "edit/roots.h"

namespace kinemorph {
namespace {

// A root and the joint from the world that holds it: kNoJoint when nothing is said.
struct Base {
  LinkId link;
  JointId joint;
};

bool IsFixedOrFree(const Joint& joint) {
  return std::holds_alternative<Fixed>(joint.kind) || std::holds_alternative<Free>(joint.kind);
}

std::vector<Base> BasesOf(const Model& model, const SpanningTree& tree) {
  std::vector<Base> bases;
  for (const LinkId link : tree.order) {
    if (link == kWorld || tree.parent[Index(link)] != kWorld) continue;
    const JointId joint = tree.parent_joint[Index(link)];
    if (joint == kNoJoint || IsFixedOrFree(model.joint(joint))) bases.push_back({link, joint});
  }
  return bases;
}

void SetJoint(Model& model, const Base& base, JointKind kind, bool implicit, UniqueNames& names) {
  if (base.joint != kNoJoint) {
    Joint& joint = model.joint(base.joint);
    if (joint.kind.index() != kind.index()) {
      joint.kind = kind;
      joint.axes.assign(static_cast<std::size_t>(NumAxes(kind)), JointAxis());
      joint.native_type.clear();
    }
    joint.implicit = implicit;
    return;
  }
  Joint joint;
  joint.name = names.Take(model.link(base.link).name + "_to_world");
  joint.kind = kind;
  joint.role = JointRole::kTree;
  joint.implicit = implicit;
  joint.scope = model.link(base.link).scope;
  model.AddJoint(kWorld, base.link, std::move(joint));
}

// Where the source says how its base stands, the robot becomes another one.
void SayAsked(const Model& model, const Subject& subject, bool said, const char* from,
              const char* to, PassContext& context) {
  if (!said) return context.Lowered(subject, std::string("its base is ") + to + " as asked");
  Loss& loss =
      context.Lose(model, Feature::kFloatingBase, subject,
                   std::string("its base was ") + from + " and is " + to, "that was asked for");
  loss.source = from;
  loss.target = to;
  loss.asked = true;
}

}  // namespace

void DecideBase(Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
  const std::vector<Base> bases = BasesOf(model, tree);
  const TargetTraits& traits = context.traits;
  UniqueNames names = JointNames(model);
  std::size_t world_children = 0;
  for (const LinkId link : Links(model))
    if (tree.parent[Index(link)] == kWorld) ++world_children;

  // What stands on the world keeps it as the root of a file of one root, and the start with it.
  const Link& world = model.link(kWorld);
  const bool world_stays = world_children > 1 || !world.visuals.empty() ||
                           !world.collisions.empty() ||
                           std::any_of(model.frames.begin(), model.frames.end(),
                                       [](const Frame& frame) { return frame.link == kWorld; });

  std::vector<bool> carries_free(model.num_links(), false);
  for (const JointId id : Joints(model)) {
    if (std::holds_alternative<Free>(model.joint(id).kind) && !tree.IsLoop(id))
      carries_free[Index(tree.parent_joint[Index(model.successor(id))] == id
                             ? model.predecessor(id)
                             : model.successor(id))] = true;
  }
  std::vector<bool> remove(model.num_joints(), false);
  for (const Base& base : bases) {
    const Link& link = model.link(base.link);
    const bool has_joint = base.joint != kNoJoint;
    const bool is_free = has_joint && std::holds_alternative<Free>(model.joint(base.joint).kind);
    const bool unspoken = has_joint && model.joint(base.joint).implicit;
    const Subject subject = SubjectOf(link);
    switch (context.options.base) {
      case BaseChoice::kFixed:
        if (!has_joint || is_free) {
          SetJoint(model, base, Fixed{}, false, names);
          SayAsked(model, subject, has_joint, "floating", "fixed", context);
        }
        continue;
      case BaseChoice::kFloating:
        if (!is_free) {
          SetJoint(model, base, Free{}, !has_joint && traits.free_base_is_implicit, names);
          SayAsked(model, subject, has_joint, "fixed", "floating", context);
          if (has_joint && traits.free_base_is_implicit) LeaveUnsaid(model, base.joint, context);
        } else {
          model.joint(base.joint).implicit = false;
          if (traits.free_base_is_implicit) LeaveUnsaid(model, base.joint, context);
        }
        continue;
      case BaseChoice::kAuto:
        break;
    }
    if (!has_joint && carries_free[Index(base.link)] &&
        (traits.base_must_be_decided || traits.free_base_is_implicit)) {
      SetJoint(model, base, Fixed{}, traits.base_must_be_decided, names);
      context.Lowered(subject, "fixed to the world, because the floating joint starts there");
    } else if (!has_joint && traits.base_must_be_decided) {
      SetJoint(model, base, Fixed{}, true, names);
      context.Report(Severity::kNote, model, link.where, "base-fixed",
                     Text(subject) +
                         ": the source does not say whether the base is fixed; kinemorph fixes it "
                         "to the world (--base floating makes it free)");
    } else if (!has_joint && traits.free_base_is_implicit) {
      SetJoint(model, base, Free{}, true, names);  // what the target means by saying nothing
    } else if (!has_joint && traits.one_root && world_children > 1) {
      // Several roots in a file of one root: the world takes them all, and each is free as nothing
      // holds it.
      SetJoint(model, base, Free{}, false, names);
      context.Lowered(subject,
                      "connected to the world by a floating joint, because the file has one root");
    } else if (is_free && traits.free_base_is_implicit) {
      LeaveUnsaid(model, base.joint, context);
    } else if (is_free && unspoken) {
      if (traits.one_root && !world_stays && !traits.base_must_be_decided) {
        remove[Index(base.joint)] = true;
        context.Lowered(subject,
                        "free in the world: the target does not describe the base (--base floating "
                        "writes a floating joint)");
      } else {
        model.joint(base.joint).implicit = false;
      }
    }
  }
  remove.resize(model.num_joints(), false);
  if (std::find(remove.begin(), remove.end(), true) == remove.end()) return;
  std::vector<LinkId> roots = UntiedRoots(TreeOf(model));
  for (const Base& base : bases)
    if (base.joint != kNoJoint && remove[Index(base.joint)]) roots.push_back(base.link);
  std::sort(roots.begin(), roots.end());
  Lose(model, TakeJoints(model, [&](JointId id) { return remove[Index(id)]; }),
       "the target has no joint for the free base", context);
  KeepRoots(model, context, roots);
}

}  // namespace kinemorph
