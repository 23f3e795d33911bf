// An assembled posture with some coordinates given.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph {

/// A coordinate or rate that shall have a value.
struct GivenCoordinate {
  int body = 0;       ///< index into Mechanism::bodies
  int index = 0;      ///< of the joint's coordinates (positions), or of its velocities
  double value = 0;   ///< rad, m (a number of the quaternion); of a rate rad/s, m/s
  std::string name;   ///< for people
  double offset = 0;  ///< of what people see: value + offset
};

/// What FindPosture found, or FindVelocity (kinemorph/graph/motion/start_velocity.h).
struct Posture {
  bool ok = false;    ///< found, with what was given
  std::string why;    ///< unless ok: how far it came and what stood against it
  Eigen::VectorXd q;  ///< nq; from FindVelocity the velocity v (nv)
  /// Of FindPosture: what no posture closes, |phi| (rad, characteristic lengths): loops that ask for
  /// more than their frames have digits.
  double remainder = 0;
};

/// What says which branch a way begins on.
enum class StartBranch {
  kOfLimits,  ///< that of the start; where its loops are outside of their limits, and would be at the
              ///< end, one within these: a mechanism drawn flat may belong to several
  kKept       ///< that of the start
};

/// From the assembled posture of `coordinates`, the given coordinates go to their values step by
/// step with the loops closed, so that the branch stays; from a change point on, the one of constant
/// ratios, where there is one (a parallelogram drawn flat stays a parallelogram). Where more are
/// given than the loops leave free, the first that determine the rest are held, and the others
/// choose the branch: they may be off by kNearby. Where the loops do not close
/// (Coordinates::assembles), they are closed from the given coordinates on. A value beyond
/// kFarthestValue, or in a loop further than kLongestWay from where it is, is not gone for.
/// `interrupted`: asked before every step, a reason ends the way; may be empty.
[[nodiscard]] Posture FindPosture(const Mechanism& mechanism, const Coordinates& coordinates,
                                  const std::vector<GivenCoordinate>& given,
                                  const std::function<std::string()>& interrupted = {},
                                  StartBranch branch = StartBranch::kOfLimits);
inline constexpr double kNearby = 0.02;  ///< rad, characteristic lengths
inline constexpr double kFarthestValue =
    1e8;  ///< the same: beyond, half of a double's digits are gone
inline constexpr double kLongestWay = 1e4;  ///< the same: a hundred thousand steps

}  // namespace kinemorph
