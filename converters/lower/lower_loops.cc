// Passes `cut_whole_joints` and `lower_loops`: where loops are cut, and loop joints of kinds, or between links, that the target cannot hold.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

#include "edit/align.h"
#include "edit/model_edit.h"
#include "edit/removal.h"
#include "edit/roots.h"
#include "edit/split.h"
#include "edit/split_link.h"
#include "kinemorph/graph/checks/contacts.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/mechanics/planar_loop.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// LoopLowering works in four steps, the gentlest first: a ball of a planar loop becomes a hinge
// (HingeFlatBalls), the loop is cut at another of its joints (MoveCuts), the loop joint is divided
// into a chain and a simpler loop joint (SplitKinds), or leads to half of a link, and an end is
// moved off an ancestor (MoveOffAncestors). No step changes the mechanism; the first two add no
// links either.

bool IsAncestor(const SpanningTree& tree, LinkId a, LinkId b) {
  return NearestCommonAncestor(tree, a, b) == a;
}

bool JoinsAncestor(const SpanningTree& tree, LinkId a, LinkId b) {
  return IsAncestor(tree, a, b) || IsAncestor(tree, b, a);
}

// Joints that must stay in the tree because something is said of them that a loop joint cannot
// carry; with `of_axes` a loop joint carries limits and dynamics, but for those of a whole ball.
std::vector<bool> Bound(const Model& model, bool of_axes = false) {
  std::vector<bool> bound(model.num_joints(), false);
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    // A limit, a drive, a coupling or a declaration refers to a coordinate, and a loop joint has
    // none.
    const bool carried = of_axes && !std::holds_alternative<Ball>(joint.kind);
    bound[Index(id)] = (!IsPassive(joint) && !carried) || joint.independent.value_or(false);
  }
  for (const Coupling& coupling : model.couplings) {
    for (const CouplingTerm& term : coupling.terms) bound[Index(term.coordinate.joint)] = true;
  }
  for (const Actuator& actuator : model.actuators)
    if (actuator.joint != kNoJoint) bound[Index(actuator.joint)] = true;
  return bound;
}

// The tree joints of a loop, from the loop joint outwards on both sides.
std::vector<JointId> JointsOfLoop(const Model& model, const SpanningTree& tree, JointId loop) {
  const LinkId p = model.predecessor(loop), s = model.successor(loop),
               nca = NearestCommonAncestor(tree, p, s);
  std::vector<JointId> joints;
  for (const LinkId end : {s, p}) {
    for (LinkId link = end; link != nca; link = tree.parent[Index(link)])
      joints.push_back(tree.parent_joint[Index(link)]);
  }
  return joints;
}

// After cutting `cut` and closing `loop`, do the ends of `cut` hang on each other? The links below
// `cut` on its side of the loop hang on the loop joint's other end then, so the new tree path
// between the ends runs all around the loop: only when one of the ends is the nearest common
// ancestor does it join a link to its ancestor.
bool WouldJoinAncestor(const Model& model, const SpanningTree& tree, JointId loop, JointId cut) {
  const LinkId nca = NearestCommonAncestor(tree, model.predecessor(loop), model.successor(loop));
  return model.predecessor(cut) == nca || model.successor(cut) == nca;
}

// What is looked at while cuts move: the model as it stands.
struct Round {
  Round(const Model& model, std::vector<bool> bound_joints)
      : tree(TreeOf(model)), X_W(ZeroPoses(model, tree)), bound(std::move(bound_joints)) {}
  const SpanningTree tree;
  const std::vector<RigidTransform> X_W;
  const std::vector<bool> bound;  // by joint: it stays in the tree
};

class LoopLowering {
 public:
  LoopLowering(Model& model, const LowerLoops& asked, PassContext& context)
      : model_(model),
        asked_(asked),
        context_(context),
        join_points_(context.Of(Feature::kLoopFixed).pass == "point_loops"),
        weld_halves_(context.Of(Feature::kLoopRevolute).pass == "weld_halves") {}

  void Run() {
    HingeFlatBalls();
    MoveCuts();
    SplitKinds();
    MoveOffAncestors();
  }

