// Most aggregates have one loop: their K needs no heap.
#pragma once

#include <Eigen/Core>

namespace kinemorph {

inline constexpr int kSmall = 12;  ///< most rows, and most columns
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kSmall, kSmall>;
[[nodiscard]] inline bool IsSmall(const Eigen::MatrixXd& matrix) {
  return matrix.rows() <= kSmall && matrix.cols() <= kSmall;
}

}  // namespace kinemorph
