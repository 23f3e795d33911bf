#include "verify/prepare.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "kinemorph/formats/native_canonical.h"
#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/checks/nearest_inertia.h"
#include "kinemorph/graph/checks/turn_axes.h"
#include "kinemorph/graph/connectivity/base.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/mechanics/kinematics.h"
#include "kinemorph/graph/model/zero_poses.h"

namespace kinemorph::verify {
namespace {

// What a report calls lost must not be found as a difference: it is taken out of A, and each thing
// taken out is an exception of the verdict. All of this is done on copies, before anything is
// compiled, by the origin of elements, since names change on the way. A loss that B does not show
// (the element is there all the same) is not taken out and is compared.

// The losses of a report by the element that they are about, however it was called by then.
using ByOrigin = std::map<std::uint32_t, const Loss*>;
template <class Asked>
ByOrigin LossesOf(const LossReport& report, const Asked& asked) {
  ByOrigin losses;
  for (const Loss& loss : report.losses)
    if (loss.subject.where.origin > 0 && asked(loss))
      losses.emplace(loss.subject.where.origin, &loss);
  return losses;
}
ByOrigin LossesOf(const LossReport& report, Feature feature) {
  return LossesOf(report, [&](const Loss& loss) { return loss.feature == feature; });
}

// A base that was asked to stand otherwise.
void ChangeBases(const LossReport& report, Model& a, Excuses& excuses) {
  const ByOrigin lost = LossesOf(report, Feature::kFloatingBase);
  if (lost.empty()) return;
  const SpanningTree tree = ChooseSpanningTree(a);
  for (const LinkId link : Links(a)) {
    const auto found = lost.find(a.link(link).where.origin);
    const JointId up = tree.parent_joint[Index(link)];
    if (found == lost.end() || up == kNoJoint) continue;
    Joint& joint = a.joint(up);
    if (std::holds_alternative<Free>(joint.kind))
      BecomeBase(joint, Fixed{}), joint.native.clear();  // it was said of what is free
    else if (std::holds_alternative<Fixed>(joint.kind))
      BecomeBase(joint, Free{});
    else
      continue;
    excuses.Except(*found->second);
  }
}

// Joints of a kind that was to be left out stand still at zero.
void FreezeJoints(const LossReport& report, Model& a, Excuses& excuses) {
  const ByOrigin frozen = LossesOf(report, [](const Loss& loss) {
    return loss.asked && In(loss.feature, feature_group::kTreeJoints);
  });
  // A chain that was asked for moves: gone is only what was said of its joint as a whole.
  std::set<std::uint32_t> chains;
  for (const Lowering& lowering : report.lowerings)
    if (lowering.into.size() > 1) chains.insert(lowering.subject.where.origin);
  std::vector<bool> still(a.num_joints(), false);
  for (const JointId id : Joints(a)) {
    Joint& joint = a.joint(id);
    const auto found = frozen.find(joint.where.origin);
    if (found == frozen.end() || chains.contains(joint.where.origin) ||
        found->second->feature != TreeFeature(joint) || joint.role == JointRole::kLoop ||
        std::holds_alternative<Fixed>(joint.kind))
      continue;
    joint.kind = Fixed{}, joint.axes.clear();
    still[Index(id)] = true;
    excuses.Except(*found->second);
  }
  std::erase_if(a.couplings, [&](const Coupling& coupling) {
    return std::any_of(coupling.terms.begin(), coupling.terms.end(), [&](const CouplingTerm& term) {
      return still[Index(term.coordinate.joint)];
    });
  });
}

void RemoveLoops(const LossReport& report, const Model& b, Model& a, Excuses& excuses) {
  const ByOrigin lost = LossesOf(report, [](const Loss& loss) {
    return In(loss.feature, feature_group::kLoops) && loss.fields.empty();
  });
  if (lost.empty()) return;
  std::map<std::string, std::size_t> kept;  // name and kind
  for (const JointId id : Joints(b))
    if (b.joint(id).role != JointRole::kTree)
      kept.emplace(b.joint(id).name, b.joint(id).kind.index());
  const Renames renames(report);
  std::vector<bool> gone(a.num_joints(), false);
  for (const JointId id : Joints(a)) {
    const Joint& joint = a.joint(id);
    // B has the loop under its name, of the same kind: it was kept after all, and is compared.
    const auto found = lost.find(joint.where.origin);
    const auto in_b = kept.find(renames.Of(SubjectKind::kJoint, joint.where, joint.name));
    const bool stays = in_b != kept.end() && in_b->second == joint.kind.index();
    if (found == lost.end() || stays || std::holds_alternative<Free>(joint.kind)) continue;
    gone[Index(id)] = true;
    excuses.Except(*found->second);
  }
  // Where a tree joint goes the loop joints of the author hold what hung on it.
  bool cut = false;
  for (const JointId id : Joints(a))
    cut = cut || (gone[Index(id)] && a.joint(id).role == JointRole::kTree);
  if (cut)
    for (const JointId id : Joints(a)) a.joint(id).role = JointRole::kUndecided;
  static_cast<void>(a.RemoveJoints(
      [&](JointId id) { return gone[Index(id)]; }));  // what hangs on them is compared as A has it
}

void RemoveCouplings(const LossReport& report, const Model& b, Model& a, Excuses& excuses) {
  const ByOrigin lost = LossesOf(
      report, [](const Loss& loss) { return loss.subject.kind == SubjectKind::kCoupling; });
  std::set<std::string> kept;
  for (const Coupling& coupling : b.couplings) {
    kept.insert(coupling.name);
    if (!coupling.terms.empty() && coupling.terms.front().coordinate.joint != kNoJoint)
      kept.insert(b.joint(coupling.terms.front().coordinate.joint).name);
  }
  const Renames renames(report);
  // A coupling without a name of its own has that of the joint that it moves.
  const auto stays = [&](const Coupling& coupling) {
    const JointId moved =
        coupling.terms.empty() ? kNoJoint : coupling.terms.front().coordinate.joint;
    if (moved != kNoJoint && (coupling.name.empty() || coupling.name == a.joint(moved).name))
      return kept.contains(
          renames.Of(SubjectKind::kJoint, a.joint(moved).where, a.joint(moved).name));
    return kept.contains(renames.Of(SubjectKind::kCoupling, coupling.where, coupling.name));
  };
  std::erase_if(a.couplings, [&](const Coupling& coupling) {
    const auto found = lost.find(coupling.where.origin);
    if (found == lost.end() || stays(coupling)) return false;
    excuses.Except(*found->second);
    return true;
  });
  // The pitch of a screw is a coupling where the screw was split: without it both move on their own.
  // B keeps the pitch in the screw itself, or in the coupling of a chain: neither was lost.
  std::set<std::string> whole;
  for (const JointId id : Joints(b))
    if (std::holds_alternative<Screw>(b.joint(id).kind)) whole.insert(b.joint(id).name);
  for (const JointId id : Joints(a)) {
    Joint& joint = a.joint(id);
    const Screw* const screw = std::get_if<Screw>(&joint.kind);
    const auto found = screw != nullptr && !whole.contains(joint.name)
                           ? lost.find(joint.where.origin)
                           : lost.end();
    if (found == lost.end() || kept.contains(joint.name + "_pitch")) continue;
    joint.kind = Cylindrical{screw->axis};
    joint.axes.resize(2);
    excuses.Except(*found->second);
  }
}

// What stands for lost loops in B stands for them in A.
void AddFitted(const LossReport& report, Model& a) {
  const Names names(a);
  for (const FittedMimic& fitted : report.fitted) {
    const std::optional<JointId> follower = names.Joint(fitted.follower);
    const std::optional<JointId> leader = names.Joint(fitted.leader);
    if (!follower || !leader) continue;
    // follower - multiplier * leader = offset, in the one form of a coupling. The zero of A may be
    // another than that of B, where its loops are closed.
    const auto zero_of = [&](JointId id) { return a.joint(id).axes.at(0).position_offset; };
    Coupling mimic;
    mimic.name = fitted.follower;
    mimic.form = CouplingForm::kMimic;
    mimic.terms = {{{*follower, 0}, {1, 0, 0, 0}}, {{*leader, 0}, {-fitted.multiplier, 0, 0, 0}}};
    mimic.constant =
        fitted.source_offset - zero_of(*follower) + fitted.multiplier * zero_of(*leader);
    a.couplings.push_back(std::move(mimic));
  }
}

void RemoveArmature(const LossReport& report, const Model& b, Model& a, Excuses& excuses) {
  // By joints that have a rotor in B. A loss of a joint that was folded into another has no joint
  // there to show it.
  std::set<std::string> in_b;
  std::set<std::uint32_t> lost;
  bool any = false;
  for (const JointId id : Joints(b)) {
    for (const JointAxis& axis : b.joint(id).axes)
      if (axis.armature.value_or(0) != 0) in_b.insert(b.joint(id).name);
  }
  const Renames renames(report);
  for (const Loss& loss : report.losses) {
    // Of the rotor, or of all that is said of the joint.
    const Subject& subject = loss.subject;
    if (!Covers(loss.feature, Feature::kArmature) || subject.where.origin == 0 ||
        in_b.contains(renames.Of(SubjectKind::kJoint, subject.where, subject.joint)))
      continue;
    lost.insert(loss.subject.where.origin);
    any = any || loss.feature == Feature::kArmature;
    excuses.Except(loss);
  }
  const bool all = in_b.empty() && any;  // joints may have been folded into others since
  for (const JointId id : Joints(a)) {
    if (!all && !lost.contains(a.joint(id).where.origin)) continue;
    for (JointAxis& axis : a.joint(id).axes) axis.armature.reset();
  }
}

// A scoped name as formats without scopes have it.
std::string WithoutScopes(std::string name) {
  for (std::size_t at = 0; (at = name.find("::", at)) != std::string::npos;)
    name.replace(at, 2, "__");
  return name;
}

// B's link of the name that a link of A has there, the marks of scopes apart: a conversion back does
// not know of those.
class There {
 public:
  There(const LossReport& report, const Model& b) : b_(b), renames_(report) {
    for (const LinkId id : Links(b)) links_.emplace(WithoutScopes(b.link(id).name), id);
  }
  [[nodiscard]] const Link* operator()(const Link& of_a) const {
    const auto link =
        links_.find(WithoutScopes(renames_.Of(SubjectKind::kLink, of_a.where, of_a.name)));
    return link == links_.end() ? nullptr : &b_.link(link->second);
  }

