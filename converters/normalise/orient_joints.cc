// Pass `orient_joints`: joints that point against the tree are turned round.
#include "edit/model_edit.h"
#include "edit/roots.h"
#include "normalise/passes.h"

namespace kinemorph {

void OrientJoints::operator()(Model& model, PassContext& context) const {
  TurnAgainst(TreeOf(model), model, context);
}

}  // namespace kinemorph
