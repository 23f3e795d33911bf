// How a robot stands when a simulation begins.
#pragma once

#include <vector>

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// A configuration near zero that closes all loops and couplings, joints within their limits where
/// there is one.
struct StartPosture {
  Mechanism mechanism;               ///< free bases held
  Eigen::VectorXd q;                 ///< of `mechanism`
  bool closed = true;                ///< false: none was found, and q is zero
  std::vector<RigidTransform> X_WL;  ///< by link
};
/// Of the model with its default spanning tree.
[[nodiscard]] StartPosture StartPostureOf(const Model& model);

}  // namespace kinemorph