 private:
  const Model& b_;
  std::map<std::string, LinkId> links_;
  Renames renames_;
};
// Whether the link has there what it has here and what was added, rather than what it has here.
bool ShowsAdded(const Link* there, const std::optional<Inertial>& here, const AddedInertia& added) {
  if (there == nullptr || !there->inertial) return false;
  const Inertial x = here.value_or(Inertial()), y = *there->inertial;
  const auto off = [&](double mass, double moment) {
    return std::abs(y.mass - x.mass - mass) + std::abs((y.I_I - x.I_I).trace() - 3 * moment);
  };
  return off(added.mass, added.moment) < off(0, 0);
}
bool IsPhysicalThere(const Link* link) {
  if (link == nullptr) return true;  // merged into another
  if (!link->inertial) return false;
  const Matrix3& I = link->inertial->I_I;
  return IsWellPhysical(I) || (NearestPhysicalInertia(I) - I).norm() <= 1e-9 * I.norm();
}

// By origin of a link that was merged into another, that of the other.
std::map<std::uint32_t, std::uint32_t> Heads(const LossReport& report) {
  std::map<std::uint32_t, std::uint32_t> head;
  for (const Lowering& lowering : report.lowerings)
    if (lowering.pass == "merge_fixed" && lowering.into.size() == 1)
      head.emplace(lowering.subject.where.origin, lowering.into[0].where.origin);
  return head;
}

// A link into which others were merged: its inertia with theirs, and the heaviest of them all.
struct MergedLink {
  SpatialInertia sum;
  LinkId head = kNoLink, heaviest = kNoLink;
  Matrix3 R_LH = Matrix3::Identity();  // of that one's frame
};

// By origin of each of them: the report names the one whose inertial stands for all.
std::map<std::uint32_t, MergedLink> MergedLinks(const LossReport& report, const Model& a) {
  const std::map<std::uint32_t, std::uint32_t> head = Heads(report);
  std::map<std::uint32_t, MergedLink> merged;
  if (head.empty()) return merged;
  const std::vector<RigidTransform> X_W = ZeroPoses(a, ChooseSpanningTree(a));
  std::map<std::uint32_t, LinkId> link_of;
  for (const LinkId id : Links(a)) link_of.emplace(a.link(id).where.origin, id);
  const auto add = [&](MergedLink& to, LinkId part, LinkId whole) {
    const std::optional<Inertial>& own = a.link(part).inertial;
    if (!own || own->mass == 0) return;
    const RigidTransform X_LP = X_W[Index(whole)].inverse() * X_W[Index(part)];
    to.sum = to.sum + own->InLink().InFrame(X_LP);
    if (to.heaviest != kNoLink && a.link(to.heaviest).inertial->mass >= own->mass) return;
    to.heaviest = part, to.R_LH = X_LP.R;
  };
  for (const auto& [from, into] : head) {
    const auto part = link_of.find(from), whole = link_of.find(into);
    if (part == link_of.end() || whole == link_of.end()) continue;
    const auto [sum, fresh] = merged.try_emplace(into);
    if (fresh) sum->second.head = whole->second, add(sum->second, whole->second, whole->second);
    add(sum->second, part->second, whole->second);
  }
  for (const auto& [from, into] : head)
    if (const auto sum = merged.find(into); sum != merged.end()) merged.emplace(from, sum->second);
  return merged;
}

MergedLink Alone(const Model& a, LinkId id) {
  const std::optional<Inertial>& own = a.link(id).inertial;
  return own ? MergedLink{own->InLink(), id, id} : MergedLink{};
}

// The tensor of the nearest body; what the sum of several links lacks is added to one of them. False
// where none has mass.
bool MakePhysical(const MergedLink& all, bool moves_alike,
                  const std::vector<std::optional<Vector3>>& turns, Model& a) {
  if (all.heaviest == kNoLink) return false;
  Inertial whole;
  whole.mass = all.sum.mass, whole.I_I = all.sum.I_BBcm;
  const PhysicalTensor nearest =
      NearestPhysicalTensor(whole, moves_alike ? turns[Index(all.head)] : std::nullopt);
  Inertial& own = *a.link(all.heaviest).inertial;
  const Matrix3 R_LI = all.R_LH * own.X_LI.R;
  own.I_I += R_LI.transpose() * (nearest.I_I - whole.I_I) * R_LI;
  return true;
}

void ChangeInertias(const LossReport& report, bool assumed, Model& b, Model& a, Excuses& excuses) {
  const ByOrigin unphysical = LossesOf(report, Feature::kUnphysicalInertia);
  std::map<std::string, AddedInertia> added;

  // Tensors of no body were replaced by the nearest of one, by the same function as in the
  // conversion; the mass and moment that were added are numbers of the report.
  for (const AddedInertia& item : report.added) added.emplace(item.link, item);
  bool shows = false;
  const There there(report, b);
  std::vector<std::optional<Vector3>> turns;
  std::map<std::uint32_t, MergedLink> merged;
  if (!unphysical.empty()) turns = TurnAxes(a), merged = MergedLinks(report, a);
  for (const LinkId id : Links(a)) {
    std::optional<Inertial>& inertial = a.link(id).inertial;
    const auto found_unphysical = unphysical.find(a.link(id).where.origin);
    if (found_unphysical != unphysical.end() && (!assumed || IsPhysicalThere(there(a.link(id))))) {
      const auto all = merged.find(a.link(id).where.origin);
      const bool moves_alike = found_unphysical->second->weight != Weight::kMotion;
      if (MakePhysical(all != merged.end() ? all->second : Alone(a, id), moves_alike, turns, a))
        excuses.Except(*found_unphysical->second);
    }
    if (const auto found = added.find(a.link(id).name);
        found != added.end() && !a.link(id).synthetic &&
        (!assumed || ShowsAdded(there(a.link(id)), inertial, found->second))) {
      if (!inertial) inertial.emplace();
      shows = shows || std::max(found->second.mass, found->second.moment) > kNoise;
      inertial->mass += found->second.mass;
      inertial->I_I += found->second.moment * Matrix3::Identity();
      added.erase(found);
    }
  }
  if (!assumed)
    shows = std::any_of(report.added.begin(), report.added.end(),
                        [](const auto& item) { return std::max(item.mass, item.moment) > kNoise; });
  // What was added to links that only B's file names, the inner ones of joints, is taken out there.
  for (const NameChange& change : report.names) {
    if (change.kind != SubjectKind::kLink || !added.contains(change.from)) continue;
    added.emplace(change.to, added.at(change.from));
  }

  // Where A has the link too, its mass was added above, and B's must show it. The halves of a link
  // are one link here.
  std::set<std::string> in_a;
  std::map<std::uint32_t, LinkId> link_of;
  for (const LinkId id : Links(a))
    if (!a.link(id).synthetic)
      in_a.insert(a.link(id).name), link_of.emplace(a.link(id).where.origin, id);
  for (const AddedInertia& item : report.added) {
    const auto whole = link_of.find(item.origin);
    if (assumed || whole == link_of.end() || in_a.contains(item.link)) continue;
    std::optional<Inertial>& inertial = a.link(whole->second).inertial;
    if (inertial) inertial->mass += item.mass, inertial->I_I += item.moment * Matrix3::Identity();
  }
  for (const LinkId id : Links(b)) {
    const auto found = added.find(b.link(id).name);
    std::optional<Inertial>& inertial = b.link(id).inertial;
    if (assumed && in_a.contains(b.link(id).name)) continue;
    if (found == added.end() || !inertial || inertial->mass > found->second.mass * (1 + 1e-9))
      continue;
    // An inertial of zeros says that nothing was added.
    shows = shows || inertial->mass > 0 || !inertial->I_I.isZero(0);
    inertial.reset();
  }
  for (const Loss& loss : report.losses)  // one for all links that inertia is added to
    if (loss.feature == Feature::kMasslessLink && shows) excuses.Except(loss);
}

// Whether gravity acts on a link, where that cannot be said.
void RemoveLinkGravity(const LossReport& report, const Model& b, Model& a, Excuses& excuses) {
  const ByOrigin lost = LossesOf(report, Feature::kLinkGravity);
  if (lost.empty()) return;
  const There find(report, b);
  const std::map<std::uint32_t, std::uint32_t> head = Heads(report);
  for (const LinkId id : Links(a)) {
    Link& link = a.link(id);
    const auto merged = head.find(link.where.origin);
    const auto found = lost.find(merged == head.end() ? link.where.origin : merged->second);
    if (found == lost.end()) continue;
    const Link* const there = find(link);
    if (there != nullptr && there->gravity == link.gravity) continue;
    link.gravity.reset();
    excuses.Except(*found->second);
  }
}

}  // namespace

void RemoveLosses(const LossReport& report, bool assumed, Model& b, Model& a, Excuses& excuses) {
  ChangeInertias(report, assumed, b, a, excuses);
  ChangeBases(report, a, excuses);
  FreezeJoints(report, a, excuses);
  RemoveArmature(report, b, a, excuses);
  RemoveLinkGravity(report, b, a, excuses);
}

void RemoveConstraints(const LossReport& report, const Model& b, Model& a, Excuses& excuses) {
  RemoveCouplings(report, b, a, excuses);
  RemoveLoops(report, b, a, excuses);
  AddFitted(report, a);
}

void ReadTransparency(Model& model) {
  for (const LinkId id : Links(model))
    for (Visual& visual : model.link(id).visuals)
      std::erase_if(visual.native, [&](const NativeData& data) {
        // Text in a block of URDF, a number to Gazebo: only what is a number to the last character
        // is taken over.
        if (data.element != "transparency") return false;
        const std::string text = Canonical(data.content, data.format).text;
        const char* const last = text.data() + text.size();
        double value = 0;
        const auto [end, error] = ParseDouble(text.data(), last, value);
        const bool read = error == std::errc() && end == last;
        if (read) visual.transparency = value;
        return read;
      });
}

void LockStatic(const LossReport* report, Model& model, Excuses& excuses) {
  std::vector<bool> still(model.num_links(), false), locked(model.num_joints(), false),
      gone(model.num_joints(), false);

  // The same rule as the pass `static_models` has, with no report: both sides are locked alike.
  bool any = false;
  for (const LinkId link : Links(model)) {
    for (ScopeId s = model.link(link).scope; s != kNoScope && Index(s) < model.scopes.size();
         s = model.scopes[Index(s)].parent)
      still[Index(link)] = still[Index(link)] || model.scopes[Index(s)].is_static;
    any = any || still[Index(link)];
  }
  if (!any) return;
  ByOrigin floating;
  if (report != nullptr) floating = LossesOf(*report, Feature::kFloatingBase);
  const auto to_world = [&](LinkId link) -> JointKind {
    const auto asked = floating.find(model.link(link).where.origin);
    if (asked == floating.end()) return Fixed{};
    excuses.Except(*asked->second);
    return Free{};
  };
  DisjointSets parts(model.num_links());
  const auto inside = [&](LinkId link) { return link == kWorld || still[Index(link)]; };
  for (const JointId id : Joints(model)) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    if (!inside(p) || !inside(s)) continue;
    Joint& joint = model.joint(id);
    joint.kind = p == kWorld ? to_world(s) : s == kWorld ? to_world(p) : Fixed{};
    joint.axes.clear();
    locked[Index(id)] = true;
    gone[Index(id)] = !parts.Unite(Index(p), Index(s));
  }
  for (const LinkId link : Links(model)) {
    if (!still[Index(link)] || !parts.Unite(0, Index(link))) continue;
    Joint joint;
    joint.name = "world_to_" + model.link(link).name, joint.kind = to_world(link),
    joint.implicit = true;
    model.AddJoint(kWorld, link, std::move(joint));
  }
  const auto is_locked = [&](const CouplingTerm& term) {
    return locked[Index(term.coordinate.joint)];
  };
  std::erase_if(model.couplings, [&](Coupling& coupling) {
    return std::erase_if(coupling.terms, is_locked) > 0 && coupling.terms.empty();
  });
  gone.resize(model.num_joints(), false);
  static_cast<void>(model.RemoveJoints([&](JointId id) { return gone[Index(id)]; }));
}

