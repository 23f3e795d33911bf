// A format's reference library, asked through kinemorph-judge.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/format.h"
#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph::tools {

/// The word of the target's reference library on what is written, the content of the file `out` to
/// be, asked through the program `judge`. The text stands in `folder` meanwhile, so that relative
/// names of meshes are found, and meshes that are written with it in a folder of their own; names that lead out of the folders `fence` are not opened. False when the
/// library refuses, or does not answer; true, and a note, where nobody can be asked.
[[nodiscard]] bool ReferenceLibraryAccepts(const std::string& judge, const Target& target,
                                           const std::string& out, const std::string& folder,
                                           std::vector<std::string> fence, Bundle written,
                                           Diagnostics& diagnostics);

}  // namespace kinemorph::tools
