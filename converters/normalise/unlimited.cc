// Pass `unlimited`: numbers that stand for "no limit" become absent limits.
#include <cmath>

#include "kinemorph/graph/model/fields.h"
#include "normalise/passes.h"

namespace kinemorph {
void Unlimited(Model& model, PassContext&) {
  for (const JointId id : Joints(model)) {
    for (JointAxis& axis : model.joint(id).axes) {
      for (const auto& field : kAxisNumbers)
        if (field.silence == Silence::kHuge) axis.*field.member = Said(axis, field);
    }
  }
}

}  // namespace kinemorph
