// Pass `loop_ends`: loop joints that stand apart from the tree, for readers that make some links one
// and leave others out.
#include <algorithm>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "lower/massless_links.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// libsdformat lumps links on fixed joints into one and leaves out links without mass with all
// below. A loop in a `<gazebo>` block names links, and must name those that are left.
class LoopEnding {
 public:
  LoopEnding(Model& model, const LoopEnds& asked, PassContext& context)
      : model_(model),
        asked_(asked),
        context_(context),
        tree_(TreeOf(model)),
        head_(model.num_links()) {
    for (const LinkId link : tree_.order) {
      const JointId up = tree_.parent_joint[Index(link)];
      const bool merged = up != kNoJoint && IsLumped(model_, up);
      head_[Index(link)] = merged ? head_[Index(tree_.parent[Index(link)])] : link;
    }
  }

  void Run() {
    if (tree_.loop_joints.empty()) return;
    LoseIdle();
    MoveEnds();
    NameApart();
    GiveMass();
  }

 private:
  // A loop joint between two links of one rigid body restrains nothing.
  void LoseIdle() {
    const auto idle = [&](JointId id) {
      return tree_.IsLoop(id) &&
             head_[Index(model_.predecessor(id))] == head_[Index(model_.successor(id))];
    };
    for (const JointId id : tree_.loop_joints) {
      const Joint& joint = model_.joint(id);
      if (!idle(id)) continue;
      context_
          .Lose(model_, LoopFeature(joint.kind), SubjectOf(joint),
                "the loop joint is not written, because it constrains nothing",
                "both its links are one rigid body")
          .weight = Weight::kInterface;
    }
    Lose(model_, TakeJoints(model_, idle), "its loop joint constrains nothing", context_);
    tree_ = TreeOf(model_);
  }

  // Off links that are merged into others, and from the world on.
  void MoveEnds() {
    const std::vector<RigidTransform> X_W = ZeroPoses(model_, tree_);
    std::vector<bool> turned(model_.num_joints(), false);
    const auto move = [&](LinkId from, RigidTransform& X, const Joint& joint) {
      const LinkId to = head_[Index(from)];
      if (to == from) return;
      X = X_W[Index(to)].inverse() * X_W[Index(from)] * X;
      context_.Lowered(SubjectOf(joint), "ends on '" + model_.link(to).name + "', to which '" +
                                             model_.link(from).name + "' is fixed");
    };
    for (const JointId id : tree_.loop_joints) {
      Joint& joint = model_.joint(id);
      move(model_.predecessor(id), joint.X_PF, joint);
      move(model_.successor(id), joint.X_SM, joint);
      turned[Index(id)] = model_.successor(id) == kWorld;
      if (!turned[Index(id)]) continue;
      FlipJoint(joint);
      context_.Lowered(SubjectOf(joint), "reversed: the joint leads from the world");
    }
    model_.Reconnect([&](JointId id) {
      const LinkId p = model_.predecessor(id), s = model_.successor(id);
      if (!tree_.IsLoop(id)) return std::pair(p, s);
      const LinkId to_p = head_[Index(p)], to_s = head_[Index(s)];
      return turned[Index(id)] ? std::pair(to_s, to_p) : std::pair(to_p, to_s);
    });
  }

  // Links, joints and loop joints share their names there.
  void NameApart() {
    UniqueNames names = LinkNames(model_);
    const auto take = [&](JointId id, const char* ending) {
      Joint& joint = model_.joint(id);
      const bool taken = names.Has(joint.name) || joint.name.empty();
      const std::string name = names.Take(taken ? joint.name + ending : joint.name);
      if (name == joint.name) return;
      if (!joint.name.empty()) context_.Renamed(SubjectKind::kJoint, joint.where, joint.name, name);
      joint.name = name;
    };
    for (const JointId id : Joints(model_))
      if (!tree_.IsLoop(id) && !model_.joint(id).implicit) take(id, "_joint");
    for (const JointId id : tree_.loop_joints) take(id, "_loop");
  }

  // Into how many parts a link of little mass is split: one of a loop whose other end has no more.
  double MostParts(const std::vector<double>& mass) const {
    if (context_.Of(Feature::kLoopRevolute).pass != "weld_halves") return 1;
    const auto light = [&](LinkId id) {
      return id == kWorld || mass[Index(id)] < asked_.least.mass;
    };
    std::vector<int> loops(model_.num_links(), 0);
    for (const JointId id : tree_.loop_joints) {
      const LinkId p = model_.predecessor(id), s = model_.successor(id);
      if (light(p) && light(s)) ++loops[Index(p)], ++loops[Index(s)];
    }
    loops[Index(kWorld)] = 0;
    return 1 + 2 * *std::max_element(loops.begin(), loops.end());
  }

  void GiveMass() {
    std::vector<double> mass(model_.num_links(), 0);  // by head
    std::vector<bool> carries(model_.num_links(), false);
    for (const LinkId id : Links(model_))
      if (model_.link(id).inertial) mass[Index(head_[Index(id)])] += model_.link(id).inertial->mass;
    for (const JointId id : tree_.loop_joints)
      carries[Index(model_.predecessor(id))] = carries[Index(model_.successor(id))] = true;
    std::vector<LinkId> need;
    LeastInertia least = asked_.least;
    least.mass *= MostParts(mass);
    for (auto it = tree_.order.rbegin(); it != tree_.order.rend(); ++it) {
      const LinkId link = *it;
      if (link == kWorld) continue;
      // From the tips inwards: a link is needed if a loop ends on it, or if it leads to one that is
      // needed or weighs.
      const bool light = head_[Index(link)] == link && mass[Index(link)] < least.mass;
      carries[Index(link)] = carries[Index(link)] || mass[Index(link)] > 0;
      if (carries[Index(link)] && light) need.push_back(link);
      if (carries[Index(link)]) carries[Index(tree_.parent[Index(link)])] = true;
    }
    std::sort(need.begin(), need.end());
    if (!need.empty()) GiveInertia(model_, need, least, context_);
  }

  Model& model_;
  const LoopEnds& asked_;
  PassContext& context_;
  SpanningTree tree_;
  std::vector<LinkId> head_;  // by link: the one that it is merged into, else itself
};

}  // namespace

void LoopEnds::operator()(Model& model, PassContext& context) const {
  LoopEnding(model, *this, context).Run();
}

}  // namespace kinemorph
