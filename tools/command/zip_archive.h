// Zip archives in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/graph/emit/equations.h"

namespace kinemorph::tools {

/// The files in this order, stored, all of one date: equal files give equal bytes. Nothing where
/// they are too much for a zip archive (4 GB).
[[nodiscard]] std::optional<std::string> ZipArchive(const std::vector<ExportedFile>& files);

}  // namespace kinemorph::tools
