// Pass `join_points`: loop joints of two links whose points together hold more than each.
#include <algorithm>
#include <set>

#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/checks/contacts.h"
#include "kinemorph/graph/model/point_joint.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// The points that the target writes for a loop joint.
std::vector<Vector3> PointsOf(const Joint& loop, bool fixed_as_points) {
  if (std::holds_alternative<Ball>(loop.kind)) return {Vector3::Zero()};
  if (const auto* revolute = std::get_if<Revolute>(&loop.kind))
    return {Vector3::Zero(), revolute->axis};
  if (fixed_as_points && std::holds_alternative<Fixed>(loop.kind))
    return {Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY()};
  return {};
}

// Who wrote MJCF has chosen how soft a weld is, and no three points are as soft.
void TellOfWelds(Model& model, bool as_points, PassContext& context) {
  for (const JointId id : TreeOf(model).loop_joints) {
    const Joint& loop = model.joint(id);
    if (!std::holds_alternative<Fixed>(loop.kind) ||
        loop.native_type != (as_points ? "weld" : "connect"))
      continue;
    context
        .Lose(model, Feature::kNativeData, SubjectOf(loop),
              as_points
                  ? "its weld becomes three connects, which MuJoCo holds with another softness"
                  : "its three connects become a weld, which MuJoCo holds with another softness",
              as_points ? "the profile has points of two bodies alone, which all readers take" : "")
        .weight = Weight::kMotion;
  }
}

// Between links that fixed joints of the tree hold together a loop joint holds nothing.
void TakeIdle(Model& model, PassContext& context) {
  const Contacts rigid(model, model.contact_rule, false);
  std::set<JointId> idle;
  for (const JointId id : TreeOf(model).loop_joints) {
    if (rigid.GroupOf(model.predecessor(id)) != rigid.GroupOf(model.successor(id))) continue;
    idle.insert(id);
    Became(SubjectOf(model.joint(id)),
           "is not written: fixed joints hold its two links together already", {}, context);
  }
  if (idle.empty()) return;
  Lose(model, TakeJoints(model, [&](JointId id) { return idle.contains(id); }),
       "its loop joint holds nothing", context);
}

}  // namespace

void JoinPoints::operator()(Model& model, PassContext& context) const {
  if (need_motion) TakeIdle(model, context);
  if (model.format == context.traits.native_format) TellOfWelds(model, fixed_as_points, context);
  const SpanningTree tree = TreeOf(model);
  std::vector<PointPair> points;
  std::vector<JointId> owner;
  for (const JointId id : tree.loop_joints) {
    const Joint& loop = model.joint(id);
    for (const Vector3& p : PointsOf(loop, fixed_as_points)) {
      points.push_back({model.predecessor(id), model.successor(id), loop.X_PF * p, loop.X_SM * p});
      owner.push_back(id);
    }
  }
  // Points of all loop joints between the same two links are taken together: two balls are a hinge,
  // and a reader of points could not tell them from one. An axis is compared at zero.
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  const auto R_BA = [&](LinkId A, LinkId B) -> Matrix3 {
    return X_W[Index(B)].R.transpose() * X_W[Index(A)].R;
  };
  std::set<JointId> gone;
  for (const PointJoint& held : JointsOfPoints(points, R_BA)) {
    const JointId first = owner[held.points.front()];
    std::set<JointId> others;
    for (const std::size_t point : held.points) others.insert(owner[point]);
    others.erase(first);
    if (others.empty()) continue;
    Joint& whole = model.joint(first);
    const std::string why = "with other loop joints of its links it is one " +
                            std::string(KindName(held.kind)) + " loop joint";
    LoseAxisData(model, whole, context, why);
    for (const JointId other : others) LoseAxisData(model, model.joint(other), context, why);
    // The joint that has the first point stays, in its own direction.
    const bool same_way = model.predecessor(first) == held.A;
    whole.kind = held.kind;
    whole.X_PF = same_way ? held.X_AF : held.X_BM;
    whole.X_SM = same_way ? held.X_BM : held.X_AF;
    whole.axes.assign(static_cast<std::size_t>(NumAxes(held.kind)), JointAxis());
    for (const JointId other : others)
      Became(SubjectOf(model.joint(other)),
             "holds, with '" + whole.name + "', one " + std::string(KindName(held.kind)) +
                 " loop joint of the same links",
             {SubjectOf(whole)}, context);
    gone.insert(others.begin(), others.end());
  }
  if (gone.empty()) return;
  Lose(model, TakeJoints(model, [&](JointId id) { return gone.count(id) > 0; }),
       "its loop joint is part of another one", context);
}

}  // namespace kinemorph