  // A joint of several coordinates changes places with the loop joint of its loop, where the target
  // holds the one as a loop joint only and the other as a tree joint.
  void CutWholes() {
    cuts_wholes_ = true;
    const auto kept = [&] {
      std::vector<bool> stays = Bound(model_, context_.Native(Feature::kLoopAxisData));
      for (const JointId id : Joints(model_))
        stays[Index(id)] = stays[Index(id)] || context_.Native(TreeFeature(model_.joint(id)));
      return stays;
    };
    // Worth it where the loop joint can be a tree joint as it is, and some joint around the loop
    // may take its place. Planar ones are left.
    const auto gains = [&](const Round& round, JointId loop) {
      const Joint& joint = model_.joint(loop);
      if (std::holds_alternative<Planar>(joint.kind) || !context_.Native(TreeFeature(joint)))
        return false;
      const std::vector<JointId> around = JointsOfLoop(model_, round.tree, loop);
      return std::any_of(around.begin(), around.end(),
                         [&](JointId id) { return id != kNoJoint && !round.bound[Index(id)]; });
    };
    ExchangeAll(kept, gains);
  }

 private:
  bool WrongKindIs(const JointKind& kind) const { return context_.Mine(LoopFeature(kind)); }
  bool WrongKind(JointId id) const { return WrongKindIs(model_.joint(id).kind); }

  // A point does all that the loop joint does: a ball, or a hinge of a loop that moves in a plane.
  bool IsPoint(const SpanningTree& tree, const std::vector<RigidTransform>& X_W, JointId loop,
               JointId cut) const {
    if (std::holds_alternative<Ball>(model_.joint(cut).kind)) return true;
    if (!std::holds_alternative<Revolute>(model_.joint(cut).kind)) return false;
    // Whichever joint of a loop is cut, the hinges around it are the same.
    if (cut == loop) return PlaneNormal(model_, tree, X_W, loop).has_value();
    // All hinges of the loop are parallel, the one to be cut included: then two rows of a point are
    // all that the loop needs.
    const Vector3 axis_W = AxisInWorld(X_W, cut);
    const std::vector<JointId> around = JointsOfLoop(model_, tree, loop);
    return std::holds_alternative<Revolute>(model_.joint(loop).kind) &&
           axis_W.cross(AxisInWorld(X_W, loop)).norm() <= kMaxLoopGap &&
           std::all_of(around.begin(), around.end(), [&](JointId id) {
             return id != kNoJoint && std::holds_alternative<Revolute>(model_.joint(id).kind) &&
                    axis_W.cross(AxisInWorld(X_W, id)).norm() <= kMaxLoopGap;
           });
  }
  Vector3 AxisInWorld(const std::vector<RigidTransform>& X_W, JointId id) const {
    return X_W[Index(model_.predecessor(id))].R * model_.joint(id).X_PF.R *
           std::get<Revolute>(model_.joint(id).kind).axis;
  }

  // 1. In a loop that moves in a plane a hinge about its normal does what the ball does.
  void HingeFlatBalls() {
    if (!WrongKindIs(Ball{})) return;
    const SpanningTree tree = TreeOf(model_);
    const std::vector<RigidTransform> X_W = ZeroPoses(model_, tree);
    for (const JointId id : tree.loop_joints) {
      Joint& joint = model_.joint(id);
      if (!std::holds_alternative<Ball>(joint.kind) || !IsPassive(joint)) continue;
      const std::optional<Vector3> normal = PlaneNormal(model_, tree, X_W, id);
      if (!normal) continue;
      // The ball also holds the height along the normal, which is the hinge's zero: it must be
      // closed at q = 0 for the two to be the same.
      const RigidTransform X_WF = X_W[Index(model_.predecessor(id))] * joint.X_PF;
      const RigidTransform& X_WS = X_W[Index(model_.successor(id))];
      if (std::abs(normal->dot(X_WF.p - (X_WS * joint.X_SM).p)) > kMaxLoopGap) continue;
      joint.kind = Revolute{X_WF.R.transpose() * *normal};
      joint.native_type.clear();
      joint.axes.assign(1, JointAxis());
      joint.X_SM.R = X_WS.R.transpose() * X_WF.R;
      context_.Lowered(Called("ball loop joint", SubjectOf(joint)),
                       "moves in a plane; a revolute loop joint about its normal does the same");
    }
  }

