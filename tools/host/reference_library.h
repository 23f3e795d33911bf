// A format's reference library, asked through kinemorph-judge.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph::tools {

/// The word of the target's reference library on `text`, the content of the file `out` to be, asked
/// through the program `judge`. The text stands in `folder` meanwhile, so that relative names of
/// meshes are found; names that lead out of the folders `fence` are not opened. False when the
/// library refuses, or does not answer; true, and a note, where nobody can be asked.
[[nodiscard]] bool ReferenceLibraryAccepts(const std::string& judge, const Target& target,
                                           const std::string& out, const std::string& folder,
                                           const std::vector<std::string>& fence,
                                           const std::string& text, Diagnostics& diagnostics);

}  // namespace kinemorph::tools
