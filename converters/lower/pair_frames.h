// Passes `split_loops` and `pair_frames`: loop joints as pairs of frames, where the target knows
// nothing else.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures, where the target pairs frames: every loop joint is fixed or a
/// ball, and nothing more is said of it. A hinge of a loop that moves in a plane becomes a ball,
/// which does the same there; any other becomes a tree joint to half of a link, and a weld.
void SplitLoops(Model& model, PassContext& context);

/// Requires: link frames are at rest. Ensures, where the target pairs frames: both ends of every
/// loop joint are origins of massless links that a fixed joint leads to, called closedloopN_A and
/// closedloopN_B where they were not there.
void PairFrames(Model& model, PassContext& context);

}  // namespace kinemorph