  // 2. Another cut of the same loop.
  void MoveCuts() {
    if (asked_.cut_is_unseen) return;
    ExchangeAll([&] { return Bound(model_); },
                [&](const Round& round, JointId id) {
                  return WrongKind(id) || (join_points_ && !IsPoint(round.tree, round.X_W, id, id));
                });
  }

  // Rounds, so that loops that share links are looked at again in the new tree; each exchange
  // removes an offender for good.
  template <class BoundNow, class Offends>
  void ExchangeAll(const BoundNow& bound_now, const Offends& offends) {
    const std::vector<std::string>& asked = context_.options.cut;
    for (bool again = true; again;) {
      again = false;
      const Round round(model_, bound_now());
      const std::vector<LinkId> roots = UntiedRoots(round.tree);
      std::vector<JointId> offenders;
      for (const JointId id : round.tree.loop_joints) {
        if (std::find(asked.begin(), asked.end(), model_.joint(id).name) == asked.end() &&
            offends(round, id))
          offenders.push_back(id);
      }
      if (offenders.empty()) return;
      std::vector<bool> touched(model_.num_links(), false);
      for (const JointId loop : offenders) {
        // An exchange turns joints of the whole loop round: loops that share links with one that
        // was changed wait for the next round, when the tree is known again.
        const std::vector<JointId> around = JointsOfLoop(model_, round.tree, loop);
        const auto is_touched = [&](JointId id) {
          return touched[Index(model_.predecessor(id))] || touched[Index(model_.successor(id))];
        };
        if (std::any_of(around.begin(), around.end(), is_touched)) {
          again = true;
          continue;
        }
        if (Exchange(round.tree, round.X_W, round.bound, loop, around)) {
          for (const JointId id : around)
            touched[Index(model_.predecessor(id))] = touched[Index(model_.successor(id))] = true;
        }
      }
      // A new cut may leave the base below another link: the root stays where the author had it.
      KeepRoots(model_, context_, roots);
    }
  }

  bool Exchange(const SpanningTree& tree, const std::vector<RigidTransform>& X_W,
                const std::vector<bool>& bound, JointId loop, const std::vector<JointId>& around) {
    // The loop joint becomes a tree joint, so that the target must hold its kind there too.
    const Support as_tree_joint = context_.Of(TreeFeature(model_.joint(loop))).support;
    if (as_tree_joint == Support::kLost || as_tree_joint == Support::kPartial ||
        as_tree_joint == Support::kRefused)
      return false;
    for (const JointId cut : around) {
      if (cut == kNoJoint || bound[Index(cut)]) continue;
      const Joint& candidate = model_.joint(cut);
      if (!context_.Native(LoopFeature(candidate.kind)) ||
          std::holds_alternative<Free>(candidate.kind))
        continue;
      if (std::holds_alternative<Fixed>(candidate.kind) &&
          (candidate.implicit || weld_halves_))  // one body stays one
        continue;
      // Where loops are points, a cut that is no point gains nothing.
      if (join_points_ && !IsPoint(tree, X_W, loop, cut)) continue;
      if (!context_.Native(Feature::kLoopAncestor) && WouldJoinAncestor(model_, tree, loop, cut))
        continue;

      // The loop joint becomes a tree joint, which must be closed at zero. A drawing that is open
      // by more than rounding would be changed by that, so that the loop keeps its cut.
      const RigidTransform X_PS =
          X_W[Index(model_.predecessor(loop))].inverse() * X_W[Index(model_.successor(loop))];
      if (AlignToZero(model_, loop, X_PS, kMaxLoopGap) > kMaxLoopGap) return false;
      model_.joint(loop).role = JointRole::kTree;
      model_.joint(cut).role = JointRole::kLoop;
      // For the message: which of the two kinds made the exchange necessary.
      const bool wrong = WrongKind(loop) || !cuts_wholes_;
      const JointKind& lacks = wrong ? model_.joint(loop).kind : candidate.kind;
      context_.cut_reasons[candidate.where.origin] =
          "the target has no " + std::string(KindName(lacks)) +
          (wrong ? " loop joint, which '" + model_.joint(loop).name + "' was"
                 : " tree joint without massless links");
      context_.Lowered(Called(std::string(KindName(model_.joint(loop).kind)) + " loop joint",
                              SubjectOf(model_.joint(loop))),
                       "becomes a tree joint; the loop is cut at " +
                           Quoted(KindName(candidate.kind), candidate.name) + " instead");
      LoseOffsetsOfLoop(model_, cut, context_);
      return true;
    }
    return false;
  }

