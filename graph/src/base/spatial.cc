#include "kinemorph/graph/base/spatial.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kinemorph/graph/base/number.h"

namespace kinemorph {
namespace {

// Sine and cosine with exact values at multiples of pi/2 (to 1e-15 in the angle), so that aligned
// frames stay exactly aligned.
void SinCos(double angle, double& s, double& c) {
  s = std::sin(angle);
  c = std::cos(angle);
  const double quarter = angle / (std::numbers::pi / 2);
  const double turns = std::nearbyint(quarter);
  // Angles are written with 16 digits at most: a quarter turn comes back off by an ulp, and its
  // cosine as 6e-17, which would be copied from format to format.
  if (turns != 0 &&
      std::abs(angle - turns * (std::numbers::pi / 2)) <= 1e-15 * std::max(1.0, std::abs(turns))) {
    const int phase = static_cast<int>(std::fmod(std::fmod(turns, 4) + 4, 4));
    s = phase == 1 ? 1 : phase == 3 ? -1 : 0;
    c = phase == 0 ? 1 : phase == 2 ? -1 : 0;
  }
}

}  // namespace

bool RigidTransform::IsNearIdentity(double tolerance) const {
  return (R - Matrix3::Identity()).cwiseAbs().maxCoeff() <= tolerance &&
         p.cwiseAbs().maxCoeff() <= tolerance;
}

Matrix3 Skew(const Vector3& v) {
  Matrix3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

Matrix3 RotationFromRpy(const Vector3& rpy) {
  double sr, cr, sp, cp, sy, cy;
  SinCos(rpy.x(), sr, cr);
  SinCos(rpy.y(), sp, cp);
  SinCos(rpy.z(), sy, cy);
  Matrix3 R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R;
}

namespace {

// Pitch and yaw once roll is chosen. They follow from R * Rx(-roll) = Rz(yaw) Ry(pitch), whose
// second column is of unit length, so that near gimbal lock an error in roll is made good by yaw.
Vector3 RpyWithRoll(const Matrix3& R, double roll) {
  double sr, cr;
  SinCos(roll, sr, cr);
  return {roll, std::atan2(-R(2, 0), sr * R(2, 1) + cr * R(2, 2)),
          std::atan2(sr * R(0, 2) - cr * R(0, 1), cr * R(1, 1) - sr * R(1, 2))};
}

// Shortest decimals that still give R: authors write few digits, and the arithmetic adds noise to
// them.
bool Shorten(const Matrix3& R, Vector3& rpy) {
  const bool near_lock = std::hypot(R(2, 1), R(2, 2)) < 1e-3;
  Vector3 tried = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
  // From one digit up: the first that gives R to round-off is what the author most likely wrote.
  for (int digits = 1; digits <= 17; ++digits) {
    Vector3 rounded = Vector3::Zero();
    bool near = true;  // away from the lock, other angles are another rotation
    for (int i = 0; i < 3 && near; ++i) {
      if (std::abs(rpy[i]) >= 1e-16) rounded[i] = NearDecimal(rpy[i], digits) + 0.0;
      near = near_lock || std::abs(rounded[i] - rpy[i]) <= 1e-11;
    }
    if (!near || rounded == tried) continue;
    tried = rounded;
    if ((RotationFromRpy(rounded) - R).cwiseAbs().maxCoeff() > 5e-16) continue;
    rpy = rounded;
    return true;
  }
  return false;
}

}  // namespace

Vector3 RpyFromRotation(const Matrix3& R) {
  if (R == Matrix3::Identity()) return Vector3::Zero();
  const double cos_pitch = std::hypot(R(2, 1), R(2, 2));
  if (cos_pitch <= 1e-12) {  // gimbal lock, perhaps with noise: only yaw -+ roll is defined
    Vector3 locked = RpyWithRoll(R, 0);
    if (Shorten(R, locked)) return locked;
  }
  Vector3 rpy = RpyWithRoll(R, cos_pitch > 0 ? std::atan2(R(2, 1), R(2, 2)) : 0.0);
  Shorten(R, rpy);
  return rpy.unaryExpr([](double angle) { return angle + 0.0; });
}

Matrix3 RotationFromQuaternion(double w, double x, double y, double z) {
  // Divided by the largest first: squares of what is written may overflow or vanish.
  const double largest = std::max({std::abs(w), std::abs(x), std::abs(y), std::abs(z)});
  w /= largest, x /= largest, y /= largest, z /= largest;
  const double s = 2 / (w * w + x * x + y * y + z * z);
  Matrix3 R;
  R << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y);
  return R;
}

Eigen::Vector4d QuaternionFromRotation(const Matrix3& R) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(R).normalized();
  // q and -q are one rotation; with w >= 0 and no -0 equal rotations print alike.
  const double sign = q.w() < 0 ? -1 : 1;
  return {sign * q.w(), sign * q.x() + 0.0, sign * q.y() + 0.0, sign * q.z() + 0.0};
}

