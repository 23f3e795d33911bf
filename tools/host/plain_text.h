// What other programs say, without what they say to terminals.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph::tools {

/// The text without escape sequences (colours, cursor moves) and without other control characters
/// than tabs and ends of lines.
[[nodiscard]] inline std::string PlainText(std::string_view text) {
  std::string plain;
  const auto between = [&](std::size_t at, char first, char last) {
    return at < text.size() && text[at] >= first && text[at] <= last;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '\033') {
      const bool control = (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\177';
      if (!control) plain += c;
      continue;
    }
    // ESC [ parameters letter; ESC ] words, ended by a bell or by ESC \; ESC and one character.
    if (between(i + 1, '[', '[')) {
      ++i;
      while (between(i + 1, ' ', '?')) ++i;
      ++i;
    } else if (between(i + 1, ']', ']')) {
      while (i + 1 < text.size() && text[i + 1] != '\a' && text[i + 1] != '\033') ++i;
      i += between(i + 1, '\033', '\033') ? 2 : 1;
    } else {
      ++i;
    }
  }
  return plain;
}

}  // namespace kinemorph::tools
