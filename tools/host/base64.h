// Bytes as letters, as pages hold them.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph::tools {

[[nodiscard]] std::string Base64(std::string_view bytes);

/// What a page's policy calls a script that stands in it: 'sha256-...', in quotes.
[[nodiscard]] std::string PolicyHash(std::string_view script);

}  // namespace kinemorph::tools
