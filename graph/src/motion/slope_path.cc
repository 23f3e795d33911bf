#include "motion/slope_path.h"

#include <array>

namespace kinemorph::motion {
namespace {

// Gauss and Legendre's on -1 .. 1: exact to degree 11.
constexpr std::array<double, 6> kPoint = {-0.9324695142031521, -0.6612093864662646,
                                          -0.2386191860831969, 0.2386191860831969,
                                          0.6612093864662646,  0.9324695142031521};
constexpr std::array<double, 6> kWeight = {0.1713244923791705, 0.3607615730481386,
                                           0.4679139345726910, 0.4679139345726910,
                                           0.3607615730481386, 0.1713244923791705};

}  // namespace

// Newton's divided differences: a new node leaves the coefficients before it as they are, and adds
// one.
void SlopePath::Add(double t, const Eigen::VectorXd& slope) {
  Eigen::VectorXd rest = slope;
  double basis = 1;
  for (std::size_t i = 0; i < node_.size(); ++i) {
    rest -= basis * coefficient_[i];
    basis *= t - node_[i];
  }
  node_.push_back(t);
  coefficient_.emplace_back(rest / basis);
}

// The basis are products of (t - node_i). Their integrals by a rule that is exact for the nine
// nodes of a leap at most, so the path is the exact integral of the polynomial.
std::vector<double> SlopePath::IntegralsOfBasis(double t) const {
  std::vector<double> integral(node_.size(), 0);
  const double half = 0.5 * (t - t_start_);
  for (std::size_t g = 0; g < kPoint.size(); ++g) {
    const double at = t_start_ + half * (1 + kPoint[g]);
    double basis = 1;
    for (std::size_t i = 0; i < node_.size(); ++i) {
      integral[i] += half * kWeight[g] * basis;
      basis *= at - node_[i];
    }
  }
  return integral;
}

Eigen::VectorXd SlopePath::LastTerm(double t) const {
  return IntegralsOfBasis(t).back() * coefficient_.back();
}

Eigen::VectorXd SlopePath::Value(double t) const {
  Eigen::VectorXd value = start_;
  const std::vector<double> integral = IntegralsOfBasis(t);
  for (std::size_t i = 0; i < node_.size(); ++i) value += integral[i] * coefficient_[i];
  return value;
}

}  // namespace kinemorph::motion
