// Motion over time: continuous phases between touch-down and lift-off of feet, any number of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph {

struct SimulationOptions {
  double time = 1;         ///< s
  double step = 0;         ///< s: fixed steps of the classical Runge-Kutta rule; 0: Dormand-Prince
  double rtol = 1e-8;      ///< of q and v, relative and absolute (rad, characteristic lengths)
  double max_step = 0.01;  ///< s
  double rows = 0.01;      ///< s between samples
  double friction = -1;    ///< of the ground: what feet may need; negative: anything
};

struct MotionEvent {
  double time = 0;
  std::string kind;     ///< "touch-down", "lift-off", "friction-cone", "joint-limit", "partition"
  std::string subject;  ///< link, joint, or the coordinates that are independent now
  Vector3 impulse = Vector3::Zero();           ///< of a touch-down (N s, world axes)
  double energy_before = 0, energy_after = 0;  ///< J, of a touch-down
  double needed_friction = 0;  ///< |tangential| / normal: of a touch-down, at a cone's violation
};

enum class SimulationEnd {
  kDone,
  kBelowGround,  ///< a foot starts below the ground
  kNoDivision,   ///< no independent coordinates at the start
  kChangePoint,  ///< the constraints lose rank on the way
  kNoStep,       ///< no step is short enough: the loops do not close, or nothing resists a motion
  kZeno,         ///< more touch-downs and lift-offs than can be told apart
  kTooManySteps,
};
[[nodiscard]] std::string_view Name(SimulationEnd end);

struct SimulationResult {
  SimulationEnd end = SimulationEnd::kDone;
  std::string why;  ///< unless kDone: what and of whom
  double time = 0;  ///< that it came to
  long steps = 0, refused = 0, evaluations = 0;
  std::vector<MotionEvent> events;
  double phi = 0;         ///< largest over all steps (m, rad)
  double foot_drift = 0;  ///< largest distance of a standing foot from where it came down (m)
  double energy_start = 0, energy_end = 0, work = 0, impact_loss = 0;  ///< J
  /// Largest |energy - start - work + impact losses| over the largest |energy|.
  double energy_drift = 0;
  double friction_stance = 0, friction_impact = 0;  ///< that the feet needed
  MotionSample last;
};

/// Of a sample; `phase` is "flight" or "stance".
using MotionObserver = std::function<void(const MotionSample& sample)>;

/// From a closed state. Samples: at the start, every `rows`, before and after every touch-down and
/// lift-off, and at exactly `time`.
[[nodiscard]] SimulationResult Simulate(MotionSystem& system, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v, const SimulationOptions& options,
                                        const MotionObserver& observer);

/// Of the explicit rule: h/eps above this lets phi grow (|R(-h/eps)| > 1, Runge-Kutta of order 4).
inline constexpr double kLargestStepOverEps = 2.785;

}  // namespace kinemorph
