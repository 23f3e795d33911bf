// Pass `loop_frames`: loop joints stand in frames of links, where the target names no others.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: rebase_link_frames. Ensures, where the target's loops stand at link frames: one end of
/// every loop joint is the origin of a link to which a joint leads; a massless link is welded to
/// the predecessor where neither end was.
void LoopFrames(Model& model, PassContext& context);

}  // namespace kinemorph
