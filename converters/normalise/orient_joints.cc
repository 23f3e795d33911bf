// Pass `orient_joints`: joints that point against the tree are turned round.
#include "edit/model_edit.h"
#include "edit/roots.h"
#include "normalise/passes.h"

namespace kinemorph {

void OrientJoints(Model& model, PassContext& context) {
  TurnAgainst(TreeOf(model), model, context);
}

}  // namespace kinemorph
