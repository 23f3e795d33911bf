// The kinds of joints. Axes are unit vectors in the joint frame F (equal coordinates in M at zero).
// X_FM(q) maps coordinates of M to F; X_FM(0) is the identity.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

struct Fixed {};
struct Revolute {
  Vector3 axis = Vector3::UnitZ();
};  ///< q: angle (rad)
struct Prismatic {
  Vector3 axis = Vector3::UnitZ();
};  ///< q: displacement (m)
struct Screw {
  Vector3 axis = Vector3::UnitZ();
  double pitch = 0;
};  ///< q: angle (rad); translation = pitch * q (m/rad, + right-handed)
/// R_FM = Rot(axis1, q0) Rot(axis2, q1). The axes need not be perpendicular (SDFormat revolute2).
struct Universal {
  Vector3 axis1 = Vector3::UnitX(), axis2 = Vector3::UnitY();
};
struct Ball {};  ///< q: unit quaternion (w,x,y,z); v: omega of M in F, in axes of M
/// q: x, y (m) along PlanarBasis(normal), then angle (rad) about the normal: X_FM = Trans(x, y)
/// Rot(normal, angle).
struct Planar {
  Vector3 normal = Vector3::UnitZ();
};
struct Cylindrical {
  Vector3 axis = Vector3::UnitZ();
};  ///< q: angle (rad), displacement (m)
struct Free {
};  ///< q: quaternion (w,x,y,z), position p_FM_F; v: [omega; v] of M in F, in axes of M

using JointKind =
    std::variant<Fixed, Revolute, Prismatic, Screw, Universal, Ball, Planar, Cylindrical, Free>;

[[nodiscard]] std::string_view KindName(const JointKind& kind);  ///< "revolute", "ball", ...
[[nodiscard]] int NumPositions(const JointKind& kind);           ///< nq
[[nodiscard]] int NumVelocities(
    const JointKind& kind);  ///< nv, also the rank of the motion subspace
[[nodiscard]] inline int NumConstraints(const JointKind& kind) { return 6 - NumVelocities(kind); }
/// How many JointAxis records a joint of this kind carries: one per scalar coordinate, 1 for Ball
/// and Free, 0 for Fixed.
[[nodiscard]] int NumAxes(const JointKind& kind);
/// Columns x and y of the planar joint's coordinates: with z = normal a right-handed basis.
/// Identity for z.
[[nodiscard]] Matrix3 PlanarBasis(const Vector3& normal);
/// The same kind with every axis rotated by R (axis_A = R * axis_B).
[[nodiscard]] JointKind Rotated(const JointKind& kind, const Matrix3& R);
/// The joint's axes in order (none for Fixed, Ball, Free; the normal for Planar).
[[nodiscard]] std::vector<Vector3> AxesOf(const JointKind& kind);

}  // namespace kinemorph
