// Pass `massless_links`: links without mass where the target has no such thing.
#pragma once

#include <vector>

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures, where massless links have no home (MasslessRule::kFrames):
/// none is rigidly attached to another link; it is a frame of its neighbour, which takes over its
/// visuals, collisions, frames, sensors, and the joints that hung on it. Where they may only stand
/// inside the chain of joints of one body (kChains): those that carry nothing are marked as
/// synthetic. What is left gets --massless EPS kg, or so little that all of it is 1e-7 of the
/// robot's mass (its size a tenth of the robot's links): one loss for all of them, with the
/// figures; `report.added` has each. No link or subtree is ever lost.
void MasslessLinks(Model& model, PassContext& context);

/// Gives these links --massless EPS kg, or as little as said above, but `least` kg: one loss for all
/// of them.
void GiveInertia(Model& model, const std::vector<LinkId>& links, double least,
                 PassContext& context);

}  // namespace kinemorph
