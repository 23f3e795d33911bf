// Pass `join_points`: loop joints of two links whose points together hold more than each.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: lower_loops. Ensures, where the target writes loop joints as points and is read back
/// by what the points of two links hold together: two ball loop joints between the same links are
/// one revolute loop joint about the line of their points, and what stands on three points that are
/// not in line is a fixed one.
void JoinPoints(Model& model, PassContext& context);

}  // namespace kinemorph
