// Pass `natures`: which coordinates are independent.
#pragma once

#include "pass.h"

namespace kinemorph {

/// Requires: everything that changes joints is done. Ensures, where the target wants natures: every joint with a coordinate is declared
/// independent or not. A declaration that determines the rest, or leaves enough coordinates dependent, is kept; else column-pivoted QR of
/// the constraint Jacobian at several closed configurations chooses (AnalyseCoordinates): with a note, and a loss where the author says
/// otherwise.
void DeclareNatures(Model& model, PassContext& context);

}  // namespace kinemorph
