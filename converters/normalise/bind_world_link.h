// Pass `bind_world_link`: the URDF custom of a root link called "world".
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: a massless root link called "world" that carries joints is the world
/// vertex itself, with all that stood on it. A link "world" with mass, or below a joint, stays an
/// ordinary link.
void BindWorldLink(Model& model, PassContext& context);

}  // namespace kinemorph
