// Moving the zero of coordinates without moving the mechanism.
#pragma once

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// m or rad: a loop that is open by more is never turned into a tree joint.
inline constexpr double kMaxLoopGap = 1e-9;

/// Makes X_FM(0) the identity for a joint whose ends stand at X_PS when q = 0: the successor frame,
/// the limits and the couplings are measured from there. Returns how far X_PS is from what the
/// joint can make (metres or radians, whichever is larger); the joint is changed only when that is
/// at most `tolerance`. What remains open is closed by the successor frame, or, with `keep_gap`,
/// stays as open as it is.
double AlignToZero(Model& model, JointId id, const RigidTransform& X_PS, double tolerance,
                   bool keep_gap = false);

/// q becomes q - shift: all positions and the offset of one coordinate, and every coupling it is part
/// of.
void ShiftCoordinate(Model& model, Coordinate coordinate, double shift);

}  // namespace kinemorph
