// Carries a state of A to B: B's coordinates such that all links that both have stand and move as
// in A.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/closure.h"
#include "verify/correspondence.h"

namespace kinemorph::verify {

/// How far B's joint (by body) is from being able to follow.
struct CarryError {
  int body = -1;
  double error = 0;
};

class Carrier {
 public:
  Carrier(const Side& a, const Side& b, const Correspondence& match);

  /// q of B from poses of A's bodies. `q` comes in as a guess (its turns are kept). Errors:
  /// rotation entries and lengths over L.
  std::vector<CarryError> Position(const std::vector<RigidTransform>& X_A, Eigen::VectorXd& q);
  /// v of B from velocities of A's bodies (about their origins in their axes), at the q of the last
  /// Position. `v` comes in as a guess, which what no link shows is left at.
  std::vector<CarryError> Velocity(const std::vector<Vector6>& V_A, const Eigen::VectorXd& q,
                                   Eigen::VectorXd& v);

  /// A body's pose (or velocity) in B as A has it; only for bodies with a counterpart.
  [[nodiscard]] bool Shared(int body) const { return a_body_[U(body)] >= 0; }
  [[nodiscard]] RigidTransform Target(int body, const std::vector<RigidTransform>& X_A) const;
  [[nodiscard]] Vector6 TargetVelocity(int body, const std::vector<Vector6>& V_A) const;
  /// How many motions of B leave all shared links where they are (bodies that only B has), at the
  /// last q.
  [[nodiscard]] int idle() const { return idle_; }
  void CountIdle(const Eigen::VectorXd& q);
  /// Whether the poses of the shared links leave a velocity of B open at q: it may move against
  /// others while they all stand.
  [[nodiscard]] bool Undetermined(int velocity, const Eigen::VectorXd& q);

 private:
  // Joints that must be solved together because bodies between them have no counterpart.
  struct Group {
    std::vector<int> bodies;                 // whose joints; in tree order
    std::vector<std::pair<int, int>> loops;  // aggregate and index of loops that end on such a body
    std::vector<int> columns;                // velocity indices
    int rows = 0;
  };
  void Direct(int body, const std::vector<RigidTransform>& X_A, Eigen::VectorXd& q,
              std::vector<CarryError>& errors) const;
  void Solve(const Group& group, const std::vector<RigidTransform>& X_A, Eigen::VectorXd& q,
             std::vector<CarryError>& errors);
  void FindGroups();
  double GroupResidual(const Group& group, const std::vector<RigidTransform>& X_A,
                       const Eigen::VectorXd& q, Eigen::VectorXd& residual);
  Eigen::MatrixXd GroupJacobian(const Group& group, const std::vector<RigidTransform>& X_A,
                                const Eigen::VectorXd& q);

  const Side& b_;
  const Correspondence& match_;
  ClosureSolver solver_;
  JointCache joints_;
  std::vector<int> a_body_;           // by body of B; -1 without counterpart
  std::vector<RigidTransform> X_ab_;  // by body of B
  std::vector<int> direct_;
  std::vector<Group> groups_;
  std::vector<RigidTransform> X_W_;  // work space, by body of B
  std::vector<RigidTransform> X_A_;  // of the last Position
  std::vector<bool> linear_;         // by velocity of B
  int idle_ = 0;
};

}  // namespace kinemorph::verify
