// Pass `joint_drives`: efforts, springs and dynamics as a target has them that moves joints by
// drives.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: joints split, roles decided. Ensures, where an effort limit is that of a drive: loop
/// joints, balls and free joints have neither effort limit nor spring, and no coordinate both.
/// Where loop joints have no dynamics, or the coordinates of a joint share theirs, none are left
/// that the target does not hold. All of it are losses.
void LowerDrives(Model& model, PassContext& context);

}  // namespace kinemorph
