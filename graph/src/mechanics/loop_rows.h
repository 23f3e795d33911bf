// The rows of one loop joint as covectors: row r of K is W_r . (V_S - V_P).
#pragma once

#include <array>

#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

/// About the origin of the aggregate's parent body, in its axes. The columns from `n` on are not
/// set.
struct LoopRows {
  Matrix6 W;
  std::array<double, 6> phi, k;
  int n = 0, angular = 0;  ///< the first `angular` rows are of pure moments
};

/// `k` is zero unless `moving`, which needs the velocities in `kinematics`.
[[nodiscard]] LoopRows RowsOf(const LoopConstraint& loop, const AggregateKinematics& kinematics,
                              bool moving, Residual residual);

/// c1 x + c2 x^2 + c3 x^3 + c4 x^4 and its derivatives.
struct Quartic {
  double value = 0, slope = 0, curvature = 0;
  Quartic(const std::array<double, 4>& c, double x)
      : value(x * (c[0] + x * (c[1] + x * (c[2] + x * c[3])))),
        slope(c[0] + x * (2 * c[1] + x * (3 * c[2] + x * 4 * c[3]))),
        curvature(2 * c[1] + x * (6 * c[2] + x * 12 * c[3])) {}
};

}  // namespace kinemorph
