// Dead centres: where an aggregate of one freedom cannot go on, or its drive loses its hold.
#pragma once

#include <vector>

#include "kinemorph/graph/mechanics/explicit_closure.h"

namespace kinemorph {

/// A posture where an aggregate of one freedom ends or turns.
struct DeadCentre {
  int aggregate = 0;  ///< index into Mechanism::aggregates
  int velocity = 0;   ///< index into v of the independent coordinate that moves
  double at = 0;      ///< where (rad, m)
  int stands = -1;    ///< velocity of the dependent coordinate that stands still there; -1: the
                      ///< loops cannot be closed beyond
};

/// Of aggregates with one scalar independent coordinate, from the assembled posture as far as all
/// their joints stay within their limits, at most half a turn or one characteristic length to
/// either side; in order. What may stand still is what a drive moves, or without drives a slider.
[[nodiscard]] std::vector<DeadCentre> FindDeadCentres(const Mechanism& mechanism,
                                                      const Coordinates& coordinates);
/// How the loops of every aggregate are closed; `dead_centres` gets what FindDeadCentres finds, in
/// the same walk.
[[nodiscard]] std::vector<ClosureDescription> DescribeClosures(
    const Mechanism& mechanism, const Coordinates& coordinates,
    std::vector<DeadCentre>& dead_centres);

}  // namespace kinemorph
