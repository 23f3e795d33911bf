// Rigid and articulated inertias as expressions, about an origin (mechanics/articulated_inertia.h).
#pragma once

#include "emit/symbolic_mechanism.h"

namespace kinemorph::emit {

inline Matrix3E SkewE(const Vector3E& p) {
  Matrix3E S = Matrix3E::Zero();
  S(0, 1) = -p[2], S(0, 2) = p[1], S(1, 0) = p[2];
  S(1, 2) = -p[0], S(2, 0) = -p[1], S(2, 1) = p[0];
  return S;
}

/// R S R^T of a symmetric S.
inline Matrix3E RotateSymmetric(const Matrix3E& R, const Matrix3E& S) {
  const Matrix3E half = R * S;
  Matrix3E out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) out(i, j) = out(j, i) = half.row(i).dot(R.row(j));
  }
  return out;
}

/// [A B; B^T C]: moment and force from angular and linear acceleration; A and C symmetric.
struct Inertia {
  Matrix3E A = Matrix3E::Zero(), B = Matrix3E::Zero(), C = Matrix3E::Zero();

  /// `scale` times a rigid body whose frame stands at X, about the origin of X's reference.
  static Inertia Of(const SpatialInertia& body, const Pose& X, const Expression& scale) {
    Inertia out;
    const Vector3E c = X.R * body.p_BoBcm.cast<Expression>() + X.p;
    const Vector3E moment = c * Expression(body.mass);
    const Matrix3E tensor = RotateSymmetric(X.R, body.I_BBcm.cast<Expression>());
    const Expression square = c.dot(moment);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j <= i; ++j) {
        Expression entry = tensor(i, j) - c[i] * moment[j];
        if (i == j) entry += square;
        out.A(i, j) = out.A(j, i) = entry * scale;
      }
    }
    out.B = SkewE(moment * scale);
    out.C = Matrix3E::Identity() * (Expression(body.mass) * scale);
    return out;
  }
  [[nodiscard]] Vector6E operator*(const Vector6E& a) const {
    Vector6E f;
    f.head<3>() = A * a.head<3>() + B * a.tail<3>();
    f.tail<3>() = B.transpose() * a.head<3>() + C * a.tail<3>();
    return f;
  }
  Inertia& operator+=(const Inertia& other) {
    A += other.A, B += other.B, C += other.C;
    return *this;
  }
  /// Minus a b^T (where the sum of such terms is symmetric).
  void Subtract(const Vector6E& a, const Vector6E& b) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j <= i; ++j) {
        A(i, j) -= a[i] * b[j], C(i, j) -= a[3 + i] * b[3 + j];
        A(j, i) = A(i, j), C(j, i) = C(i, j);
      }
      for (int j = 0; j < 3; ++j) B(i, j) -= a[i] * b[3 + j];
    }
  }
  /// About P's origin in axes of P.
  [[nodiscard]] Inertia InParent(const Pose& X_PB) const {
    Inertia out;
    const Matrix3E rotated = X_PB.R * B * X_PB.R.transpose();
    const Matrix3E S = SkewE(X_PB.p);
    out.C = RotateSymmetric(X_PB.R, C);
    out.A = RotateSymmetric(X_PB.R, A);
    out.B = rotated + S * out.C;
    const Matrix3E first = rotated * S, second = out.B * S;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j <= i; ++j) {
        out.A(i, j) -= first(i, j) + second(j, i);
        out.A(j, i) = out.A(i, j);
      }
    }
    return out;
  }
};

}  // namespace kinemorph::emit
