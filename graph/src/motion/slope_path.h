// The path whose slopes are those of a polynomial: Adams' rules with nodes of any distance.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace kinemorph::motion {

/// x(t) = start + integral from t_start of p, where p goes through slopes at nodes (Newton's form).
/// Only slopes of the past are used and none of its values: the small errors that steps leave in
/// them would be divided by the distance of the nodes.
class SlopePath {
 public:
  SlopePath(double t_start, Eigen::VectorXd start) : t_start_(t_start), start_(std::move(start)) {}
  /// One more node, apart from the others. They need no order; the first ones count most.
  void Add(double t, const Eigen::VectorXd& slope);
  /// What the last node adds at t: an estimate of the error of the path without it.
  [[nodiscard]] Eigen::VectorXd LastTerm(double t) const;
  [[nodiscard]] Eigen::VectorXd Value(double t) const;

 private:
  [[nodiscard]] std::vector<double> IntegralsOfBasis(double t) const;

  double t_start_;
  Eigen::VectorXd start_;
  std::vector<double> node_;
  std::vector<Eigen::VectorXd> coefficient_;
};

}  // namespace kinemorph::motion
