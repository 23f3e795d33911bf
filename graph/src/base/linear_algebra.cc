#include "kinemorph/graph/base/linear_algebra.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace kinemorph {

// Singular values have their own code here: Eigen's SVD takes seconds to compile and is slow for
// small matrices. Few rows go through one-sided Jacobi, others through a bidiagonal form and
// Eigen's tridiagonal eigenvalues. All else wraps a decomposition of Eigen's, with an answer for
// empty matrices.
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

// The diagonals d0 e0 d1 e1 ... of an upper bidiagonal U^T A V (rows >= columns), by Householder.
VectorXd Bidiagonal(MatrixXd A) {
  const Eigen::Index rows = A.rows(), n = A.cols();
  VectorXd out(2 * n - 1), essential(rows), across(rows);
  double tau = 0, beta = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    // A reflector from the left clears the column below the diagonal; then one from the right
    // clears the row beyond its neighbour. Neither Q is kept: only values are wanted.
    const Eigen::Index below = rows - i - 1, right = n - i - 1;
    VectorXd::SegmentReturnType u = essential.head(below);
    A.col(i).tail(below + 1).makeHouseholder(u, tau, beta);
    out[2 * i] = beta;
    if (right == 0) break;
    for (Eigen::Index c = i + 1; c < n; ++c) {
      const double w = tau * (A(i, c) + u.dot(A.col(c).tail(below)));
      A(i, c) -= w;
      A.col(c).tail(below) -= w * u;
    }
    VectorXd::SegmentReturnType v = essential.head(right - 1);
    A.row(i).tail(right).transpose().makeHouseholder(v, tau, beta);
    out[2 * i + 1] = beta;
    VectorXd::SegmentReturnType w = across.head(below);
    w = A.col(i + 1).tail(below);
    for (Eigen::Index c = 0; c < right - 1; ++c) w += v[c] * A.col(i + 2 + c).tail(below);
    w *= tau;
    A.col(i + 1).tail(below) -= w;
    for (Eigen::Index c = 0; c < right - 1; ++c) A.col(i + 2 + c).tail(below) -= v[c] * w;
  }
  return out;
}

// The columns of A (rows >= columns) turned until they are orthogonal (one-sided Jacobi), which is
// the quickest way for a few columns. Entries are at most 1; what is shorter than rounding stays.
VectorXd LengthsOfOrthogonalColumns(MatrixXd A) {
  constexpr double kRounding = 1e-15;
  constexpr int kMostSweeps = 30;
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMostSweeps; ++sweep) {
    turned = false;
    for (Eigen::Index p = 0; p < A.cols(); ++p) {
      for (Eigen::Index q = p + 1; q < A.cols(); ++q) {
        const double pp = A.col(p).squaredNorm(), qq = A.col(q).squaredNorm();
        const double pq = A.col(p).dot(A.col(q));
        if (std::min(pp, qq) <= kRounding * kRounding ||
            std::abs(pq) <= kRounding * std::sqrt(pp * qq))
          continue;
        turned = true;
        // The rotation that makes columns p and q orthogonal, by the smaller of its two angles.
        const double zeta = (qq - pp) / (2 * pq);
        const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1, zeta)), zeta);
        const double c = 1 / std::hypot(1, t), s = c * t;
        for (Eigen::Index r = 0; r < A.rows(); ++r) {
          const double x = A(r, p), y = A(r, q);
          A(r, p) = c * x - s * y, A(r, q) = s * x + c * y;
        }
      }
    }
  }
  VectorXd lengths = A.colwise().norm();
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  return lengths;
}

}  // namespace

// The eigenvalues of [0 B; B^T 0], shuffled into a tridiagonal matrix, are the singular ones of B
// with either sign.
VectorXd SingularValues(const MatrixXd& A) {
  if (A.rows() < A.cols()) return SingularValues(A.transpose());
  const Eigen::Index n = A.cols();
  const double scale = A.size() == 0 ? 0 : A.cwiseAbs().maxCoeff();
  // Scaled to entries of at most 1: squares of lengths neither overflow nor vanish.
  if (!(scale > 0) || !A.allFinite()) return VectorXd::Zero(n);
  constexpr Eigen::Index kFew = 12;
  if (A.rows() <= kFew) return scale * LengthsOfOrthogonalColumns(A / scale);
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
  solver.computeFromTridiagonal(VectorXd::Zero(2 * n), Bidiagonal(A / scale),
                                Eigen::EigenvaluesOnly);
  return scale * solver.eigenvalues().tail(n).reverse().cwiseMax(0);
}

// As the singular values: eigenvectors of [0 A; A^T 0] around the eigenvalue 0.
VectorXd ShareInNullSpace(const MatrixXd& A, int rank) {
  if (A.size() == 0) return VectorXd::Ones(A.cols());
  // Eigenvalues come in ascending order: `rank` of -sigma, then the zeros, then as many of +sigma.
  const Eigen::Index rows = A.rows(), columns = A.cols(), size = rows + columns;
  MatrixXd both = MatrixXd::Zero(size, size);
  both.topRightCorner(rows, columns) = A;
  both.bottomLeftCorner(columns, rows) = A.transpose();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(both);
  return solver.eigenvectors().block(rows, rank, columns, size - 2 * rank).rowwise().norm();
}

