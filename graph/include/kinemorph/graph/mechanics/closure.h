// Closes loops: from an open or singular configuration to an assembled one, aggregate by aggregate.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kinemorph/graph/base/random.h"
#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

class LoopCycles;
struct CycleRow;

/// How closing the loops of an aggregate ended.
enum class ClosureStatus {
  kClosed,         ///< residual at most kinemorph::kClosed
  kNearlyClosed,   ///< but for digits of the frames
  kSingular,       ///< closed where K has less than its rank
  kAtLimit,        ///< joints at their limits would have to go on
  kOutOfReach,     ///< no motion of the free joints brings the ends nearer
  kNoConvergence,  ///< iterations ran out
};
/// In words: "closed", "at a limit" ...
[[nodiscard]] std::string_view Name(ClosureStatus status);

/// What may be asked of ClosureSolver::Close.
struct ClosingOptions {
  std::vector<bool> held = {};  ///< by velocity: these coordinates stay. Empty: none.
  bool within_limits = false;   ///< joints stop at their limits (from a q within them)
  int rank = -1;  ///< of K in general; less where it closes is kSingular. Negative: not looked at
};

/// What came of closing loops.
struct ClosureResult {
  ClosureStatus status = ClosureStatus::kNoConvergence;  ///< of the first that is not closed
  bool closed = false;                                   ///< residual at most kClosed
  bool nearly = false;  ///< residual at most kNearlyClosed: frames written with few digits
  double residual = 0;  ///< largest |phi|; lengths divided by the mechanism's characteristic length
  int iterations = 0;   ///< of the start that was kept
};
inline constexpr double kClosed = 1e-10;       ///< residual of what counts as closed
inline constexpr double kNearlyClosed = 1e-4;  ///< residual of frames written with few digits
/// Of frames that cannot close: postures are alike whose residuals differ by no more than this factor.
inline constexpr double kGain = 10;

/// Levenberg-Marquardt on phi, one aggregate at a time, with work space made when an aggregate is
/// first looked at. Time is bounded by iterations times restarts. Aggregates with many loops are
/// solved sparsely.
class ClosureSolver {
 public:
  /// `mechanism` must outlive this object.
  explicit ClosureSolver(const Mechanism& mechanism);
  ~ClosureSolver();
  ClosureSolver(ClosureSolver&&) noexcept;  ///< the other may only be destroyed
  ClosureSolver(const ClosureSolver&) = delete;
  ClosureSolver& operator=(const ClosureSolver&) = delete;
  ClosureSolver& operator=(ClosureSolver&&) = delete;

  /// From q; changes only the coordinates of that aggregate.
  ClosureResult Close(int aggregate, Eigen::VectorXd& q, const ClosingOptions& options = {});
  /// From q, then from seeded random starts when that does not close, or leaves the limits and was
  /// not closed before. `q` gets the best.
  ClosureResult Assemble(int aggregate, Random& random, int restarts, Eigen::VectorXd& q);
  /// All aggregates, each with random numbers from `seed`, so that nothing depends on what else is in
  /// the mechanism; the worst residual, the most iterations, and the status of the first that is not
  /// closed.
  ClosureResult Assemble(std::uint64_t seed, int restarts, Eigen::VectorXd& q);
  /// Largest |phi| at q over all aggregates; lengths divided by the characteristic length.
  double Residual(const Eigen::VectorXd& q);
  /// The same of one aggregate.
  double Residual(int aggregate, const Eigen::VectorXd& q);
  /// After Residual of that aggregate: its phi, lengths divided by the characteristic length.
  [[nodiscard]] const Eigen::VectorXd& last_phi(int aggregate) const {
    return work_[static_cast<std::size_t>(aggregate)].rows.phi;
  }

