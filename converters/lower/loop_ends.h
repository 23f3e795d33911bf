// Pass `loop_ends`: loop joints that stand apart from the tree, for readers that make some links one
// and leave others out.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: tree joints lead from predecessor to successor. Ensures, where the target's loops have
/// such readers (TargetTraits::merges): no loop joint ends on a link that is merged into another, or
/// leads to the world, or has the name of another element; every link that carries a loop or a mass
/// weighs something, with those that are merged into it; no joint says that a robot floats.
void LoopEnds(Model& model, PassContext& context);

}  // namespace kinemorph
