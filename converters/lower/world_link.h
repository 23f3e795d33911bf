// Passes `world_link` and `world_content`: the world as a link, for targets whose world is nothing
// but a frame, or not even that.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures, where the table says so: no joint, frame or geometry is on the
/// world vertex; a massless root link called "world" takes its place.
void WorldLink(Model& model, PassContext& context);

/// Requires: nothing. Ensures, where nothing can stand on the world: its geometry is on a link
/// `world_geometry` fixed to it.
void WorldContent(Model& model, PassContext& context);

}  // namespace kinemorph
