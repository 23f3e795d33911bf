// Three hinges in a row that meet in a point.
#pragma once

#include <array>
#include <vector>

#include "link_tree.h"

namespace kinemorph::urdf_format {

/// Hinges after one another whose axes meet in one point at zero, through links of less than 1e-5
/// kg: Gepetto's loader makes one ball joint of them. None is in two.
[[nodiscard]] std::vector<std::array<JointId, 3>> HingesThatMeet(const Model& model,
                                                                 const LinkTree& tree);

}  // namespace kinemorph::urdf_format
