// Model -> MbsFile: bodies and joint chains, cuts, points, user data. Parts that still say what
// their source said are taken from it.
#pragma once

#include "kinemorph/graph/model/model.h"
#include "mbs_file.h"
#include "write/source_index.h"

namespace kinemorph::mbs {

/// `source` may be null. Errors go to `diagnostics`.
[[nodiscard]] MbsFile BuildFile(const Model& model, const Source* source, Diagnostics& diagnostics);

}  // namespace kinemorph::mbs
