// Pass `base`: fixed to the world, free in it, or unsaid.
#include "kinemorph/graph/connectivity/base.h"

#include <algorithm>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "edit/roots.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/field_text.h"
#include "normalise/passes.h"

namespace kinemorph {
namespace {

// That of a link that stands beside the tree is none.
bool IsNoBase(const Model& model, JointId joint, const DecideBase& asked) {
  return joint != kNoJoint && asked.links_beside_tree && FloatsBesideTree(model, joint);
}

// Formats say "fixed" and "free" in four ways: a joint from the world, a joint that is implied by
// silence (SDFormat: free), no word at all (URDF: nobody knows), or `static`. Each root of the tree
// comes here with the joint that leads to it, if there is one, and leaves with a joint that the
// target can write, or with an implicit one that it means by saying nothing.
void SetJoint(Model& model, const RobotBase& base, const JointKind& kind, bool implicit,
              UniqueNames& names) {
  const bool is_new = base.joint == kNoJoint;
  const std::string name =
      is_new ? names.Take(model.link(base.link).name + "_to_world") : std::string();
  SetBase(model, base, kind, name).implicit = implicit;
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

// A model on its way to a target, and what is known of its bases.
struct BaseDecision {
  Model& model;
  PassContext& context;
  const DecideBase& asked;
  UniqueNames names;
  std::size_t world_children = 0;
  bool world_stays = false;        ///< what stands on the world keeps it as the root
  std::vector<bool> carries_free;  ///< by link: a floating joint starts there
  std::vector<bool> goes;          ///< by joint: it has no place in the target

  BaseDecision(Model& given, const SpanningTree& tree, const DecideBase& pass, PassContext& of_pass)
      : model(given),
        context(of_pass),
        asked(pass),
        names(JointNames(given)),
        carries_free(given.num_links(), false),
        goes(given.num_joints(), false) {
    for (const LinkId link : Links(model))
      if (tree.parent[Index(link)] == kWorld &&
          !IsNoBase(model, tree.parent_joint[Index(link)], asked))
        ++world_children;
    // Whether the target's one root link can be the robot's own base: only if nothing else stands
    // on the world. What the target has no shape for, the plane of a floor, is no part of it.
    const auto held = [&](const auto& part) { return !context.Lost(ShapeFeature(part.shape)); };
    const Link& world = model.link(kWorld);
    world_stays = world_children > 1 ||
                  std::any_of(world.visuals.begin(), world.visuals.end(), held) ||
                  std::any_of(world.collisions.begin(), world.collisions.end(), held) ||
                  std::any_of(model.frames.begin(), model.frames.end(),
                              [](const Frame& frame) { return frame.link == kWorld; });
    for (const JointId id : Joints(model)) {
      if (!IsFree(id) || tree.IsLoop(id) || IsNoBase(model, id, asked)) continue;
      // The tree may run along a joint backwards: the joint then starts, for the tree, at its
      // successor.
      const bool outwards = tree.parent_joint[Index(model.successor(id))] == id;
      carries_free[Index(outwards ? model.predecessor(id) : model.successor(id))] = true;
    }
  }

  [[nodiscard]] bool IsFree(JointId joint) const {
    return joint != kNoJoint && std::holds_alternative<Free>(model.joint(joint).kind);
  }

  void Fix(const RobotBase& base, const Subject& subject) {
    const bool has_joint = base.joint != kNoJoint;
    // A base that is fixed already by any other joint than a free one stays as it is.
    if (has_joint && !IsFree(base.joint)) return;
    if (has_joint) LoseCoordinates(model.joint(base.joint));
    SetJoint(model, base, Fixed{}, false, names);
    SayAsked(model, subject, has_joint, "floating", "fixed", context);
  }

  // What a floating joint damps and limits has no place on a fixed one.
  void LoseCoordinates(const Joint& joint) {
    const std::string said = AxesText(joint);
    if (said.empty()) return;
    Loss& loss = context.Lose(model, TreeFeature(joint), SubjectOf(joint),
                              "what is said of its coordinates is not written: " + said,
                              "the base is fixed, as asked");
    loss.source = said, loss.asked = true;
  }

  void LetFloat(const RobotBase& base, const Subject& subject) {
    const bool has_joint = base.joint != kNoJoint, implicit = asked.free_is_implicit;
    if (IsFree(base.joint)) {
      model.joint(base.joint).implicit = false;
    } else {
      SetJoint(model, base, Free{}, !has_joint && implicit, names);
      SayAsked(model, subject, has_joint, "fixed", "floating", context);
    }
    if (has_joint && implicit) LeaveUnsaid(model, base.joint, context);
  }

  // Nothing says how the base stands.
  void Decide(const RobotBase& base, const Subject& subject) {
    if (carries_free[Index(base.link)] && (asked.must_be_said || asked.free_is_implicit)) {
      SetJoint(model, base, Fixed{}, asked.must_be_said, names);
      context.Lowered(subject, "fixed to the world, because the floating joint starts there");
    } else if (asked.must_be_said) {
      SetJoint(model, base, Fixed{}, true, names);
      context.Report(Severity::kNote, model, model.link(base.link).where, "base-fixed",
                     {Text(subject),
                      "base fixed to the world, as the source does not say whether it is (--base "
                      "floating frees it)"});
    } else if (asked.free_is_implicit) {
      SetJoint(model, base, Free{}, true, names);  // what the target means by saying nothing
      SayFree(base, subject);
    } else if (context.traits.one_root && world_children > 1) {
      // Several roots in a file of one root: the world takes them all, and each is free as nothing
      // holds it.
      SetJoint(model, base, Free{}, false, names);
      context.Lowered(subject,
                      "connected to the world by a floating joint, because the file has one root");
    } else if (asked.silence_is_free) {
      SayFree(base, subject);
    }
  }

  void SayFree(const RobotBase& base, const Subject& subject) {
    context.Report(Severity::kNote, model, model.link(base.link).where, "base-free",
                   {Text(subject),
                    "base free and falling, as the source does not say whether it is fixed (--base "
                    "fixed holds it)"});
  }

  void KeepFree(const RobotBase& base, const Subject& subject) {
    Joint& joint = model.joint(base.joint);
    const bool can_go = context.traits.one_root && !world_stays && !asked.must_be_said;
    if (asked.free_is_implicit) {
      LeaveUnsaid(model, base.joint, context);
    } else if (can_go && (joint.implicit || context.options.base_as_root)) {
      // A file with one root whose base is free by silence, or is the root as asked, needs neither
      // a joint nor a link for the world.
      goes[Index(base.joint)] = true;
      context.Lowered(subject,
                      "free in the world: the target does not describe the base (--base floating "
                      "writes a floating joint)");
      if (!joint.implicit)
        context.Lowered(SubjectOf(joint), "not written: the free base is the root, as asked");
      if (!joint.X_PF.IsNearIdentity(1e-9))
        context.Report(Severity::kNote, model, joint.where, "base-place",
                       {"link", model.link(base.link).name,
                        "the free base starts at " + ValueText(joint.X_PF.p) + " m" +
                            (joint.X_PF.R.isIdentity(1e-9) ? "" : ", turned") +
                            ", which the file does not say: the program that loads it places the "
                            "base (--base floating writes the place)"});
    } else {
      joint.implicit = false;
    }
  }

  // Of the joints that hold nothing, where programs read them as something else. What floats on a
  // link of the robot cannot be its root.
  void TellFloating(JointId id) {
    if (asked.floating_is_read_as.empty() || goes[Index(id)] || !IsFree(id)) return;
    const Joint& joint = model.joint(id);
    const bool may_be_root = !world_stays && model.predecessor(id) == kWorld;
    context.Report(
        Severity::kNote, model, joint.where, "floating-joint",
        {"joint", joint.name,
         "is written as a floating joint: " + std::string(asked.floating_is_read_as) +
             (may_be_root ? " (--root base makes '" + model.link(model.successor(id)).name +
                                "' the root without this joint)"
                          : "")});
  }
};

}  // namespace

void DecideBase::operator()(Model& model, PassContext& context) const {
  const SpanningTree tree = TreeOf(model);
  std::vector<RobotBase> bases = BasesOf(model, tree);
  std::erase_if(bases, [&](const RobotBase& base) { return IsNoBase(model, base.joint, *this); });
  BaseDecision decision(model, tree, *this, context);
  for (const RobotBase& base : bases) {
    const Subject subject = SubjectOf(model.link(base.link));
    if (context.options.base == BaseChoice::kFixed)
      decision.Fix(base, subject);
    else if (context.options.base == BaseChoice::kFloating)
      decision.LetFloat(base, subject);
    else if (base.joint == kNoJoint)
      decision.Decide(base, subject);
    else if (decision.IsFree(base.joint))
      decision.KeepFree(base, subject);
  }
  std::vector<bool>& goes = decision.goes;
  // Bases that got joints made the list longer.
  goes.resize(model.num_joints(), false);
  for (const JointId id : Joints(model))
    if (!IsNoBase(model, id, *this)) decision.TellFloating(id);
  if (std::find(goes.begin(), goes.end(), true) == goes.end()) return;

  // Without the free joint, another link may look like the root to the tree: the roots of now are
  // kept.
  std::vector<LinkId> roots = UntiedRoots(TreeOf(model));
  for (const RobotBase& base : bases)
    if (base.joint != kNoJoint && goes[Index(base.joint)]) roots.push_back(base.link);
  std::sort(roots.begin(), roots.end());
  Lose(model, TakeJoints(model, [&](JointId id) { return goes[Index(id)]; }),
       "the target has no joint for the free base", context);
  KeepRoots(model, context, roots);
}

}  // namespace kinemorph
