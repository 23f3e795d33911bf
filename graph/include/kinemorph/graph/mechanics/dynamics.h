// Dynamics of trees and closed chains. Generalised vectors follow Mechanism's order of v; forces do
// work on v.
//
// Three independent ways to the accelerations of a mechanism with loops: the KKT system with
// multipliers, the projection on independent coordinates, and (constraint_embedding.h) the
// recursion over aggregates. Where a model has no answer (a massless leaf, an unassembled loop) the
// status says so; nothing returns NaN.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

enum class DynamicsStatus {
  kOk,
  kSingularMass,     ///< a motion that nothing resists: massless leaf, zero inertia
  kSingularPosture,  ///< the independent coordinates do not determine the rest here
  kInconsistent,  ///< the redundant rows contradict the others: the loops are not closed here, or K
                  ///< v is not zero
  kNotClosed,     ///< no q closes the loops for these independent coordinates
  kNotFinite,     ///< the input, or the model, holds NaN or infinity
};
[[nodiscard]] std::string_view Name(DynamicsStatus status);

struct Accelerations {
  DynamicsStatus status = DynamicsStatus::kOk;
  int body = -1;           ///< the first body of the aggregate at fault; -1 when there is none
  Eigen::VectorXd qdd;     ///< zero unless kOk
  Eigen::VectorXd lambda;  ///< by row of the stacked K, where the method has multipliers; zero for
                           ///< redundant rows
};

/// Wrenches on bodies, by body, about Bo in axes of B; may be empty.
using ExternalForces = std::vector<Vector6>;

/// Recursive Newton-Euler: tau for q, v, qdd under gravity, armature included.
[[nodiscard]] Eigen::VectorXd InverseDynamics(const Mechanism& m, const Eigen::VectorXd& q,
                                              const Eigen::VectorXd& v, const Eigen::VectorXd& qdd,
                                              const ExternalForces& forces = {});
/// The part of it that does not depend on qdd: Coriolis, centrifugal, gravity, minus external
/// forces.
[[nodiscard]] Eigen::VectorXd Bias(const Mechanism& m, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& v, const ExternalForces& forces = {});
/// Composite rigid bodies: M(q) of the spanning tree, armature on the diagonal.
[[nodiscard]] Eigen::MatrixXd MassMatrix(const Mechanism& m, const Eigen::VectorXd& q);
/// Kinetic and potential energy (the latter zero with every centre of mass at the world's origin).
struct Energy {
  double kinetic = 0, potential = 0;
};
[[nodiscard]] Energy EnergyOf(const Mechanism& m, const Eigen::VectorXd& q,
                              const Eigen::VectorXd& v);
/// Springs and viscous damping of the joints as generalised forces.
[[nodiscard]] Eigen::VectorXd PassiveForces(const Mechanism& m, const Eigen::VectorXd& q,
                                            const Eigen::VectorXd& v);

/// [M -K^T; K 0] [qdd; lambda] = [tau - bias; k] on a basis of K's rows.
[[nodiscard]] Accelerations ForwardDynamicsKkt(const Mechanism& m, const Coordinates& coordinates,
                                               const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                               const Eigen::VectorXd& tau,
                                               const ExternalForces& forces = {});
/// G^T M G ydd = G^T (tau - bias - M g), qdd = G ydd + g.
[[nodiscard]] Accelerations ForwardDynamicsProjected(
    const Mechanism& m, const Coordinates& coordinates, const Eigen::VectorXd& q,
    const Eigen::VectorXd& v, const Eigen::VectorXd& tau, const ExternalForces& forces = {});

/// G (nv x mobility) and g of the whole mechanism, with the columns aggregate after aggregate.
struct Embedding {
  DynamicsStatus status = DynamicsStatus::kOk;
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
  std::vector<int> independent;  ///< velocity index of each column
  std::vector<int> rows;         ///< rows of the stacked K that were used
};
[[nodiscard]] Embedding Embed(const Mechanism& m, const Coordinates& coordinates,
                              const Eigen::VectorXd& q, const Eigen::VectorXd& v);

/// tau_y = G^T tau for accelerations ydd of the independent coordinates (columns as in Embedding);
/// M_y and C_y come with it.
struct ReducedDynamics {
  DynamicsStatus status = DynamicsStatus::kOk;
  Eigen::MatrixXd M;     ///< G^T M G
  Eigen::VectorXd bias;  ///< G^T (bias + M g)
};
[[nodiscard]] ReducedDynamics Reduce(const Mechanism& m, const Coordinates& coordinates,
                                     const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                     const ExternalForces& forces = {});
[[nodiscard]] Eigen::VectorXd InverseDynamicsIndependent(
    const Mechanism& m, const Coordinates& coordinates, const Eigen::VectorXd& q,
    const Eigen::VectorXd& v, const Eigen::VectorXd& ydd, const ExternalForces& forces = {});

}  // namespace kinemorph
