// Pass `motors`: drives for joints that have an effort limit, on request.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Ensures, where the caller asks for it: every tree joint of one coordinate with an effort limit
/// (N or N m) has a drive; those that the source lacks are called `<joint>_motor`, with gear 1 and
/// the limit as their range. A drive that the target cannot hold as it is becomes a motor of the
/// same gear, its range the joint's limit divided by the gear where the source gives none.
void Motors(Model& model, PassContext& context);

}  // namespace kinemorph
