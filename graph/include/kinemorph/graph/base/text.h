/// Text, as all formats mean it: bytes, in no locale.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph {

/// A space, a tab, or an end of line or page.
[[nodiscard]] constexpr bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A decimal digit of ASCII.
[[nodiscard]] constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// The letters A to Z as a to z; all other bytes stay.
[[nodiscard]] inline std::string LowerCase(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Without white space at its ends.
[[nodiscard]] constexpr std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

/// ".stl" of "parts/Leg.STL": from the last dot of the file's name on, in lower case; empty where
/// it has none.
[[nodiscard]] inline std::string ExtensionOf(std::string_view file) {
  const std::size_t at = file.find_last_of("./\\");
  return at == std::string_view::npos || file[at] != '.' ? "" : LowerCase(file.substr(at));
}

}  // namespace kinemorph
