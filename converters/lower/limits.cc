#include "lower/limits.h"

#include "model_edit.h"

namespace kinemorph {

namespace {

// A ball or free joint has one record for all its coordinates; some targets have no place for it, or for its limit.
void LowerWhole(Model& model, JointId id, PassContext& context) {
  Joint& joint = model.joint(id);
  const bool ball = std::holds_alternative<Ball>(joint.kind);
  if ((!ball && !std::holds_alternative<Free>(joint.kind)) || joint.axes.empty()) return;
  JointAxis& axis = joint.axes[0];
  const auto lose = [&](Feature feature, const char* what) {
    context.Lose(model, feature, Quoted("joint", joint.name), joint.where, what, "the target has no such thing on a joint of this kind");
  };
  if ((!context.traits.ball_has_limits || !context.traits.several_axes_have_data) && (axis.lower || axis.upper)) {
    lose(Feature::kPositionLimit, "the limit of the whole joint is not written");
    axis.lower.reset();
    axis.upper.reset();
  }
  if (context.traits.several_axes_have_data || IsPassive(axis)) return;
  if (axis.damping) lose(Feature::kDamping, "damping of the whole joint is not written");
  if (axis.friction) lose(Feature::kFriction, "friction of the whole joint is not written");
  if (axis.spring_stiffness) lose(Feature::kSpring, "the spring of the whole joint is not written");
  if (axis.armature) lose(Feature::kArmature, "armature of the whole joint is not written");
  if (axis.effort || axis.velocity) lose(Feature::kEffortLimit, "effort and velocity limits of the whole joint are not written");
  axis = JointAxis();
}

}  // namespace

void LowerLimits(Model& model, PassContext& context) {
  constexpr double kOpen = 1e16;
  for (const JointId id : Joints(model)) LowerWhole(model, id, context);
  for (const JointId id : Joints(model)) {
    for (JointAxis& axis : model.joint(id).axes) {
      if (!context.traits.zero_effort_is_unlimited || axis.effort != 0 || axis.effort_lower.value_or(0) != 0) continue;
      context.Lose(model, Feature::kEffortLimit, Quoted("joint", model.joint(id).name), model.joint(id).where,
                   "the effort limit 0 is not written",
                   "a range of 0 .. 0 means no limit in the target; a passive joint has no actuator there anyway");
      axis.effort.reset();
      axis.effort_lower.reset();
    }
  }
  if (!context.traits.limits_need_both_sides) return;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop) continue;
    const bool needs = context.traits.prismatic_needs_limit && std::holds_alternative<Prismatic>(joint.kind);
    for (JointAxis& axis : joint.axes) {
      if (axis.lower.has_value() == axis.upper.has_value() && !(needs && !axis.lower)) continue;
      context.Lowered(Quoted("joint", joint.name),
                      axis.lower || axis.upper ? "the open side of its limit is written as 1e16" : "no limit is written as +-1e16");
      axis.lower = axis.lower.value_or(-kOpen);
      axis.upper = axis.upper.value_or(kOpen);
    }
  }
}

}  // namespace kinemorph
