// Orientations in all their spellings.
#pragma once

#include "read/compiler.h"
#include "read/defaults.h"

namespace kinemorph::mjcf {

/// quat, axisangle, xyaxes, zaxis or euler (in the compiler's units and sequence); identity when
/// none is written. An alternative wins over a quat from a default class, as in MuJoCo. Errors:
/// more than one on the element, vanishing quaternions and axes.
[[nodiscard]] Matrix3 ReadOrientation(const Attributes& attributes,
                                      const CompilerSettings& compiler);
/// `pos` and the orientation.
[[nodiscard]] RigidTransform ReadPose(const Attributes& attributes,
                                      const CompilerSettings& compiler);
/// Angles in the order of eulerseq: lower-case letters turn about moving axes, upper-case about
/// fixed ones.
[[nodiscard]] Matrix3 RotationFromEuler(const Vector3& angles, const std::array<char, 3>& sequence);
/// The shortest rotation that takes z to `direction` (unit), MuJoCo's choice for fromto and zaxis;
/// about x when they are opposite.
[[nodiscard]] Matrix3 RotationFromZ(const Vector3& direction);
/// `degrees` in radians when the compiler says degree.
[[nodiscard]] double Angle(double value, const CompilerSettings& compiler);

}  // namespace kinemorph::mjcf
