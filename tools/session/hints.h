// What a user of a new file needs next, in one line each.
#pragma once

#include <string>
#include <vector>

#include "session/conversion.h"

namespace kinemorph::tools {

/// For a conversion that wrote its file: at most one hint of what its reader will miss and what to
/// type, then the next command. None where nothing was written, with --quiet, or for standard
/// output.
[[nodiscard]] std::vector<std::string> HintsFor(const ConversionResult& result,
                                                const ConversionOptions& options,
                                                const std::string& written);

}  // namespace kinemorph::tools
