// The table's row of a joint, by its kind.
#pragma once

#include "kinemorph/graph/checks/feature.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Of a tree joint.
[[nodiscard]] Feature TreeFeature(const Joint& joint);
/// Of a loop joint.
[[nodiscard]] Feature LoopFeature(const JointKind& kind);

}  // namespace kinemorph
