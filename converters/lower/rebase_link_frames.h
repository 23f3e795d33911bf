// Pass `rebase_link_frames`: link frames move onto the frames of the joints that carry them.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided, joints oriented. Ensures: X_SM of every tree joint is exactly the
/// identity. Inertials, visuals, collisions, frames, sensors, child joints and loop frames follow;
/// the constant transform of every link that moved is in the report.
void RebaseLinkFrames(Model& model, PassContext& context);

}  // namespace kinemorph
