// The line of least largest error through points.
#pragma once

#include <vector>

namespace kinemorph {

struct Line {
  double slope = 0, offset = 0;
  double error = 0;  ///< largest |y - slope x - offset|
};

/// Through points in order of x, which must differ; at least one. Exact: the best slope is that of
/// an edge of the convex hull.
[[nodiscard]] Line FitLine(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace kinemorph