  // 3. Tree joints P -> m1 -> m2 .., then the loop joint of the last coordinate, or a weld where
  // that coordinate must be coupled or is of a kind the target lacks.
  void SplitKinds() {
    std::vector<JointId> wrong;
    for (const JointId id : Joints(model_))
      if (model_.joint(id).role == JointRole::kLoop && WrongKind(id)) wrong.push_back(id);
    const std::vector<JointId> weak = asked_.splits_links ? OnLightLinks() : std::vector<JointId>();
    if (wrong.empty() && weak.empty()) return;
    if (weld_halves_) LeadFromWorld(wrong);
    const SpanningTree tree = TreeOf(model_);
    const std::vector<RigidTransform> X_W = ZeroPoses(model_, tree);
    std::ranges::copy_if(weak, std::back_inserter(wrong), [&](JointId id) {
      return AlignToZero(
                 model_, id,
                 X_W[Index(model_.predecessor(id))].inverse() * X_W[Index(model_.successor(id))],
                 kMaxLoopGap) <= kMaxLoopGap;
    });
    UniqueNames links = LinkNames(model_), joints = JointNames(model_);
    std::vector<LinkId> new_predecessor(model_.num_joints(), kNoLink);
    for (const JointId id : wrong) {
      // A ball loop may be drawn at any angle: measure the angles from there, far from the
      // singularity of the chain.
      AlignToZero(model_, id,
                  X_W[Index(model_.predecessor(id))].inverse() * X_W[Index(model_.successor(id))],
                  std::numeric_limits<double>::max(), true);
      const Joint whole = model_.joint(id);
      const auto [pieces, closing] = DivideKind(whole.kind);
      if (WrongKind(id) && !std::holds_alternative<Fixed>(closing) && pieces.empty()) continue;
      // Engines whose constraints give way to light bodies hold half of a link as well as the link.
      if (asked_.splits_links) {
        // A chain in the tree has other joints than the one that limits and dynamics are of.
        if (!context_.Native(TreeFeature(whole))) {
          LoseAxisData(model_, whole, context_);
          model_.joint(id).axes.assign(static_cast<std::size_t>(NumAxes(whole.kind)), JointAxis());
        }
        WeldHalf(model_, id, links, joints, context_);
        continue;
      }
      const std::vector<JointId> chain =
          AddChain(whole, model_.predecessor(id), pieces, links, joints);
      CloseChain(id, whole, closing, chain);
      new_predecessor.resize(model_.num_joints(), kNoLink);
      new_predecessor[Index(id)] =
          chain.empty() ? model_.predecessor(id) : model_.successor(chain.back());
    }
    new_predecessor.resize(model_.num_joints(), kNoLink);
    model_.Reconnect([&](JointId id) {
      return std::pair(new_predecessor[Index(id)] == kNoLink ? model_.predecessor(id)
                                                             : new_predecessor[Index(id)],
                       model_.successor(id));
    });
  }

  // Something is said of it in words of a format.
  static bool IsSoft(const Joint& joint) {
    return !std::ranges::all_of(joint.native, &NativeData::idle);
  }