void GatherWelded(const std::vector<LinkId>& counterpart, Model& model) {
  const auto known = [&](LinkId id) { return counterpart[Index(id)] != kNoLink; };
  std::vector<bool> held(model.num_links(), false);  // by the tree, as a part of something already
  for (const JointId id : Joints(model))
    if (model.joint(id).role != JointRole::kLoop &&
        std::holds_alternative<Fixed>(model.joint(id).kind))
      held[Index(model.successor(id))] = held[Index(model.predecessor(id))] = true;
  const auto gather = [&](LinkId from, LinkId into, const RigidTransform& X_IF) {
    if (from == kWorld || into == kWorld || known(from) || !known(into) || held[Index(from)])
      return;
    Link &part = model.link(from), &whole = model.link(into);
    if (!part.inertial) return;
    SpatialInertia sum = part.inertial->InLink().InFrame(X_IF);
    if (whole.inertial) sum = whole.inertial->InLink() + sum;
    if (!whole.inertial) whole.inertial.emplace();
    whole.inertial->mass = sum.mass;
    whole.inertial->X_LI = RigidTransform::Translation(sum.p_BoBcm);
    whole.inertial->I_I = sum.I_BBcm;
    part.inertial.reset();
  };
  for (const JointId id : Joints(model)) {
    const Joint& weld = model.joint(id);
    if (weld.role != JointRole::kLoop || !std::holds_alternative<Fixed>(weld.kind)) continue;
    const LinkId p = model.predecessor(id), s = model.successor(id);
    const RigidTransform X_PS = weld.X_PF * weld.X_SM.inverse();
    gather(s, p, X_PS);
    gather(p, s, X_PS.inverse());
  }
}

