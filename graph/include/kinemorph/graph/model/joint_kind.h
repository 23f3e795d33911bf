// The kinds of joints. Axes are unit vectors in the joint frame F (equal coordinates in M at zero).
// X_FM(q) maps coordinates of M to F; X_FM(0) is the identity.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

/// No coordinates: M is F.
struct Fixed {};
/// q: angle (rad). A hinge with or without limits ("continuous").
struct Revolute {
  Vector3 axis = Vector3::UnitZ();  ///< unit, in F; M turns about it right-handed
};
/// q: displacement (m).
struct Prismatic {
  Vector3 axis = Vector3::UnitZ();  ///< unit, in F; M moves along it
};
/// q: angle (rad); the translation along the axis is pitch * q.
struct Screw {
  Vector3 axis = Vector3::UnitZ();  ///< unit, in F
  double pitch = 0;                 ///< m/rad, + right-handed
};
/// q: two angles (rad): R_FM = Rot(axis1, q0) Rot(axis2, q1). The axes need not be perpendicular
/// (SDFormat revolute2).
struct Universal {
  Vector3 axis1 = Vector3::UnitX(),  ///< unit, fixed in F
      axis2 = Vector3::UnitY();      ///< unit, fixed in M
};
/// q: unit quaternion (w,x,y,z) of R_FM; v: omega (rad/s) of M in F, in axes of M.
struct Ball {};
/// q: x, y (m) along PlanarBasis(normal), then angle (rad) about the normal: X_FM = Trans(x, y)
/// Rot(normal, angle).
struct Planar {
  Vector3 normal = Vector3::UnitZ();  ///< of the plane; unit, in F
};
/// q: angle (rad) about the axis, displacement (m) along it.
struct Cylindrical {
  Vector3 axis = Vector3::UnitZ();  ///< unit, in F
};
/// q: unit quaternion (w,x,y,z) of R_FM, position p_FoMo_F (m); v: [omega; v] of M in F (rad/s,
/// m/s), in axes of M.
struct Free {};

/// Every kind; visited exhaustively.
using JointKind =
    std::variant<Fixed, Revolute, Prismatic, Screw, Universal, Ball, Planar, Cylindrical, Free>;

[[nodiscard]] std::string_view KindName(const JointKind& kind);  ///< "revolute", "ball", ...
[[nodiscard]] int NumPositions(const JointKind& kind);  ///< nq: 4 for Ball, 7 for Free, else nv
[[nodiscard]] int NumVelocities(
    const JointKind& kind);  ///< nv, also the rank of the motion subspace
/// nc: rows of a loop joint of this kind, columns of Psi.
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
