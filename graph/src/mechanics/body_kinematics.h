// One body of an aggregate: its kinematics from those of its tree parent.
#pragma once

#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

/// Its pose. `position` in Aggregate::bodies; the parent inside the aggregate comes first.
inline void ComputeBodyPose(const Aggregate& aggregate, const JointCache& joints, int position,
                            AggregateKinematics& kinematics) {
  const std::size_t at = static_cast<std::size_t>(position);
  const RigidTransform& X_PB = joints.X_PB[static_cast<std::size_t>(aggregate.bodies[at])];
  const int parent = aggregate.parent_in[at];
  RigidTransform& X = kinematics.X[at];
  if (parent < 0) {
    X = X_PB;
  } else {
    const RigidTransform& X_pP = kinematics.X[static_cast<std::size_t>(parent)];
    X.R.noalias() = X_pP.R * X_PB.R;
    X.p.noalias() = X_pP.R * X_PB.p;
    X.p += X_pP.p;
  }
}

/// Its columns of S, after the pose. By halves, here and below: what stands in memory as six
/// numbers and was written one by one is slow to read in pairs.
inline void ComputeBodyColumns(const Mechanism& m, const Aggregate& aggregate,
                               const JointCache& joints, int position,
                               AggregateKinematics& kinematics) {
  const std::size_t at = static_cast<std::size_t>(position);
  const Body& body = m.bodies[static_cast<std::size_t>(aggregate.bodies[at])];
  const RigidTransform& X = kinematics.X[at];
  for (int c = 0; c < body.nv; ++c) {
    const auto own = joints.S.col(body.v + c);
    const Vector3 turn = X.R * own.head<3>();
    Vector3 slide = X.p.cross(turn);
    if (!own.tail<3>().isZero(0)) slide += X.R * own.tail<3>();  // not of a hinge at the origin
    kinematics.S.col(aggregate.column[at] + c) << turn, slide;
  }
}

/// V and A, after the columns.
inline void ComputeBodyMotion(const Mechanism& m, const Aggregate& aggregate,
                              const JointCache& joints, const double* v, int position,
                              AggregateKinematics& kinematics) {
  const std::size_t at = static_cast<std::size_t>(position);
  const int b = aggregate.bodies[at];
  const Body& body = m.bodies[static_cast<std::size_t>(b)];
  const int parent = aggregate.parent_in[at], column = aggregate.column[at];
  Vector3 turn = Vector3::Zero(), slide = turn;  // S v
  for (int c = column; c < column + body.nv; ++c) {
    const double rate = v[body.v + c - column];
    turn += rate * kinematics.S.col(c).head<3>(), slide += rate * kinematics.S.col(c).tail<3>();
  }
  Vector6& V = kinematics.V[at];
  Vector6& A = kinematics.A[at];
  if (parent < 0) {
    V << turn, slide;
    A.setZero();
  } else {
    const Vector6& V_P = kinematics.V[static_cast<std::size_t>(parent)];
    const Vector6& A_P = kinematics.A[static_cast<std::size_t>(parent)];
    const Vector3 w = V_P.head<3>(), u = V_P.tail<3>();
    V.head<3>() = w + turn, V.tail<3>() = u + slide;
    A.head<3>() = A_P.head<3>() + w.cross(turn);
    A.tail<3>() = A_P.tail<3>() + w.cross(slide) + u.cross(turn);
  }
  if (!body.constant_subspace)
    A += TransformMotion(kinematics.X[at], joints.S_rate_v[static_cast<std::size_t>(b)]);
}

/// All of it; `v` may be null.
inline void ComputeBodyKinematics(const Mechanism& m, const Aggregate& aggregate,
                                  const JointCache& joints, const double* v, int position,
                                  AggregateKinematics& kinematics) {
  ComputeBodyPose(aggregate, joints, position, kinematics);
  ComputeBodyColumns(m, aggregate, joints, position, kinematics);
  if (v != nullptr) ComputeBodyMotion(m, aggregate, joints, v, position, kinematics);
}

}  // namespace kinemorph
