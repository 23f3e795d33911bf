#include "motion/flight.h"

#include "base/index.h"
#include "motion/closure_limits.h"
#include "motion/division.h"

namespace kinemorph::motion {

Flight::Flight(const Mechanism& mechanism, const Eigen::VectorXd& q,
               const std::vector<int>& independent)
    : m_(mechanism),
      coordinates_(CoordinatesOf(mechanism, q, independent)),
      recursion_(mechanism, coordinates_),
      linear_(IsLinearVelocity(mechanism)) {}

// `warm` and `nearest`: on the branch near q, or the motion would change over to the one that a
// formula prefers.
void Flight::FindFormulas() {
  closures_ = std::make_unique<ExplicitClosures>(
      m_, coordinates_, ExplicitClosureOptions{.warm = true, .nearest = true});
  for (int a = 0; a < static_cast<int>(m_.aggregates.size()); ++a) {
    const ClosureNature nature = closures_->Describe(a).nature;
    if (nature == ClosureNature::kLinear || nature == ClosureNature::kClosedForm ||
        nature == ClosureNature::kMixed)
      by_formula_.push_back(a);
  }
}

std::string Flight::Close(Eigen::VectorXd& q, Eigen::VectorXd& v, Eigen::VectorXd& gap) {
  if (!closures_) FindFormulas();
  // A formula may have no solution here (Newton then says so) and its rest of rounding is removed
  // by Newton too, which is why its status is of no interest.
  for (const int a : by_formula_) static_cast<void>(closures_->Position(a, q));
  double before = 1e300;
  // Newton on the dependent coordinates. K_z^-1 phi comes with the recursion's own sweep, in `gap`,
  // so that a closed posture costs one evaluation.
  for (int iteration = 0;; ++iteration) {
    const DynamicsStatus status = recursion_.Complete(q, v, gap);
    if (status != DynamicsStatus::kOk) return std::string(Name(status));
    double largest = 0;
    for (int i = 0; i < m_.nv; ++i)
      largest = std::max(largest, std::abs(gap[i]) / (linear_[U(i)] ? m_.length : 1));
    if (!(largest < kLongestNewtonStep)) return "the loops do not close near here";
    if (IsClosed(largest, before)) return {};
    if (iteration == kMostIterations) return "the loops do not close";
    before = largest;
    q = m_.Integrate(q, -gap, 1);
  }
}

}  // namespace kinemorph::motion
