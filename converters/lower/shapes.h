// Pass `shapes`: shapes the target lacks as exact unions of shapes that it has.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: what the table gives to this pass is gone: a capsule is a cylinder
/// and two spheres, for visuals and collisions alike; a transparency is the alpha of the colour;
/// rolling friction is a loss; colours are whole steps, with a loss where that changes them.
void LowerShapes(Model& model, PassContext& context);

}  // namespace kinemorph
