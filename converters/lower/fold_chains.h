// Pass `fold_chains`: the reverse of `split_joints`.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures: where massless links have no home in the target, no chain of
/// tree joints through massless links that carry nothing is left that one joint of a kind native to
/// the target makes exactly:
///   revolute, revolute with meeting axes                           -> universal
///   revolute x3, perpendicular, through one point, nothing said    -> ball
///   revolute and prismatic along one line, coupled by a pitch      -> screw
///   revolute and prismatic along one line                          -> cylindrical
///   prismatic, prismatic, revolute, perpendicular                  -> planar
void FoldChains(Model& model, PassContext& context);

}  // namespace kinemorph
