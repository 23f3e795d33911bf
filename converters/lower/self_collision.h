// What collides with what, as the target says it.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires the final tree, and after ExplicitContacts that masks and exclusions say all. Ensures
/// that the same pairs of links collide by the target's rule, with as few words as can be: masks,
/// exclusions and pairs, or self-collision of models and links; pairs of which that cannot be said
/// are losses.
void SelfCollision(Model& model, PassContext& context);

}  // namespace kinemorph
