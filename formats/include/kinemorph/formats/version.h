// Version numbers of formats: 1.10 is newer than 1.9.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

namespace kinemorph {

/// Ordered by `major`, then `minor`.
struct Version {
  int major = 0,  ///< before the dot
      minor = 0;  ///< after it
  /// Compares numbers, not texts.
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 means the zero of <=>
  friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

/// "1.10" -> {1, 10}. Nothing when it is not two numbers with a dot (a third one, as in "1.6.0", is
/// ignored).
[[nodiscard]] inline std::optional<Version> ParseVersion(std::string_view text) {
  int parts[2] = {0, 0};
  int part = 0, digits = 0;
  for (const char c : text) {
    if (c == '.') {
      if (digits == 0) return std::nullopt;
      if (++part > 1) break;
      digits = 0;
    } else if (c >= '0' && c <= '9' && digits < 6) {
      parts[part] = parts[part] * 10 + (c - '0');
      ++digits;
    } else {
      return std::nullopt;
    }
  }
  if (part == 0 || (part == 1 && digits == 0)) return std::nullopt;
  return Version{parts[0], parts[1]};
}

}  // namespace kinemorph
