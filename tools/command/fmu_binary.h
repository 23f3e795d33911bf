// Libraries of an FMU, made by the compilers of this machine.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/export.h"

namespace kinemorph::tools {

/// Adds `binaries/...` to the files of an FMU. `platforms`: "linux64", "win64", "auto" (both, each
/// where its compiler is installed; also where nothing is said), "none". What "auto" cannot make is
/// said and left out; what is named and cannot be made is an error, told of `file`.
void AddBinaries(ExportedEquations& fmu, FmiVersion version,
                 const std::vector<std::string>& platforms, const std::string& file,
                 Diagnostics& diagnostics);

}  // namespace kinemorph::tools
