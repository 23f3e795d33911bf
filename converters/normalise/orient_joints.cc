#include "normalise/orient_joints.h"

#include "edit/model_edit.h"
#include "edit/roots.h"

namespace kinemorph {

void OrientJoints(Model& model, PassContext& context) {
  TurnAgainst(TreeOf(model), model, context);
}

}  // namespace kinemorph
