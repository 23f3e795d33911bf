// When Newton has closed loops. Residuals and steps without units.
#pragma once

namespace kinemorph::motion {

constexpr int kMostIterations = 12;
constexpr double kClosedExactly = 1e-14, kClosedEnough = 1e-10;
constexpr double kLongestNewtonStep = 0.5;  // rad, characteristic lengths

/// What is left is round-off: nothing, or little that gets no less.
[[nodiscard]] inline bool IsClosed(double gap, double before, double exactly = kClosedExactly) {
  return gap <= exactly || (gap <= kClosedEnough && gap > 0.25 * before);
}

}  // namespace kinemorph::motion
