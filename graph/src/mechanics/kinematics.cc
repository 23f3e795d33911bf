// Poses, velocities and Jacobians over the compiled mechanism.
#include "kinemorph/graph/mechanics/kinematics.h"

#include <cmath>

#include "base/index.h"
#include "mechanics/body_kinematics.h"

// JointCache holds what joints do (X_PB, S, and where S turns its rate times v), and everything
// else here sums it up over the tree or over an aggregate. A joint is looked at once per state,
// however many quantities are asked of it.
namespace kinemorph {
JointCache::JointCache(const Mechanism& m)
    : X_PB(m.bodies.size()), S(6, m.nv), S_rate_v(m.bodies.size(), Vector6::Zero()) {
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    X_PB[b] = m.bodies[b].X_PJ * m.bodies[b].X_JB;
    if (m.bodies[b].nv > 0) S.middleCols(m.bodies[b].v, m.bodies[b].nv) = m.bodies[b].S;
  }
}

void UpdateJoint(const Mechanism& m, int index, const double* q, const double* v,
                 JointCache& cache) {
  const Body& body = m.bodies[U(index)];
  if (body.nq == 0) return;
  RigidTransform& X_PB = cache.X_PB[U(index)];
  // The many: joints of one coordinate, compiled to constant matrices; one sine and one cosine are
  // all that is left to do.
  if (body.nq == 1) {
    const Body::OneDof& fast = body.fast;
    const double angle = q[body.q];
    if (fast.rotates) {
      const double s = std::sin(angle), c1 = 1 - std::cos(angle);
      X_PB.R.noalias() = fast.R0 + s * fast.R1 + c1 * fast.R2;
      X_PB.p.noalias() = fast.p0 + s * fast.p1 + c1 * fast.p2 + angle * fast.p3;
    } else {
      X_PB.p.noalias() = fast.p0 + angle * fast.p3;
    }
    return;
  }
  const RigidTransform X_FM = JointTransform(body.kind, q + body.q);
  X_PB = body.X_PJ * (body.reversed ? X_FM.inverse() : X_FM) * body.X_JB;
  if (body.nv == 0 || body.constant_subspace) return;
  const JointMatrix S_M = MotionSubspace(body.kind, q + body.q);
  Vector6 rate =
      v == nullptr ? Vector6::Zero() : MotionSubspaceRate(body.kind, q + body.q, v + body.v);
  // Forward: M is fixed in the body. Reversed: the body moves with F, and the motion is the
  // opposite one seen from F.
  const double sign = body.reversed ? -1 : 1;
  for (int i = 0; i < body.nv; ++i) {
    const Vector6 column = body.reversed ? TransformMotion(X_FM, S_M.col(i)) : Vector6(S_M.col(i));
    cache.S.col(body.v + i) = sign * InverseTransformMotion(body.X_JB, column);
  }
  if (v == nullptr) return;
  if (body.reversed) rate = TransformMotion(X_FM, rate);
  cache.S_rate_v[U(index)] = sign * InverseTransformMotion(body.X_JB, rate);
}

void UpdateJoints(const Mechanism& m, const double* q, const double* v, JointCache& cache) {
  for (int b = 1; b < static_cast<int>(m.bodies.size()); ++b) UpdateJoint(m, b, q, v, cache);
}

void ComputePoses(const Mechanism& m, const JointCache& joints, std::vector<RigidTransform>& X_WB) {
  X_WB.resize(m.bodies.size());
  X_WB[0] = RigidTransform{};
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    X_WB[b] = X_WB[U(m.bodies[b].parent)] * joints.X_PB[b];
}

std::vector<RigidTransform> Poses(const Mechanism& m, const Eigen::VectorXd& q) {
  JointCache joints(m);
  UpdateJoints(m, q.data(), nullptr, joints);
  std::vector<RigidTransform> X_WB;
  ComputePoses(m, joints, X_WB);
  return X_WB;
}

std::vector<Vector6> Velocities(const Mechanism& m, const JointCache& joints,
                                const Eigen::VectorXd& v) {
  std::vector<Vector6> V(m.bodies.size(), Vector6::Zero());
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    V[b] = InverseTransformMotion(joints.X_PB[b], V[U(body.parent)]);
    if (body.nv > 0) V[b] += joints.S.middleCols(body.v, body.nv) * v.segment(body.v, body.nv);
  }
  return V;
}

Matrix6X LinkJacobian(const Mechanism& m, const JointCache& joints, int body, JacobianFrame frame) {
  Matrix6X J = Matrix6X::Zero(6, m.nv);
  // From the body to the root: the columns of joints not on the way stay zero.
  RigidTransform X_BC;  // pose of the joint's body C in B's frame, then towards the root
  for (int b = body; b > 0; b = m.bodies[U(b)].parent) {
    const Body& c = m.bodies[U(b)];
    for (int i = c.v; i < c.v + c.nv; ++i) J.col(i) = TransformMotion(X_BC, joints.S.col(i));
    X_BC = X_BC * joints.X_PB[U(b)].inverse();
  }

  // Origin stays that of the body; only axes are turned. X_BC has become the pose of the world in
  // B.
  if (frame == JacobianFrame::kWorldAligned) {
    const Matrix3 R_WB = X_BC.R.transpose();
    J.topRows<3>() = (R_WB * J.topRows<3>()).eval();
    J.bottomRows<3>() = (R_WB * J.bottomRows<3>()).eval();
  }
  return J;
}

void AggregateKinematics::Resize(const Aggregate& aggregate) {
  const std::size_t n = aggregate.bodies.size();
  X.resize(n);
  V.assign(n, Vector6::Zero());
  A.assign(n, Vector6::Zero());
  S.resize(6, aggregate.nv);
}

void ComputeAggregateKinematics(const Mechanism& m, const Aggregate& aggregate,
                                const JointCache& joints, const double* v,
                                AggregateKinematics& kinematics) {
  const int n = static_cast<int>(aggregate.bodies.size());
  for (int i = 0; i < n; ++i) ComputeBodyKinematics(m, aggregate, joints, v, i, kinematics);
}

void ConstraintRows::Resize(const Aggregate& aggregate) {
  phi.setZero(aggregate.rows);
  k.setZero(aggregate.rows);
  K.setZero(aggregate.rows, aggregate.nv);
}

ConstraintRows Constraints(const Mechanism& m, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  JointCache joints(m);
  UpdateJoints(m, q.data(), v.data(), joints);
  ConstraintRows all;
  all.phi.setZero(m.rows), all.k.setZero(m.rows), all.K.setZero(m.rows, m.nv);
  AggregateKinematics kinematics;
  ConstraintRows rows;
  for (const Aggregate& aggregate : m.aggregates) {
    if (aggregate.rows == 0) continue;
    kinematics.Resize(aggregate), rows.Resize(aggregate);
    ComputeAggregateKinematics(m, aggregate, joints, v.data(), kinematics);
    ComputeConstraints(m, aggregate, kinematics, q.data(), v.data(), Residual::kExact, rows);
    all.phi.segment(aggregate.row, aggregate.rows) = rows.phi;
    all.k.segment(aggregate.row, aggregate.rows) = rows.k;
    // Columns of an aggregate lie scattered in v, as the tree orders its bodies.
    for (int c = 0; c < aggregate.nv; ++c)
      all.K.block(aggregate.row, aggregate.velocity[U(c)], aggregate.rows, 1) = rows.K.col(c);
  }
  return all;
}

}  // namespace kinemorph
