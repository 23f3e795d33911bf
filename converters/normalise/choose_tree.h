// Pass `choose_tree`: every joint gets its role.
#pragma once

#include "pass.h"

namespace kinemorph {

/// Requires: a valid model. Ensures: no joint is undecided; tree joints span all links
/// (ChooseSpanningTree, with --cut). The reason of each cut that the author did not make is kept
/// for the note. Where the target cannot hold loop joints between a link and its own ancestor, cuts
/// move to another joint of the loop if that is closed at q = 0.
void ChooseTree(Model& model, PassContext& context);

/// Makes X_FM(0) the identity for a joint whose ends stand at X_PS when q = 0: the successor frame,
/// the limits and the couplings are measured from there. Returns how far X_PS is from what the
/// joint can make (metres or radians, whichever is larger); the joint is changed only when that is
/// at most `tolerance`. What remains open is closed by the successor frame, or, with `keep_gap`,
/// stays as open as it is.
double AlignToZero(Model& model, JointId id, const RigidTransform& X_PS, double tolerance,
                   bool keep_gap = false);

/// q becomes q - shift: limits, spring reference and offset of one coordinate, and every coupling
/// it is part of.
void ShiftCoordinate(Model& model, Coordinate coordinate, double shift);

}  // namespace kinemorph
