// Which joints of several coordinates a target holds in one piece.
#pragma once

#include <vector>

#include "plan/pass.h"

namespace kinemorph {

/// What a target asks of a joint of several coordinates that it holds in one piece.
struct WholeJoints {
  bool are_bare = false;        ///< nothing is said of its coordinates
  bool are_uncoupled = false;   ///< a coupling is between joints of one coordinate each
  bool have_no_rotors = false;  ///< an armature is that of a drive, hence of one coordinate
  bool share_dynamics = false;  ///< they are said of all coordinates at once (HasEvenDynamics)
  bool universals_are_square = false;  ///< the axes of a universal joint are perpendicular
  /// The axes of a universal joint are two of +x, +y, +z of its frame.
  bool universals_have_coordinate_axes = false;
};

/// For people.
[[nodiscard]] Words InWords(const WholeJoints& asked);

/// Whether dynamics are the same for all coordinates, and no angle shares them with a length.
[[nodiscard]] bool HasEvenDynamics(const JointKind& kind, const std::vector<JointAxis>& axes);

/// Whether the target holds in one piece what is said of a joint of several coordinates. `coupled`: a
/// coupling names one of them.
[[nodiscard]] bool IsHeldInOnePiece(const JointKind& kind, const std::vector<JointAxis>& axes,
                                    bool coupled, const WholeJoints& asked);

}  // namespace kinemorph
