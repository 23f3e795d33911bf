// Motion over time: continuous phases between touch-down and lift-off of feet, any number of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph {

/// The rule for steps without a fixed length.
enum class SolverChoice {
  kAuto,      ///< Dormand-Prince, and RODAS from where stability alone makes its steps short
  kExplicit,  ///< Dormand-Prince throughout
  kImplicit,  ///< RODAS throughout
};

/// How long and how closely Simulate looks.
struct SimulationOptions {
  double time = 1;  ///< s
  double step = 0;  ///< s: fixed steps of the classical Runge-Kutta rule; 0: `solver`
  SolverChoice solver = SolverChoice::kAuto;  ///< of no meaning with `step`
  double rtol = 1e-8;      ///< of q and v, relative and absolute (rad, characteristic lengths)
  double max_step = 0.01;  ///< s
  double rows = 0.01;      ///< s between samples; 0: only at the start, the end and contacts
  double friction = -1;    ///< of the ground: what feet may need; negative: anything
  /// Asked before every step: a reason ends the run. None: nobody is asked.
  std::function<std::string()> interrupted = {};
};

/// Something that happens at a moment.
struct MotionEvent {
  double time = 0;  ///< s
  /// "touch-down", "lift-off", "friction-cone", "joint-limit",
  /// "velocity-limit", "effort-limit", "partition", "change-point"
  std::string kind;
  /// Link, joint, the coordinates that are independent now, or those that get free at a change
  /// point.
  std::string subject;
  Vector3 impulse = Vector3::Zero();  ///< of a touch-down (N s, world axes)
  double energy_before = 0,           ///< J, of a touch-down
      energy_after = 0;               ///< J, of a touch-down: no more than before
  double needed_friction = 0;  ///< |tangential| / normal: of a touch-down; of a cone's violation,
                               ///< the most while the foot stands
  double smallest = 0,  ///< of a change point: the least sigma_rank / sigma_1 of K found there
      leap = 0,         ///< s: how long the step over it was; 0: a usual one, or the end
      projection = 0;   ///< and how far its end was from the loops: q and v (m, rad, per s)
};

/// Why a simulation ended.
enum class SimulationEnd {
  kDone,          ///< at SimulationOptions::time
  kBelowGround,   ///< a foot starts below the ground
  kNoDivision,    ///< no independent coordinates at the start, or with the feet that stand
  kChangePoint,   ///< the constraints lose rank on the way
  kNoStep,        ///< no step is short enough: the loops do not close, or nothing resists a motion
  kZeno,          ///< more touch-downs and lift-offs than can be told apart
  kTooManySteps,  ///< more than the bounds below, or more than a million events
  kInterrupted,   ///< SimulationOptions::interrupted said so
};
/// In words: "done", "change point" ...
[[nodiscard]] std::string_view Name(SimulationEnd end);

/// Summary of a motion.
struct SimulationResult {
  SimulationEnd end = SimulationEnd::kDone;  ///< why it ended
  std::string why;                           ///< unless kDone: what and of whom
  double time = 0;                           ///< that it came to (s)
  long steps = 0,                            ///< tried, the refused ones too
      refused = 0,      ///< for their error, or because the loops did not close
      evaluations = 0;  ///< of x'
  /// Steps of kSpf longer than kUsualStepOverEps eps, and shorter than asked for: if they are most
  /// of the accepted ones, the closure and not the motion sets the pace.
  long stiff_steps = 0;
  /// It ended before its time, and what came before is sound.
  [[nodiscard]] bool IsCutShort() const {
    return end == SimulationEnd::kChangePoint ||
           (time > 0 && (end == SimulationEnd::kNoStep || end == SimulationEnd::kZeno ||
                         end == SimulationEnd::kTooManySteps));
  }
  std::vector<MotionEvent> events;  ///< in order of time
  double phi = 0;                   ///< largest over all steps (m, rad)
  double foot_drift = 0;    ///< largest distance of a standing foot from where it came down (m)
  double energy_start = 0,  ///< J, before an impact at the start
      energy_end = 0,       ///< J
      work = 0,             ///< J: of the controller, dampers and friction
      impact_loss = 0;      ///< J, of all impacts
  /// Largest |energy - start - work + impact losses| over the largest |energy|.
  double energy_drift = 0;
  /// Largest |tangential| / normal of a foot while it bears a tenth of the weight; below that the
  /// ratio grows beyond all bounds, for the normal force alone fades before a lift-off.
  double friction_stance = 0;
  double friction_impact = 0;  ///< the same of the impulses, whatever their size
  MotionSample last;           ///< where it ended
};

/// Of a sample; `phase` is "flight" or "stance".
using MotionObserver = std::function<void(const MotionSample& sample)>;

/// Simulate tries no more steps than this.
inline constexpr long kMostSimulationSteps = 10'000'000;

/// Nor does it evaluate the motion of a robot with `nv` velocities more often than this. Where the
/// pace of its start is far from enough, it stops at once.
[[nodiscard]] constexpr double MostSimulationEvaluations(int nv) { return 7e8 / (nv + 10); }

/// From a closed state. Samples: at the start, every `rows`, before and after every touch-down and
/// lift-off, and at exactly `time`.
[[nodiscard]] SimulationResult Simulate(MotionSystem& system, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v, const SimulationOptions& options,
                                        const MotionObserver& observer);

/// Of any rule: h/eps above this leaves the closure error to the step, and no longer to eps.
inline constexpr double kUsualStepOverEps = 0.5;
/// Of the explicit rule: h/eps above this lets phi grow (|R(-h/eps)| > 1, Runge-Kutta of order 4).
inline constexpr double kLargestStepOverEps = 2.785;

}  // namespace kinemorph
