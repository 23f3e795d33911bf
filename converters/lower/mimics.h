// Pass `mimics`: loops that say no more than "this joint follows that one".
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: split_joints. Where the target has mimics and no loops: an aggregate whose dependent
/// joints are all linear in one independent joint each (parallelograms, and what gears make of
/// them) loses its loop joints to mimics, which is exact. On request (MimicChoice::kFit) others
/// do too, by the line of least largest error over the limits of the independent joint: a loss
/// that names the error. What depends on several joints stays a loop, and is lost by others.
void Mimics(Model& model, PassContext& context);

}  // namespace kinemorph
