// Pass `closed_natures`: which coordinates are independent, while the loops are still there.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures, where the table gives the declaration of independent
/// coordinates to it: every moving joint of the tree is declared, as its author has it, else by the
/// drives where those determine the rest, else by choice.
void ClosedNatures(Model& model, PassContext& context);

}  // namespace kinemorph
