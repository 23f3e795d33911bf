// Poses, velocities, Jacobians; loop residual phi, its Jacobian K and the right-hand side k of K
// qdd = k.
//
// phi and K are exact at every q, closed or not: dphi/dt = K v and k = -(dK/dt) v. Rows of a loop
// joint, in the axes B of frame F (angular rows first): revolute wx wy vx vy vz; prismatic wx wy wz
// vx vy; fixed wx wy wz vx vy vz; ball vx vy vz; universal wz vx vy vz; planar wx wy vz;
// cylindrical wx wy vx vy; screw wx wy vx vy (vz - pitch wz).
#pragma once

#include <vector>

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// What the joints do at a state: X_PB by body, S by velocity column (in the body's frame), (dS/dt)
/// v by body.
struct JointCache {
  std::vector<RigidTransform> X_PB;
  Matrix6X S;
  std::vector<Vector6> S_rate_v;
  explicit JointCache(const Mechanism& m);
};

/// Updates one body; `v` may be null (then S_rate_v stays as it is).
void UpdateJoint(const Mechanism& m, int body, const double* q, const double* v, JointCache& cache);
void UpdateJoints(const Mechanism& m, const double* q, const double* v, JointCache& cache);

/// Poses X_WB of all bodies (world first).
[[nodiscard]] std::vector<RigidTransform> Poses(const Mechanism& m, const Eigen::VectorXd& q);
void ComputePoses(const Mechanism& m, const JointCache& joints, std::vector<RigidTransform>& X_WB);
/// Spatial velocities of all bodies, about their origins in their own axes.
[[nodiscard]] std::vector<Vector6> Velocities(const Mechanism& m, const JointCache& joints,
                                              const Eigen::VectorXd& v);

enum class JacobianFrame {
  kBody,          ///< about Bo in axes of B
  kWorldAligned,  ///< about Bo in axes of the world
};
/// J (6 x nv) with V = J v for one body.
[[nodiscard]] Matrix6X LinkJacobian(const Mechanism& m, const JointCache& joints, int body,
                                    JacobianFrame frame);

/// Kinematics of an aggregate relative to its parent body, by position: poses X_pB, columns S, and
/// where v is given velocities V and bias accelerations A (qdd = 0), all about the parent body's
/// origin in its axes.
struct AggregateKinematics {
  std::vector<RigidTransform> X;
  Matrix6X S;
  std::vector<Vector6> V, A;
  void Resize(const Aggregate& aggregate);
};
void ComputeAggregateKinematics(const Mechanism& m, const Aggregate& aggregate,
                                const JointCache& joints, const double* v,
                                AggregateKinematics& kinematics);

/// phi, K, k of one aggregate. `k` is filled only with velocities.
struct ConstraintRows {
  Eigen::VectorXd phi, k;
  Eigen::MatrixXd K;
  void Resize(const Aggregate& aggregate);
};
enum class Residual {
  kExact,     ///< dphi/dt = K v everywhere
  kRotation,  ///< angular rows as rotation vectors: equal at closure to first order, and right when
              ///< far away (for solving)
};
void ComputeConstraints(const Mechanism& m, const Aggregate& aggregate,
                        const AggregateKinematics& kinematics, const double* q, const double* v,
                        Residual residual, ConstraintRows& rows);

/// The stacked constraints of the whole mechanism.
[[nodiscard]] ConstraintRows Constraints(const Mechanism& m, const Eigen::VectorXd& q,
                                         const Eigen::VectorXd& v);
/// By row of the stacked K: whether phi is a length (for scaling), and a name such as "loop1.vx".
[[nodiscard]] std::vector<bool> IsLengthRow(const Mechanism& m, const Aggregate& aggregate);
[[nodiscard]] std::vector<std::string> RowNames(const Aggregate& aggregate);

}  // namespace kinemorph