// Eigen's own decompositions ask for the largest entry, which nothing has none of.
int RankOf(const MatrixXd& A, double threshold) {
  if (A.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  qr.setThreshold(threshold);
  return static_cast<int>(qr.rank());
}

std::vector<int> PivotOrder(const MatrixXd& A) {
  if (A.size() == 0) {
    std::vector<int> as_they_are(static_cast<std::size_t>(A.cols()));
    std::iota(as_they_are.begin(), as_they_are.end(), 0);
    return as_they_are;
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  const auto& order = qr.colsPermutation().indices();
  return {order.data(), order.data() + order.size()};
}

void ProjectToNullSpace(const MatrixXd& A, int rank, double threshold, VectorXd& v) {
  if (A.size() == 0) return;
  Eigen::ColPivHouseholderQR<MatrixXd> qr(A.transpose());
  if (rank < 0) {
    qr.setThreshold(threshold);
    rank = static_cast<int>(qr.rank());
  }
  // A^T P = Q R: the first `rank` columns of Q span the rows of A. In coordinates of Q these are
  // set to 0.
  v.applyOnTheLeft(qr.householderQ().adjoint());
  v.head(std::min<Eigen::Index>(rank, v.size())).setZero();
  v.applyOnTheLeft(qr.householderQ());
}

MatrixXd OrthogonalComplement(const MatrixXd& A) {
  if (A.size() == 0) return MatrixXd::Identity(A.rows(), A.rows());
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  MatrixXd Q = MatrixXd::Identity(A.rows(), A.rows());
  // Columns of Q behind those that A spans.
  Q.applyOnTheLeft(qr.householderQ());
  return Q.rightCols(A.rows() - A.cols());
}

MatrixXd SolveLeastSquares(const MatrixXd& A, const MatrixXd& B) {
  if (A.size() == 0) return MatrixXd::Zero(A.cols(), B.cols());
  return Eigen::ColPivHouseholderQR<MatrixXd>(A).solve(B);
}

VectorXd ShortestLeastSquares(const MatrixXd& A, const VectorXd& b, double threshold) {
  if (A.size() == 0) return VectorXd::Zero(A.cols());
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposition;
  if (threshold >= 0) decomposition.setThreshold(threshold);
  decomposition.compute(A);
  return decomposition.solve(b);
}

bool InvertPositive(const Eigen::Ref<const MatrixXd>& D, double least,
                    Eigen::Ref<MatrixXd> inverse) {
  if (D.size() == 0) return true;
  const Eigen::LLT<MatrixXd> llt(D);
  if (llt.info() != Eigen::Success) return false;
  for (Eigen::Index i = 0; i < D.rows(); ++i) {
    const double pivot = llt.matrixLLT()(i, i);
    if (!(pivot * pivot > least)) return false;
  }
  inverse.setIdentity();
  llt.solveInPlace(inverse);
  return true;
}

VectorXd SymmetricEigenvalues(const MatrixXd& A) {
  if (A.size() == 0) return VectorXd(0);
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Vector3 PrincipalMoments(const Matrix3& I) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(I, Eigen::EigenvaluesOnly).eigenvalues();
}

PrincipalAxes::PrincipalAxes(const Matrix3& I) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(I);
  moments = solver.eigenvalues(), axes = solver.eigenvectors();
}

void SymmetricFactors::Compute(const MatrixXd& A) { ldlt_.compute(A); }
double SymmetricFactors::LeastPivot() const {
  return ldlt_.rows() == 0 ? std::numeric_limits<double>::infinity() : ldlt_.vectorD().minCoeff();
}
bool SymmetricFactors::IsPositive(double share) const {
  if (ldlt_.rows() == 0) return true;
  return ldlt_.info() == Eigen::Success && LeastPivot() > share * ldlt_.vectorD().maxCoeff();
}
VectorXd SymmetricFactors::Solve(const VectorXd& b) const {
  return ldlt_.rows() == 0 ? b : ldlt_.solve(b);
}
MatrixXd SymmetricFactors::Solve(const MatrixXd& B) const {
  return ldlt_.rows() == 0 ? B : ldlt_.solve(B);
}

void SquareFactors::Compute(const MatrixXd& A) { lu_.compute(A); }
double SquareFactors::LeastPivot() const {
  return lu_.rows() == 0 ? std::numeric_limits<double>::infinity()
                         : lu_.matrixLU().diagonal().cwiseAbs().minCoeff();
}
double SquareFactors::Determinant() const { return lu_.rows() == 0 ? 1 : lu_.determinant(); }
VectorXd SquareFactors::Solve(const VectorXd& b) const {
  return lu_.rows() == 0 ? b : lu_.solve(b);
}
MatrixXd SquareFactors::Solve(const MatrixXd& B) const {
  return lu_.rows() == 0 ? B : lu_.solve(B);
}

}  // namespace kinemorph
