// Which joints of several coordinates a target holds in one piece.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "plan/pass.h"

namespace kinemorph {

/// What a target asks of a joint of several coordinates that it holds in one piece.
struct WholeJoints {
  bool are_bare = false, are_uncoupled = false, have_no_rotors = false, share_dynamics = false,
       have_one_damping_alone = false, universals_are_square = false,
       universals_have_coordinate_axes = false;
  [[nodiscard]] AskedWords InWords() const {
    return {
        {are_bare, "a joint of several coordinates has no limits, dynamics or couplings"},
        {are_uncoupled, "a coupling is between joints of one coordinate each"},
        {have_no_rotors, "an armature is that of a drive, hence of one coordinate"},
        {share_dynamics, "the coordinates of a joint share their dynamics"},
        {have_one_damping_alone,
         "universal and screw joints have one damping, no limit and no spring"},
        {universals_are_square, "the axes of a universal joint are perpendicular"},
        {universals_have_coordinate_axes, "the axes of a universal joint are two of +x, +y, +z"}};
  }
};

/// What some targets hold once for all coordinates of a joint.
inline constexpr std::array<std::optional<double> JointAxis::*, 4> kDynamics = {
    &JointAxis::damping, &JointAxis::friction, &JointAxis::armature, &JointAxis::velocity};

/// Whether dynamics are the same for all coordinates, and no angle shares them with a length.
[[nodiscard]] bool HasEvenDynamics(const JointKind& kind, const std::vector<JointAxis>& axes);

/// Whether the target holds in one piece what is said of a joint of several coordinates. `coupled`: a
/// coupling names one of them.
[[nodiscard]] bool IsHeldInOnePiece(const JointKind& kind, const std::vector<JointAxis>& axes,
                                    bool coupled, const WholeJoints& asked);

}  // namespace kinemorph
