// What velocities do to coordinates, and how large the errors of both may be.
#pragma once

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::motion {

/// q' (nq numbers at `rate`) of coordinates q that move with w (nv). Held joints have none.
void WriteCoordinateRates(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& w,
                          double* rate);

/// Absolute errors of x = (q, v, W) that go with `rtol` (rad, characteristic lengths); of the work
/// any, for it follows and does not lead.
[[nodiscard]] Eigen::VectorXd Tolerances(const Mechanism& m, double rtol);

}  // namespace kinemorph::motion
