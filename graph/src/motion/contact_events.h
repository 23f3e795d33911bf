// When feet come down and lift off: signs of gauges over one step.
#pragma once

#include <optional>
#include <vector>

#include "kinemorph/graph/motion/integrator.h"
#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph::motion {

/// The first crossing of a step.
struct Crossing {
  double h = 0;  ///< from the start of the step (s)
  std::size_t foot = 0;
  Eigen::VectorXd x;  ///< settled
};

class ContactWatch {
 public:
  explicit ContactWatch(MotionSystem& system)
      : system_(system), armed_(system.options().feet.size(), false) {}

  /// A foot in flight counts only after it has risen, or while it falls.
  void Arm(const Eigen::VectorXd& x);
  /// A foot is where it cannot be without an event: under the ground, or pulled by it.
  [[nodiscard]] bool IsBelow(double t, Eigen::VectorXd x);
  void Disarm(std::size_t foot) { armed_[foot] = false; }
  /// The first zero in the last step of `stepper`, from (t, x0) by h, refined with steps of its
  /// own.
  std::optional<Crossing> Find(Stepper& stepper, double t, const Eigen::VectorXd& x0, double h);
  /// By foot: its height in flight, the normal force while it stands. Settles x.
  bool Gauges(double t, Eigen::VectorXd& x, std::vector<double>& gauges);

 private:
  [[nodiscard]] bool Below(std::size_t foot, const Eigen::VectorXd& x, double gauge) const;
  double Root(Stepper& stepper, double t, std::size_t foot, double h, double low, double high);

  MotionSystem& system_;
  std::vector<bool> armed_;
  MotionSample sample_;
};

}  // namespace kinemorph::motion
