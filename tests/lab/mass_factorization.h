// The inverse mass matrix of the independent coordinates in factors, made by the recursion.
#pragma once

#include "kinemorph/graph/mechanics/dynamics.h"

namespace kinemorph {

/// M_y^-1 = F D^-1 F^T with F unit block lower triangular and D block diagonal, columns aggregate
/// after aggregate as in Embedding.
struct MassFactorization {
  DynamicsStatus status = DynamicsStatus::kOk;  ///< unless kOk, D and F are empty
  Eigen::MatrixXd D,                            ///< mobility x mobility, block diagonal
      F;  ///< mobility x mobility, unit block lower triangular
  /// M_y^-1.
  [[nodiscard]] Eigen::MatrixXd Inverse() const;
};
/// Section IV-B of the constraint embedding paper, with (19) corrected, at q.
[[nodiscard]] MassFactorization Factorize(const Mechanism& m, const Coordinates& coordinates,
                                          const Eigen::VectorXd& q);

}  // namespace kinemorph
