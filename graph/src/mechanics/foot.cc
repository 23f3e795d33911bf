#include "kinemorph/graph/mechanics/foot.h"

#include <algorithm>

#include "base/index.h"

namespace kinemorph {
namespace {

// Only the bodies on the way to the root are looked at: feet are asked for at every step of a
// simulation.
std::vector<int> PathTo(const Mechanism& m, int body) {
  std::vector<int> path;
  for (int b = body; b > 0; b = m.bodies[U(b)].parent) path.push_back(b);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

PointMotion MotionOfPoint(const Mechanism& m, const JointCache& joints, const Eigen::VectorXd& v,
                          const Foot& foot) {
  PointMotion out;
  RigidTransform X_WB;
  Vector6 V = Vector6::Zero(), A = V;  // of the body, about its origin in its axes; A at vd = 0
  for (const int b : PathTo(m, foot.body)) {
    const Body& body = m.bodies[U(b)];
    const RigidTransform& X = joints.X_PB[U(b)];
    X_WB = X_WB * X;
    V = InverseTransformMotion(X, V), A = InverseTransformMotion(X, A);
    if (body.nv == 0) continue;
    const Vector6 S_v = joints.S.middleCols(body.v, body.nv) * v.segment(body.v, body.nv);
    V += S_v;
    A += CrossMotion(V, S_v);
    if (!body.constant_subspace) A += joints.S_rate_v[U(b)];
  }
  // The recursion gives spatial accelerations; that of the point also has w x v. All in body axes
  // up to here, then turned into those of the world.
  const Vector3 w = V.head<3>(), velocity = V.tail<3>() + w.cross(foot.p_B);
  const Vector3 a = A.tail<3>() + A.head<3>().cross(foot.p_B) + w.cross(velocity);
  out.p = X_WB * foot.p_B, out.velocity = X_WB.R * velocity, out.a = X_WB.R * a;
  // Velocity of the point from the twist at the body's origin: v - p x w.
  const Matrix6X J = LinkJacobian(m, joints, foot.body, JacobianFrame::kBody);
  out.J = X_WB.R * (J.bottomRows<3>() - Skew(foot.p_B) * J.topRows<3>());
  return out;
}

Vector3 PositionOfPoint(const Mechanism& m, const Eigen::VectorXd& q, const Foot& foot) {
  JointCache joints(m);
  RigidTransform X_WB;
  for (const int b : PathTo(m, foot.body)) {
    UpdateJoint(m, b, q.data(), nullptr, joints);
    X_WB = X_WB * joints.X_PB[U(b)];
  }
  return X_WB * foot.p_B;
}

}  // namespace kinemorph
