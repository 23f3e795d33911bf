// The convex hull of points, for meshes that are given by vertices alone or weighed by their hull.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

/// Triangles of the hull, counter-clockwise seen from outside; empty when the points lie in a
/// plane.
[[nodiscard]] std::vector<std::array<std::uint32_t, 3>> ConvexHull(
    const std::vector<Vector3>& points);

}  // namespace kinemorph
