#include "kinemorph/graph/motion/integrator.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/linear_algebra.h"

namespace kinemorph {
namespace {

// Dormand and Prince, A family of embedded Runge-Kutta formulae (1980), RK5(4)7M. The last row is
// the solution of order 5.
constexpr double kNode[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double kStage[7][6] = {
    {0, 0, 0, 0, 0, 0},
    {1.0 / 5, 0, 0, 0, 0, 0},
    {3.0 / 40, 9.0 / 40, 0, 0, 0, 0},
    {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
// Order 5 minus order 4.
constexpr double kError[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                              -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// Dense output (Hairer, Norsett, Wanner, Solving ODEs I, II.6).
constexpr double kDense[7] = {-12715105075.0 / 11282082432,  0,
                              87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                              701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                              69997945.0 / 29380423};

// RODAS: of (1 / (gamma h) - J) u_i = f(x + sum a_ij u_j) + sum c_ij u_j / h + h d_i df/dt; row by
// row.
constexpr std::size_t kRodasStages = 6;
constexpr double kGamma = 0.25;
constexpr double kA[15] = {1.544000000000000,   0.9466785280815826,  0.2557011698983284,
                           3.314825187068521,   2.896124015972201,   0.9986419139977817,
                           1.221224509226641,   6.019134481288629,   12.53708332932087,
                           -0.6878860361058950, 1.221224509226641,   6.019134481288629,
                           12.53708332932087,   -0.6878860361058950, 1};
constexpr double kC[15] = {-5.668800000000000,  -2.430093356833875, -0.2063599157091915,
                           -0.1073529058151375, -9.594562251023355, -20.47028614809616,
                           7.496443313967647,   -10.24680431464352, -33.99990352819905,
                           11.70890893206160,   8.083246795921522,  -7.981132988064893,
                           -31.52159432874371,  16.31930543123136,  -6.058818238834054};
constexpr double kAt[kRodasStages] = {0, 0.386, 0.21, 0.63, 1, 1};
constexpr double kD[kRodasStages] = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};

}  // namespace

// After a step k_[0] is the slope at its start and k_[6] that at its end, with every rule: the
// interpolants need both, and Continue hands the latter on as the first of the next step (FSAL).
bool Stepper::Step(double t, const Eigen::VectorXd& x, double h) {
  x0_ = x, h_ = h;
  if (!first_known_ && !Rate(t, x0_, k_[0])) return false;
  first_known_ = true;  // a refused step starts from here again
  const bool done = rule_ == StepRule::kDormandPrince ? DormandPrinceStep(t)
                    : rule_ == StepRule::kRodas       ? RodasStep(t)
                                                      : RungeKuttaStep(t);
  return done && x1_.allFinite();
}

bool Stepper::DormandPrinceStep(double t) {
  for (std::size_t i = 1; i < 7; ++i) {
    stage_ = x0_;
    for (std::size_t j = 0; j < i; ++j)
      if (kStage[i][j] != 0) stage_ += (h_ * kStage[i][j]) * k_[j];
    if (i == 6) x1_ = stage_;
    if (!Rate(t + kNode[i] * h_, stage_, k_[i])) return false;
  }
  error_ = (h_ * kError[0]) * k_[0];
  for (std::size_t i = 2; i < 7; ++i) error_ += (h_ * kError[i]) * k_[i];
  return true;
}

bool Stepper::RungeKuttaStep(double t) {
  stage_ = x0_ + (h_ / 2) * k_[0];
  if (!Rate(t + h_ / 2, stage_, k_[1])) return false;
  stage_ = x0_ + (h_ / 2) * k_[1];
  if (!Rate(t + h_ / 2, stage_, k_[2])) return false;
  stage_ = x0_ + h_ * k_[2];
  if (!Rate(t + h_, stage_, k_[3])) return false;
  x1_ = x0_ + (h_ / 6) * (k_[0] + 2 * k_[1] + 2 * k_[2] + k_[3]);
  return Rate(t + h_, x1_, k_[6]);
}

// J and df/dt at the start of the step.
// By forward differences, n + 1 evaluations. The increment is 1e-7 of an entry, and 1e-9 where that
// is nearly zero: entries are of the order of one (rad, m).
bool Stepper::Differentiate(double t) {
  constexpr double kShare = 1e-14, kLeast = 1e-2;
  const Eigen::Index n = x0_.size();
  J_.resize(n, n);
  Eigen::VectorXd moved(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    stage_ = x0_;
    stage_[i] += std::sqrt(kShare) * std::max(kLeast, std::abs(x0_[i]));
    const double by = stage_[i] - x0_[i];
    if (!Rate(t, stage_, moved)) return false;
    J_.col(i) = (moved - k_[0]) / by;
  }
  const double by = std::sqrt(kShare) * std::max(1e-2, std::abs(t));
  if (!Rate(t + by, x0_, moved)) return false;
  f_by_t_ = (moved - k_[0]) / by;
  return J_.allFinite();
}

bool Stepper::RodasStep(double t) {
  if (!Differentiate(t)) return false;
  // One factorization for all stages of the step: that is what a Rosenbrock rule is made for.
  Eigen::MatrixXd W = -J_;
  W.diagonal().array() += 1 / (kGamma * h_);
  const SquareFactors factors(W);
  std::array<Eigen::VectorXd, kRodasStages> u;
  for (std::size_t i = 0, at = 0; i < kRodasStages; at += i, ++i) {
    stage_ = x0_;
    Eigen::VectorXd right = (h_ * kD[i]) * f_by_t_;
    for (std::size_t j = 0; j < i; ++j)
      stage_ += kA[at + j] * u[j], right += (kC[at + j] / h_) * u[j];
    if (i > 0 && !Rate(t + kAt[i] * h_, stage_, k_[1])) return false;
    right += i == 0 ? k_[0] : k_[1];
    u[i] = factors.Solve(right);
    if (!u[i].allFinite()) return false;
  }
  // The last increment is the difference to the embedded solution of order 3, and so the estimate
  // of the error.
  x1_ = stage_ + u.back();
  error_ = u.back();
  return Rate(t + h_, x1_, k_[6]);
}

double Stepper::Stiffness() const {
  if (rule_ != StepRule::kDormandPrince) return 0;
  // The last two points stand at one time. Apart: from the rates, as round-off in x hides it.
  // Two slopes at the same time over the distance of their arguments are an estimate of the largest
  // eigenvalue (Hairer and Wanner II, IV.2).
  Eigen::VectorXd apart = Eigen::VectorXd::Zero(x1_.size());
  for (std::size_t j = 0; j < 6; ++j) apart += (kStage[6][j] - (j < 5 ? kStage[5][j] : 0)) * k_[j];
  return apart.norm() > 0 ? (k_[6] - k_[5]).norm() / apart.norm() : 0;
}

void Stepper::Continue() {
  std::swap(k_[0], k_[6]);
  first_known_ = true;
}

double Stepper::Error(const Eigen::VectorXd& absolute, double relative) const {
  if (rule_ == StepRule::kRungeKutta4) return 0;
  double worst = 0;
  for (Eigen::Index i = 0; i < error_.size(); ++i) {
    const double size = std::max(std::abs(x0_[i]), std::abs(x1_[i]));
    worst = std::max(worst, std::abs(error_[i]) / (absolute[i] + relative * size));
  }
  return worst;
}

void Stepper::Interpolate(double s, Eigen::VectorXd& x) const {
  // Hairer's form of the Hermite cubic; the last term, of the dense coefficients, makes it of order
  // 4.
  const Eigen::VectorXd difference = x1_ - x0_;
  const Eigen::VectorXd bend = h_ * k_[0] - difference;
  x = difference - h_ * k_[6] - bend;
  if (rule_ == StepRule::kDormandPrince) {
    for (std::size_t i = 0; i < 7; ++i)
      if (kDense[i] != 0) x += ((1 - s) * h_ * kDense[i]) * k_[i];
  }
  x = x0_ + s * (difference + (1 - s) * (bend + s * x));
}

}  // namespace kinemorph
