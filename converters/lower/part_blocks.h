// What a format says of visuals and collisions by link, in blocks of another family.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires the names that links are written with. Ensures, where the target's blocks speak for all
/// parts of a link at once, that the friction and the block family's content are the same on all
/// visuals (collisions) of a link, and that each of these has a name that a block reaches; the rest
/// is a loss each.
void PartBlocks(Model& model, PassContext& context);

}  // namespace kinemorph
