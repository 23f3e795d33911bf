// Links that can turn about one direction only, as all do in a planar mechanism.
#pragma once

#include <optional>
#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// By link: the direction (unit, in axes of the link) about which alone it can turn against the
/// world; zero: it cannot turn; nothing: about several, or joints do not show it. A chain of joints
/// from the world shows it, whose turns all have one direction; loop joints count as others do.
/// Links on which no joint of the tree ends stand on the world, unless joints lead there. Linear in links and joints.
[[nodiscard]] std::vector<std::optional<Vector3>> TurnAxes(const Model& model);

}  // namespace kinemorph
