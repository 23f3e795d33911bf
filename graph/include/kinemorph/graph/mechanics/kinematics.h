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

/// Spatial vectors, angular first, as columns.
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// What the joints do at a state: X_PB by body, S by velocity column (in the body's frame), (dS/dt)
/// v by body.
struct JointCache {
  std::vector<RigidTransform> X_PB;  ///< by body: its pose in its parent body
  Matrix6X S;                        ///< 6 x nv, each column about Bo in axes of the joint's body B
  std::vector<Vector6> S_rate_v;     ///< by body, about Bo in axes of B; zero where S is constant
  /// At no state yet: call UpdateJoints before use.
  explicit JointCache(const Mechanism& m);
};

/// Updates one body. `q` and `v` are those of the whole mechanism; `v` may be null (then S_rate_v
/// stays as it is).
void UpdateJoint(const Mechanism& m, int body, const double* q, const double* v, JointCache& cache);
/// UpdateJoint of every body.
void UpdateJoints(const Mechanism& m, const double* q, const double* v, JointCache& cache);

/// Poses X_WB of all bodies (world first).
[[nodiscard]] std::vector<RigidTransform> Poses(const Mechanism& m, const Eigen::VectorXd& q);
/// The same from joints that are up to date; `X_WB` gets one entry per body.
void ComputePoses(const Mechanism& m, const JointCache& joints, std::vector<RigidTransform>& X_WB);
/// Spatial velocities of all bodies, about their origins in their own axes.
[[nodiscard]] std::vector<Vector6> Velocities(const Mechanism& m, const JointCache& joints,
                                              const Eigen::VectorXd& v);

/// Where the velocity of a Jacobian is taken.
enum class JacobianFrame {
  kBody,          ///< about Bo in axes of B
  kWorldAligned,  ///< about Bo in axes of the world
};
/// J (6 x nv) with V = J v for one body, as if loops were open.
[[nodiscard]] Matrix6X LinkJacobian(const Mechanism& m, const JointCache& joints, int body,
                                    JacobianFrame frame);

/// Kinematics of an aggregate relative to its parent body, by position: poses X_pB, columns S, and
/// where v is given velocities V and bias accelerations A (qdd = 0), all about the parent body's
/// origin in its axes.
struct AggregateKinematics {
  std::vector<RigidTransform> X;  ///< X_pB
  Matrix6X S;                     ///< 6 x nv of the aggregate
  std::vector<Vector6> V,         ///< relative to the parent body
      A;                          ///< (dJ/dt) v, relative to the parent body
  /// Makes room for an aggregate; call it before the first computation.
  void Resize(const Aggregate& aggregate);
};
/// Fills `kinematics`, sized for this aggregate. `joints` up to date; `v` of the whole mechanism,
/// or null: V and A stay as they are.
void ComputeAggregateKinematics(const Mechanism& m, const Aggregate& aggregate,
                                const JointCache& joints, const double* v,
                                AggregateKinematics& kinematics);

/// phi, K, k of one aggregate. `k` is filled only with velocities.
struct ConstraintRows {
  Eigen::VectorXd phi,  ///< residual (m, rad, or as a coupling is written); zero where closed
      k;                ///< right-hand side of K qdd = k
  Eigen::MatrixXd K;    ///< Jacobian of phi: rows x nv
  /// Makes room for an aggregate, all zero.
  void Resize(const Aggregate& aggregate);
};
/// How phi measures rotations.
enum class Residual {
  kExact,     ///< dphi/dt = K v everywhere
  kRotation,  ///< angular rows as rotation vectors: equal at closure to first order, and right when
              ///< far away (for solving)
};
/// Fills `rows`, sized for this aggregate, from its kinematics. `q` and `v` of the whole mechanism;
/// `v` may be null. Featherstone, Rigid Body Dynamics Algorithms, ch. 8, made exact off closure.
void ComputeConstraints(const Mechanism& m, const Aggregate& aggregate,
                        const AggregateKinematics& kinematics, const double* q, const double* v,
                        Residual residual, ConstraintRows& rows);

/// The stacked constraints of the whole mechanism: K is rows x nv, aggregate after aggregate.
[[nodiscard]] ConstraintRows Constraints(const Mechanism& m, const Eigen::VectorXd& q,
                                         const Eigen::VectorXd& v);
/// By row of an aggregate: whether phi is a length (for scaling).
[[nodiscard]] std::vector<bool> IsLengthRow(const Mechanism& m, const Aggregate& aggregate);
/// By row of an aggregate: a name such as "loop1.vx", for people.
[[nodiscard]] std::vector<std::string> RowNames(const Aggregate& aggregate);

}  // namespace kinemorph
