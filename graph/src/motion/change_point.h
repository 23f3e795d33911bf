// Change points on the way: where the loops lose rank, and the branch that the motion is on goes
// on all the same. The motion is smooth there; what is singular is its computation, which rounding
// or a long step may put on another branch. So no step ends in the point, and none goes through it:
// a rule whose nodes stand before and behind it goes over it.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "kinemorph/graph/motion/motion_system.h"
#include "motion/slope_path.h"

namespace kinemorph::motion {

/// Where the least singular value of a block comes to zero, by the last two steps.
struct ChangePoint {
  double time = 0;        ///< s
  std::size_t block = 0;  ///< of MotionSystem::RankMargins
};

/// A step over a change point.
struct Leap {
  double from = 0, to = 0;  ///< s
  Eigen::VectorXd x;        ///< settled, at `to`
  SlopePath path;           ///< in between
  ChangePoint point;        ///< where on the path the least singular value is least
  bool crosses = false;     ///< it vanishes there; else it only came near
  double error = 0,         ///< estimated: of x, in units of the tolerances
      projection = 0,       ///< how far the settling moved x: the largest of q, v (m, rad; per s)
      least = 0;            ///< the least singular value on the path
};

class ChangePointWatch {
 public:
  /// `scale`: of the errors of x (nq + nv + 1), for Leap::error.
  ChangePointWatch(MotionSystem& system, Eigen::VectorXd absolute, double relative);

  /// The motion is not smooth here: what was before does not count.
  void Forget();
  /// An accepted state, settled just now. `after_leap`: the singular values before do not lead to
  /// those here.
  void Note(double t, const Eigen::VectorXd& x, bool after_leap = false);
  /// The next change point, as the steps until now tell: within `time` (s), or near by the singular
  /// values.
  [[nodiscard]] std::optional<ChangePoint> Ahead(double time) const;
  /// The state x, settled just now at t, lies behind one: det K_z has another sign than at the state
  /// noted last, and K itself is nearer to losing rank than to keeping it.
  [[nodiscard]] std::optional<ChangePoint> Within(double t, const Eigen::VectorXd& x);
  /// The block that was nearest to one at the state noted last.
  struct Nearness {
    std::size_t block = 0;
    double least = 1;
  };
  [[nodiscard]] std::optional<Nearness> Nearest() const;
  /// From the state noted last to as far behind the point, or somewhat farther where another one
  /// stands there. `step`: to a multiple of it; 0: anywhere. None where the loops do not close
  /// behind the point, and where the error would be too large from here.
  [[nodiscard]] std::optional<Leap> Pass(const ChangePoint& point, double step);
  /// Calls of x' for leaps so far.
  [[nodiscard]] long evaluations() const { return evaluations_; }

 private:
  struct Past {
    double t;
    Eigen::VectorXd x;  // or x'
  };
  [[nodiscard]] std::vector<Past> Slopes(double reach);
  [[nodiscard]] SlopePath Best(SlopePath path, const std::vector<Past>& slopes, double to,
                               double& error) const;
  [[nodiscard]] std::optional<Leap> Over(double first, double to, double least);
  bool Rate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
    ++evaluations_;
    return system_.Rate(t, x, rate);
  }
  [[nodiscard]] double ProjectionAllowed(const Leap& leap) const;
  void Locate(Leap& leap);
  [[nodiscard]] double ErrorOf(const Eigen::VectorXd& difference, const Eigen::VectorXd& x) const;

  MotionSystem& system_;
  Eigen::VectorXd absolute_;
  double relative_;
  std::deque<Past> past_;                     // the newest last
  std::vector<RankMargin> before_, margins_;  // at the last two
  double t_before_ = 0, next_attempt_ = 0;
  long evaluations_ = 0;
};

}  // namespace kinemorph::motion
