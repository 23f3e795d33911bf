// An aggregate with constraints, or with several bodies, in the constraint-embedding recursion.
// Everything inside it is expressed in the frame of its parent body p, so that no 6n x 6n matrix is
// formed.
#pragma once

#include <memory>

#include "mechanics/embedding_recursion.h"
#include "mechanics/loop_cycles.h"

namespace kinemorph::embedding {

class Cluster {
 public:
  Cluster(const Mechanism& m, const Aggregate& aggregate, const AggregateCoordinates& coordinates);
  [[nodiscard]] const Aggregate& aggregate() const { return g_; }
  [[nodiscard]] int mobility() const { return mobility_; }

  /// V and c' of the bodies, K and k of the constraints, G and g.
  DynamicsStatus Velocity(Recursion& r, const double* q, const double* v,
                          const ExternalForces* forces);
  /// The same in two halves, where only the independent coordinates have velocities yet: poses, K
  /// and G, v of the dependent ones (in `v`), and K_d^-1 phi of them (in `gap`) ...
  DynamicsStatus Complete(Recursion& r, const double* q, double* v, double* gap);
  /// ... then all that needs v.
  void Move(Recursion& r, const double* q, const double* v, const ExternalForces* forces);
  /// J = S G; U = sum I J; D = sum J^T I J; u; what hangs on p. False where D is singular.
  bool Inertia(Recursion& r, const double* tau);
  void Acceleration(Recursion& r, double* qdd);

  [[nodiscard]] const Eigen::MatrixXd& W() const { return W_; }  ///< U D^-1
  [[nodiscard]] const Eigen::MatrixXd& D() const { return D_; }
  [[nodiscard]] auto J(std::size_t position) const {
    return J_.middleCols(static_cast<Eigen::Index>(position) * mobility_, mobility_);
  }
  [[nodiscard]] const RigidTransform& X(std::size_t position) const {
    return kinematics_.X[position];
  }

 private:
  void PlaceBodies(Recursion& r, const ExternalForces* forces);
  // G, and K_d^-1 right in g_rate_. `strict`: the rows left over must agree.
  DynamicsStatus Explicit(const Eigen::VectorXd& right, bool strict);
  template <int WIDTH>
  DynamicsStatus ExplicitOf(const Eigen::VectorXd& right, bool strict);
  // K_d^-1 k in g_rate_, by the last elimination.
  void SolveAgain(const Eigen::VectorXd& k);
  // phi and k of a large cluster, and its Explicit: both without K.
  void ComputeRight(const Recursion& r, const double* q, const double* v);
  DynamicsStatus SparselyExplicit(const double* q, const Eigen::VectorXd& right, bool strict);
  template <int M>
  bool InertiaOf(Recursion& r, const double* tau);
  template <int M>
  void AccelerationOf(Recursion& r, double* qdd);

  const Aggregate& g_;
  int mobility_, rank_;
  std::vector<int> independent_, dependent_;
  bool armature_ = false;
  AggregateKinematics kinematics_;
  ConstraintRows rows_;
  std::unique_ptr<LoopCycles> cycles_;  // of a large one, instead of K and the tableau
  std::vector<double> unit_;            // by column: what one of the scaled unknowns is
  std::vector<double> tableau_;         // [K_d | -K_i | k], row by row
  std::vector<int> order_;              // of its rows, pivots first
  std::vector<double> again_;           // by row
  Eigen::MatrixXd G_;                   // nv x m
  Eigen::VectorXd g_rate_;              // g
  // By position:
  std::vector<RigidInertia> rigid_;  // of bodies on which nothing hangs
  std::vector<Vector6> p_;           // their bias forces
  std::vector<Vector6> c_, shift_;   // velocity-product accelerations c'; the part S g of them
  Eigen::MatrixXd J_;                // 6 x m each
  Eigen::MatrixXd U_, U_i_, W_, D_, D_inverse_;
  Eigen::VectorXd u_, ydd_;
};

}  // namespace kinemorph::embedding
