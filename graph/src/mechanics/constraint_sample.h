// What K says at one closed configuration: its rank, which columns may depend on the others, which
// rows follow from the others. Dense, by singular values, or for large aggregates sparse.
#pragma once

#include <memory>
#include <vector>

#include "kinemorph/graph/mechanics/closure.h"

namespace kinemorph {

/// Equal to this part, choices of columns are equal: what rounding makes of them decides nothing.
inline constexpr double kTie = 1e-3;

class ConstraintSample {
 public:
  virtual ~ConstraintSample() = default;
  [[nodiscard]] virtual int Rank() const = 0;
  /// Rank of some of the columns (sorted).
  [[nodiscard]] virtual int RankOf(const std::vector<int>& columns) const = 0;
  /// `rank` columns that the others determine, sorted: each only where none of less reluctance
  /// (Reluctance of the mechanism, by column) does; of equal ones the last.
  [[nodiscard]] virtual std::vector<int> Dependent(const std::vector<int>& reluctance,
                                                   int rank) const = 0;
  /// Of the columns (sorted), `rank` many that are determined where all others stand still.
  [[nodiscard]] virtual std::vector<int> Determined(const std::vector<int>& columns,
                                                    int rank) const = 0;
  /// sigma_min(K_d) / sigma_max(K), or in a large aggregate the least pivot of an elimination over
  /// the largest.
  [[nodiscard]] virtual double Conditioning(const std::vector<int>& dependent) const = 0;
  /// By column the largest entry; empty in a large aggregate.
  [[nodiscard]] virtual Eigen::VectorXd Largest() const = 0;
  /// Rows that follow from the others when there are `rank` independent ones, sorted.
  [[nodiscard]] virtual std::vector<int> RedundantRows(int rank) const = 0;
};

/// Of an aggregate with constraints, at q.
[[nodiscard]] std::unique_ptr<ConstraintSample> TakeSample(ClosureSolver& solver, int aggregate,
                                                           const Eigen::VectorXd& q);
/// Of one without.
[[nodiscard]] std::unique_ptr<ConstraintSample> EmptySample(int columns);

/// All of 0 .. n - 1 that are not among `columns` (sorted).
[[nodiscard]] std::vector<int> Complement(int n, const std::vector<int>& columns);

}  // namespace kinemorph
