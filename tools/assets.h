// Mesh and texture files, as the folder of OUT sees them.
#pragma once

#include <string>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph::tools {

/// Relative file names that `resolver` finds from `in` are made relative to the folder of `out`;
/// package:// and model:// addresses too where `plain_files` says that the target opens no others
/// (MJCF). What is not found, is absolute, or is on the net stays as written.
void RebaseAssets(Model& model, const std::string& in, const std::string& out,
                  const ResourceResolver& resolver, bool plain_files);

}  // namespace kinemorph::tools
