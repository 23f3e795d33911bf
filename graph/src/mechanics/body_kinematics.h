// One body of an aggregate: its kinematics from those of its tree parent.
#pragma once

#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

/// `position` in Aggregate::bodies; the parent inside the aggregate comes first. `v` may be null.
inline void ComputeBodyKinematics(const Mechanism& m, const Aggregate& aggregate,
                                  const JointCache& joints, const double* v, int position,
                                  AggregateKinematics& kinematics) {
  const std::size_t at = static_cast<std::size_t>(position);
  const int b = aggregate.bodies[at];
  const Body& body = m.bodies[static_cast<std::size_t>(b)];
  const int parent = aggregate.parent_in[at];
  RigidTransform& X = kinematics.X[at];
  if (parent < 0) {
    X = joints.X_PB[static_cast<std::size_t>(b)];
  } else {
    const RigidTransform& X_pP = kinematics.X[static_cast<std::size_t>(parent)];
    X.R.noalias() = X_pP.R * joints.X_PB[static_cast<std::size_t>(b)].R;
    X.p.noalias() = X_pP.R * joints.X_PB[static_cast<std::size_t>(b)].p;
    X.p += X_pP.p;
  }
  const int column = aggregate.column[at];
  Vector6 S_v = Vector6::Zero();
  for (int c = 0; c < body.nv; ++c) {
    const Vector6 S = TransformMotion(X, joints.S.col(body.v + c));
    kinematics.S.col(column + c) = S;
    if (v != nullptr) S_v += v[body.v + c] * S;
  }
  if (v == nullptr) return;
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
    A += TransformMotion(X, joints.S_rate_v[static_cast<std::size_t>(b)]);
}

}  // namespace kinemorph
