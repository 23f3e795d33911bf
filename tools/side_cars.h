// Files that stand beside a description and say what it cannot: --with, and those found there.
#pragma once

#include "session.h"

namespace kinemorph::tools {

/// Adds to the model of `input` what its side-cars say. False, with errors, where they do not fit.
/// One that nobody asked for is read where it is the robot's, which a note tells.
[[nodiscard]] bool AddSideCars(const Input& input, const ResourceResolver& resolver, Model& model,
                               Diagnostics& diagnostics);

/// The same for what was just written, and stands nowhere yet.
[[nodiscard]] bool AddWrittenSideCars(Model& model, const std::vector<SideFile>& files,
                                      Diagnostics& diagnostics);

}  // namespace kinemorph::tools
