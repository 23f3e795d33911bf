// Files that stand beside a description and say what it cannot: those that are named, and those
// found there.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/formats/format.h"
#include "kinemorph/formats/resources.h"
#include "kinemorph/gateway.h"

namespace kinemorph {

/// Adds to the model of the file `in` what side-cars say: those of `options`, or one that stands
/// beside it and is the robot's, which a note tells. False, with errors, where they do not fit.
[[nodiscard]] bool AddSideCars(const std::string& in, const LoadOptions& options,
                               const ResourceResolver* resolver, Model& model,
                               Diagnostics& diagnostics);

}  // namespace kinemorph
