// What armature asks for beside armature * qdd.
#pragma once

#include <variant>
#include <vector>

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// The bodies of free joints whose armature resists displacement. It resists what M's origin does
/// in the axes of F, and v counts in those of M, which turn: the force is armature * (u' + w x u).
/// Rotations have no such term: w' is the same in both.
inline std::vector<int> BodiesWithArmatureBias(const Mechanism& m) {
  std::vector<int> bodies;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    if (!std::holds_alternative<Free>(body.kind) || body.nv == 0) continue;
    bool any = false;
    for (int i = body.v + 3; i < body.v + 6; ++i)
      any = any || m.armature[static_cast<std::size_t>(i)] != 0;
    if (any) bodies.push_back(static_cast<int>(b));
  }
  return bodies;
}

/// `sign` times armature * (w x u) of such a body is added to `tau`; both by velocity of the
/// mechanism.
template <class In, class Out>
void AddArmatureBias(const Mechanism& m, int body, const In& v, double sign, Out& tau) {
  using Number = std::decay_t<decltype(v[0])>;
  const auto first = static_cast<std::size_t>(m.bodies[static_cast<std::size_t>(body)].v);
  const auto at = [&](std::size_t i) { return v[first + i]; };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    tau[first + 3 + i] +=
        Number(sign * m.armature[first + 3 + i]) * (at(j) * at(3 + k) - at(k) * at(3 + j));
  }
}

}  // namespace kinemorph
