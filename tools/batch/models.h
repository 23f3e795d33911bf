// Which models the descriptions of a batch hold.
#pragma once

#include <string>
#include <vector>

#include "batch/plan.h"
#include "session/session.h"

namespace kinemorph::tools {

/// The models of each of `sources`, read as `like` says: in worker processes within `limits`, so
/// that a hostile world takes nothing with it. A signal ends the process.
[[nodiscard]] std::vector<ModelsFound> FindModels(const std::vector<std::string>& sources,
                                                  const Input& like, int workers,
                                                  WorkLimits limits);

}  // namespace kinemorph::tools