Matrix3 RotationFromAxisAngle(const Vector3& unit_axis, double angle) {
  double s, c;
  SinCos(angle, s, c);
  return c * Matrix3::Identity() + s * Skew(unit_axis) +
         (1 - c) * unit_axis * unit_axis.transpose();
}

Matrix3 RotationWithZ(const Vector3& unit_z) {
  if (unit_z == Vector3::UnitZ()) return Matrix3::Identity();
  // x is the projection of the coordinate axis least aligned with z, so that coordinate axes give
  // exact permutations.
  int least = 0;
  if (std::abs(unit_z.y()) < std::abs(unit_z[least])) least = 1;
  if (std::abs(unit_z.z()) < std::abs(unit_z[least])) least = 2;
  const Vector3 x = (Vector3::Unit(least) - unit_z[least] * unit_z).normalized();
  Matrix3 R;
  R << x, unit_z.cross(x), unit_z;
  return R;
}

// Through a quaternion: nearest in no strict sense, but near for what digits leave, and always a
// rotation.
Matrix3 Orthonormalized(const Matrix3& R) {
  if ((R.transpose() * R - Matrix3::Identity()).cwiseAbs().maxCoeff() <= 4e-16) return R;
  return Eigen::Quaterniond(R).normalized().toRotationMatrix();
}

SpatialInertia SpatialInertia::InFrame(const RigidTransform& X_AB) const {
  return {mass, X_AB * p_BoBcm, X_AB.R * I_BBcm * X_AB.R.transpose()};
}

Matrix6 SpatialInertia::AsMatrix() const {
  // I_Bo = I_Bcm - m c x c x (parallel axes), and the first moment m c couples moment with force.
  const Matrix3 cx = Skew(p_BoBcm);
  Matrix6 M;
  M.topLeftCorner<3, 3>() = I_BBcm - mass * cx * cx;
  M.topRightCorner<3, 3>() = mass * cx;
  M.bottomLeftCorner<3, 3>() = -mass * cx;
  M.bottomRightCorner<3, 3>() = mass * Matrix3::Identity();
  return M;
}

SpatialInertia operator+(const SpatialInertia& a, const SpatialInertia& b) {
  SpatialInertia sum;
  sum.mass = a.mass + b.mass;
  // Two links without mass have no centre of mass; any point will do, and inertias without mass
  // stay.
  sum.p_BoBcm = sum.mass > 0 ? Vector3((a.mass * a.p_BoBcm + b.mass * b.p_BoBcm) / sum.mass)
                             : Vector3(Vector3::Zero());
  sum.I_BBcm = Matrix3::Zero();
  for (const SpatialInertia* part : {&a, &b}) {
    const Matrix3 dx = Skew(part->p_BoBcm - sum.p_BoBcm);
    sum.I_BBcm += part->I_BBcm - part->mass * dx * dx;
  }
  return sum;
}

bool IsWellPhysical(const Matrix3& I) {
  // The second moments of mass, tr(I)/2 - I, are those of a body when they are positive definite.
  const Matrix3 second = (0.5 - 1e-12) * I.trace() * Matrix3::Identity() - I;
  return Eigen::LLT<Matrix3>(second).info() == Eigen::Success;
}

}  // namespace kinemorph
