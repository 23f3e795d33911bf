// Passes `split_loops` and `pair_frames`: loop joints as pairs of frames, where the target knows
// nothing else.
#include <algorithm>
#include <cmath>

#include "edit/align.h"
#include "edit/model_edit.h"
#include "edit/split_link.h"
#include "kinemorph/graph/mechanics/planar_loop.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// In a loop that moves in a plane the coincidence of one point is all that a hinge does.
bool HoldsAPoint(const Model& model, const SpanningTree& tree,
                 const std::vector<RigidTransform>& X_W, JointId id) {
  const Joint& joint = model.joint(id);
  if (!std::holds_alternative<Revolute>(joint.kind)) return false;
  const std::optional<Vector3> normal = PlaneNormal(model, tree, X_W, id);
  if (!normal) return false;
  const Vector3 of_P = (X_W[Index(model.predecessor(id))] * joint.X_PF).p;
  const Vector3 of_S = (X_W[Index(model.successor(id))] * joint.X_SM).p;
  return std::abs(normal->dot(of_P - of_S)) <= kMaxLoopGap;
}

// A pair of frames says all that is said of it.
bool IsBare(const Joint& joint) {
  return IsPassive(joint) && joint.native.empty() &&
         std::none_of(joint.axes.begin(), joint.axes.end(), [](const JointAxis& axis) {
           return axis.initial_position || axis.safety || axis.calibration ||
                  axis.position_offset != 0;
         });
}

// The frame of a pair already: nothing but a place.
bool IsFrame(const Model& model, const SpanningTree& tree, LinkId id, const RigidTransform& X) {
  const JointId parent = tree.parent_joint[Index(id)];
  if (id == kWorld || parent == kNoJoint || !X.IsExactlyIdentity()) return false;
  const Link& link = model.link(id);
  return std::holds_alternative<Fixed>(model.joint(parent).kind) && IsMassless(link) &&
         link.visuals.empty() && link.collisions.empty();
}

}  // namespace

void SplitLoops(Model& model, PassContext& context) {
  if (!context.HasWork(model)) return;
  const SpanningTree tree = TreeOf(model);
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  // All are judged before any is changed, because planes of loops are seen in the tree as it is.
  std::vector<JointId> points, splits;  // as one tree has them all
  for (const JointId id : tree.loop_joints) {
    const Joint& joint = model.joint(id);
    const bool held =
        std::holds_alternative<Fixed>(joint.kind) || std::holds_alternative<Ball>(joint.kind);
    if (!IsBare(joint))
      splits.push_back(id);
    else if (!held)
      (HoldsAPoint(model, tree, X_W, id) ? points : splits).push_back(id);
  }
  for (const JointId id : points) {
    Joint& joint = model.joint(id);
    context.Lowered(Called("revolute loop joint", SubjectOf(joint)),
                    "moves in a plane: two coinciding points have the same effect");
    joint.kind = Ball{};
    joint.native_type.clear();
    joint.axes.assign(1, JointAxis());
  }
  UniqueNames links = LinkNames(model), joints = JointNames(model);
  for (const JointId id : splits) WeldHalf(model, id, links, joints, context);
}

void PairFrames(Model& model, PassContext& context) {
  const SpanningTree tree = TreeOf(model);
  UniqueNames links = LinkNames(model), joints = JointNames(model);
  // Pinocchio makes frames of both, and a pair names one.
  for (const JointId id : Joints(model)) links.Add(model.joint(id).name);
  std::vector<std::pair<LinkId, LinkId>> ends(model.num_joints(), {kNoLink, kNoLink});
  std::size_t number = 0;
  for (const JointId id : tree.loop_joints) {
    const std::string name = "closedloop" + std::to_string(++number);
    // A link that is a frame already is taken, so that conversions back and forth add none.
    const auto frame = [&](LinkId at, const RigidTransform& X, const char* end) {
      if (IsFrame(model, tree, at, X)) return at;
      return AddWelded(model, at, X, name + end, model.joint(id), model.link(at).scope, links,
                       joints);
    };
    ends[Index(id)].first = frame(model.predecessor(id), model.joint(id).X_PF, "_A");
    ends[Index(id)].second = frame(model.successor(id), model.joint(id).X_SM, "_B");
    Joint& joint = model.joint(id);
    joint.X_PF = joint.X_SM = RigidTransform();
    context.Lowered(SubjectOf(joint), "is between the frames '" +
                                          model.link(ends[Index(id)].first).name + "' and '" +
                                          model.link(ends[Index(id)].second).name + "'");
  }
  ends.resize(model.num_joints(), {kNoLink, kNoLink});
  model.Reconnect([&](JointId id) {
    const auto& [P, S] = ends[Index(id)];
    return P == kNoLink ? std::pair(model.predecessor(id), model.successor(id)) : std::pair(P, S);
  });
}

}  // namespace kinemorph
