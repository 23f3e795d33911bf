// A package for ROS 2 that closes the loops of a robot whose URDF is a tree.
#pragma once

#include <vector>

#include "kinemorph/graph/emit/equations.h"

namespace kinemorph {

/// The exported C, the relay in C around its closure, a node of rclcpp, and what ament needs.
[[nodiscard]] std::vector<ExportedFile> ExportRos2(const Equations& equations);

}  // namespace kinemorph
