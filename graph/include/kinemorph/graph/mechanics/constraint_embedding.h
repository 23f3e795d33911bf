// Forward dynamics of closed chains by recursion over the loop-aggregated connectivity graph: the
// articulated-body algorithm with constraint embedding, linear in the number of aggregates. Without
// loops it is the articulated-body algorithm.
//
//   v, bias       base -> tip   V, K, k, G, g, J = S G and c' of every aggregate, in the frame of
//                               its parent body p
//   inertia       tip -> base   U = sum I_i J_i,  D = sum J_i^T I_i J_i,
//                               I_p += sum I_i - U D^-1 U^T
//   acceleration  base -> tip   ydd = D^-1 (u - U^T a_p),  qdd = G ydd + g
#pragma once

#include <memory>
#include <vector>

#include "kinemorph/graph/mechanics/dynamics.h"

namespace kinemorph {

/// Holds all work space: a call allocates nothing (but for aggregates with more than three
/// independent coordinates).
class ConstraintEmbeddingDynamics {
 public:
  /// `mechanism` must outlive this object.
  ConstraintEmbeddingDynamics(const Mechanism& mechanism, const Coordinates& coordinates);
  /// Ignores loops and couplings: the articulated-body algorithm of the spanning tree.
  explicit ConstraintEmbeddingDynamics(const Mechanism& mechanism);
  ~ConstraintEmbeddingDynamics();
  ConstraintEmbeddingDynamics(const ConstraintEmbeddingDynamics&) = delete;
  ConstraintEmbeddingDynamics& operator=(const ConstraintEmbeddingDynamics&) = delete;

  /// qdd at a closed state (phi = 0, K v = 0). All arrays have Mechanism's sizes; `qdd` is zero
  /// unless the result is kOk.
  DynamicsStatus ForwardDynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& tau, Eigen::VectorXd& qdd,
                                 const ExternalForces* forces = nullptr);
  /// The same in two halves, where only the independent coordinates have velocities: Complete
  /// gives v of the dependent ones, and in `gap` (by velocity) K_d^-1 phi, what brings them back to
  /// closure, zero for the others; then CompletedDynamics at the same q and that v.
  DynamicsStatus Complete(const Eigen::VectorXd& q, Eigen::VectorXd& v, Eigen::VectorXd& gap);
  /// The second half: qdd, as ForwardDynamics gives it.
  DynamicsStatus CompletedDynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                   const Eigen::VectorXd& tau, Eigen::VectorXd& qdd,
                                   const ExternalForces* forces = nullptr);
  /// After ForwardDynamics: the body where it failed, -1 if it did not.
  [[nodiscard]] int body_at_fault() const;

 private:
  DynamicsStatus Run(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau,
                     Eigen::VectorXd& qdd, const ExternalForces* forces, bool completed);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinemorph
