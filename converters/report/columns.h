// How wide a text is on a screen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace kinemorph {

/// Whether a character of UTF-8 begins with that byte.
[[nodiscard]] inline bool BeginsCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// The columns of a text: its characters.
[[nodiscard]] inline std::size_t Characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), BeginsCharacter));
}

/// Bytes of the first `most` characters.
[[nodiscard]] inline std::size_t BytesOf(std::string_view text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at)
    if (BeginsCharacter(text[at]) && ++seen > most) break;
  return at;
}

}  // namespace kinemorph
