// Canonical text of a model: stable order, shortest round-trip numbers. Two equal models give equal
// text.
#pragma once

#include <string>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

[[nodiscard]] std::string DumpModel(const Model& model);

}  // namespace kinemorph
