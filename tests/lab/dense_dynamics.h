// Dense ways to the accelerations of mechanisms with loops, independent of the recursion that they
// judge: the KKT system with multipliers, and the projection on independent coordinates.
#pragma once

#include "kinemorph/graph/mechanics/dynamics.h"

namespace kinemorph {

/// Answer of the dense forward dynamics.
struct Accelerations {
  DynamicsStatus status = DynamicsStatus::kOk;  ///< whether the rest holds
  int body = -1;  ///< kSingularMass: the first body whose joint meets no inertia; -1: none does
  Eigen::VectorXd qdd;     ///< by velocity (rad/s^2, m/s^2); zero unless kOk
  Eigen::VectorXd lambda;  ///< by row of the stacked K, where the method has multipliers; zero for
                           ///< redundant rows
};

/// [M -K^T; K 0] [qdd; lambda] = [tau - bias; k] on a basis of K's rows: the reaction on the
/// joints is K^T lambda. At a closed state (phi = 0, K v = 0).
[[nodiscard]] Accelerations ForwardDynamicsKkt(const Mechanism& m, const Coordinates& coordinates,
                                               const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                               const Eigen::VectorXd& tau,
                                               const ExternalForces& forces = {});
/// G^T M G ydd = G^T (tau - bias - M g), qdd = G ydd + g, at a closed state. No multipliers.
[[nodiscard]] Accelerations ForwardDynamicsProjected(
    const Mechanism& m, const Coordinates& coordinates, const Eigen::VectorXd& q,
    const Eigen::VectorXd& v, const Eigen::VectorXd& tau, const ExternalForces& forces = {});

/// tau_y = G^T tau for accelerations ydd of the independent coordinates (columns as in Embedding),
/// at a closed state that is not singular.
[[nodiscard]] Eigen::VectorXd InverseDynamicsIndependent(
    const Mechanism& m, const Coordinates& coordinates, const Eigen::VectorXd& q,
    const Eigen::VectorXd& v, const Eigen::VectorXd& ydd, const ExternalForces& forces = {});

}  // namespace kinemorph
