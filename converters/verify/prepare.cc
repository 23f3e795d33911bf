#include "verify/prepare.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "kinemorph/graph/kinematics.h"
#include "kinemorph/graph/spanning_tree.h"
#include "lower/physical_inertia.h"

namespace kinemorph::verify {
namespace {

// What a coupling is called where the author gave no name: a mimic is told by its follower.
std::string CouplingName(const Model& model, const Coupling& coupling) {
  const bool nameless_mimic = coupling.name.empty() && coupling.form == CouplingForm::kMimic && !coupling.terms.empty();
  return nameless_mimic && coupling.terms.front().coordinate.joint != kNoJoint ? model.joint(coupling.terms.front().coordinate.joint).name
                                                                               : coupling.name;
}

// A loop joint itself, not what is said of it.
bool IsLoop(Feature feature) {
  using enum Feature;
  static constexpr Feature kLoops[] = {kLoopFixed, kLoopRevolute, kLoopPrismatic,   kLoopScrew,   kLoopUniversal,
                                       kLoopBall,  kLoopPlanar,   kLoopCylindrical, kLoopAncestor};
  return std::find(std::begin(kLoops), std::end(kLoops), feature) != std::end(kLoops);
}

}  // namespace

void RemoveLosses(const LossReport& report, Model& b, Model& model) {
  std::set<std::string> joints, couplings, kept, unphysical;
  std::set<std::string> massless(report.without_inertial.begin(), report.without_inertial.end());
  std::map<std::string, std::size_t> kept_loops;  // name and kind
  for (const JointId id : Joints(b))
    if (b.joint(id).role != JointRole::kTree) kept_loops.emplace(b.joint(id).name, b.joint(id).kind.index());
  for (const Coupling& coupling : b.couplings) {
    kept.insert(coupling.name);
    if (!coupling.terms.empty() && coupling.terms.front().coordinate.joint != kNoJoint)
      kept.insert(b.joint(coupling.terms.front().coordinate.joint).name);
  }
  bool armature = false;
  for (const Loss& loss : report.losses) {
    const Subject& subject = loss.subject;
    if (IsLoop(loss.feature)) joints.insert(subject.joint);
    if (subject.kind == SubjectKind::kCoupling) couplings.insert(subject.name.empty() ? subject.joint : subject.name);
    if (loss.feature == Feature::kUnphysicalInertia) unphysical.insert(subject.link);
    armature = armature || loss.feature == Feature::kArmature;
  }
  for (const NameChange& change : report.names) {
    if (change.kind == SubjectKind::kLink && massless.contains(change.from)) massless.insert(change.to);
  }
  for (const LinkId id : Links(model)) {
    auto& inertial = model.link(id).inertial;
    if (inertial && unphysical.contains(model.link(id).name)) inertial->I_I = NearestPhysicalInertia(inertial->I_I);
  }
  std::map<std::string, AddedInertia> added;
  for (const AddedInertia& item : report.added) added.emplace(item.link, item);
  for (const LinkId id : Links(model)) {
    const auto found = added.find(model.link(id).name);
    if (found == added.end() || model.link(id).synthetic) continue;
    if (!model.link(id).inertial) model.link(id).inertial.emplace();
    model.link(id).inertial->mass += found->second.mass;
    model.link(id).inertial->I_I += found->second.moment * Matrix3::Identity();
    added.erase(found);
  }
  // What was added to links that only B's file names, the inner ones of joints, is taken out there.
  for (const NameChange& change : report.names) {
    if (change.kind != SubjectKind::kLink || !added.contains(change.from)) continue;
    added.emplace(change.to, added.at(change.from));
  }
  for (const LinkId id : Links(b)) {
    const auto found = added.find(b.link(id).name);
    if (found != added.end() && b.link(id).inertial && b.link(id).inertial->mass <= found->second.mass * (1 + 1e-9))
      b.link(id).inertial.reset();
  }
  for (Model* side : {&model, &b}) {
    for (const LinkId id : Links(*side)) {
      if (massless.contains(side->link(id).name)) side->link(id).inertial.reset();
    }
  }
  for (const JointId id : Joints(b)) {
    for (const JointAxis& axis : b.joint(id).axes) armature = armature && axis.armature.value_or(0) == 0;
  }
  if (!joints.empty()) {
    model.RemoveJoints([&](JointId id) {
      const Joint& joint = model.joint(id);
      const auto in_b = kept_loops.find(joint.name);
      const bool stays = in_b != kept_loops.end() && in_b->second == joint.kind.index();
      return joint.role != JointRole::kTree && joints.contains(joint.name) && !stays;
    });
  }
  const auto lost = [&](const Coupling& coupling) {
    const std::string name = CouplingName(model, coupling);
    return couplings.contains(name) && !kept.contains(name);
  };
  model.couplings.erase(std::remove_if(model.couplings.begin(), model.couplings.end(), lost), model.couplings.end());
  if (!armature) return;
  for (const JointId id : Joints(model)) {
    for (JointAxis& axis : model.joint(id).axes) axis.armature.reset();
  }
}

void FindBase(Side& side) {
  const SpanningTree tree = ChooseSpanningTree(side.model);
  for (const LinkId id : Links(side.model)) {
    if (tree.parent_joint[Index(id)] != kNoJoint) continue;
    if (side.model.link(id).name == "world") {
      side.world_link = id;
    } else {
      side.base_specified = false;
    }
  }
}

void HoldCounterpart(const Side& open, const std::vector<LinkId>& counterpart, Side& other) {
  const SpanningTree tree = ChooseSpanningTree(open.model), there = ChooseSpanningTree(other.model);
  const auto fixed = [](const Model& model, JointId id) { return id != kNoJoint && std::holds_alternative<Fixed>(model.joint(id).kind); };
  std::vector<bool> still(open.model.num_links(), false);  // rigid with a root that nothing ties
  for (const LinkId id : tree.order) {
    const JointId up = tree.parent_joint[Index(id)];
    still[Index(id)] =
        id != kWorld && id != open.world_link &&
        (up == kNoJoint || (fixed(open.model, up) && tree.parent[Index(id)] != kWorld && still[Index(tree.parent[Index(id)])]));
    LinkId at = still[Index(id)] ? counterpart[Index(id)] : kNoLink;
    while (at != kNoLink && at != kWorld && fixed(other.model, there.parent_joint[Index(at)])) at = there.parent[Index(at)];
    if (at == kNoLink || at == kWorld || there.parent_joint[Index(at)] == kNoJoint) continue;
    Joint& joint = other.model.joint(there.parent_joint[Index(at)]);
    if (there.parent[Index(at)] == kWorld && std::holds_alternative<Free>(joint.kind)) joint.kind = Fixed{}, joint.axes.clear();
  }
}

bool FloatOtherRoots(Side& a, Side& b, const Correspondence& match) {
  const auto free_joint = [](const RigidTransform& X_PF) {
    Joint joint;
    joint.name = "floating base", joint.kind = Free{}, joint.X_PF = X_PF, joint.implicit = true;
    return joint;
  };
  bool any = false;
  const auto float_roots = [&](Side& open, const std::vector<LinkId>& counterpart, Side& other, auto&& in_open) {
    const SpanningTree tree = ChooseSpanningTree(open.model), there = ChooseSpanningTree(other.model);
    for (const LinkId root : Links(open.model)) {
      const LinkId same = counterpart[Index(root)];
      if (tree.parent_joint[Index(root)] != kNoJoint || root == open.world_link || same == kNoLink || same == kWorld) continue;
      LinkId top = same;
      bool moves = false;  // against the link at the top
      for (; there.parent[Index(top)] != kWorld; top = there.parent[Index(top)])
        moves = moves || !std::holds_alternative<Fixed>(other.model.joint(there.parent_joint[Index(top)]).kind);
      const JointId base = there.parent_joint[Index(top)];
      if (!moves || top == other.world_link) continue;
      if (base != kNoJoint && !std::holds_alternative<Free>(other.model.joint(base).kind)) continue;
      const Mechanism m = Compile(other.model);
      const RigidTransform X_W = Poses(m, m.ZeroPosition())[U(m.body_of[Index(same)])];
      open.model.AddJoint(kWorld, root, free_joint(in_open(X_W, root, same)));
      if (base == kNoJoint) other.model.AddJoint(kWorld, top, free_joint({}));
      any = true;
    }
  };
  if (!a.base_specified)
    float_roots(a, match.b_of_a, b, [&](const RigidTransform& X, LinkId of_a, LinkId) { return X * match.X_ab[Index(of_a)].inverse(); });
  if (!b.base_specified)
    float_roots(b, match.a_of_b, a, [&](const RigidTransform& X, LinkId, LinkId of_a) { return X * match.X_ab[Index(of_a)]; });
  return any;
}

}  // namespace kinemorph::verify
