// The polynomial through values and slopes.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace kinemorph::motion {

/// Hermite's polynomial in Newton's form: of degree 2 n - 1 through n values and slopes.
class Hermite {
 public:
  /// One more node: value and slope at t. Nodes need no order, but have to be apart.
  void Add(double t, const Eigen::VectorXd& value, const Eigen::VectorXd& slope);
  /// Its degree by one higher, so that the slope at t becomes this one. Last of all.
  void Bend(double t, const Eigen::VectorXd& slope);
  /// At t.
  [[nodiscard]] Eigen::VectorXd Value(double t) const;
  /// Of Value by t.
  [[nodiscard]] Eigen::VectorXd Slope(double t) const;

 private:
  void Push(double t, Eigen::VectorXd coefficient);
  // Value, slope and the next basis polynomial with its slope, at t.
  struct At {
    Eigen::VectorXd value, slope;
    double basis = 1, basis_slope = 0;
  };
  [[nodiscard]] At Evaluate(double t) const;

  std::vector<double> t_;  // every node twice
  std::vector<Eigen::VectorXd> coefficient_;
};

}  // namespace kinemorph::motion
