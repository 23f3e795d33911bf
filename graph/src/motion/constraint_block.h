// Constraints that are solved together, and how their coordinates are divided: q = (y, z), z
// follows. A block is an aggregate in flight; feet on the ground make one block of the whole robot.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/foot.h"

namespace kinemorph::motion {

/// A foot that stands, and where.
struct Stance {
  int foot = 0;  ///< index into the list of feet
  Vector3 anchor = Vector3::Zero();
};

/// Kinematics and constraint rows of a mechanism at one state.
class RowSource {
 public:
  explicit RowSource(const Mechanism& mechanism);
  [[nodiscard]] const Mechanism& mechanism() const { return m_; }
  /// Joints and aggregates at q, and with `v` their velocities.
  void Update(const Eigen::VectorXd& q, const Eigen::VectorXd* v);
  /// phi, K and (after an update with velocities) k of one aggregate.
  void Rows(int aggregate, const Eigen::VectorXd& q, const Eigen::VectorXd* v,
            ConstraintRows& rows);
  [[nodiscard]] const JointCache& joints() const { return joints_; }
  [[nodiscard]] const std::vector<bool>& linear() const { return linear_; }

 private:
  const Mechanism& m_;
  JointCache joints_;
  std::vector<AggregateKinematics> kinematics_;
  std::vector<bool> linear_;
};

class ConstraintBlock {
 public:
  /// The rows of these aggregates, and of the feet that stand.
  ConstraintBlock(const RowSource& source, std::vector<int> aggregates,
                  const std::vector<Foot>& feet, std::vector<Stance> stances);

  /// phi and K, after an update of the source; `v`: k too.
  void Evaluate(RowSource& source, const Eigen::VectorXd& q, const Eigen::VectorXd* v);
  /// Divides the columns by the K evaluated last: `rank` (-1: what K has) columns depend, rather
  /// those of less reluctance (by velocity). False where K has less than `rank`.
  bool Divide(const std::vector<int>& reluctance, int rank);
  /// G and K_z^-1 by the K evaluated last; false where K_z is singular.
  bool Solve();
  /// Some rows in the K evaluated last say what others say.
  [[nodiscard]] bool HasRedundantRows() const;
  /// sigma_min(K_z) without units, by the K evaluated last.
  [[nodiscard]] double LeastSingularValue() const;
  /// sigma_1(K) and sigma_rank(K) of all rows, without units: the latter is zero where the loops
  /// lose rank, whatever rows and columns are in use.
  [[nodiscard]] std::pair<double, double> SingularRange() const;
  /// det K_z > 0, as solved last.
  [[nodiscard]] bool IsPositive() const { return rows_.empty() || lu_.Determinant() > 0; }
  /// Velocities with a large part in the motion that K hinders least among those that it hinders.
  [[nodiscard]] std::vector<int> LoosestVelocities() const;

  [[nodiscard]] int rank() const { return static_cast<int>(dependent_.size()); }
  [[nodiscard]] const std::vector<int>& aggregates() const { return aggregates_; }
  [[nodiscard]] const std::vector<int>& independent() const {
    return independent_;
  }                                                                               ///< velocities
  [[nodiscard]] const std::vector<int>& dependent() const { return dependent_; }  ///< velocities
  /// z part: dependents by independents.
  [[nodiscard]] const Eigen::MatrixXd& G() const { return G_; }
  /// K_z^-1 phi of the rows in use.
  void SolveGap(Eigen::VectorXd& dz) const;
  /// K_z^-1 k of the rows in use.
  void SolveBias(Eigen::VectorXd& g) const;
  /// Largest |phi| without units over the rows in use; over all rows of loops and couplings (m,
  /// rad); and of the feet (m).
  [[nodiscard]] double Gap() const;
  [[nodiscard]] double LoopResidual() const;
  [[nodiscard]] double FootDrift() const;
  /// The rows in use of loops, and all of the feet, over all velocities of the mechanism.
  [[nodiscard]] Eigen::MatrixXd ForceRows(int nv) const;
  [[nodiscard]] int num_foot_rows() const { return 3 * static_cast<int>(stances_.size()); }

 private:
  [[nodiscard]] Eigen::MatrixXd ScaledK() const;
  [[nodiscard]] double Unit(int column) const {
    return linear_[static_cast<std::size_t>(velocity_[static_cast<std::size_t>(column)])] ? length_
                                                                                          : 1;
  }

  std::vector<int> aggregates_, velocity_;
  std::vector<std::vector<int>> column_of_;  // by aggregate of the block, by its column
  const std::vector<Foot>* feet_;
  std::vector<Stance> stances_;
  std::vector<bool> linear_, length_rows_;
  double length_ = 1;
  int loop_rows_ = 0;
  std::vector<ConstraintRows> part_;
  Eigen::MatrixXd K_, G_;
  Eigen::VectorXd phi_, k_;
  std::vector<int> rows_;                     // in use, as many as the rank
  std::vector<int> z_, y_;                    // columns
  std::vector<int> independent_, dependent_;  // the same as velocities
  Eigen::MatrixXd K_z_, K_y_;
  SquareFactors lu_;
};

}  // namespace kinemorph::motion
