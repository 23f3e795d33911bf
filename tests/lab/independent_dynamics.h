// Kinematics and dynamics from the independent coordinates alone: y, yd, ydd in, forces out, and
// back. The loops are closed by ExplicitClosures: q = gamma(y), qd = G yd, qdd = G ydd + g.
//
//   y    positions, aggregate after aggregate, in each the independent coordinates in the order of
//        AggregateCoordinates::independent (rad, m; four numbers for a ball, seven for a free
//        joint)
//   yd   velocities in the same order (three and six numbers there)
#pragma once

#include <memory>
#include <vector>

#include "kinemorph/graph/closures/explicit_closure.h"
#include "kinemorph/graph/mechanics/dynamics.h"

namespace kinemorph {

/// Holds its work space: no call allocates after the first. Equal y gives equal results, whatever
/// was asked before, unless the closures start warm.
class IndependentDynamics {
 public:
  /// `mechanism` must outlive this object. `actuated`: velocities on which actuators work; default
  /// the independent ones.
  IndependentDynamics(const Mechanism& mechanism, const Coordinates& coordinates,
                      const ExplicitClosureOptions& options = {}, std::vector<int> actuated = {});
  ~IndependentDynamics();
  IndependentDynamics(const IndependentDynamics&) = delete;
  IndependentDynamics& operator=(const IndependentDynamics&) = delete;

  [[nodiscard]] int num_positions() const;   ///< size of y
  [[nodiscard]] int num_velocities() const;  ///< size of yd, ydd and tau_y: the mobility
  /// Index into v of each entry of yd.
  [[nodiscard]] const std::vector<int>& independent() const;
  /// The y of a configuration q.
  void PositionOf(const Eigen::VectorXd& q, Eigen::VectorXd& y) const;

  /// Closes the loops: q() and v() of the whole mechanism. kNotClosed says which aggregate and why
  /// in closure_status() and aggregate_at_fault().
  DynamicsStatus Move(const Eigen::VectorXd& y, const Eigen::VectorXd& yd);
  [[nodiscard]] const Eigen::VectorXd& q() const;    ///< nq: of the last Move, also by the dynamics
  [[nodiscard]] const Eigen::VectorXd& v() const;    ///< nv: of the last Move
  [[nodiscard]] GammaStatus closure_status() const;  ///< kOk unless closing failed in the last Move
  [[nodiscard]] int aggregate_at_fault() const;      ///< where the last Move ended; -1: it did not

  /// Forces tau_y (by yd; N, N m) that make ydd, gravity and armature included, springs and
  /// damping not; zero unless kOk. `forces`: wrenches on bodies, may be null.
  DynamicsStatus InverseDynamics(const Eigen::VectorXd& y, const Eigen::VectorXd& yd,
                                 const Eigen::VectorXd& ydd, Eigen::VectorXd& tau_y,
                                 const ExternalForces* forces = nullptr);
  /// What the actuators must give instead, (Q G)^-T tau_y at the last y; by the list of actuated
  /// velocities. Aggregates with another number of actuators than independent coordinates get zero.
  /// kSingularPosture where the actuators of one cannot hold it.
  DynamicsStatus ActuatorForces(const Eigen::VectorXd& tau_y, Eigen::VectorXd& tau_u);
  /// ydd from tau_y, by the recursion of ConstraintEmbeddingDynamics; zero unless kOk.
  DynamicsStatus ForwardDynamics(const Eigen::VectorXd& y, const Eigen::VectorXd& yd,
                                 const Eigen::VectorXd& tau_y, Eigen::VectorXd& ydd,
                                 const ExternalForces* forces = nullptr);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinemorph
