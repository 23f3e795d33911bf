// What collides with what, said one way for all formats before the passes change the tree.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires a selected model. Ensures, where the target decides by another rule than the source
/// which links collide, that masks and exclusions say it all (ContactRule::kAll), whatever becomes
/// of models, joints and links. Words of self-collision stay, and mean nothing any more.
void ExplicitContacts(Model& model, PassContext& context);

}  // namespace kinemorph
