// What is looked at from step to step: stiffness, hard limits, how fast contacts follow each other.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kinemorph/graph/motion/integrator.h"
#include "kinemorph/graph/motion/simulation.h"

namespace kinemorph::motion {

/// The rule that a run begins with.
[[nodiscard]] StepRule RuleOf(const SimulationOptions& options);

/// Friction and dampers on next to no inertia: an explicit rule would take millions of steps for
/// what has long come to rest.
class StiffnessWatch {
 public:
  /// After an accepted step of length h with `left` still to go (s): from here on an implicit rule
  /// pays. True once.
  bool IsNew(const Stepper& stepper, double h, double left);

 private:
  int in_a_row_ = 0,    // steps whose length is a matter of stability
      others_ = 0;      // since the last of them
  bool stiff_ = false;  // said
};

/// Touch-downs and lift-offs that follow each other faster and faster (Zeno).
class ContactPace {
 public:
  /// One more, at t (s).
  void Add(double t);
  [[nodiscard]] bool IsZeno() const { return zeno_; }
  /// Feet come to rest together at t, and counting begins anew; false where they just did.
  bool Rest(double t);
  /// What is too many.
  [[nodiscard]] static std::string Words();

 private:
  std::vector<double> times_;
  bool zeno_ = false;
  double rested_ = -1e300;
};

/// Limits of position, velocity and effort are not kept; where one is passed is an event. What is
/// beyond one at the start has passed nothing.
class LimitWatch {
 public:
  explicit LimitWatch(const Mechanism& m) : m_(m) {}
  void Note(const MotionSample& now, std::vector<MotionEvent>& events);

 private:
  const Mechanism& m_;
  std::array<std::vector<bool>, 3> beyond_;  // by kind, by velocity
};

/// "a, b, c".
[[nodiscard]] std::string JoinedNames(const std::vector<std::string>& names);

}  // namespace kinemorph::motion
