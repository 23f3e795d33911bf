// Cells of plain URDF that depend on what goes with it: side-cars, how loops are written, for whom.
#pragma once

#include <optional>

#include "kinemorph/formats/format.h"

namespace kinemorph::urdf_format {

inline constexpr std::string_view kSplitUrdf =
    "revolute and prismatic joints through massless links";

/// Nothing where the choices say nothing of the feature.
[[nodiscard]] std::optional<Capability> CellOfChoice(Feature feature, const WriteOptions& options);

}  // namespace kinemorph::urdf_format
