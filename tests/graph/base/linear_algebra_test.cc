#include "kinemorph/graph/base/linear_algebra.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace kinemorph::test {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

TEST(LinearAlgebra, SingularValuesAreThoseOfJacobi) {
  std::srand(1);
  for (const auto& [rows, columns] :
       {std::pair{1, 1}, {1, 7}, {7, 1}, {6, 6}, {6, 9}, {12, 12}, {13, 12}, {40, 25}}) {
    for (int rank = 1; rank <= std::min(rows, columns); rank += 5) {
      const MatrixXd A = MatrixXd::Random(rows, rank) * MatrixXd::Random(rank, columns);
      const VectorXd expected = Eigen::JacobiSVD<MatrixXd>(A).singularValues();
      const VectorXd found = SingularValues(A);
      ASSERT_EQ(found.size(), expected.size());
      EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-14 * expected[0]) << A;
    }
  }
  EXPECT_NEAR(SingularValues(1e-200 * MatrixXd::Identity(3, 2))[1] * 1e200, 1, 1e-14);
}

TEST(LinearAlgebra, SingularValuesOfNothing) {
  EXPECT_EQ(SingularValues(MatrixXd(0, 3)).size(), 0);
  EXPECT_EQ(SingularValues(MatrixXd(3, 0)).size(), 0);
  EXPECT_EQ(SingularValues(MatrixXd::Zero(3, 2)), VectorXd::Zero(2));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(SingularValues(MatrixXd::Constant(2, 2, nan)), VectorXd::Zero(2));
}

TEST(LinearAlgebra, ShareInNullSpaceByColumn) {
  MatrixXd A = MatrixXd::Zero(2, 4);  // 0 is held, 1 and 2 follow each other, 3 is free
  A(0, 0) = 5, A(1, 1) = 1e-3, A(1, 2) = -1e-3;
  const VectorXd expected = (VectorXd(4) << 0, std::sqrt(0.5), std::sqrt(0.5), 1).finished();
  EXPECT_TRUE(ShareInNullSpace(A, 2).isApprox(expected, 1e-14));
}

TEST(LinearAlgebra, ComplementAndProjection) {
  std::srand(2);
  const MatrixXd W = MatrixXd::Random(6, 4), Q = OrthogonalComplement(W);
  ASSERT_EQ(Q.cols(), 2);
  EXPECT_TRUE((W.transpose() * Q).isZero(1e-14));
  EXPECT_TRUE((Q.transpose() * Q).isIdentity(1e-14));
  const VectorXd v = VectorXd::Random(6);
  VectorXd along = v;
  ProjectToNullSpace(W.transpose(), -1, 1e-9, along);
  EXPECT_TRUE(along.isApprox(Q * (Q.transpose() * v), 1e-13));
}

TEST(LinearAlgebra, LeastSquares) {
  const MatrixXd A = (MatrixXd(1, 2) << 3, 4).finished();
  const VectorXd b = VectorXd::Constant(1, 25);
  EXPECT_TRUE(ShortestLeastSquares(A, b).isApprox(Eigen::Vector2d(3, 4), 1e-14));
  EXPECT_TRUE(SolveLeastSquares(A, b).isApprox(Eigen::Vector2d(0, 6.25), 1e-14));
  EXPECT_EQ(RankOf(MatrixXd::Ones(3, 3), 1e-9), 1);
  EXPECT_EQ(PivotOrder((MatrixXd(1, 3) << 2, 9, 4).finished()).front(), 1);
}

TEST(LinearAlgebra, PositiveOrNot) {
  const MatrixXd D = (MatrixXd(2, 2) << 4, 2, 2, 3).finished();
  MatrixXd inverse(2, 2);
  EXPECT_TRUE(InvertPositive(D, 1e-9, inverse));
  EXPECT_TRUE((D * inverse).isIdentity(1e-15));
  EXPECT_FALSE(InvertPositive(MatrixXd::Ones(2, 2), 1e-9, inverse));
  EXPECT_TRUE(SymmetricFactors(D).IsPositive(0.4));
  EXPECT_FALSE(SymmetricFactors(D).IsPositive(0.6));
  EXPECT_DOUBLE_EQ(SquareFactors(D).Determinant(), 8);
}

// No rows, no columns, neither: bodies that all stand still, a loop of fixed joints, no body at
// all.
TEST(LinearAlgebra, EmptyMatricesEverywhere) {
  for (const auto& [rows, columns] : {std::pair{0, 0}, {0, 3}, {3, 0}}) {
    SCOPED_TRACE(testing::Message() << rows << " x " << columns);
    const MatrixXd A(rows, columns);
    EXPECT_EQ(SingularValues(A).size(), 0);
    EXPECT_EQ(ShareInNullSpace(A, 0), VectorXd::Ones(columns));
    EXPECT_EQ(RankOf(A, 1e-9), 0);
    std::vector<int> order = PivotOrder(A);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, columns == 0 ? std::vector<int>() : (std::vector<int>{0, 1, 2}));
    for (const int rank : {-1, 0}) {
      VectorXd v = VectorXd::Constant(columns, 7);
      ProjectToNullSpace(A, rank, 1e-9, v);
      EXPECT_EQ(v, VectorXd::Constant(columns, 7));
    }
    for (const int sides : {0, 2}) {
      const MatrixXd X = SolveLeastSquares(A, MatrixXd::Ones(rows, sides));
      EXPECT_EQ(X, MatrixXd::Zero(columns, sides));
    }
    for (const double threshold : {-1.0, 1e-9})
      EXPECT_EQ(ShortestLeastSquares(A, VectorXd::Ones(rows), threshold), VectorXd::Zero(columns));
    if (columns > 0) continue;
    EXPECT_EQ(OrthogonalComplement(A), MatrixXd::Identity(rows, rows));
  }
  const MatrixXd none(0, 0);
  const VectorXd nothing(0);
  MatrixXd inverse(0, 0);
  EXPECT_TRUE(InvertPositive(none, 1, inverse));
  EXPECT_EQ(SymmetricEigenvalues(none).size(), 0);
  const double infinity = std::numeric_limits<double>::infinity();
  const SymmetricFactors symmetric(none);
  EXPECT_EQ(symmetric.LeastPivot(), infinity);
  EXPECT_TRUE(symmetric.IsPositive(0.5));
  EXPECT_EQ(symmetric.Solve(nothing).size(), 0);
  EXPECT_EQ(symmetric.Solve(MatrixXd(0, 3)).cols(), 3);
  const SquareFactors square(none);
  EXPECT_EQ(square.LeastPivot(), infinity);
  EXPECT_EQ(square.Determinant(), 1);
  EXPECT_EQ(square.Solve(nothing).size(), 0);
  EXPECT_EQ(square.Solve(MatrixXd(0, 3)).cols(), 3);
}

}  // namespace
}  // namespace kinemorph::test
