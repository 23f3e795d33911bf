// The mechanism walked with expressions in place of numbers: the recursions of mechanics/, written
// down as steps. Frames and orders as there.
#pragma once

#include <utility>
#include <vector>

#include "emit/expression.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/foot.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::emit {

struct Pose {
  Matrix3E R = Matrix3E::Identity();
  Vector3E p = Vector3E::Zero();
};
[[nodiscard]] Pose Constant(const RigidTransform& X);
[[nodiscard]] Pose operator*(const Pose& X_AB, const Pose& X_BC);
[[nodiscard]] Vector6E TransformMotion(const Pose& X_AB, const Vector6E& V_B);
[[nodiscard]] Vector6E InverseTransformMotion(const Pose& X_AB, const Vector6E& V_A);
[[nodiscard]] Vector6E TransformForce(const Pose& X_AB, const Vector6E& F_B);
[[nodiscard]] Vector6E CrossMotion(const Vector6E& V, const Vector6E& M);
[[nodiscard]] Vector6E CrossForce(const Vector6E& V, const Vector6E& F);

/// By aggregate: the constraint rows that are kept, as many as its rank.
using RowChoice = std::vector<std::vector<int>>;

/// An aggregate relative to its parent body p, about p's origin in its axes.
struct SymbolicAggregate {
  std::vector<Pose> X;              ///< by position in the aggregate, as all that follows
  std::vector<Vector6E> S;          ///< by column
  std::vector<Vector6E> V, A;       ///< velocities, and accelerations at qdd = 0
  std::vector<Expression> phi, k;   ///< by kept row
  MatrixE K;                        ///< kept rows x columns
  MatrixE G;                        ///< columns x mobility
  std::vector<Expression> g;        ///< by column
  std::vector<Expression> closing;  ///< by column: J_z^-1 phi; zero on independent ones
  int system = -1;                  ///< the factorization of K_d; -1: none was needed
};

class SymbolicMechanism {
 public:
  SymbolicMechanism(const Mechanism& m, const Coordinates& coordinates, const RowChoice& rows)
      : m_(m), coordinates_(coordinates), rows_(rows) {}

  /// By body: factors of mass and inertia. Not called: ones.
  void Scale(std::vector<Expression> factors) { scale_ = std::move(factors); }
  /// From here on each needs what stands above it.
  void Positions(Tape& tape, const std::vector<Expression>& q);
  /// phi and K of the kept rows.
  void Constraints();
  /// G; with `closing` also J_z^-1 phi.
  void Explicit(bool closing);
  /// v = G v_q.
  [[nodiscard]] MatrixE AllOfG() const;  ///< nv x mobility
  [[nodiscard]] std::vector<Expression> Spanning(const std::vector<Expression>& v_q) const;
  void Velocities(const std::vector<Expression>& v);
  /// k of the kept rows.
  void Rates();
  /// g.
  void ExplicitRates();

  [[nodiscard]] std::vector<Pose> WorldPoses() const;
  /// 3 x nv, world axes: the velocity of a foot by v.
  [[nodiscard]] MatrixE PointJacobian(const Foot& foot, const std::vector<Pose>& X_WB) const;
  [[nodiscard]] MatrixE MassMatrix() const;
  /// C v + g, recursive Newton-Euler; gravity in world axes.
  [[nodiscard]] std::vector<Expression> Bias(const Vector3E& gravity) const;
  /// Springs and viscous damping.
  [[nodiscard]] std::vector<Expression> PassiveForces() const;
  /// Coulomb friction and soft limits, as a simulation has them (mechanics/joint_forces.h).
  [[nodiscard]] std::vector<Expression> FrictionAndLimits() const;
  /// qdd: constraint embedding, after all of the above.
  [[nodiscard]] std::vector<Expression> ForwardDynamics(std::vector<Expression> tau,
                                                        const Vector3E& gravity) const;
  /// dq/dt for velocities v; quaternions are drawn to unit length at `rate`.
  [[nodiscard]] std::vector<Expression> PositionRates(const std::vector<Expression>& v,
                                                      const Expression& rate) const;

  [[nodiscard]] const SymbolicAggregate& aggregate(std::size_t a) const { return aggregates_[a]; }

 private:
  [[nodiscard]] Expression ScaleOf(std::size_t body) const {
    return scale_.empty() ? Expression(1) : scale_[body];
  }
  /// A linear acceleration in world axes, in axes of a body.
  [[nodiscard]] Vector6E WorldLinear(std::size_t body, const Vector3E& a_W) const;
  void Joint(const Body& body, Pose& X_PB);
  void TurningSubspace(const Body& body, const Pose& X_FM);
  void AggregatePositions(const Aggregate& g, SymbolicAggregate& out) const;
  void AggregateVelocities(const Aggregate& g, SymbolicAggregate& out) const;
  void Rows(std::size_t a, bool moving);
  struct Embedding;

  const Mechanism& m_;
  const Coordinates& coordinates_;
  const RowChoice& rows_;
  Tape* tape_ = nullptr;
  std::vector<Expression> q_, v_, scale_;
  std::vector<Pose> X_PB_;          // by body
  std::vector<Vector6E> S_;         // by velocity, in the body's frame
  std::vector<Vector6E> S_rate_v_;  // by body
  std::vector<SymbolicAggregate> aggregates_;
};

/// x of D x = B for a symmetric positive definite D, column by column.
[[nodiscard]] MatrixE SolvePositive(Tape& tape, const MatrixE& D, const MatrixE& B);

}  // namespace kinemorph::emit
