// What a joint of each kind does: its transform, motion subspace S, constraint-force subspace Psi,
// and the way back from a pose.
#pragma once

#include "kinemorph/graph/model/joint_kind.h"

namespace kinemorph {

/// Up to six columns of spatial vectors, angular first.
using JointMatrix = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// X_FM(q); `q` has NumPositions(kind) entries. Quaternions need not be unit.
[[nodiscard]] RigidTransform JointTransform(const JointKind& kind, const double* q);

/// S (6 x nv): velocity of M in F is S(q) v, about Mo in axes of M.
[[nodiscard]] JointMatrix MotionSubspace(const JointKind& kind, const double* q);

/// (dS/dt) v along v, in axes of M; zero for every kind but Universal and Planar.
[[nodiscard]] Vector6 MotionSubspaceRate(const JointKind& kind, const double* q, const double* v);

/// Psi (6 x nc): wrenches about Mo in axes of M that the joint can carry; Psi^T S = 0.
[[nodiscard]] JointMatrix ConstraintForceSubspace(const JointKind& kind, const double* q);

/// The coordinates whose transform is nearest to X_FM (exact when X_FM is one that the joint can
/// make). Angles in (-pi, pi], except for Screw with a pitch, where the displacement tells the
/// turn. `q` gets NumPositions(kind) entries.
void PositionFromTransform(const JointKind& kind, const RigidTransform& X_FM, double* q);

/// q moved by v dt exactly (constant v; quaternions stay unit). `q_next` may be `q`.
void IntegratePosition(const JointKind& kind, const double* q, const double* v, double dt,
                       double* q_next);

/// Writes the zero configuration: zeros, and (1, 0, 0, 0) for quaternions.
void SetZeroPosition(const JointKind& kind, double* q);

/// Motion vector of B's frame expressed in A's: [R w; R v + p x R w].
[[nodiscard]] inline Vector6 TransformMotion(const RigidTransform& X_AB, const Vector6& V_B) {
  Vector6 V_A;
  V_A.head<3>().noalias() = X_AB.R * V_B.head<3>();
  V_A.tail<3>().noalias() = X_AB.R * V_B.tail<3>();
  V_A.tail<3>() += X_AB.p.cross(V_A.head<3>());
  return V_A;
}

/// Motion vector of A's frame expressed in B's.
[[nodiscard]] inline Vector6 InverseTransformMotion(const RigidTransform& X_AB,
                                                    const Vector6& V_A) {
  Vector6 V_B;
  V_B.head<3>().noalias() = X_AB.R.transpose() * V_A.head<3>();
  V_B.tail<3>().noalias() = X_AB.R.transpose() * (V_A.tail<3>() - X_AB.p.cross(V_A.head<3>()));
  return V_B;
}

/// Force vector of B's frame expressed in A's: [R n + p x R f; R f].
[[nodiscard]] inline Vector6 TransformForce(const RigidTransform& X_AB, const Vector6& F_B) {
  Vector6 F_A;
  F_A.tail<3>().noalias() = X_AB.R * F_B.tail<3>();
  F_A.head<3>().noalias() = X_AB.R * F_B.head<3>();
  F_A.head<3>() += X_AB.p.cross(F_A.tail<3>());
  return F_A;
}

/// V x M (motion on motion).
[[nodiscard]] inline Vector6 CrossMotion(const Vector6& V, const Vector6& M) {
  Vector6 result;
  result.head<3>() = V.head<3>().cross(M.head<3>());
  result.tail<3>() = V.head<3>().cross(M.tail<3>()) + V.tail<3>().cross(M.head<3>());
  return result;
}

/// V x* F (motion on force).
[[nodiscard]] inline Vector6 CrossForce(const Vector6& V, const Vector6& F) {
  Vector6 result;
  result.head<3>() = V.head<3>().cross(F.head<3>()) + V.tail<3>().cross(F.tail<3>());
  result.tail<3>() = V.head<3>().cross(F.tail<3>());
  return result;
}

}  // namespace kinemorph
