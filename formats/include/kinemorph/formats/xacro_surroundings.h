// The machine as a xacro file sees it.
#pragma once

#include "kinemorph/formats/xacro.h"

namespace kinemorph {

class FileResolver;

/// Lets `$(env)`, includes with wildcards and `$(cwd)` see the environment, the folders within the
/// fence of `files`, which stays, and the working folder of this process; a working folder that is
/// gone is empty.
void AddSurroundings(XacroOptions& options, const FileResolver& files);

}  // namespace kinemorph
