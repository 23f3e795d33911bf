// Dead centres: where an aggregate cannot go on, or its drives lose their hold.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/closures/explicit_closure.h"

namespace kinemorph {

/// A posture where an aggregate ends, or its drives lose their hold.
struct DeadCentre {
  std::vector<double> y;    ///< independent coordinates there (rad, m), in the aggregate's order
  std::vector<int> stands;  ///< velocities of the driven coordinates that no longer determine the
                            ///< motion there; of one freedom, the one that stands still. Empty:
                            ///< the loops cannot be closed beyond
  bool operator==(const DeadCentre&) const = default;  ///< exactly
};

/// What was found of one aggregate.
struct DeadCentreSearch {
  std::vector<DeadCentre> found;  ///< of one freedom in order, else the nearest of either kind
  int ways = 0;                   ///< straight lines of y that were followed
  std::string why_not;  ///< why none was; empty also where no closure depends on a posture
};

/// By aggregate: from the assembled posture along straight lines of the independent coordinates, as
/// far as all joints stay within their limits, at most half a turn or one characteristic length.
/// With one freedom these lines are all there is; with more they are both ways of every coordinate
/// and some across, and what lies between them is not seen. Drives count where there are as many as
/// freedoms, or without drives sliders.
[[nodiscard]] std::vector<DeadCentreSearch> FindDeadCentres(const Mechanism& mechanism,
                                                            const Coordinates& coordinates);
/// How the loops of every aggregate are closed; `searches` gets what FindDeadCentres finds, in the
/// same walk.
[[nodiscard]] std::vector<ClosureDescription> DescribeClosures(
    const Mechanism& mechanism, const Coordinates& coordinates,
    std::vector<DeadCentreSearch>& searches);

}  // namespace kinemorph
