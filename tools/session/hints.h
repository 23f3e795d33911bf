// What a user of a new file needs next, in one line each.
#pragma once

#include <string>
#include <vector>

#include "session/conversion.h"

namespace kinemorph::tools {

/// For a conversion that wrote its file: at most one hint of what its reader will miss and what to
/// type, then the next command, if there is one. None where nothing was written or with --quiet;
/// for standard output the hint of meshes alone.
[[nodiscard]] std::vector<std::string> HintsFor(const ConversionResult& result,
                                                const ConversionOptions& options,
                                                const std::string& written);

/// What helps where meshes are not there and the program of the target, a family of formats, stops
/// at them, as Drake and MuJoCo do; empty: it does not, or no meshes are written.
[[nodiscard]] std::string MissingMeshHint(std::string_view family,
                                          const ConversionOptions& options);

/// Names a mesh that the target does not open and that was left out, with what to do; empty: there
/// is none.
[[nodiscard]] std::string UnopenedMeshHint(const ConversionResult& result,
                                           const ConversionOptions& options,
                                           const std::string& remedy);

}  // namespace kinemorph::tools
