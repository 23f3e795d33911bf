// One interface over two ways of asking K the same questions. The dense way decides ranks by gaps
// in singular values, which frames of few digits need, and picks columns by pivoted
// orthogonalisation. The sparse way has an elimination only, whose pivots stand for singular
// values; it is for aggregates whose K would be too large to decompose.
#include "mechanics/constraint_sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "mechanics/loop_cycles.h"

namespace kinemorph {
namespace {

Eigen::MatrixXd ColumnsOf(const Eigen::MatrixXd& K, const std::vector<int>& columns) {
  Eigen::MatrixXd part(K.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    part.col(static_cast<Eigen::Index>(i)) = K.col(columns[i]);
  return part;
}

enum class Ties { kFirst, kLast };

// Column-pivoted orthogonalisation of K: appends up to `count` of the `candidates`, the least
// reluctant (by column; empty: all alike) first, of these the largest remainder, and among equal
// ones the first or the last. K becomes the remainder.
void Pivot(Eigen::MatrixXd& K, std::vector<int> candidates, int count, Ties ties,
           std::vector<int>& chosen, const std::vector<int>& reluctance = {}) {
  if (ties == Ties::kLast) std::reverse(candidates.begin(), candidates.end());
  const auto level = [&](int c) { return reluctance.empty() ? kDeclared : reluctance[U(c)]; };
  // A column waits for more reluctant ones where little remains of what it was, or, but for a
  // follower, whose own coupling determines it, where it is as nothing beside the largest: a lead
  // screw's is a thousandth of that of the slide that it moves.
  constexpr double kLeastShare = 0.02, kNothing = 1e-4;
  Eigen::VectorXd own(K.cols()), left(K.cols());
  for (const int c : candidates) own[c] = K.col(c).norm();
  for (; count > 0; --count) {
    // Each round measures what remains of every candidate across the columns chosen so far.
    double all = 0;
    for (const int c : candidates) all = std::max(all, left[c] = K.col(c).norm());
    if (!(all > 0) || !std::isfinite(all)) return;
    const auto waits = [&](int c) {
      const bool follows = level(c) == static_cast<int>(Actuation::kFollows);
      return left[c] < kLeastShare * own[c] || (!follows && left[c] < kNothing * all);
    };
    int least = kDeclared;
    double most = 0;
    for (const int c : candidates) {
      if (waits(c) || level(c) > least) continue;
      most = level(c) < least ? left[c] : std::max(most, left[c]);
      least = level(c);
    }
    // Where all wait, the largest of all does not.
    const auto best = std::find_if(candidates.begin(), candidates.end(), [&](int c) {
      return most > 0 ? !waits(c) && level(c) == least && left[c] >= (1 - kTie) * most
                      : left[c] >= (1 - kTie) * all;
    });
    const Eigen::VectorXd direction = K.col(*best).normalized();
    chosen.push_back(*best);
    candidates.erase(best);
    K -= direction * (direction.transpose() * K).eval();
  }
}

std::vector<int> UpTo(Eigen::Index n) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

class DenseSample final : public ConstraintSample {
 public:
  explicit DenseSample(Eigen::MatrixXd K)
      : K_(std::move(K)), values_(SingularValues(K_)), rank_(GapRank(values_)) {}
  [[nodiscard]] int Rank() const override { return rank_; }
  [[nodiscard]] int RankOf(const std::vector<int>& columns) const override {
    return GapRank(ValuesOf(columns));
  }
  [[nodiscard]] std::vector<int> Dependent(const std::vector<int>& reluctance,
                                           int rank) const override {
    if (K_.size() == 0) return {};
    Eigen::MatrixXd K = K_;
    // Declared coordinates become dependent only where the others have too little rank between
    // them: their rank alone says how many of the declared have to give way.
    std::vector<int> declared, others;
    for (int c = 0; c < static_cast<int>(K.cols()); ++c)
      (reluctance[U(c)] == kDeclared ? declared : others).push_back(c);
    const int without_declared =
        std::min(rank, declared.empty() ? rank : GapRank(SingularValues(ColumnsOf(K, others))));
    std::vector<int> dependent;
    Pivot(K, others, without_declared, Ties::kLast, dependent, reluctance);
    Pivot(K, declared, rank - static_cast<int>(dependent.size()), Ties::kLast, dependent);
    std::sort(dependent.begin(), dependent.end());
    return dependent;
  }
  [[nodiscard]] std::vector<int> Determined(const std::vector<int>& columns,
                                            int rank) const override {
    Eigen::MatrixXd K = K_;
    std::vector<int> determined;
    Pivot(K, columns, rank, Ties::kFirst, determined);
    std::sort(determined.begin(), determined.end());
    return determined;
  }
  [[nodiscard]] double Conditioning(const std::vector<int>& dependent) const override {
    if (dependent.empty()) return 1;
    const Eigen::VectorXd& part = ValuesOf(dependent);
    // The smallest singular value of K_d, beside the largest of all K: scaled by K_d's own largest,
    // a choice of columns that are all weak would look sound.
    const Eigen::Index last = static_cast<Eigen::Index>(dependent.size()) - 1;
    return part.size() <= last || values_[0] <= 0 ? 0 : part[last] / values_[0];
  }
  [[nodiscard]] std::vector<int> RedundantRows(int rank) const override {
    // The same pivoting on the transpose: rows that add nothing to the ones before follow from
    // them.
    Eigen::MatrixXd rows = K_.transpose();
    std::vector<int> needed;
    Pivot(rows, UpTo(rows.cols()), rank, Ties::kFirst, needed);
    std::sort(needed.begin(), needed.end());
    return Complement(static_cast<int>(K_.rows()), needed);
  }

  [[nodiscard]] Eigen::VectorXd Largest() const override {
    return K_.cwiseAbs().colwise().maxCoeff().transpose();
  }

 private:
  // Rank and conditioning are asked of the same columns.
  const Eigen::VectorXd& ValuesOf(const std::vector<int>& columns) const {
    if (columns != columns_ || values_of_columns_.size() == 0)
      columns_ = columns, values_of_columns_ = SingularValues(ColumnsOf(K_, columns));
    return values_of_columns_;
  }
  Eigen::MatrixXd K_;
  Eigen::VectorXd values_;  // singular ones
  int rank_;
  mutable std::vector<int> columns_;
  mutable Eigen::VectorXd values_of_columns_;
};

class SparseSample final : public ConstraintSample {
 public:
  SparseSample(std::vector<CycleRow> rows, int own, int all)
      : rows_(std::move(rows)), own_(own), all_(all), plain_(Run({})) {}
  [[nodiscard]] int Rank() const override { return plain_.rank(); }
  [[nodiscard]] int RankOf(const std::vector<int>& columns) const override {
    return Run(Only(columns)).rank();
  }
  [[nodiscard]] std::vector<int> Dependent(const std::vector<int>& reluctance, int) const override {
    return Run(reluctance).dependent;
  }
  [[nodiscard]] std::vector<int> Determined(const std::vector<int>& columns, int) const override {
    return Run(Only(columns)).dependent;
  }
  [[nodiscard]] double Conditioning(const std::vector<int>& dependent) const override {
    const Elimination part = Run(Only(dependent));
    return part.dependent.size() < dependent.size() ? 0 : part.least / plain_.largest;
  }
  [[nodiscard]] std::vector<int> RedundantRows(int) const override { return plain_.redundant; }
  [[nodiscard]] Eigen::VectorXd Largest() const override { return {}; }

 private:
  [[nodiscard]] Elimination Run(const std::vector<int>& reluctance) const {
    return Eliminate(rows_, all_, reluctance.empty() ? std::vector<int>(U(own_), 0) : reluctance);
  }
  [[nodiscard]] std::vector<int> Only(const std::vector<int>& columns) const {
    // Columns of negative reluctance do not exist for the elimination.
    std::vector<int> reluctance(U(own_), -1);
    for (const int c : columns) reluctance[U(c)] = 0;
    return reluctance;
  }
  std::vector<CycleRow> rows_;
  int own_, all_;
  Elimination plain_;
};

}  // namespace

std::vector<int> Complement(int n, const std::vector<int>& columns) {
  std::vector<int> rest;
  for (int c = 0; c < n; ++c) {
    if (!std::binary_search(columns.begin(), columns.end(), c)) rest.push_back(c);
  }
  return rest;
}

std::unique_ptr<ConstraintSample> TakeSample(ClosureSolver& solver, int aggregate,
                                             const Eigen::VectorXd& q) {
  if (!solver.IsLarge(aggregate))
    return std::make_unique<DenseSample>(solver.ScaledK(aggregate, q));
  const int own = static_cast<int>(solver.mechanism().aggregates[U(aggregate)].velocity.size());
  const std::vector<CycleRow>& rows = solver.SparseRows(aggregate, q);
  return std::make_unique<SparseSample>(rows, own, solver.SparseColumns(aggregate));
}

std::unique_ptr<ConstraintSample> EmptySample(int columns) {
  return std::make_unique<DenseSample>(Eigen::MatrixXd(0, columns));
}

}  // namespace kinemorph
