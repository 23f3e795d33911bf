// Pass `static_models`: what a static model means, said with joints.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Ensures: no scope is static; the joints inside what was one are fixed joints, as many as hold
/// its links together, and one fixed joint from the world holds each part. Joints that close a
/// cycle among them, and couplings of theirs, have no effect and go.
void StaticModels(Model& model, PassContext& context);

}  // namespace kinemorph
