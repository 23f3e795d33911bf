// Links on which gravity does not act. The recursions let the world accelerate against gravity;
// such a link gets the force that takes it back: -m g at its centre of mass.
#pragma once

#include <algorithm>
#include <vector>

#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph {

[[nodiscard]] inline bool AnyWeightless(const Mechanism& m) {
  return std::any_of(m.bodies.begin(), m.bodies.end(),
                     [](const Body& body) { return body.weightless; });
}

/// Adds it to `forces` (by body, each in its own frame), which grows to hold one for each body.
inline void AddUplift(const Mechanism& m, const JointCache& joints, std::vector<Vector6>& forces) {
  forces.resize(m.bodies.size(), Vector6::Zero());
  std::vector<Vector3> up(m.bodies.size(), -m.gravity);  // in axes of each body
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    up[b] = joints.X_PB[b].R.transpose() * up[static_cast<std::size_t>(body.parent)];
    if (!body.weightless) continue;
    const Vector3 lift = body.inertia.mass * up[b];
    forces[b].head<3>() += body.inertia.p_BoBcm.cross(lift);
    forces[b].tail<3>() += lift;
  }
}

}  // namespace kinemorph
