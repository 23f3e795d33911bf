// Articulated inertias in three blocks, and how they move to another frame.
#pragma once

#include "kinemorph/graph/joint_motion.h"

namespace kinemorph {

/// [A B; B^T C]: moment and force from angular and linear acceleration; A and C symmetric.
struct ArticulatedInertia {
  Matrix3 A, B, C;

  void SetZero() { A.setZero(), B.setZero(), C.setZero(); }
  [[nodiscard]] Vector6 operator*(const Vector6& a) const {
    Vector6 f;
    f.head<3>().noalias() = A * a.head<3>() + B * a.tail<3>();
    f.tail<3>().noalias() = B.transpose() * a.head<3>() + C * a.tail<3>();
    return f;
  }
  ArticulatedInertia& operator+=(const ArticulatedInertia& other) {
    A += other.A, B += other.B, C += other.C;
    return *this;
  }
  /// Minus a b^T (where the sum of such terms is symmetric).
  void Subtract(const Vector6& a, const Vector6& b) {
    A.noalias() -= a.head<3>() * b.head<3>().transpose();
    B.noalias() -= a.head<3>() * b.tail<3>().transpose();
    C.noalias() -= a.tail<3>() * b.tail<3>().transpose();
  }
};

/// p x each column of M.
inline Matrix3 CrossColumns(const Vector3& p, const Matrix3& M) {
  Matrix3 result;
  result.row(0) = p.y() * M.row(2) - p.z() * M.row(1);
  result.row(1) = p.z() * M.row(0) - p.x() * M.row(2);
  result.row(2) = p.x() * M.row(1) - p.y() * M.row(0);
  return result;
}

/// M times the matrix of p x.
inline Matrix3 TimesSkew(const Matrix3& M, const Vector3& p) {
  Matrix3 result;
  result.col(0) = p.z() * M.col(1) - p.y() * M.col(2);
  result.col(1) = p.x() * M.col(2) - p.z() * M.col(0);
  result.col(2) = p.y() * M.col(0) - p.x() * M.col(1);
  return result;
}

/// The inertia of frame B (pose X_PB) about P's origin in axes of P.
inline ArticulatedInertia InParent(const RigidTransform& X_PB, const ArticulatedInertia& I) {
  const Matrix3& R = X_PB.R;
  ArticulatedInertia out;
  Matrix3 half;
  half.noalias() = R * I.C;
  out.C.noalias() = half * R.transpose();
  half.noalias() = R * I.B;
  Matrix3 B;
  B.noalias() = half * R.transpose();
  half.noalias() = R * I.A;
  out.A.noalias() = half * R.transpose();
  // About the new origin: f = B^T w + C (v - p x w), n = n_B + p x f.
  out.B = B + CrossColumns(X_PB.p, out.C);
  const Matrix3 first = TimesSkew(B, X_PB.p), second = TimesSkew(out.B, X_PB.p);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out.A(i, j) -= first(i, j) + second(j, i);
  }
  return out;
}

/// A rigid body in the form the recursion needs: mass, first moment, tensor about the link's origin.
struct RigidInertia {
  double mass = 0;
  Vector3 moment = Vector3::Zero();
  Matrix3 I_o = Matrix3::Zero();

  explicit RigidInertia(const SpatialInertia& body)
      : mass(body.mass), moment(body.mass * body.p_BoBcm), I_o(body.AsMatrix().topLeftCorner<3, 3>()) {}
  void AddTo(ArticulatedInertia& I) const {
    I.A += I_o;
    I.B += Skew(moment);
    I.C.diagonal().array() += mass;
  }
  /// V x* I V.
  [[nodiscard]] Vector6 VelocityProduct(const Vector6& V) const {
    const Vector3 w = V.head<3>(), v = V.tail<3>();
    const Vector3 n = I_o * w + moment.cross(v), f = mass * v - moment.cross(w);
    Vector6 p;
    p.head<3>() = w.cross(n) + v.cross(f);
    p.tail<3>() = w.cross(f);
    return p;
  }
};

}  // namespace kinemorph
