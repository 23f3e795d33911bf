// How a robot stands when a simulation begins.
#pragma once

#include <optional>
#include <vector>

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// A configuration near zero, or near the initial positions that the source says, that closes all
/// loops and couplings, joints within their limits where there is one.
struct StartPosture {
  Mechanism mechanism;               ///< free bases held
  Eigen::VectorXd q;                 ///< of `mechanism`
  bool closed = true;                ///< false: none was found, and q is zero
  std::vector<RigidTransform> X_WL;  ///< by link
};
/// The positions of a compiled model at which its source starts the joints, closed or not; within the
/// limits next to zero where it does not say, and nothing where it never says.
[[nodiscard]] std::optional<Eigen::VectorXd> AuthoredStart(const Model& model,
                                                           const Mechanism& mechanism);
/// Of the model with its default spanning tree.
[[nodiscard]] StartPosture StartPostureOf(const Model& model);

}  // namespace kinemorph
