// Frames notation, rigid transforms and spatial inertia (monogram notation: X_PF is the pose of
// frame F in P). Spatial vectors are stacked angular first: [omega; v], [moment; force].
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace kinemorph {

using Vector3 = Eigen::Vector3d;  ///< p (m), omega (rad/s), a force (N) ..., in axes said there
using Matrix3 = Eigen::Matrix3d;  ///< a rotation R_AB (v_A = R_AB v_B) or a tensor
using Vector6 = Eigen::Matrix<double, 6, 1>;  ///< spatial vector, angular part first
using Matrix6 = Eigen::Matrix<double, 6, 6>;  ///< maps spatial vectors, angular rows first

/// Pose X_AB of frame B in frame A: `p_A = R * p_B + p` (metres).
struct RigidTransform {
  Matrix3 R = Matrix3::Identity();  ///< R_AB: its columns are the axes of B in A; orthonormal
  Vector3 p = Vector3::Zero();      ///< p_AoBo_A: origin of B in A (m)

  /// Axes alike, B's origin at `p` (m) in A.
  [[nodiscard]] static RigidTransform Translation(const Vector3& p) {
    return {Matrix3::Identity(), p};
  }
  /// Origins alike; `R` must be a rotation.
  [[nodiscard]] static RigidTransform Rotation(const Matrix3& R) { return {R, Vector3::Zero()}; }
  /// X_BA, with the transpose for the inverse of R.
  [[nodiscard]] RigidTransform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
  /// To the bit (-0 is 0): what a writer may leave out.
  [[nodiscard]] bool IsExactlyIdentity() const {
    return R == Matrix3::Identity() && p == Vector3::Zero();
  }
  /// Largest absolute entry of the difference to the identity, of R and of p (m), at most
  /// `tolerance`.
  [[nodiscard]] bool IsNearIdentity(double tolerance) const;
  /// X_AC = X_AB X_BC.
  friend RigidTransform operator*(const RigidTransform& X_AB, const RigidTransform& X_BC) {
    return {X_AB.R * X_BC.R, X_AB.R * X_BC.p + X_AB.p};
  }
  /// The point `p_B` (m) of B, seen from A.
  friend Vector3 operator*(const RigidTransform& X_AB, const Vector3& p_B) {
    return X_AB.R * p_B + X_AB.p;
  }
  /// Every entry equal, without tolerance.
  friend bool operator==(const RigidTransform& a, const RigidTransform& b) {
    return a.R == b.R && a.p == b.p;
  }
};

/// The matrix of the cross product: Skew(v) w = v x w.
[[nodiscard]] Matrix3 Skew(const Vector3& v);

/// Fixed-axis roll, pitch, yaw (URDF, SDFormat): R = Rz(yaw) Ry(pitch) Rx(roll). Angles in radians.
/// Multiples of pi/2 to within 1e-15 give exact zeros and ones.
[[nodiscard]] Matrix3 RotationFromRpy(const Vector3& rpy);

/// Inverse of RotationFromRpy, the shortest decimals that give R back to 5e-16; at gimbal lock roll
/// = 0. No `-0`.
[[nodiscard]] Vector3 RpyFromRotation(const Matrix3& R);

/// Rotation of a quaternion (w, x, y, z), normalised. Precondition: norm > 0.
[[nodiscard]] Matrix3 RotationFromQuaternion(double w, double x, double y, double z);
/// Unit quaternion (w, x, y, z) of R, w >= 0.
[[nodiscard]] Eigen::Vector4d QuaternionFromRotation(const Matrix3& R);
/// Right-handed turn by `angle` (rad) about a unit axis, the same in both frames. Multiples of pi/2
/// as in RotationFromRpy.
[[nodiscard]] Matrix3 RotationFromAxisAngle(const Vector3& unit_axis, double angle);
/// A rotation that takes the z axis to `unit_z`; the identity when it already is, deterministic
/// otherwise.
[[nodiscard]] Matrix3 RotationWithZ(const Vector3& unit_z);
/// Projects a nearly orthonormal matrix on SO(3); exact rotations come back unchanged to the bit.
[[nodiscard]] Matrix3 Orthonormalized(const Matrix3& R);

/// Rigid-body mass properties in a frame B: mass (kg), centre of mass p_BoBcm_B (m), tensor about
/// the centre of mass in axes of B (kg m^2, tensor sign: I_xy = -integral x y dm).
struct SpatialInertia {
  double mass = 0;                    ///< kg
  Vector3 p_BoBcm = Vector3::Zero();  ///< centre of mass, from Bo in axes of B (m)
  Matrix3 I_BBcm = Matrix3::Zero();   ///< about the centre of mass, in axes of B (kg m^2)

  /// The same body seen from A.
  [[nodiscard]] SpatialInertia InFrame(const RigidTransform& X_AB) const;
  /// 6x6 spatial inertia about Bo, angular first.
  [[nodiscard]] Matrix6 AsMatrix() const;
  /// Both bodies rigidly together, expressed in the same frame (parallel axis theorem).
  friend SpatialInertia operator+(const SpatialInertia& a, const SpatialInertia& b);
};

/// Quick answer for most tensors: that of a rigid body, by more than the noise of any eigenvalue
/// solver. False says nothing.
[[nodiscard]] bool IsWellPhysical(const Matrix3& I);

}  // namespace kinemorph
