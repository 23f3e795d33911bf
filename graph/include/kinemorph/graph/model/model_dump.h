// Canonical text of a model: stable order, shortest round-trip numbers. Two equal models give equal
// text.
#pragma once

#include <string>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// One fact per line, indented by owner, references by name, angles in radians. Neither files nor
/// lines of the source are in it, of NativeData only the format and the element.
[[nodiscard]] std::string DumpModel(const Model& model);

}  // namespace kinemorph
