// Pass `partly_independent`: joints of which only some coordinates are independent.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: couplings have the form of the target. Ensures, where the target declares natures, and
/// by joint: every joint of several coordinates is independent or dependent as a whole. Others
/// become chains through massless links, which are exact; of a ball's or free joint's three turns
/// the independent ones come last, so that a turn that nothing hinders is one coordinate.
void PartlyIndependent(Model& model, PassContext& context);

}  // namespace kinemorph
