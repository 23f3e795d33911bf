// What velocities do to coordinates.
#pragma once

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::motion {

/// q' (nq numbers at `rate`) of coordinates q that move with w (nv). Held joints have none.
void WriteCoordinateRates(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& w,
                          double* rate);

}  // namespace kinemorph::motion
