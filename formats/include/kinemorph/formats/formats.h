// The registry of formats: a literal list.
#pragma once

#include <string_view>
#include <vector>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// urdf, urdf+, sdf, mjcf, mbs. Lives as long as the program.
[[nodiscard]] const std::vector<Format>& AllFormats();

/// "sdf" or "sdf@1.9": the format and, in `version`, what stands after the @. Null when unknown (or
/// the version cannot be written).
[[nodiscard]] const Format* FindFormat(std::string_view name, std::string& version);
/// The same where the version does not matter.
[[nodiscard]] const Format* FindFormat(std::string_view name);

/// By the root element of `text` (trusted over the name), then the extension of `file_name`. URDF
/// text with loops or couplings is "urdf+". A root that contradicts the extension gives a warning.
/// Null with an error when nothing fits.
[[nodiscard]] const Format* DetectFormat(std::string_view text, std::string_view file_name,
                                         Diagnostics& diagnostics);

/// By extension alone, for output files. Null when unknown.
[[nodiscard]] const Format* FormatForExtension(std::string_view file_name);

}  // namespace kinemorph