  // Loop joints that the target holds, between a body and one that is light beside it: engines whose
  // constraints give way to light bodies hold two halves of the heavy one.
  // Not what the author says in words of the target.
  [[nodiscard]] std::vector<JointId> OnLightLinks() const {
    const bool own = model_.format.starts_with(context_.traits.native_format);
    if (own && context_.options.target.options.profile.empty()) return {};
    const Contacts bodies(model_, ContactRule::kAll, false);
    const auto of_link = [&](LinkId id) {
      const auto& inertial = model_.link(id).inertial;
      return id == kWorld || !inertial ? 0 : inertial->mass;
    };
    std::map<std::uint32_t, double> of_body;  // the links that fixed joints hold together
    for (const LinkId id : Links(model_)) of_body[bodies.GroupOf(id)] += of_link(id);
    of_body[bodies.GroupOf(kWorld)] = std::numeric_limits<double>::infinity();
    // Its mass gives way beside the one link that can be split.
    const auto is_light = [&](LinkId id, LinkId beside) {
      return of_body[bodies.GroupOf(id)] < kLightShare * of_link(beside);
    };
    std::vector<JointId> weak;
    for (const JointId id : Joints(model_)) {
      const Joint& joint = model_.joint(id);
      const Support in_tree = context_.Of(TreeFeature(joint)).support;
      if (joint.role != JointRole::kLoop || WrongKind(id) ||
          std::holds_alternative<Fixed>(joint.kind) || IsSoft(joint) ||
          (own && joint.native_type == "connect") ||  // as soft as its author has it
          (in_tree != Support::kNative && in_tree != Support::kLowered))
        continue;
      const LinkId p = model_.predecessor(id), s = model_.successor(id);
      if (is_light(p, s) || is_light(s, p)) weak.push_back(id);
    }
    return weak;
  }

  // Single coordinates of tree joints, and the kind of the loop joint that closes them.
  [[nodiscard]] std::pair<std::vector<JointKind>, JointKind> DivideKind(
      const JointKind& whole) const {
    std::vector<JointKind> pieces = PiecesOf(whole);
    if (pieces.empty()) pieces = {whole};
    // The last coordinate should be a rotation: every target has that loop joint. Turning and
    // sliding along one axis commute.
    if (std::holds_alternative<Cylindrical>(whole)) std::swap(pieces.front(), pieces.back());
    JointKind closing = pieces.back();
    if (std::holds_alternative<Screw>(whole) || !context_.Native(LoopFeature(closing)))
      closing = Fixed{};
    else
      pieces.pop_back();
    return {pieces, closing};
  }

