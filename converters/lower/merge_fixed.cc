// Pass `merge_fixed`: links on fixed joints become one, on request.
#include "edit/model_edit.h"
#include "edit/removal.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/sensor_parts.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// On request, or because the target has no fixed joints, each link on a fixed joint joins the
// nearest link above that stays (its head), with its shapes, its inertia and what stands on it. The
// link on the world's side stays as it is: the world takes no mass.

std::string OriginText(const RigidTransform& X) {
  const Vector3 rpy = RpyFromRotation(X.R);
  std::string text = "xyz=\"";
  for (int i = 0; i < 6; ++i)
    text += (i == 3 ? "\" rpy=\"" : i > 0 ? " " : "") + FormatNumber(i < 3 ? X.p[i] : rpy[i - 3]);
  return text + "\"";
}

// Gravity acts on both or on none; of a link without mass it does not matter.
bool SameGravity(const Model& model, LinkId a, LinkId b) {
  const Link &x = model.link(a), &y = model.link(b);
  return IsMassless(x) || IsMassless(y) || x.gravity.value_or(true) == y.gravity.value_or(true);
}

void LoseGravity(const Model& model, Link& link, PassContext& context) {
  if (link.gravity == false)
    context
        .Lose(model, Feature::kLinkGravity, SubjectOf(link), "gravity acts on the link",
              "the link is merged with a link on which gravity acts")
        .source = "no gravity";
  link.gravity.reset();
}

// On the head they would measure another joint.
void LoseForces(Model& model, const SpanningTree& tree, const std::vector<bool>& gone,
                PassContext& context) {
  const auto measures_gone = [&](const Sensor& sensor) {
    const JointId joint = MeasuredJoint(sensor, tree.parent_joint);
    return sensor.joint == kNoJoint && joint != kNoJoint && gone[Index(joint)];
  };
  for (const Sensor& sensor : model.sensors)
    if (measures_gone(sensor))
      context.Lose(model, Feature::kSensor, SubjectOf(model, sensor),
                   "sensor of type '" + sensor.type + "' is not written",
                   "the links of the joint that it measures are one");
  std::erase_if(model.sensors, measures_gone);
}

}  // namespace

void MergeFixed(Model& model, PassContext& context) {
  const bool asked = context.options.merge_fixed, must = context.Mine(Feature::kJointFixed);
  if (!asked && !must) return;
  const SpanningTree tree = TreeOf(model);
  const std::vector<RigidTransform> X_W = ZeroPoses(model, tree);
  std::vector<LinkId> head(model.num_links());
  std::vector<Merger> mergers;
  std::vector<bool> gone(model.num_joints(), false);
  for (const LinkId link : tree.order) {
    head[Index(link)] = link;
    const JointId up = tree.parent_joint[Index(link)];
    if (model.link(link).synthetic)
      continue;  // the anchor of a loop, which must not stand on the loop's own branch
    if (link == kWorld || up == kNoJoint || tree.parent[Index(link)] == kWorld ||
        !std::holds_alternative<Fixed>(model.joint(up).kind))
      continue;
    // Parents come first in the order, so that chains of fixed joints fold into one head.
    const LinkId into = head[Index(tree.parent[Index(link)])];
    if (!SameGravity(model, into, link)) {
      if (!must) continue;  // they stay two links
      LoseGravity(model, model.link(into), context);
      LoseGravity(model, model.link(link), context);
    }
    head[Index(link)] = into;
    gone[Index(up)] = true;
    mergers.push_back(
        {link, head[Index(link)], X_W[Index(head[Index(link)])].inverse() * X_W[Index(link)]});
    Became(SubjectOf(model.link(link)),
           "merged into '" + model.link(into).name +
               (asked ? "' as asked" : "' at " + OriginText(mergers.back().X_IF)),
           {SubjectOf(model.link(into))}, context);
  }
  if (mergers.empty()) return;
  for (const JointId id : Joints(model))
    if (gone[Index(id)]) context.Lowered(SubjectOf(model.joint(id)), "its links are one");
  LoseForces(model, tree, gone, context);
  Lose(model, TakeJoints(model, [&](JointId id) { return gone[Index(id)]; }),
       "the links of its fixed joint are merged, as you asked", context);
  MergeLinks(model, mergers, "the links of a fixed joint are one", context);
}

}  // namespace kinemorph
