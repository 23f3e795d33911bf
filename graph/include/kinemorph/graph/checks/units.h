// Units of what is said of a joint's coordinate, for reports.
#pragma once

#include <string>

#include "kinemorph/graph/model/fields.h"

namespace kinemorph {

/// True where the coordinate is an angle (rad), false where it is a length (m). A ball or free
/// joint has one record for all: an angle.
[[nodiscard]] bool IsAngular(const JointKind& kind, std::size_t axis);

/// "0.3 N m s/rad"; of units that are none the number alone.
[[nodiscard]] std::string WithUnit(double value, const Units& units, bool angular);

/// All that is said of a joint's coordinates, "damping 0.3 N m s/rad, upper limit 1 rad"; those of
/// several by number. Empty: nothing.
[[nodiscard]] std::string AxesText(const Joint& joint);

}  // namespace kinemorph
