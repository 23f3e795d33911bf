// SHA-256 (FIPS 180-4), to tell whether a file is what it was.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph::tools {

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string Sha256(std::string_view bytes);

/// Of a regular file; empty when the file cannot be read whole.
[[nodiscard]] std::string Sha256OfFile(const std::string& path);

}  // namespace kinemorph::tools