// A base is specified if no root is left without a joint; a root link "world" is the world itself.
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
  const auto fixed = [](const Model& model, JointId id) {
    return id != kNoJoint && std::holds_alternative<Fixed>(model.joint(id).kind);
  };
  std::vector<bool> still(open.model.num_links(), false);  // rigid with a root that nothing ties
  for (const LinkId id : tree.order) {
    const JointId up = tree.parent_joint[Index(id)];
    still[Index(id)] =
        id != kWorld && id != open.world_link &&
        (up == kNoJoint || (fixed(open.model, up) && tree.parent[Index(id)] != kWorld &&
                            still[Index(tree.parent[Index(id)])]));

    // In the other model, from the counterpart over fixed joints towards the world: the joint that
    // is met, if it is a free one, is what this side leaves unsaid.
    LinkId at = still[Index(id)] ? counterpart[Index(id)] : kNoLink;
    while (at != kNoLink && at != kWorld && fixed(other.model, there.parent_joint[Index(at)]))
      at = there.parent[Index(at)];
    if (at == kNoLink || at == kWorld || there.parent_joint[Index(at)] == kNoJoint) continue;
    Joint& joint = other.model.joint(there.parent_joint[Index(at)]);
    const LinkId below = there.parent[Index(at)];
    if ((below == kWorld || below == other.world_link) && std::holds_alternative<Free>(joint.kind))
      joint.kind = Fixed{}, joint.axes.clear();
  }
}

