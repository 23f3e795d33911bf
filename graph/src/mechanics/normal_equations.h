// Least squares of the sparse rows of a large aggregate.
#pragma once

#include <Eigen/SparseCholesky>
#include <vector>

#include "base/index.h"
#include "mechanics/loop_cycles.h"

namespace kinemorph {

/// The rows as a matrix, without the columns that are `still`.
[[nodiscard]] inline Eigen::SparseMatrix<double> SparseMatrixOf(
    const std::vector<CycleRow>& rows, int columns, const std::vector<bool>& still = {}) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const SparseEntry& entry : rows[r].entries) {
      const bool held = U(entry.column) < still.size() && still[U(entry.column)];
      if (!held) entries.emplace_back(static_cast<int>(r), entry.column, entry.value);
    }
  }
  Eigen::SparseMatrix<double> A(static_cast<Eigen::Index>(rows.size()), columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// (A^T A + damping) x = right. Where rows are redundant pivots are small or zero: the factors are
/// those of more damping. Alone they hold still what has smaller singular values, as long clusters
/// have: they precondition conjugate gradients, which need a step for each of these.
class NormalEquations {
 public:
  explicit NormalEquations(const Eigen::SparseMatrix<double>& A) : A_(A), H_(A.transpose() * A) {
    Eigen::SparseMatrix<double> one(H_.rows(), H_.cols());
    one.setIdentity();
    one_ = one;
    H_ += 0.0 * one_;  // the diagonal is there
    ldlt_.analyzePattern(H_);
  }
  /// H + damping, which must be more than round-off where rows are redundant.
  void Factorize(double damping) { ldlt_.factorize(H_ + damping * one_); }
  [[nodiscard]] Eigen::VectorXd SolveFactorized(const Eigen::VectorXd& right) const {
    return ldlt_.solve(right);
  }
  [[nodiscard]] Eigen::VectorXd Solve(double damping, const Eigen::VectorXd& right) {
    constexpr double kLeast = 1e-12, kReduction = 1e-12;
    constexpr int kMost = 40;
    Factorize(damping + kLeast);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(right.size()), left = right;
    Eigen::VectorXd z = SolveFactorized(left), p = z;
    double energy = left.dot(z);
    const double enough = kReduction * energy;
    for (int i = 0; i < kMost && energy > enough; ++i) {
      const Eigen::VectorXd Ap = A_ * p;
      const double length = energy / (Ap.squaredNorm() + damping * p.squaredNorm());
      x += length * p;
      left -= length * (A_.transpose() * Ap + damping * p);
      z = SolveFactorized(left);
      const double before = energy;
      energy = left.dot(z);
      p = z + energy / before * p;
    }
    return x;
  }

 private:
  Eigen::SparseMatrix<double> A_, H_, one_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt_;
};

}  // namespace kinemorph
