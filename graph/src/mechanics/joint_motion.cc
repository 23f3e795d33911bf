// Joint kinds as motions: X_FM, S, Psi and their inverses.
#include "kinemorph/graph/mechanics/joint_motion.h"

#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/overloaded.h"

namespace kinemorph {
// One entry per kind in each of the functions below, so that a new kind is a compile error until
// all know it. F is the frame on the predecessor, M that on the successor; S is in axes of M, hence
// v of ball and free joints too, and quaternions are w first.
namespace {

Matrix3 AboutAxis(const Vector3& axis, double angle) {
  const double s = std::sin(angle), c = std::cos(angle);
  return c * Matrix3::Identity() + s * Skew(axis) + (1 - c) * axis * axis.transpose();
}

// The angle about `axis` whose rotation is nearest to R.
double AngleAbout(const Vector3& axis, const Matrix3& R) {
  // With axis . vex = 2 sin and trace - axis . R axis = 2 cos where R turns about the axis;
  // elsewhere the same two numbers are those of the nearest such R.
  const Vector3 vex(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  return std::atan2(axis.dot(vex), R.trace() - axis.dot(R * axis));
}

Vector6 Stacked(const Vector3& angular, const Vector3& linear) {
  Vector6 v;
  v << angular, linear;
  return v;
}

JointMatrix Columns(std::initializer_list<Vector6> columns) {
  JointMatrix m(6, static_cast<Eigen::Index>(columns.size()));
  Eigen::Index i = 0;
  for (const Vector6& column : columns) m.col(i++) = column;
  return m;
}

const Vector3 kZero = Vector3::Zero();
Vector6 Moment(const Vector3& n) { return Stacked(n, kZero); }
Vector6 Force(const Vector3& f) { return Stacked(kZero, f); }

Eigen::Quaterniond Quaternion(const double* q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
}

// q times exp(rotation vector).
void IntegrateQuaternion(const double* q, const Vector3& rotation, double* q_next) {
  const double angle = rotation.norm();
  const double half = angle / 2;
  // sin(a / 2) / a by its series near zero, where the quotient loses all digits.
  const double factor = angle < 1e-8 ? 0.5 - angle * angle / 48 : std::sin(half) / angle;
  const Vector3 xyz = factor * rotation;
  const Eigen::Quaterniond next =
      (Quaternion(q) * Eigen::Quaterniond(std::cos(half), xyz.x(), xyz.y(), xyz.z())).normalized();
  q_next[0] = next.w(), q_next[1] = next.x(), q_next[2] = next.y(), q_next[3] = next.z();
}

// The left Jacobian of SO(3): the mean of exp(s w) over s in [0, 1].
Matrix3 MeanRotation(const Vector3& w) {
  const double angle = w.norm();
  const Matrix3 W = Skew(w);
  // Below this the differences in the closed form cancel; the series is exact to 1e-12 there.
  if (angle < 1e-4) return Matrix3::Identity() + W / 2 + W * W / 6;
  return Matrix3::Identity() + (1 - std::cos(angle)) / (angle * angle) * W +
         (angle - std::sin(angle)) / (angle * angle * angle) * W * W;
}

}  // namespace

RigidTransform JointTransform(const JointKind& kind, const double* q) {
  return std::visit(
      Overloaded{
          [](const Fixed&) { return RigidTransform{}; },
          [&](const Revolute& k) { return RigidTransform::Rotation(AboutAxis(k.axis, q[0])); },
          [&](const Prismatic& k) { return RigidTransform::Translation(k.axis * q[0]); },
          [&](const Screw& k) {
            return RigidTransform{AboutAxis(k.axis, q[0]), k.axis * (k.pitch * q[0])};
          },
          [&](const Universal& k) {
            return RigidTransform::Rotation(AboutAxis(k.axis1, q[0]) * AboutAxis(k.axis2, q[1]));
          },
          [&](const Ball&) {
            return RigidTransform::Rotation(RotationFromQuaternion(q[0], q[1], q[2], q[3]));
          },
          [&](const Planar& k) {
            const Matrix3 B = PlanarBasis(k.normal);
            return RigidTransform{AboutAxis(k.normal, q[2]), B.col(0) * q[0] + B.col(1) * q[1]};
          },
          [&](const Cylindrical& k) {
            return RigidTransform{AboutAxis(k.axis, q[0]), k.axis * q[1]};
          },
          [&](const Free&) {
            return RigidTransform{RotationFromQuaternion(q[0], q[1], q[2], q[3]),
                                  Vector3(q[4], q[5], q[6])};
          }},
      kind);
}

// S in axes of M about its origin: columns of hinges fixed in M are constant, what is fixed in F
// (the first axis of a universal joint, the directions of a planar one) turns back with q.
JointMatrix MotionSubspace(const JointKind& kind, const double* q) {
  return std::visit(
      Overloaded{[](const Fixed&) { return JointMatrix(6, 0); },
                 [](const Revolute& k) { return Columns({Moment(k.axis)}); },
                 [](const Prismatic& k) { return Columns({Force(k.axis)}); },
                 [](const Screw& k) { return Columns({Stacked(k.axis, k.pitch * k.axis)}); },
                 [&](const Universal& k) {
                   return Columns({Moment(AboutAxis(k.axis2, -q[1]) * k.axis1), Moment(k.axis2)});
                 },
                 [](const Ball&) {
                   return Columns({Vector6::Unit(0), Vector6::Unit(1), Vector6::Unit(2)});
                 },
                 [&](const Planar& k) {
                   const Matrix3 B_M = AboutAxis(k.normal, -q[2]) * PlanarBasis(k.normal);
                   return Columns({Force(B_M.col(0)), Force(B_M.col(1)), Moment(k.normal)});
                 },
                 [](const Cylindrical& k) {
                   return Columns({Moment(k.axis), Force(k.axis)});
                 },
                 [](const Free&) { return JointMatrix(Matrix6::Identity()); }},
      kind);
}

// The two kinds whose S depends on q, as above: the rate of an axis that turns back is axis x w.
Vector6 MotionSubspaceRate(const JointKind& kind, const double* q, const double* v) {
  if (const auto* universal = std::get_if<Universal>(&kind)) {
    const Vector3 axis1_M = AboutAxis(universal->axis2, -q[1]) * universal->axis1;
    return Moment(axis1_M.cross(universal->axis2) * (v[0] * v[1]));
  }
  if (const auto* planar = std::get_if<Planar>(&kind)) {
    const Matrix3 B_M = AboutAxis(planar->normal, -q[2]) * PlanarBasis(planar->normal);
    const Vector3 velocity = B_M.col(0) * v[0] + B_M.col(1) * v[1];
    return Force(velocity.cross(planar->normal) * v[2]);
  }
  return Vector6::Zero();
}

// Psi spans what S does not: S^T Psi = 0 column by column. A thread passes force along its axis
// only with the moment that its pitch demands, hence the last column of the screw.
JointMatrix ConstraintForceSubspace(const JointKind& kind, const double* q) {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  return std::visit(
      Overloaded{
          [](const Fixed&) { return JointMatrix(Matrix6::Identity()); },
          [&](const Revolute& k) {
            const Matrix3 B = RotationWithZ(k.axis);
            return Columns({Moment(B.col(0)), Moment(B.col(1)), Force(x), Force(y), Force(z)});
          },
          [&](const Prismatic& k) {
            const Matrix3 B = RotationWithZ(k.axis);
            return Columns({Moment(x), Moment(y), Moment(z), Force(B.col(0)), Force(B.col(1))});
          },
          [&](const Screw& k) {
            const Matrix3 B = RotationWithZ(k.axis);
            return Columns({Moment(B.col(0)), Moment(B.col(1)), Force(B.col(0)), Force(B.col(1)),
                            Stacked(-k.pitch * k.axis, k.axis)});
          },
          [&](const Universal& k) {
            const Vector3 axis1_M = AboutAxis(k.axis2, -q[1]) * k.axis1;
            return Columns(
                {Moment(axis1_M.cross(k.axis2).normalized()), Force(x), Force(y), Force(z)});
          },
          [&](const Ball&) {
            return Columns({Force(x), Force(y), Force(z)});
          },
          [&](const Planar& k) {
            const Matrix3 B = PlanarBasis(k.normal);
            return Columns({Moment(B.col(0)), Moment(B.col(1)), Force(k.normal)});
          },
          [&](const Cylindrical& k) {
            const Matrix3 B = RotationWithZ(k.axis);
            return Columns({Moment(B.col(0)), Moment(B.col(1)), Force(B.col(0)), Force(B.col(1))});
          },
          [](const Free&) { return JointMatrix(6, 0); }},
      kind);
}

void PositionFromTransform(const JointKind& kind, const RigidTransform& X_FM, double* q) {
  const Matrix3& R = X_FM.R;
  const Vector3& p = X_FM.p;
  const auto set_quaternion = [&] {
    Eigen::Map<Eigen::Vector4d>(q, 4) = QuaternionFromRotation(R);
  };
  std::visit(
      Overloaded{[](const Fixed&) {}, [&](const Revolute& k) { q[0] = AngleAbout(k.axis, R); },
                 [&](const Prismatic& k) { q[0] = k.axis.dot(p); },
                 [&](const Screw& k) {
                   q[0] = AngleAbout(k.axis, R);
                   // R tells the angle within one turn; how many turns there were stands in the
                   // stroke.
                   const double turn = 2 * std::numbers::pi;
                   if (k.pitch != 0)
                     q[0] += turn * std::nearbyint((k.axis.dot(p) / k.pitch - q[0]) / turn);
                 },
                 [&](const Universal& k) {
                   // R carries the second axis by the first angle alone, which it therefore gives;
                   // the rest of R is the second.
                   const Vector3 from = k.axis2 - k.axis1 * k.axis1.dot(k.axis2);
                   const Vector3 to = R * k.axis2;
                   q[0] = std::atan2(k.axis1.dot(from.cross(to)), from.dot(to));
                   q[1] = AngleAbout(k.axis2, AboutAxis(k.axis1, -q[0]) * R);
                 },
                 [&](const Ball&) { set_quaternion(); },
                 [&](const Planar& k) {
                   const Matrix3 B = PlanarBasis(k.normal);
                   q[0] = B.col(0).dot(p), q[1] = B.col(1).dot(p), q[2] = AngleAbout(k.normal, R);
                 },
                 [&](const Cylindrical& k) { q[0] = AngleAbout(k.axis, R), q[1] = k.axis.dot(p); },
                 [&](const Free&) {
                   set_quaternion();
                   q[4] = p.x(), q[5] = p.y(), q[6] = p.z();
                 }},
      kind);
}

void IntegratePosition(const JointKind& kind, const double* q, const double* v, double dt,
                       double* q_next) {
  if (std::holds_alternative<Ball>(kind)) {
    IntegrateQuaternion(q, dt * Vector3(v[0], v[1], v[2]), q_next);
  } else if (std::holds_alternative<Free>(kind)) {
    // v is of M in its own axes, which turn during the step: with both constant the origin moves
    // along a helix, whose chord is the mean rotation of the step (the exponential of SE(3)).
    const Vector3 w = dt * Vector3(v[0], v[1], v[2]);
    const Vector3 step =
        Quaternion(q).normalized() * (MeanRotation(w) * (dt * Vector3(v[3], v[4], v[5])));
    for (int i = 0; i < 3; ++i) q_next[4 + i] = q[4 + i] + step[i];
    IntegrateQuaternion(q, w, q_next);
  } else {
    const int n = NumVelocities(kind);
    for (int i = 0; i < n; ++i) q_next[i] = q[i] + dt * v[i];
  }
}

void SetZeroPosition(const JointKind& kind, double* q) {
  const int n = NumPositions(kind);
  for (int i = 0; i < n; ++i) q[i] = 0;
  if (n == 4 || n == 7) q[0] = 1;
}

}  // namespace kinemorph
