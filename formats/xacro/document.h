// XML as a tree that macros can be expanded in, with the place of everything.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/xacro.h"
#include "value.h"

namespace kinemorph::xacro {

struct Attribute {
  std::string name, value;
  std::uint32_t line = 0;
};

struct Node {
  enum class Kind { kElement, kText, kData, kComment, kInstruction };
  Kind kind = Kind::kElement;
  std::string text;  ///< an element's name; else what stands there
  std::vector<Attribute> attributes;
  std::vector<Node> children;
  XacroPlace place;
  std::uint32_t last_line = 0;

  [[nodiscard]] const Attribute* Find(std::string_view name) const {
    for (const Attribute& attribute : attributes)
      if (attribute.name == name) return &attribute;
    return nullptr;
  }
  void Set(const std::string& name, std::string value);
};

/// A parsed file: comments and instructions around the root, and the root.
struct Document {
  std::vector<Node> before, after;
  Node root;
};

inline constexpr std::size_t kMostBytes = 16 << 20;  ///< of one file

/// Null with an error where the text is no XML, or an error of the machine where it is too large.
[[nodiscard]] std::unique_ptr<Document> ParseDocument(std::string_view text,
                                                      const std::string& file_name,
                                                      std::uint32_t file, Machine& machine,
                                                      Diagnostics& diagnostics);

/// The text of a document, and the place of each of its lines; false with an error of the machine
/// where that is too large, and `place` of the element.
[[nodiscard]] bool PrintDocument(const Document& document, Machine& machine, std::string& text,
                                 std::vector<XacroPlace>& lines, XacroPlace& place);

}  // namespace kinemorph::xacro
