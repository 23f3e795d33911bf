// Pass `unlimited`: numbers that stand for "no limit" become absent limits.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: no limit of a joint is 1e16 or more in magnitude, nor infinite;
/// SDFormat before 1.10 and many URDF files spell "unlimited" so. The mechanism is the same, hence
/// no report.
void Unlimited(Model& model, PassContext& context);

}  // namespace kinemorph
