// The branch that limits allow, of loops that are drawn outside of these.
#pragma once

#include "kinemorph/graph/mechanics/closure.h"

namespace kinemorph {

/// How far the scalar coordinates of an aggregate are beyond their limits at q, the worst of them
/// (rad, m); 0 without loops.
[[nodiscard]] double BeyondLimits(const Mechanism& mechanism, int aggregate,
                                  const Eigen::VectorXd& q);
/// By 0.02 rad (m) at most.
[[nodiscard]] bool IsWithinLimits(const Mechanism& mechanism, int aggregate,
                                  const Eigen::VectorXd& q);

/// The aggregate goes to a posture within its limits, as closed as q but for a factor of kGain:
/// sought from these limits and at random between them, within half a turn (pi m) of q, the same way
/// each time. False, and q stays, where none is found or the aggregate is large
/// (ClosureSolver::IsLarge).
bool GoWithinLimits(ClosureSolver& solver, int aggregate, Eigen::VectorXd& q);

}  // namespace kinemorph
