#include "lower/limits.h"

#include "model_edit.h"

namespace kinemorph {

void LowerLimits(Model& model, PassContext& context) {
  constexpr double kOpen = 1e16;
  if (!context.traits.limits_need_both_sides) return;
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop) continue;
    const bool needs = context.traits.prismatic_needs_limit && std::holds_alternative<Prismatic>(joint.kind);
    for (JointAxis& axis : joint.axes) {
      if (axis.lower.has_value() == axis.upper.has_value() && !(needs && !axis.lower)) continue;
      context.Lowered(Quoted("joint", joint.name), axis.lower || axis.upper ? "the open side of its limit is written as 1e16" : "no limit is written as +-1e16");
      axis.lower = axis.lower.value_or(-kOpen);
      axis.upper = axis.upper.value_or(kOpen);
    }
  }
}

}  // namespace kinemorph
