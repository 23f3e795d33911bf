#include "motion/hermite.h"

namespace kinemorph::motion {

Hermite::At Hermite::Evaluate(double t) const {
  At at;
  if (coefficient_.empty()) return at;
  at.value = at.slope = Eigen::VectorXd::Zero(coefficient_.front().size());
  for (std::size_t i = 0; i < coefficient_.size(); ++i) {
    at.value += at.basis * coefficient_[i];
    at.slope += at.basis_slope * coefficient_[i];
    at.basis_slope = at.basis_slope * (t - t_[i]) + at.basis;
    at.basis *= t - t_[i];
  }
  return at;
}

void Hermite::Push(double t, Eigen::VectorXd coefficient) {
  t_.push_back(t);
  coefficient_.push_back(std::move(coefficient));
}

void Hermite::Add(double t, const Eigen::VectorXd& value, const Eigen::VectorXd& slope) {
  const At at = Evaluate(t);
  Push(t, coefficient_.empty() ? value : Eigen::VectorXd((value - at.value) / at.basis));
  Bend(t, slope);
}

void Hermite::Bend(double t, const Eigen::VectorXd& slope) {
  const At at = Evaluate(t);
  Push(t, (slope - at.slope) / at.basis_slope);
}

Eigen::VectorXd Hermite::Value(double t) const { return Evaluate(t).value; }
Eigen::VectorXd Hermite::Slope(double t) const { return Evaluate(t).slope; }

}  // namespace kinemorph::motion
