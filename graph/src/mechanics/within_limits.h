// The branch that limits allow, of loops that are drawn outside of these.
#pragma once

#include "kinemorph/graph/mechanics/closure.h"

namespace kinemorph {

/// Whether the scalar coordinates of an aggregate with loops are within their limits at q, or up to
/// 0.02 rad (m) beyond; true without loops.
[[nodiscard]] bool IsWithinLimits(const Mechanism& mechanism, int aggregate,
                                  const Eigen::VectorXd& q);

/// The aggregate goes to a closed posture within its limits, sought from these limits and at random
/// between them, the same way each time. False, and q stays, where none is found or the aggregate is
/// large (ClosureSolver::IsLarge).
[[nodiscard]] bool GoWithinLimits(ClosureSolver& solver, int aggregate, Eigen::VectorXd& q);

}  // namespace kinemorph
