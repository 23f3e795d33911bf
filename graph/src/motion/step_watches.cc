#include "motion/step_watches.h"

#include <cmath>

#include "base/index.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph::motion {
namespace {

// Hairer and Wanner, Solving ODEs II, IV.2.
constexpr int kStiffInARow = 15, kOthersInARow = 6;  // steps
constexpr double kManySteps = 2e4;       // that are left at this pace: an implicit rule pays
constexpr double kZenoWindow = 0.01;     // s
constexpr std::size_t kZenoEvents = 20;  // in it

}  // namespace

StepRule RuleOf(const SimulationOptions& options) {
  if (options.step > 0) return StepRule::kRungeKutta4;
  return options.solver == SolverChoice::kImplicit ? StepRule::kRodas : StepRule::kDormandPrince;
}

// One stiff estimate may be chance: fifteen in a row count, and six others in a row clear them.
// Even then the implicit rule, with its Jacobian by differences, pays only if many steps are left.
bool StiffnessWatch::IsNew(const Stepper& stepper, double h, double left) {
  if (stiff_) return false;
  const bool stiff = stepper.Stiffness() > kStiff;
  others_ = stiff ? 0 : others_ + 1;
  in_a_row_ = stiff ? in_a_row_ + 1 : others_ >= kOthersInARow ? 0 : in_a_row_;
  stiff_ = in_a_row_ >= kStiffInARow && left > kManySteps * h;
  return stiff_;
}

// Contacts in a geometric sequence come to their limit in finite time, and no number of steps
// passes it. Twenty in 10 ms are taken as such a sequence.
void ContactPace::Add(double t) {
  times_.push_back(t);
  const std::size_t n = times_.size();
  zeno_ = n > kZenoEvents && t - times_[n - 1 - kZenoEvents] <= kZenoWindow;
}

bool ContactPace::Rest(double t) {
  if (t - rested_ <= kZenoWindow) return false;
  rested_ = t, zeno_ = false;
  times_.clear();
  return true;
}

std::string ContactPace::Words() {
  return "more than " + std::to_string(kZenoEvents) + " touch-downs and lift-offs within " +
         FormatNumber(kZenoWindow) + " s (Zeno)";
}

// A limit counts when it is passed, not while the joint stays beyond it. The first sample only
// tells what is beyond from the start.
void LimitWatch::Note(const MotionSample& now, std::vector<MotionEvent>& events) {
  static constexpr std::array<const char*, 3> kKinds = {"joint-limit", "velocity-limit",
                                                        "effort-limit"};
  const bool first = beyond_[0].empty();
  for (std::vector<bool>& beyond : beyond_) beyond.resize(U(m_.nv), false);
  for (const Body& body : m_.bodies) {
    for (int i = 0; i < body.nv; ++i) {
      const std::size_t at = U(body.v + i);
      const double q = body.nq == body.nv ? now.q[body.q + i] : 0, tau = now.tau[body.v + i];
      const std::array<bool, 3> is = {(q > m_.upper[at] || q < m_.lower[at]),
                                      (std::abs(now.v[body.v + i]) > m_.velocity_limit[at]),
                                      (tau > m_.effort_upper[at] || tau < m_.effort_lower[at])};
      for (std::size_t k = 0; k < is.size(); ++k) {
        if (is[k] && !beyond_[k][at] && !first) events.push_back({now.t, kKinds[k], m_.names[at]});
        beyond_[k][at] = is[k];
      }
    }
  }
}

std::string JoinedNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace kinemorph::motion