bool FloatOtherRoots(Side& a, Side& b, const Correspondence& match) {
  const auto free_joint = [](const RigidTransform& X_PF) {
    Joint joint;
    joint.name = "floating base", joint.kind = Free{}, joint.X_PF = X_PF, joint.implicit = true;
    return joint;
  };
  bool any = false;
  const auto float_roots = [&](Side& open, const std::vector<LinkId>& counterpart, Side& other,
                               auto&& in_open) {
    const SpanningTree tree = ChooseSpanningTree(open.model),
                       there = ChooseSpanningTree(other.model);
    for (const LinkId root : Links(open.model)) {
      const LinkId same = counterpart[Index(root)];
      if (tree.parent_joint[Index(root)] != kNoJoint || root == open.world_link ||
          same == kNoLink || same == kWorld)
        continue;

      // The root that this side leaves open is an inner link there: up to the one that hangs on the
      // world.
      LinkId top = same;
      bool moves = false;  // against the link at the top
      for (; there.parent[Index(top)] != kWorld; top = there.parent[Index(top)])
        moves = moves || !std::holds_alternative<Fixed>(
                             other.model.joint(there.parent_joint[Index(top)]).kind);
      const JointId base = there.parent_joint[Index(top)];
      if (!moves || top == other.world_link) continue;
      if (base != kNoJoint && !std::holds_alternative<Free>(other.model.joint(base).kind)) continue;

      // The free joint starts where the link stands at zero in the other model, so that a state of
      // one is a state of the other.
      const Mechanism m = Compile(other.model);
      const RigidTransform X_W = Poses(m, m.ZeroPosition())[U(m.body_of[Index(same)])];
      open.model.AddJoint(kWorld, root, free_joint(in_open(X_W, root, same)));
      if (base == kNoJoint) other.model.AddJoint(kWorld, top, free_joint({}));
      any = true;
    }
  };
  if (!a.base_specified)
    float_roots(a, match.b_of_a, b, [&](const RigidTransform& X, LinkId of_a, LinkId) {
      return X * match.X_ab[Index(of_a)].inverse();
    });
  if (!b.base_specified)
    float_roots(b, match.a_of_b, a, [&](const RigidTransform& X, LinkId, LinkId of_a) {
      return X * match.X_ab[Index(of_a)];
    });
  return any;
}

}  // namespace kinemorph::verify
