// Where something comes from: a file (by index into Model::files), a line, an element.
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
  /// Its number among the elements of the model, from 1 (NumberElements). Whatever is moved, renamed
  /// or made of the element keeps it; 0: not numbered, or made of none.
  std::uint32_t origin = 0;
  /// The same element of the same file, whatever of the model came of it.
  friend bool operator==(const SourceLocation& a, const SourceLocation& b) {
    return a.file == b.file && a.line == b.line && a.element == b.element;
  }
};

/// The place of a part: where it has no line that of its owner, but still its own origin.
[[nodiscard]] constexpr SourceLocation PlaceOfPart(SourceLocation own, SourceLocation owner) {
  if (own.line > 0) return own;
  if (own.origin > 0) owner.origin = own.origin;
  return owner;
}

}  // namespace kinemorph
