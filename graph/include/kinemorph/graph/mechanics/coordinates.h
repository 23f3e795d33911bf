// Rank, mobility and independent coordinates of a mechanism: what the declared ones are worth, and
// a choice where none are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// How many singular values (descending) are not noise: the first r with s[r] <= 1e-11 s[0], or
/// with s[r] <= 2e-4 s[0] and a gap s[r-1] >= 30 s[r] before it; else all. Frames written with few
/// digits (rpy="1.5708") leave 1e-6 where zero is meant.
[[nodiscard]] int GapRank(const Eigen::VectorXd& singular_values);

/// The coordinates of one aggregate. Columns are those of Aggregate::velocity.
struct AggregateCoordinates {
  int nv = 0,                         ///< columns of K
      rows = 0,                       ///< rows of K
      rank = 0,                       ///< of K in general: the most frequent over the samples
      mobility = 0;                   ///< nv - rank
  bool declared = false;              ///< the model says which coordinates are independent
  int num_declared = 0;               ///< scalar coordinates that count as declared independent
  bool declared_ok = true;            ///< as many as the mobility, and they determine the rest
  int rank_dependent = 0;             ///< rank of the dependent columns of the declaration
  std::vector<std::string> at_fault;  ///< joints of a wrong declaration
  /// What is used, ascending: the declaration if it is right, else chosen by column-pivoted QR.
  std::vector<int> independent,
      dependent;            ///< the other columns, as many as the rank
  double conditioning = 1;  ///< least sigma_min(K_d) / sigma_max(K) over the samples
  bool closes = true;   ///< an assembled configuration was found (residual at most kNearlyClosed)
  double residual = 0;  ///< there: largest |phi|, lengths divided by the characteristic length
  /// How far the assembled configuration is beyond a limit (rad, m), where it closes and none that
  /// does was found within the limits; else 0.
  double beyond_limits = 0;
  std::vector<std::string> redundant;    ///< rows that follow from the others, e.g. "loop1.wx"
  std::vector<std::string> idle;         ///< links that can move while all others stand still
  std::vector<std::string> idle_joints;  ///< in loops or couplings, and no row feels them
};

/// The coordinates of a mechanism. Numbers are sums over its aggregates.
struct Coordinates {
  std::vector<AggregateCoordinates> aggregates;  ///< as Mechanism::aggregates
  std::vector<int> first_alike;  ///< by aggregate: the first one of its shape (often itself)
  Eigen::VectorXd assembled;  ///< a closed configuration q (nq) near q = 0; the best where none is
  bool assembles = true;      ///< every aggregate closes
  int spanning_dof = 0,       ///< nv of the spanning tree
      constraint_rows = 0,    ///< of the stacked K
      rank = 0,               ///< of K in general
      mobility = 0;           ///< spanning_dof - rank
  bool declared = false;      ///< any declaration counts
  int independent_declared = 0;   ///< scalar coordinates declared independent; all of a URDF tree
                                  ///< without declarations, else 0
  bool independent_ok = true;     ///< every declaration is right
  double residual_at_zero = 0;    ///< largest |phi| at q = 0; lengths over the characteristic one
  bool open_at_zero = false;      ///< residual_at_zero above kNearlyClosed
  bool singular_at_zero = false;  ///< closed at zero, but with a smaller rank there than in general
  double beyond_limits = 0;       ///< the farthest of the aggregates (rad, m)
  std::vector<std::string> at_fault,  ///< joints of wrong declarations
      redundant,                      ///< rows that follow from the others
      idle,                           ///< links that can move while all others stand still
      idle_joints;                    ///< joints that no row feels
  /// Rank by aggregate: what ClosureSolver::RandomState takes.
  [[nodiscard]] std::vector<int> Ranks() const;
};

/// How thoroughly AnalyseCoordinates looks.
struct CoordinateOptions {
  std::uint64_t seed = 1;  ///< of all that is random: equal seeds give equal results
  int samples = 4;         ///< closed configurations beside the assembled one
  int restarts = 24;       ///< of the closure solver, per aggregate
};

/// Takes K at seeded random closed configurations reached from the one nearest to q = 0. Free
/// joints count 6.
[[nodiscard]] Coordinates AnalyseCoordinates(const Mechanism& mechanism,
                                             const CoordinateOptions& options = {});

/// qd = G yd, qdd = G ydd + g of one aggregate: K G = 0, K g = k.
struct ExplicitConstraint {
  Eigen::MatrixXd G;         ///< nv x mobility
  Eigen::VectorXd g;         ///< nv; zero for independent coordinates
  std::vector<int> rows;     ///< the rows used, rank many
  double inconsistency = 0;  ///< largest |K g - k| over the rows that were not used
  bool singular = false;     ///< K_d cannot be inverted here
};
/// Inconsistency above this (relative to 1 + the largest |k|) is a contradiction, below it few
/// digits.
inline constexpr double kContradiction = 1e-3;
/// Eliminates the dependent columns with row pivoting over all rows. `independent` and `dependent`
/// are columns of K, all of them together. Where it is singular, G and g are zero.
[[nodiscard]] ExplicitConstraint MakeExplicit(const Eigen::MatrixXd& K, const Eigen::VectorXd& k,
                                              const std::vector<int>& independent,
                                              const std::vector<int>& dependent);

}  // namespace kinemorph
