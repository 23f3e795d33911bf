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

/// Its columns of S, after the pose.
inline void ComputeBodyColumns(const Mechanism& m, const Aggregate& aggregate,
                               const JointCache& joints, int position,
                               AggregateKinematics& kinematics) {
  const std::size_t at = static_cast<std::size_t>(position);
  const Body& body = m.bodies[static_cast<std::size_t>(aggregate.bodies[at])];
  for (int c = 0; c < body.nv; ++c) {
    kinematics.S.col(aggregate.column[at] + c) =
        TransformMotion(kinematics.X[at], joints.S.col(body.v + c));
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
  Vector6 S_v = Vector6::Zero();
  for (int c = 0; c < body.nv; ++c) S_v += v[body.v + c] * kinematics.S.col(column + c);
  Vector6& V = kinematics.V[at];
  Vector6& A = kinematics.A[at];
  if (parent < 0) {
    V = S_v, A.setZero();
  } else {
    V = kinematics.V[static_cast<std::size_t>(parent)] + S_v,
    A = kinematics.A[static_cast<std::size_t>(parent)] +
        CrossMotion(kinematics.V[static_cast<std::size_t>(parent)], S_v);
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
