// Decompositions of matrices. Eigen's are templates that take seconds each to compile: they are
// compiled here, once, for matrices of any size. Empty matrices are allowed everywhere.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <vector>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

/// The min(rows, columns) singular values, the largest first, to rounding of the largest; zeros
/// when an entry is not finite.
[[nodiscard]] Eigen::VectorXd SingularValues(const Eigen::MatrixXd& A);
/// By column c of A, how much of e_c lies in the null space: the length of its projection, 0 to 1.
/// The null space belongs to the singular values after the first `rank`, in [0, min(rows,
/// columns)].
[[nodiscard]] Eigen::VectorXd ShareInNullSpace(const Eigen::MatrixXd& A, int rank);

/// Number of pivots of a column-pivoted QR above `threshold` of the largest.
[[nodiscard]] int RankOf(const Eigen::MatrixXd& A, double threshold);
/// The columns of A as a column-pivoted QR takes them, those that add most first.
[[nodiscard]] std::vector<int> PivotOrder(const Eigen::MatrixXd& A);
/// The part of v with A v = 0. `rank` of A; -1: as RankOf tells with `threshold`.
void ProjectToNullSpace(const Eigen::MatrixXd& A, int rank, double threshold, Eigen::VectorXd& v);
/// Orthonormal columns, rows - columns of them, that A's span a complement of. Precondition: A has
/// independent columns, not more than rows.
[[nodiscard]] Eigen::MatrixXd OrthogonalComplement(const Eigen::MatrixXd& A);

/// X with the least |A X - B|, zero in what A does not decide.
[[nodiscard]] Eigen::MatrixXd SolveLeastSquares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// The shortest x with the least |A x - b|. What adds less than `threshold` of the largest pivot
/// counts as nothing; -1: less than rounding.
[[nodiscard]] Eigen::VectorXd ShortestLeastSquares(const Eigen::MatrixXd& A,
                                                   const Eigen::VectorXd& b, double threshold = -1);

/// D^-1 of a symmetric D, into a matrix of its size; false when it is not positive definite or a
/// pivot not above `least`.
[[nodiscard]] bool InvertPositive(const Eigen::Ref<const Eigen::MatrixXd>& D, double least,
                                  Eigen::Ref<Eigen::MatrixXd> inverse);
/// Eigenvalues of a symmetric matrix, the least first.
[[nodiscard]] Eigen::VectorXd SymmetricEigenvalues(const Eigen::MatrixXd& A);

/// Eigenvalues of a symmetric tensor, the least first.
[[nodiscard]] Vector3 PrincipalMoments(const Matrix3& I);
/// Whether a symmetric tensor has no products of inertia (read above the diagonal, exactly).
[[nodiscard]] inline bool IsDiagonal(const Matrix3& I) {
  return I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0;
}

/// A symmetric tensor is `axes * moments.asDiagonal() * axes.transpose()`.
struct PrincipalAxes {
  explicit PrincipalAxes(const Matrix3& I);  ///< of a symmetric I
  Vector3 moments;                           ///< the least first
  Matrix3 axes;                              ///< columns, orthonormal; right- or left-handed
};

/// L D L^T of a symmetric positive semidefinite matrix.
class SymmetricFactors {
 public:
  SymmetricFactors() = default;
  explicit SymmetricFactors(const Eigen::MatrixXd& A) { Compute(A); }  ///< factors of A
  void Compute(const Eigen::MatrixXd& A);                              ///< factors of A
  [[nodiscard]] double LeastPivot() const;                             ///< the least of D
  /// Every pivot is above `share` of the largest.
  [[nodiscard]] bool IsPositive(double share) const;
  [[nodiscard]] Eigen::VectorXd Solve(const Eigen::VectorXd& b) const;  ///< A^-1 b
  [[nodiscard]] Eigen::MatrixXd Solve(const Eigen::MatrixXd& B) const;  ///< A^-1 B

 private:
  Eigen::LDLT<Eigen::MatrixXd> ldlt_;
};

/// L U of a square matrix, rows pivoted. A singular one gives solutions that are not finite.
class SquareFactors {
 public:
  SquareFactors() = default;
  explicit SquareFactors(const Eigen::MatrixXd& A) { Compute(A); }      ///< factors of A
  void Compute(const Eigen::MatrixXd& A);                               ///< factors of A
  [[nodiscard]] double LeastPivot() const;                              ///< by amount
  [[nodiscard]] double Determinant() const;                             ///< 1 of an empty matrix
  [[nodiscard]] Eigen::VectorXd Solve(const Eigen::VectorXd& b) const;  ///< A^-1 b
  [[nodiscard]] Eigen::MatrixXd Solve(const Eigen::MatrixXd& B) const;  ///< A^-1 B

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace kinemorph
