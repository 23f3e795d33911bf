// Pass `unlimited`: numbers that stand for "no limit" become absent limits.
#include <cmath>

#include "kinemorph/graph/model/fields.h"
#include "normalise/passes.h"

namespace kinemorph {
void Unlimited(Model& model, PassContext&) {
  for (const JointId id : Joints(model)) {
    for (JointAxis& axis : model.joint(id).axes) {
      // An absent lower effort limit is the upper one's mirror: it says none of its own.
      const std::optional<double> lower = axis.effort_lower;
      for (const auto& field : kAxisNumbers)
        if (field.silence == Silence::kHuge) axis.*field.member = Said(axis, field);
      if (axis.effort) axis.effort_lower = lower;
    }
  }
}

}  // namespace kinemorph