  /// phi, K (and k when `v` is given) of an aggregate at q; exact, with units. `q` and `v` of the
  /// whole mechanism. Valid until the aggregate is looked at again.
  const ConstraintRows& Rows(int aggregate, const Eigen::VectorXd& q,
                             const Eigen::VectorXd* v = nullptr);
  /// K of an aggregate without units: length rows over, linear columns times the characteristic
  /// length, couplings of unit norm.
  const Eigen::MatrixXd& ScaledK(int aggregate, const Eigen::VectorXd& q);
  /// Whether an aggregate is solved sparsely: its K would not fit into the time that one can wait.
  [[nodiscard]] bool IsLarge(int aggregate) const {
    return work_[static_cast<std::size_t>(aggregate)].cycles != nullptr;
  }
  /// K v of an aggregate, with units, in time and memory that grow with its bodies; `v` of the
  /// whole mechanism.
  Eigen::VectorXd Rates(int aggregate, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  /// Whether K of an aggregate has lost rank at q or is about to: fewer singular values (of a large
  /// one pivots) above round-off than `rank`, or one of them below `least` times the largest.
  bool NearlySingular(int aggregate, const Eigen::VectorXd& q, double least, int rank);
  /// The constraints of a large aggregate as sparse rows, valid until the next call.
  const std::vector<CycleRow>& SparseRows(int aggregate, const Eigen::VectorXd& q);
  /// Number of columns of those rows.
  [[nodiscard]] int SparseColumns(int aggregate) const;
  /// The part of v (by the aggregate's columns) with K v = 0, when K has `rank`; -1: the rank here,
  /// to nine digits. In a large aggregate: a velocity near v with K v = 0.
  void ProjectVelocity(int aggregate, const Eigen::VectorXd& q, int rank, Eigen::VectorXd& v);

  /// A random configuration near `assembled`: every aggregate is moved along its motions by up to
  /// `amplitude` (rad, and characteristic lengths) within the limits, and closed again. Aggregates
  /// that do not close stay as they are. `rank`: by aggregate, as Coordinates::Ranks has it.
  Eigen::VectorXd RandomState(const Eigen::VectorXd& assembled, double amplitude,
                              const std::vector<int>& rank, Random& random);
  /// The same of one aggregate, whose part of q is set. False where it closes slowly or not at all:
  /// towards postures where K loses rank.
  bool RandomState(int aggregate, const Eigen::VectorXd& assembled, double amplitude, int rank,
                   Random& random, Eigen::VectorXd& q);
  /// A random configuration of a small aggregate within the limits, drawn without regard to the
  /// motions at `assembled`, which say nothing where branches of the motion meet. False where it
  /// does not close, or slowly; q is then of no use.
  bool RegularState(int aggregate, const Eigen::VectorXd& assembled, double amplitude,
                    Random& random, Eigen::VectorXd& q);

  /// IsLengthRow of an aggregate.
  [[nodiscard]] const std::vector<bool>& length_rows(int aggregate) const {
    return length_rows_[static_cast<std::size_t>(aggregate)];
  }
  /// IsLinearVelocity of the mechanism.
  [[nodiscard]] const std::vector<bool>& linear() const { return linear_; }
  /// The one it was made for.
  [[nodiscard]] const Mechanism& mechanism() const { return m_; }
  /// Of an aggregate as it was looked at last.
  [[nodiscard]] const AggregateKinematics& kinematics(int aggregate) const {
    return work_[static_cast<std::size_t>(aggregate)].kinematics;
  }

 private:
  struct Work {
    AggregateKinematics kinematics;
    ConstraintRows rows;
    Eigen::MatrixXd scaled;
    std::unique_ptr<LoopCycles> cycles;  // of a large aggregate
  };
  void UpdateKinematics(int aggregate, const Eigen::VectorXd& q, const double* v);
  void Evaluate(int aggregate, const Eigen::VectorXd& q, const Eigen::VectorXd* v,
                kinemorph::Residual residual);
  double Scaled(int aggregate, Eigen::VectorXd& phi) const;
  double Violation(int aggregate, const Eigen::VectorXd& q) const;
  [[nodiscard]] Eigen::VectorXd Part(int aggregate, const Eigen::VectorXd& q) const;
  void SetPart(int aggregate, const Eigen::VectorXd& part, Eigen::VectorXd& q) const;
  void Displace(int aggregate, const Eigen::VectorXd& v, Eigen::VectorXd& q) const;
  void ToUnits(int aggregate, Eigen::VectorXd& step) const;
  class Linearisation;
  class DenseLinearisation;
  class SparseLinearisation;
  ClosureResult Close(int aggregate, Linearisation& linear, int iterations,
                      const ClosingOptions& options, Eigen::VectorXd& q);
  // Shortens a step to where the first joint meets its limit; joints that stand there do not
  // count. Whether any does.
  bool KeepWithinLimits(int aggregate, Linearisation& linear, double damping,
                        const Eigen::VectorXd& q, std::vector<bool>& still,
                        Eigen::VectorXd& step) const;
  void ProjectSparsely(int aggregate, const Eigen::VectorXd& q, Eigen::VectorXd& v);
  void RandomStart(int aggregate, double amplitude, Random& random, Eigen::VectorXd& q) const;

  const Mechanism& m_;
  JointCache joints_;
  std::vector<Work> work_;
  std::vector<bool> linear_;
  std::vector<std::vector<bool>> length_rows_;
};

}  // namespace kinemorph
