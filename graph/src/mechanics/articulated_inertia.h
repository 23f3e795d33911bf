// Rigid and articulated inertias about an origin, and how they move to another frame.
#pragma once

#include "kinemorph/graph/mechanics/joint_motion.h"

namespace kinemorph {

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

/// R S R^T of a symmetric S. Written in place: copies of fresh matrices are what costs here.
inline void RotateSymmetric(const Matrix3& R, const Matrix3& S, Matrix3& out) {
  Matrix3 half;
  half.noalias() = R * S;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j)
      out(i, j) = out(j, i) = half(i, 0) * R(j, 0) + half(i, 1) * R(j, 1) + half(i, 2) * R(j, 2);
  }
}

/// [A B; B^T C]: moment and force from angular and linear acceleration; A and C symmetric.
struct ArticulatedInertia {
  Matrix3 A, B, C;

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

/// The inertia of frame B (pose X_PB) about P's origin in axes of P.
inline ArticulatedInertia InParent(const RigidTransform& X_PB, const ArticulatedInertia& I) {
  const Matrix3& R = X_PB.R;
  ArticulatedInertia out;
  Matrix3 half, B;
  half.noalias() = R * I.B;
  B.noalias() = half * R.transpose();
  RotateSymmetric(R, I.C, out.C);
  RotateSymmetric(R, I.A, out.A);
  // About the new origin: f = B^T w + C (v - p x w), n = n_B + p x f.
  out.B = B + CrossColumns(X_PB.p, out.C);
  const Matrix3 first = TimesSkew(B, X_PB.p), second = TimesSkew(out.B, X_PB.p);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j)
      out.A(i, j) = out.A(j, i) = out.A(i, j) - first(i, j) - second(j, i);
  }
  return out;
}

/// A rigid body about an origin: mass, first moment, tensor.
struct RigidInertia {
  double mass = 0;
  Vector3 moment;
  Matrix3 I_o;

  /// Of a body whose frame stands at X_PB, about Po in axes of P.
  void Set(const SpatialInertia& body, const RigidTransform& X_PB) {
    const Vector3 c = X_PB * body.p_BoBcm;
    mass = body.mass;
    moment = mass * c;
    RotateSymmetric(X_PB.R, body.I_BBcm, I_o);
    I_o.diagonal().array() += c.dot(moment);
    I_o.noalias() -= c * moment.transpose();
  }
  [[nodiscard]] Vector6 operator*(const Vector6& a) const {
    const Vector3 w = a.head<3>(), v = a.tail<3>();
    Vector6 f;
    f.head<3>() = I_o * w + moment.cross(v);
    f.tail<3>() = mass * v - moment.cross(w);
    return f;
  }
  /// V x* I V.
  [[nodiscard]] Vector6 VelocityProduct(const Vector6& V) const { return CrossForce(V, *this * V); }
};

inline void SetRigid(const RigidInertia& body, ArticulatedInertia& I) {
  I.A = body.I_o;
  I.B = Skew(body.moment);
  I.C = body.mass * Matrix3::Identity();
}
inline ArticulatedInertia& operator+=(ArticulatedInertia& sum, const RigidInertia& body) {
  sum.A += body.I_o;
  sum.B += Skew(body.moment);
  sum.C.diagonal().array() += body.mass;
  return sum;
}

}  // namespace kinemorph
