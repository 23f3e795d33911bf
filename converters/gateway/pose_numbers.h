// A pose as 16 numbers, row by row: what JSON of scenes and postures holds.
#pragma once

#include <array>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

[[nodiscard]] inline std::array<double, 16> PoseNumbers(const RigidTransform& X) {
  std::array<double, 16> numbers{};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      numbers[static_cast<std::size_t>(4 * row + column)] = X.R(row, column);
    numbers[static_cast<std::size_t>(4 * row + 3)] = X.p[row];
  }
  numbers[15] = 1;
  return numbers;
}

}  // namespace kinemorph
