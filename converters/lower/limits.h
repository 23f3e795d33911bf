// Pass `limits`: limits as pairs of finite numbers.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: joints split. Ensures, where a limit is a pair: the open side of a one-sided limit is
/// 1e16 (rad or m), which every reader of ours takes for "unlimited"; where a prismatic joint must
/// have limits, both sides are. Where ball or free joints carry no limit or dynamics, those are
/// losses.
void LowerLimits(Model& model, PassContext& context);

}  // namespace kinemorph