  std::vector<JointId> AddChain(const Joint& whole, LinkId from,
                                const std::vector<JointKind>& pieces, UniqueNames& links,
                                UniqueNames& joints) {
    std::vector<JointId> chain;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      Link link;
      link.name =
          links.Take(NameBeside(model_.link(from), whole) + "_link" + std::to_string(i + 1));
      link.scope = model_.link(from).scope;
      link.synthetic = true;
      link.where = whole.where;
      const LinkId to = model_.AddLink(std::move(link));
      Joint piece;
      piece.name = joints.Take(whole.name + "_" + std::to_string(i + 1));
      piece.kind = pieces[i];
      piece.role = JointRole::kTree;
      piece.scope = whole.scope;
      piece.where = whole.where;
      if (i == 0) piece.X_PF = whole.X_PF;
      chain.push_back(model_.AddJoint(from, to, std::move(piece)));
      from = to;
    }
    // The chain turns, then slides: q_slide = pitch q_turn.
    if (const auto* screw = std::get_if<Screw>(&whole.kind)) {
      Coupling pitch;
      pitch.name = whole.name + "_pitch";
      pitch.form = CouplingForm::kMimic;
      pitch.terms = {{{chain[1], 0}, {1, 0, 0, 0}}, {{chain[0], 0}, {-screw->pitch, 0, 0, 0}}};
      pitch.where = whole.where;
      model_.couplings.push_back(std::move(pitch));
    }
    return chain;
  }

  // The loop joint, of which the chain takes the other coordinates.
  void CloseChain(JointId id, const Joint& whole, const JointKind& closing,
                  const std::vector<JointId>& chain) {
    Joint& loop = model_.joint(id);
    loop.kind = closing;
    loop.native_type.clear();
    LoseAxisData(model_, whole, context_);
    loop.axes.assign(static_cast<std::size_t>(NumAxes(closing)), JointAxis());

    // The first piece took the frame on the predecessor; all frames between the pieces coincide at
    // zero.
    loop.X_PF = chain.empty() ? whole.X_PF : RigidTransform();
    std::string named;
    for (const JointId piece : chain)
      named += (named.empty() ? "'" : ", '") + model_.joint(piece).name + "'";
    context_.Lowered(Called(std::string(KindName(whole.kind)) + " loop joint", SubjectOf(whole)),
                     "becomes tree " + std::string(chain.size() > 1 ? "joints " : "joint ") +
                         named + " through massless links and a " + std::string(KindName(closing)) +
                         " loop joint");
  }

  // The links of the chain hang on the world then, and the link with mass is the one to be split.
  void LeadFromWorld(const std::vector<JointId>& loops) {
    std::vector<bool> turned(model_.num_joints(), false);
    for (const JointId id : loops) {
      if (model_.successor(id) != kWorld) continue;
      turned[Index(id)] = true;
      FlipJoint(model_.joint(id));
    }
    model_.Reconnect([&](JointId id) {
      const LinkId p = model_.predecessor(id), s = model_.successor(id);
      return turned[Index(id)] ? std::pair(s, p) : std::pair(p, s);
    });
  }

  // 4. A link welded to the ancestor has the ancestor's motion and is nobody's ancestor.
  void MoveOffAncestors() {
    if (!context_.Mine(Feature::kLoopAncestor)) return;
    const SpanningTree tree = TreeOf(model_);
    UniqueNames links = LinkNames(model_), joints = JointNames(model_);
    const std::size_t count = model_.num_joints();
    std::vector<std::pair<LinkId, LinkId>> ends(count, {kNoLink, kNoLink});
    bool any = false;
    for (const JointId id : tree.loop_joints) {
      const LinkId p = model_.predecessor(id), s = model_.successor(id);

      if (!JoinsAncestor(tree, p, s)) continue;
      // The other end stays where it is: a loop joint to its own branch is what the target lacks.
      const bool at_predecessor = IsAncestor(tree, p, s);
      const LinkId ancestor = at_predecessor ? p : s;
      const Joint loop = model_.joint(id);
      const LinkId link =
          AddWelded(model_, ancestor, at_predecessor ? loop.X_PF : loop.X_SM, loop.name + "_anchor",
                    loop, model_.link(at_predecessor ? s : p).scope, links, joints);
      // The anchor has the loop's own frame, so that the loop joint stands at its origin.
      (at_predecessor ? model_.joint(id).X_PF : model_.joint(id).X_SM) = RigidTransform();
      ends[Index(id)] = at_predecessor ? std::pair(link, s) : std::pair(p, link);
      any = true;
      context_.Lowered(SubjectOf(loop), "'" + model_.link(ancestor).name + "' is an ancestor of '" +
                                            model_.link(at_predecessor ? s : p).name +
                                            "': the loop ends at massless link '" +
                                            model_.link(link).name + "' welded to it");
    }
    if (!any) return;
    ends.resize(model_.num_joints(), {kNoLink, kNoLink});
    model_.Reconnect([&](JointId id) {
      return ends[Index(id)].first == kNoLink
                 ? std::pair(model_.predecessor(id), model_.successor(id))
                 : ends[Index(id)];
    });
  }

  Model& model_;
  const LowerLoops asked_;
  PassContext& context_;
  const bool join_points_;    // a loop joint is the coincidence of two points
  const bool weld_halves_;    // a link with mass is the one to be split
  bool cuts_wholes_ = false;  // the loop joint itself is one that the target holds
};

}  // namespace

void CutWholeJoints(Model& model, PassContext& context) {
  LoopLowering(model, {}, context).CutWholes();
}

void LowerLoops::operator()(Model& model, PassContext& context) const {
  // A loop on a light link is of no kind that the table knows.
  if (!context.HasWork(model) && !splits_links) return;
  if (mimics_first) Mimics(model, context);  // before a chain stands where the loop joint was
  LoopLowering(model, *this, context).Run();
}

}  // namespace kinemorph
