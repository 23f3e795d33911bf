// Which links libsdformat's URDF reader makes one: those that a fixed joint holds, by the name of
// the upper one.
#pragma once

#include <string_view>

#include "kinemorph/graph/model/model.h"

namespace kinemorph::urdf_format {

/// Tags of a joint that keep its links apart.
inline constexpr std::string_view kPreserve = "preserveFixedJoint",
                                  kNoLumping = "disableFixedJointLumping";

/// Mass below which libsdformat 12 takes a link for massless, twice over: it compares to 1e-6 kg.
inline constexpr double kLeastMass = 2e-6;

/// The writer keeps the links apart: those of an SDFormat source, where both weigh something. Of a
/// link without mass libsdformat would make nothing.
[[nodiscard]] bool KeepsApart(const Model& model, JointId id);

/// Of the written file libsdformat makes the joint's links one.
[[nodiscard]] bool IsMerged(const Model& model, JointId id);

}  // namespace kinemorph::urdf_format
