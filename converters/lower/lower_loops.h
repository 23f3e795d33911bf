// Passes `cut_whole_joints` and `lower_loops`: where loops are cut, and loop joints of kinds, or between links, that the target cannot hold.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures, where the target holds joints of several coordinates as loop
/// joints only (TargetTraits::loops_hold_whole_joints): such a joint of a loop is where the loop is
/// cut, as far as loops are closed at q = 0 and nothing binds the joint to the tree. Tree joints may
/// point against the tree afterwards.
void CutWholeJoints(Model& model, PassContext& context);

/// Requires: roles decided. Ensures: no loop joint has a kind that the table gives to this pass,
/// and none joins a link to its own ancestor where the table says so. In this order, after `mimics`:
///   1. a hinge: the ball of a loop that moves in a plane becomes a revolute joint;
///   2. another cut: a passive joint of the same loop, of a kind the target holds, becomes the loop
///   joint, and this one a tree joint
///      (only where the loop is closed at q = 0, so that the zero configuration stays);
///   3. a chain: tree joints of one coordinate through massless links, and a loop joint of the last
///   coordinate
///      (ball: two revolute joints and a revolute loop joint);
///   4. from a link to its own ancestor: a massless link welded to the ancestor becomes the loop
///   joint's end.
/// Tree joints may point against the tree afterwards.
void LowerLoops(Model& model, PassContext& context);

}  // namespace kinemorph
