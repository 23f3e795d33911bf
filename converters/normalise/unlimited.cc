// Pass `unlimited`: numbers that stand for "no limit" become absent limits.
#include <cmath>

#include "kinemorph/graph/model/axis_fields.h"
#include "normalise/passes.h"

namespace kinemorph {
void Unlimited(Model& model, PassContext&) {
  for (const JointId id : Joints(model)) {
    for (JointAxis& axis : model.joint(id).axes) {
      for (const AxisField& field : kAxisFields)
        if (field.silence == Silence::kHuge) axis.*field.value = Said(axis, field);
    }
  }
}

}  // namespace kinemorph
