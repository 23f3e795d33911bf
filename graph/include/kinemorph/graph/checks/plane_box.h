// A plane as a box, for targets that have no planes.
#pragma once

#include <algorithm>

#include "kinemorph/graph/model/geometry.h"

namespace kinemorph {

/// The box whose upper face is the plane with normal z: of its size (m), wide where it has no end,
/// and so deep that what is fast does not fall through it in a step. What collides has no end,
/// whatever size is drawn of it (MuJoCo, SDFormat): it is wide, or as wide as what is drawn.
[[nodiscard]] inline Box BoxBelow(const Plane& plane, bool collides) {
  constexpr double kEndless = 200, kDeep = 10;  // m
  const auto side = [&](double size) {
    return collides ? std::max(size, kEndless) : size > 0 ? size : kEndless;
  };
  return {Vector3(side(plane.size.x()), side(plane.size.y()), kDeep)};
}

}  // namespace kinemorph
