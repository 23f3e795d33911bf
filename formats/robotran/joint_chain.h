// Chains of MBS joints: a sequence of motions along and about arbitrary axes as T1..T3, R1..R3
// joints with driven joints between.
#pragma once

#include <vector>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph::mbs {

/// One scalar motion: a rotation about, or a translation along, a unit axis of the frame it starts
/// in.
struct AxisMotion {
  bool rotation = true;
  Vector3 axis = Vector3::UnitZ();
};

/// One joint of a chain, in the current frame.
struct ChainJoint {
  bool rotation = true;
  int k = 0;         ///< 0, 1, 2 for x, y, z
  int motion = -1;   ///< which AxisMotion it carries; -1: driven, held at `value`
  double value = 0;  ///< rad or m
};

/// The shortest chain that equals constants[0] motions[0] constants[1] ... motions[n-1]
/// constants[n] for every value of the motions, where the translation of constants[0] is left out
/// (an anchor point carries it). With one motion no chain has fewer joints; with several in general
/// position the search stops after a thousand tries with the shortest found.
///
/// Why the search is complete for one motion: a chain is P Mk(q) W with P e_k = the axis. A factor
/// Rk at the end of P commutes with the motion, so it can be moved to W without making the chain
/// longer; what is left of P is one of the finitely many products RotationsThatTurn(k, axis) lists
/// (three factors are never needed where two turn e_k anywhere).
[[nodiscard]] std::vector<ChainJoint> ShortestChain(const std::vector<AxisMotion>& motions,
                                                    const std::vector<RigidTransform>& constants);

}  // namespace kinemorph::mbs
