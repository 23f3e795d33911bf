// What keeps links on fixed joints apart, which libsdformat's URDF reader makes one (IsLumped).
#pragma once

#include <string_view>

#include "kinemorph/graph/model/model.h"

namespace kinemorph::urdf_format {

/// Tags of a joint that keep its links apart.
inline constexpr std::string_view kPreserve = "preserveFixedJoint",
                                  kNoLumping = "disableFixedJointLumping";

/// The writer keeps the links apart: those of an SDFormat source, and those of any but a URDF with a
/// sensor on the joint, where both weigh something. Of a
/// link without mass libsdformat would make nothing.
[[nodiscard]] bool KeepsApart(const Model& model, JointId id);

}  // namespace kinemorph::urdf_format
