// Gaussian elimination of [K | B] with pivots over all rows: the dependent columns of constraints
// in terms of all else.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

namespace kinemorph {

/// `A` (row by row, `stride` numbers each) holds K in its first `n` columns and B up to `width`;
/// the result [1 | K^-1 B] stands in the rows order[0 .. n - 1], columns n on. In the other rows
/// B becomes what these say against it. `order` lists all rows; it is permuted. The first columns
/// become the factors that SolveEliminated takes. Returns the least pivot; 0 where that is not
/// above `least` times the largest entry of K: singular.
template <int WIDTH = 0>
[[nodiscard]] double EliminateColumns(double* A, int stride, int rows, int n, int width, int* order,
                                      double least = 1e-10) {
  if constexpr (WIDTH > 0) width = stride = WIDTH;
  const auto row = [&](int i) { return A + order[i] * stride; };
  double scale = 0, least_pivot = 1e300;
  for (int i = 0; i < rows; ++i) {
    double largest = 0;
    for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(row(i)[j]));
    scale = std::max(scale, largest);
  }
  for (int j = 0; j < n; ++j) {
    int best = j;
    double largest = 0;
    for (int i = j; i < rows; ++i) {
      if (std::abs(row(i)[j]) > largest) largest = std::abs(row(i)[j]), best = i;
    }
    if (j >= rows || !(largest > least * scale)) return 0;
    least_pivot = std::min(least_pivot, largest);
    std::swap(order[j], order[best]);
    double* pivot = row(j);
    const double inverse = 1 / pivot[j];
    pivot[j] = inverse;
    for (int i = j + 1; i < rows; ++i) {
      double* a = row(i);
      if (std::abs(a[j]) <= 1e-15 * scale) continue;
      const double factor = a[j] * inverse;
      for (int k = j + 1; k < width; ++k) a[k] -= factor * pivot[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    double* a = row(i);
    for (int j = i + 1; j < n; ++j) {
      const double* below = row(j);
      for (int k = n; k < width; ++k) a[k] -= a[j] * below[k];
    }
    for (int k = n; k < width; ++k) a[k] *= a[i];
  }
  return least_pivot;
}

/// After EliminateColumns: K x = b for one more column `b`, by row. It becomes x in b[order[i]].
inline void SolveEliminated(const double* A, int stride, int n, const int* order, double* b) {
  const auto row = [&](int i) { return A + order[i] * stride; };
  for (int j = 0; j < n; ++j) {
    const double pivot = b[order[j]] * row(j)[j];  // the inverse stands in its place
    for (int i = j + 1; i < n; ++i) b[order[i]] -= row(i)[j] * pivot;
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* const a = row(i);
    for (int j = i + 1; j < n; ++j) b[order[i]] -= a[j] * b[order[j]];
    b[order[i]] *= a[i];
  }
}

}  // namespace kinemorph
