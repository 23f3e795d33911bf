// Pass `motors`: drives for joints that have an effort limit, on request.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Ensures, where the caller asks for it: every tree joint of one coordinate with an effort limit
/// (N or N m) has a drive; those that the source lacks are called `<joint>_motor`, with gear 1 and
/// the limit as their range.
void Motors(Model& model, PassContext& context);

}  // namespace kinemorph
