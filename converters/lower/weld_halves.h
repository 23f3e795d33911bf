// Pass `weld_halves`: loop joints for simulators that know trees, and welds made when they start.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided, loops closed at zero, no loop joint leads to the world. Ensures, where
/// loops are welds of halves (TargetTraits::loops_weld_halves): each loop joint is a tree joint, with
/// all that is said of it, to a new link: a part of its successor with its share of the mass and the
/// tensor, its frame on that of the joint. A second part with the same frame is fixed to the
/// successor, and a loop joint welds the two. Exact: together the parts are the successor, and the
/// ends of the loop joint stay joined where contacts ask for it.
void WeldHalves(Model& model, PassContext& context);

}  // namespace kinemorph
