// Rotations as products of rotations about coordinate axes, without singularities, in as few
// factors as possible.
#pragma once

#include <vector>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph::mbs {

/// Rk(angle): a rotation about x, y or z of the current frame (k = 0, 1, 2), radians.
struct AxisRotation {
  int k = 0;
  double angle = 0;
};

/// Entries of a rotation at most this far from 0 (or of a length, in metres, from 0) are taken for
/// rounding noise.
inline constexpr double kNoise = 1e-15;

/// Rotation about coordinate axis k; multiples of pi/2 give exact zeros and ones.
[[nodiscard]] Matrix3 ElementaryRotation(int k, double angle);

/// How many factors ShortestFactors(R) has: 0 to 3. A product Ri Rj has R(i, j) = 0, and only such
/// a product has.
[[nodiscard]] int NumFactors(const Matrix3& R);

/// R as the shortest product of coordinate rotations, left to right. Three factors are always
/// R3(yaw) R2(pitch) R1(roll).
[[nodiscard]] std::vector<AxisRotation> ShortestFactors(const Matrix3& R);

/// Angles (a, b, c) with R = Rx(a) Ry(b) Rz(c): the current-frame angles of an MBS shape. At b =
/// +-pi/2, a = 0.
[[nodiscard]] Vector3 CurrentFrameAngles(const Matrix3& R);
[[nodiscard]] Matrix3 RotationFromCurrentFrameAngles(const Vector3& angles);

/// Every product P of at most two coordinate rotations with P e_k = `direction` (a unit vector)
/// that does not end in a rotation about k; P = 1 alone when `direction` is e_k.
[[nodiscard]] std::vector<Matrix3> RotationsThatTurn(int k, const Vector3& direction);

[[nodiscard]] Matrix3 Product(const std::vector<AxisRotation>& factors);

/// R with rounding noise removed: entries within kNoise of 0, 1 and -1 become exact.
[[nodiscard]] Matrix3 Snapped(const Matrix3& R);
/// Components within kNoise of 0 become 0 (never -0).
[[nodiscard]] Vector3 Snapped(const Vector3& v);
[[nodiscard]] double Snapped(double x);

}  // namespace kinemorph::mbs
