// Pass `split_joints`: joints of several coordinates become chains of joints of one coordinate
// through massless links.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided, joints oriented. Ensures: no tree joint has a kind that the table gives
/// to this pass. Joint `j` becomes `j_1` .. `j_n` through massless synthetic links `j_link1` ..
/// `j_link<n-1>`; limits, dynamics and couplings follow their coordinate. A screw gets a coupling
/// of its rotation and its displacement.
void SplitJoints(Model& model, PassContext& context);

}  // namespace kinemorph
