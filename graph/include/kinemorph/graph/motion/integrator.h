// One-step integration of x' = f(t, x), with an interpolant over the step.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>

namespace kinemorph {

/// x' at (t, x); false where there is none (the loops do not close there): the step is then
/// refused.
using RightHandSide =
    std::function<bool(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate)>;

/// Explicit rules, and one for stiff equations.
enum class StepRule {
  kDormandPrince,  ///< 5(4), dense output of order 4 (Dormand and Prince 1980; Shampine 1986)
  kRungeKutta4,    ///< the classical rule; cubic Hermite between the ends
  /// 4(3) with six stages, L-stable, J by differences; cubic Hermite (Hairer and Wanner, Solving
  /// ODEs II, IV.7: RODAS).
  kRodas,
};

/// Near the border of stability of Dormand-Prince on the negative axis, 3.3.
inline constexpr double kStiff = 2;

/// Takes steps; holds its work space.
class Stepper {
 public:
  /// Keeps `f`; what it refers to must outlive this object.
  Stepper(StepRule rule, RightHandSide f) : rule_(rule), f_(std::move(f)) {}

  /// From (t, x) by h. False where f has no value on the way.
  bool Step(double t, const Eigen::VectorXd& x, double h);
  /// What the last step ended at.
  [[nodiscard]] const Eigen::VectorXd& end() const { return x1_; }
  /// Of the last step: the largest |error_i| / (absolute_i + relative |x_i|); 0 for a rule without
  /// an estimate.
  [[nodiscard]] double Error(const Eigen::VectorXd& absolute, double relative) const;
  /// Inside the last step, at its share s of 0 .. 1.
  void Interpolate(double s, Eigen::VectorXd& x) const;
  /// The end of the last step is the start of the next: its rate need not be computed again.
  void Continue();
  /// Steps by another rule from here on.
  void Use(StepRule rule) { rule_ = rule; }
  /// Of the last step of Dormand-Prince: an estimate of h |lambda| for the largest eigenvalue of
  /// df/dx; where it stays above kStiff, stability and not accuracy makes the steps short.
  [[nodiscard]] double Stiffness() const;
  /// The state has changed otherwise.
  void Restart() { first_known_ = false; }
  /// Calls of f so far.
  [[nodiscard]] long evaluations() const { return evaluations_; }

 private:
  bool Rate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
    ++evaluations_;
    return f_(t, x, rate);
  }
  bool DormandPrinceStep(double t);
  bool RungeKuttaStep(double t);
  bool RodasStep(double t);
  bool Differentiate(double t);

  StepRule rule_;
  RightHandSide f_;
  double h_ = 0;
  bool first_known_ = false;
  long evaluations_ = 0;
  std::array<Eigen::VectorXd, 7> k_;
  Eigen::VectorXd x0_, x1_, error_, stage_;
  Eigen::MatrixXd J_;       // df/dx where it is needed
  Eigen::VectorXd f_by_t_;  // df/dt
};

}  // namespace kinemorph
