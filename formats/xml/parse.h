// A text as nodes: parsed as one document, or, where it is large, the children of the root in
// parts side by side.
#pragma once

#include <tinyxml2.h>

#include <memory>
#include <string_view>
#include <vector>

#include "node.h"
#include "prescan.h"

namespace kinemorph::xml {

/// Bytes from which on a text is parsed in parts.
inline constexpr std::size_t kLargeText = 16 << 20;

/// The elements of a text in document order, and the documents of the parser that hold their words.
struct ParsedText {
  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> documents;
  NodeTable table;
  std::size_t num_nodes = 0;

  ParsedText() = default;
  ~ParsedText();
  ParsedText(const ParsedText&) = delete;
  ParsedText& operator=(const ParsedText&) = delete;
  /// @{
  /// The root, and past its last descendant.
  [[nodiscard]] Node* begin() const { return table.nodes(); }
  [[nodiscard]] Node* end() const { return begin() + num_nodes; }
  /// @}
};

/// Null where the text does not fall into so many parts, or one of them is not well-formed: then it
/// has to be parsed as a whole, which tells why.
[[nodiscard]] std::unique_ptr<ParsedText> ParseInParts(std::string_view text, const Census& census,
                                                       std::size_t parts);

/// With no nodes where it is not well-formed, has no root or more elements than were counted; the
/// one document knows why.
[[nodiscard]] std::unique_ptr<ParsedText> ParseWhole(std::string_view text, const Census& census);

/// How many parts are worth while: the processors of this machine.
[[nodiscard]] std::size_t UsefulParts();

}  // namespace kinemorph::xml
