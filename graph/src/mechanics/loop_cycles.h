// The constraints of a large aggregate as sparse rows.
//
// K has a column for every joint between a loop joint and the nearest common ancestor of its ends:
// in a ladder of n loops that is n^2 numbers, although every cell has four joints only. With the
// rates w of the loop joints as further unknowns, any set of independent cycles says the same, and
// the cycles can be short:
//
//     a2 --loop 2-- b2        loop 2 through the tree   base-a1-a2, base-b1-b2
//     |             |         through loop 1            a1-a2, loop 1, b1-b2
//     a1 --loop 1-- b1
//      \-- base ---/          each:  sum of joint twists along the cycle = what closes it
//
// The six rows of a cycle are split by its loop joint: along W they are constraints (one for each
// row of K), across W they only define w.
#pragma once

#include <vector>

#include "mechanics/loop_rows.h"

namespace kinemorph {

struct SparseEntry {
  int column = 0;
  double value = 0;
};

struct CycleRow {
  std::vector<SparseEntry> entries;
  double right = 0;    ///< rows . x = right closes the loops to first order
  int constraint = 0;  ///< row of the aggregate's K; -1 where the row defines a loop joint's rate
};

/// Whether the sparse rows of an aggregate are quicker than its K.
[[nodiscard]] bool IsLarge(const Aggregate& aggregate);

class LoopCycles {
 public:
  LoopCycles(const Mechanism& m, const Aggregate& aggregate);

  /// Scaled phi at a configuration: lengths divided by the characteristic length. By row of K.
  void ComputePhi(const AggregateKinematics& kinematics, const double* q, Eigen::VectorXd& phi);
  /// All rows, in the order of the cycles. Columns: those of the aggregate (linear ones times the
  /// characteristic length), then the rates of the loop joints.
  const std::vector<CycleRow>& ComputeRows(const AggregateKinematics& kinematics, const double* q);
  /// The same of K x = `right` (by row of K, with units; x without).
  const std::vector<CycleRow>& ComputeRows(const AggregateKinematics& kinematics, const double* q,
                                           const Eigen::VectorXd& right);
  [[nodiscard]] int columns() const { return columns_; }

 private:
  struct Step {
    int body = -1, loop = -1;  // one of them
    double sign = 1;
  };
  struct Cycle {
    int loop = 0;
    std::vector<Step> path;  // from the predecessor to the successor
  };
  // A loop joint at the configuration; twists about `point`, lengths over the characteristic
  // length.
  struct State {
    Vector3 point = Vector3::Zero();
    Matrix6 W = Matrix6::Zero(), free = Matrix6::Zero();  // n columns; `freedoms` columns
    int n = 0, freedoms = 0;
    Vector6 closing = Vector6::Zero();  // W^T closing = -phi
  };
  void FindCycles();
  void UpdateLoops(const AggregateKinematics& kinematics, Eigen::VectorXd& phi);
  [[nodiscard]] Quartic At(const CouplingConstraint::Term& term, const double* q) const;
  void AddCycle(const Cycle& cycle, const AggregateKinematics& kinematics);
  // Rows that undo phi_.
  const std::vector<CycleRow>& MakeRows(const AggregateKinematics& kinematics, const double* q);

  const Mechanism& m_;
  const Aggregate& g_;
  std::vector<bool> length_;   // by row of K
  std::vector<bool> linear_;   // by column of the aggregate
  std::vector<Cycle> cycles_;  // each with a loop joint that those before it do not have
  std::vector<State> loops_;   // by loop
  std::vector<int> first_;     // by loop: column of its first rate
  std::vector<CycleRow> rows_;
  Eigen::VectorXd phi_;
  int columns_ = 0;
};

/// What elimination finds, row after row: which rows follow from those before, and a column for
/// every row that does not.
struct Elimination {
  std::vector<int> redundant;     ///< rows of K
  std::vector<int> dependent;     ///< columns of the aggregate, sorted
  double least = 1, largest = 1;  ///< pivots
  [[nodiscard]] int rank() const { return static_cast<int>(dependent.size()); }
};
/// `reluctance` by column of the aggregate: a column is taken only where those of less reluctance
/// do not do; among equal ones the last. Columns of negative reluctance are left out.
[[nodiscard]] Elimination Eliminate(const std::vector<CycleRow>& rows, int columns,
                                    const std::vector<int>& reluctance);

/// Dependent columns in terms of the independent ones: x_d = G x_i + g.
struct SparseExplicit {
  Eigen::MatrixXd G;         ///< by column of the aggregate; those of independent ones are units
  Eigen::VectorXd g;         ///< by column of the aggregate
  double inconsistency = 0;  ///< the most that a row left over asks for
  bool singular = false;     ///< the rows do not determine the dependent columns
};
/// As Eliminate has chosen them: sorted, all columns of the aggregate together.
[[nodiscard]] SparseExplicit SolveRows(const std::vector<CycleRow>& rows, int columns,
                                       const std::vector<int>& independent,
                                       const std::vector<int>& dependent);

}  // namespace kinemorph
