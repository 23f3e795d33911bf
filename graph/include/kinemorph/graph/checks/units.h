// Units of what is said of a joint's coordinate, for reports.
#pragma once

#include <string>
#include <string_view>

#include "kinemorph/graph/checks/feature.h"

namespace kinemorph {

/// True where the coordinate is an angle (rad), false where it is a length (m). A ball or free
/// joint has one record for all: an angle.
[[nodiscard]] bool IsAngular(const JointKind& kind, std::size_t axis);

/// "N m s/rad" or "N s/m" for damping, and so on; empty for what has none. SI.
[[nodiscard]] std::string_view UnitOf(Feature feature, bool angular);

/// "0.3 N m s/rad".
[[nodiscard]] std::string WithUnit(double value, Feature feature, bool angular);

/// All that is said of a joint's coordinates, "damping 0.3 N m s/rad, upper limit 1 rad"; those of
/// several by number. Empty: nothing.
[[nodiscard]] std::string AxesText(const Joint& joint);

}  // namespace kinemorph
