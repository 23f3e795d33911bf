// Dead centres, one aggregate after the other.
#pragma once

#include <cstddef>
#include <vector>

#include "closures/closure_sequence.h"
#include "kinemorph/graph/closures/dead_centre.h"

namespace kinemorph {

class DeadCentreFinder {
 public:
  /// Both must outlive this object.
  DeadCentreFinder(const ClosureWorkspace& workspace, const Coordinates& coordinates);
  /// Those of an aggregate that `closure`, which starts warm, closes and that is not linear.
  [[nodiscard]] DeadCentreSearch Run(std::size_t aggregate, ClosureSequence& closure);

 private:
  const ClosureWorkspace& workspace_;
  const Coordinates& coordinates_;
  std::vector<bool> driven_;  // by velocity
  Eigen::VectorXd q_;         // an aggregate's closure sees its own coordinates only
};

}  // namespace kinemorph
