// The machine as a xacro file sees it.
#pragma once

#include "kinemorph/formats/xacro.h"

namespace kinemorph {

/// Lets `$(env)`, includes with wildcards and `$(cwd)` see the environment, the folders and the
/// working folder of this process; a working folder that is gone is empty.
void AddSurroundings(XacroOptions& options);

}  // namespace kinemorph
