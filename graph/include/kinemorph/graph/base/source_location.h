// Where something was written: a file (by index into Model::files), a line, an element.
#pragma once

#include <cstdint>

namespace kinemorph {

/// A place in the source text. `line` is 1-based; 0 means "not from a file" (made by a pass).
struct SourceLocation {
  std::uint32_t file = 0;  ///< index into Model::files
  std::uint32_t line = 0;  ///< from 1; 0: made by a pass
  /// Its number in the file, from 1, in the order of the text; 0: not an element. A line may hold
  /// many.
  std::uint32_t element = 0;
  /// The same element of the same file.
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

}  // namespace kinemorph
