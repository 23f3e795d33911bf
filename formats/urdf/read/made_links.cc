#include "read/made_links.h"

#include <unordered_set>

namespace kinemorph::urdf_format {
namespace {

// The writer for Gepetto's loader may only pair frames of links. So it makes massless links on
// fixed joints for the places where a loop joint ends, and, for kinds the loader lacks, half of a
// link on a tree joint that a fixed pair joins to the other half. robot.yaml lists these links
// under `made`; with that list Dissolution turns the pairs back into the loop joints that they were
// made of.
class Dissolution {
 public:
  Dissolution(const std::vector<ListedName>& made, const LinkTree& tree, Model& model)
      : tree_(tree), model_(model), made_(model.num_links(), false) {
    std::unordered_set<std::string_view> names;
    for (const ListedName& each : made) names.insert(each.name);
    for (const LinkId id : Links(model)) made_[Index(id)] = names.contains(model.link(id).name);
    for (const JointId id : Joints(model))
      ends_.emplace_back(model.predecessor(id), model.successor(id));
    // A coupled joint must keep its coordinate: it cannot become a loop joint.
    coupled_.assign(model.num_joints(), false);
    for (const Coupling& coupling : model.couplings)
      for (const CouplingTerm& term : coupling.terms) coupled_[Index(term.coordinate.joint)] = true;
  }

  void Run() {
    // First the ends leave the frames, then the halves are put together: a half may itself carry
    // such a frame, and only when that is gone is it a leaf.
    gone_.assign(model_.num_links(), false);
    gone_joint_.assign(model_.num_joints(), false);
    busy_.assign(model_.num_links(), 0);
    for (const JointId id : Joints(model_))
      if (model_.joint(id).role != JointRole::kLoop) ++busy_[Index(model_.predecessor(id))];
    for (const JointId id : Joints(model_))
      if (model_.joint(id).role == JointRole::kLoop) MoveOffFrames(id);
    for (const JointId id : Joints(model_))
      if (model_.joint(id).role == JointRole::kLoop) Rejoin(id);
    model_.Reconnect([&](JointId id) { return ends_[Index(id)]; });
    static_cast<void>(model_.RemoveJoints([&](JointId id) { return gone_joint_[Index(id)]; }));
    static_cast<void>(model_.RemoveLinks([&](LinkId id) { return gone_[Index(id)]; }));
  }

 private:
  [[nodiscard]] bool IsBare(LinkId id) const {
    const Link& link = model_.link(id);
    return WeighsNothing(link) && link.visuals.empty() && link.collisions.empty() &&
           busy_[Index(id)] == 0;
  }

  void MoveOffFrames(JointId id) {
    Joint& joint = model_.joint(id);
    auto& [P, S] = ends_[Index(id)];
    for (const auto& [end, X] : {std::pair(&P, &joint.X_PF), std::pair(&S, &joint.X_SM)}) {
      // A listed link that has got a shape, a mass or a joint since is the author's by now and
      // stays.
      const JointId weld = tree_.parent_joint[Index(*end)];
      if (*end == kWorld || !made_[Index(*end)] || weld == kNoJoint || !IsBare(*end) ||
          !std::holds_alternative<Fixed>(model_.joint(weld).kind))
        continue;
      const Joint& fixed = model_.joint(weld);
      // The same place, in the frame of the link that the made one stood on.
      *X = fixed.X_PF * fixed.X_SM.inverse() * *X;
      gone_[Index(*end)] = true;
      const LinkId parent = model_.predecessor(weld);
      if (!gone_joint_[Index(weld)]) --busy_[Index(parent)];
      gone_joint_[Index(weld)] = true;
      *end = parent;
    }
  }

  // The weld goes, and the joint that leads to the half closes the loop on the whole.
  void Rejoin(JointId id) {
    const auto [half, whole] = ends_[Index(id)];
    const Joint& weld = model_.joint(id);
    if (half == kWorld || whole == kWorld || half == whole || !made_[Index(half)] ||
        gone_[Index(half)] || busy_[Index(half)] != 0 || !std::holds_alternative<Fixed>(weld.kind))
      return;
    const JointId lead = tree_.parent_joint[Index(half)];
    if (lead == kNoJoint || coupled_[Index(lead)]) return;  // a loop joint has no coordinate
    // Pose of the half H in the whole W where the weld holds.
    const RigidTransform X_WH = weld.X_SM * weld.X_PF.inverse();
    Joint& joint = model_.joint(lead);
    joint.X_SM = X_WH * joint.X_SM;
    joint.role = JointRole::kLoop;
    joint.independent.reset();
    ends_[Index(lead)].second = whole;
    AddMass(model_.link(half), X_WH, model_.link(whole));
    gone_joint_[Index(id)] = gone_[Index(half)] = true;
  }

  static void AddMass(const Link& half, const RigidTransform& X_WH, Link& whole) {
    if (!half.inertial) return;
    if (!whole.inertial) {
      whole.inertial = half.inertial;
      whole.inertial->X_LI = X_WH * half.inertial->X_LI;
      return;
    }
    // Both are summed about the link's origin and given back in the axes that the whole had.
    Inertial& out = *whole.inertial;
    const SpatialInertia sum = out.InLink() + half.inertial->InLink().InFrame(X_WH);
    out.mass = sum.mass;
    out.X_LI.p = sum.p_BoBcm;
    out.I_I = out.X_LI.R.transpose() * sum.I_BBcm * out.X_LI.R;
  }

  const LinkTree& tree_;
  Model& model_;
  std::vector<bool> made_, gone_;           // by link
  std::vector<bool> gone_joint_, coupled_;  // by joint
  std::vector<int> busy_;                   // by link: tree joints that lead on from there
  std::vector<std::pair<LinkId, LinkId>> ends_;
};

}  // namespace

void DissolveMade(const std::vector<ListedName>& made, const LinkTree& tree, Model& model) {
  if (!made.empty()) Dissolution(made, tree, model).Run();
}

}  // namespace kinemorph::urdf_format
