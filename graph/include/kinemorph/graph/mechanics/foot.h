// Point feet: points of bodies that may stand on the ground, without slipping.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

/// A point fixed in a body.
struct Foot {
  int body = 0;                   ///< index into Mechanism::bodies
  Vector3 p_B = Vector3::Zero();  ///< in the body's frame (m)
  std::string link;               ///< name of the body, for people
};

/// The plane normal . p = height (world axes, m).
struct Ground {
  Vector3 normal = Vector3::UnitZ();  ///< unit, world axes, out of the ground
  double height = 0;                  ///< of the plane along the normal (m)
  /// How far a point is above the ground (m); negative below.
  [[nodiscard]] double Above(const Vector3& p_W) const { return normal.dot(p_W) - height; }
};

/// Position, Jacobian and bias of a point in world axes: velocity = J v, acceleration = J vd + a.
struct PointMotion {
  Vector3 p = Vector3::Zero(),                 ///< from the world's origin (m)
      velocity = p,                            ///< m/s
      a = p;                                   ///< acceleration at vd = 0 (m/s^2)
  Eigen::Matrix<double, 3, Eigen::Dynamic> J;  ///< 3 x nv
};

/// All of it at a state. `joints` as UpdateJoints left them with these velocities.
[[nodiscard]] PointMotion MotionOfPoint(const Mechanism& m, const JointCache& joints,
                                        const Eigen::VectorXd& v, const Foot& foot);
/// Where it is at q, from the world's origin in world axes (m).
[[nodiscard]] Vector3 PositionOfPoint(const Mechanism& m, const Eigen::VectorXd& q,
                                      const Foot& foot);

}  // namespace kinemorph
