// Where the points of a <flexcomp> are before it is placed.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph::mjcf {

struct FlexShape {
  std::string type;  ///< grid, circle, box, cylinder, ellipsoid, square, disc
  int dim = 2;
  std::array<int, 3> count = {10, 10, 10};
  Vector3 spacing = Vector3(0.02, 0.02, 0.02);
};

/// In MuJoCo's order; none for a type that has no points of its own, or with less than two points
/// along a side of a solid.
[[nodiscard]] std::vector<Vector3> FlexPoints(const FlexShape& shape);

}  // namespace kinemorph::mjcf
