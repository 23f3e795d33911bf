// One pass over the raw text before it is parsed: what a lenient parser would read wrongly, slowly
// or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xml_reader.h"

namespace kinemorph::xml {

/// Levels of nesting that the parser can take.
inline constexpr int kMaxDepth = 99;
/// Attributes on one element: the parser compares each with all others.
inline constexpr int kMaxAttributes = 2000;

/// What a description may take of the memory: so many times the size of its text, and so many bytes
/// more (formats/README.md).
inline constexpr std::size_t kTimesItsSize = 50, kFreeBytes = 300'000'000;

/// Bytes that an element and what is made of it take, at most, by its name (measured).
[[nodiscard]] std::size_t Weight(std::string_view name);

/// A place between two children of the root (or after the last), and what stands before it.
struct Cut {
  std::size_t at = 0, elements = 0, attributes = 0;
};

/// How many elements and attributes there will be (at most), and where a large text can be cut: at
/// the first child of the root, and others about a megabyte apart.
struct Census {
  std::size_t elements = 0, attributes = 0;
  std::vector<Cut> cuts;
};

/// Returns the text to parse (a copy only where something had to be mended: Latin-1 transcoded, a
/// misplaced declaration blanked), with the same line numbers. False with an error in
/// `context.diagnostics` when the text is refused.
[[nodiscard]] bool Prescan(std::string_view text, const Context& context, std::string& mended,
                           std::string_view& result, Census& census);

}  // namespace kinemorph::xml
