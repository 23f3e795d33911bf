// Text in quotes, with escapes, on one line.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph {

/// `"` and `\` are escaped, control characters written as \n, \t, \r or \xNN, the rest is
/// Printable.
[[nodiscard]] std::string Quoted(std::string_view text);

}  // namespace kinemorph
