// Files that Git LFS keeps elsewhere.
#pragma once

#include <string_view>

namespace kinemorph {

/// Whether a file that begins so is only a pointer to one that Git LFS keeps elsewhere, which
/// nobody has fetched.
[[nodiscard]] constexpr bool IsLfsPointer(std::string_view start) {
  return start.starts_with("version https://git-lfs.github.com/spec/") ||
         start.starts_with("version https://hawser.github.com/spec/") ||  // what it was called
         start.starts_with("version http://git-media.io/v/");             // before that
}

}  // namespace kinemorph
