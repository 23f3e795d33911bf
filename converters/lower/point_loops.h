// Pass `point_loops`: loop joints as coincidences of points, each row of which constrains
// something.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: axis_aligned_frames. Ensures, where the target's loops join points: a planar loop
/// whose third row depends on nothing stays; every other revolute or fixed loop joint becomes ball
/// loop joints at one point (spherical loops), two or three. What these fix twice, a distance
/// between points, a massless link gives way to: it hangs on a hinge that the loop itself holds at
/// zero, hence the mechanism is the same. Loop joints of other kinds stay as they are.
void PointLoops(Model& model, PassContext& context);

}  // namespace kinemorph
