// Words that the reader and the writer share.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace kinemorph::usd {

/// The upper limit of a coordinate that is locked at `lower` (degrees, metres), where simulators
/// refuse limits that are equal in single precision: so far above it that they see two numbers, in
/// radians too.
[[nodiscard]] inline double EndOfLock(double lower) {
  return lower + std::max(1e-6, std::abs(lower) * 0x1p-21);
}
/// Whether the coordinate is locked: what EndOfLock makes, in single precision.
[[nodiscard]] inline bool IsLocked(double lower, double upper) {
  return upper > lower && upper - lower <= 1.5 * (EndOfLock(lower) - lower);
}

/// A limit (degrees, metres) that is none: of a joint of several coordinates Newton leaves only those
/// free that have one, and not every parser reads infinite numbers.
inline constexpr double kUnlimited = 1e10;

/// The attribute with an effort limit where no drive says it, as the converter from URDF of
/// Newton's authors has it; `motion`: "angular", "linear", or of a joint of several "rotX" ...
[[nodiscard]] inline std::string EffortWord(std::string_view motion) {
  const bool one = motion == "angular" || motion == "linear";
  return "urdf:limit:" + (one ? "" : std::string(motion) + ":") + "effort";
}

/// The attribute with the coordinate (degrees, metres) at which a joint starts.
[[nodiscard]] inline std::string StartWord(std::string_view motion, bool physx) {
  return physx ? "state:" + std::string(motion) + ":physics:position"
               : "newton:" + std::string(motion) + ":position";
}
/// The attribute of the default prim that says: kinemorph chose where the bodies stand, and the
/// source of the stage did not say.
inline constexpr std::string_view kStartIsChosen = "kinemorph:startIsChosen";

/// @{
/// The attribute with the file of a mesh that USD cannot open, and that a reference would make an
/// error of the whole stage: of what collides, and of what is drawn.
inline constexpr std::string_view kCollisionFile = "kinemorph:collision";
inline constexpr std::string_view kVisualFile = "kinemorph:visual";
/// @}
/// The attribute of a mesh that stands for an ellipsoid: simulators take a scaled sphere for no
/// collider.
inline constexpr std::string_view kEllipsoid = "kinemorph:ellipsoid";
/// The attribute with what the file was called whose points a mesh has.
inline constexpr std::string_view kMeshName = "kinemorph:mesh";

}  // namespace kinemorph::usd
