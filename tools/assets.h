// Mesh and texture files, as the folder of OUT sees them.
#pragma once

#include <map>
#include <string>

#include "kinemorph/graph/model.h"

namespace kinemorph::tools {

/// Relative file names that are found from `in` are made relative to the folder of `out`; package:// and model:// addresses too where
/// `plain_files` says that the target opens no others (MJCF). What is not found, is absolute, or is on the net stays as written.
void RebaseAssets(Model& model, const std::string& in, const std::string& out, const std::map<std::string, std::string>& packages,
                  bool plain_files);

}  // namespace kinemorph::tools
