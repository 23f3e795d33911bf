// Dynamics of trees and closed chains. Generalised vectors follow Mechanism's order of v; forces do
// work on v.
//
// Accelerations of a mechanism with loops come from the recursion over aggregates
// (constraint_embedding.h). Where a model has no answer (a massless leaf, an unassembled loop) the
// status says so; nothing returns NaN.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

/// Whether there is an answer, and why not.
enum class DynamicsStatus {
  kOk,               ///< the result holds
  kSingularMass,     ///< a motion that nothing resists: massless leaf, zero inertia
  kSingularPosture,  ///< the independent coordinates do not determine the rest here
  kInconsistent,  ///< the redundant rows contradict the others: the loops are not closed here, or K
                  ///< v is not zero
  kNotClosed,     ///< no q closes the loops for these independent coordinates
  kNotFinite,     ///< the input, or the model, holds NaN or infinity
};
/// In words: "ok", "singular mass matrix" ...
[[nodiscard]] std::string_view Name(DynamicsStatus status);

/// Wrenches on bodies (N m, N), by body, about Bo in axes of B; may be empty, or shorter: the rest
/// feel none.
using ExternalForces = std::vector<Vector6>;

/// Recursive Newton-Euler: tau (nv; N m, N) of the spanning tree for q, v, qdd under gravity,
/// armature included; springs, damping and friction are not.
[[nodiscard]] Eigen::VectorXd InverseDynamics(const Mechanism& m, const Eigen::VectorXd& q,
                                              const Eigen::VectorXd& v, const Eigen::VectorXd& qdd,
                                              const ExternalForces& forces = {});
/// The part of it that does not depend on qdd: Coriolis, centrifugal, gravity, minus external
/// forces (N m, N).
[[nodiscard]] Eigen::VectorXd Bias(const Mechanism& m, const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& v, const ExternalForces& forces = {});
/// Composite rigid bodies: M(q) (nv x nv; kg m^2, kg m, kg) of the spanning tree, armature on the
/// diagonal.
[[nodiscard]] Eigen::MatrixXd MassMatrix(const Mechanism& m, const Eigen::VectorXd& q);
/// Kinetic and potential energy (the latter zero with every centre of mass at the world's origin).
struct Energy {
  double kinetic = 0,  ///< J, of bodies and armatures
      potential = 0;   ///< J, of gravity alone: springs are not in it
};
/// At a state, closed or not.
[[nodiscard]] Energy EnergyOf(const Mechanism& m, const Eigen::VectorXd& q,
                              const Eigen::VectorXd& v);
/// The mass of all bodies and where it is centred; zero where nothing has mass.
struct MassCentre {
  double mass = 0;                             ///< kg, of bodies alone: no armature
  Vector3 p = Vector3::Zero();                 ///< from the world's origin (m)
  Eigen::Matrix<double, 3, Eigen::Dynamic> J;  ///< 3 x nv: its velocity in world axes is J v
};
/// At a configuration, as if loops were open.
[[nodiscard]] MassCentre CentreOfMass(const Mechanism& m, const Eigen::VectorXd& q);
/// Springs and viscous damping of the joints as generalised forces (nv; N m, N). Friction and soft
/// limits are not in it.
[[nodiscard]] Eigen::VectorXd PassiveForces(const Mechanism& m, const Eigen::VectorXd& q,
                                            const Eigen::VectorXd& v);

/// G (nv x mobility) and g of the whole mechanism, with the columns aggregate after aggregate.
struct Embedding {
  DynamicsStatus status = DynamicsStatus::kOk;  ///< kSingularPosture: the rest is not whole
  Eigen::MatrixXd G;                            ///< v = G yd
  Eigen::VectorXd g;                            ///< nv: qdd = G ydd + g
  std::vector<int> independent;                 ///< velocity index of each column
  std::vector<int> rows;                        ///< rows of the stacked K that were used
};
/// At q and v of the whole mechanism, with the independent coordinates of `coordinates`.
/// kInconsistent: redundant rows contradict by more than kContradiction; G and g are those of the
/// rows used.
[[nodiscard]] Embedding Embed(const Mechanism& m, const Coordinates& coordinates,
                              const Eigen::VectorXd& q, const Eigen::VectorXd& v);

/// M_y ydd + C_y = tau_y = G^T tau: the equations of motion of the independent coordinates, in
/// order of Embedding's columns.
struct ReducedDynamics {
  DynamicsStatus status = DynamicsStatus::kOk;  ///< that of the Embedding
  Eigen::MatrixXd M;                            ///< M_y = G^T M G
  Eigen::VectorXd bias;                         ///< C_y = G^T (bias + M g)
};
/// At a closed state.
[[nodiscard]] ReducedDynamics Reduce(const Mechanism& m, const Coordinates& coordinates,
                                     const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                     const ExternalForces& forces = {});

}  // namespace kinemorph
