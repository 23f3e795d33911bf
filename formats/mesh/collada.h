// The size of a Collada file.
#pragma once

#include <optional>
#include <string_view>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph {

/// The box around all geometries as the nodes of the scene place and scale them, in metres. Nothing
/// where a node says more than that (skins, cameras to look at), or where there is no geometry.
[[nodiscard]] std::optional<Eigen::AlignedBox3d> BoundsOfCollada(std::string_view text);

}  // namespace kinemorph
