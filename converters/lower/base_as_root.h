// Pass `base_as_root`: the link that stands on the ground as the root of the tree, without a joint
// above it.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles are decided, tree joints point down the tree. Ensures, on request
/// (ConvertOptions::base_as_root, or the target's trait): what was fixed to the world is one link,
/// or hangs on one link by fixed joints where the target has them; that link has the world's frame,
/// so that gravity keeps its direction, and takes over all that stood on the world. Nothing where
/// no link is fixed to it.
void BaseAsRoot(Model& model, PassContext& context);

}  // namespace kinemorph
