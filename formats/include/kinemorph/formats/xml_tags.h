// The tags of an XML text as they stand, for those who look at a text, or change a word of it,
// without reading the model.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace kinemorph {

/// A tag; its words are views of the text, entities and all.
struct XmlTag {
  std::string_view name;    ///< "joint"
  std::string_view inside;  ///< what stands behind the name
  std::size_t begin = 0;    ///< of its '<' in the text
  std::size_t end = 0;      ///< behind its '>'
  bool closes = false;      ///< an end tag
  bool empty = false;       ///< a start tag that needs no end tag
  /// The value of an attribute; nothing where it has none.
  [[nodiscard]] std::optional<std::string_view> Attribute(std::string_view attribute) const;
};

/// The first tag that begins at or behind `from`; comments, declarations and the like are passed
/// over. One that is cut off ends with the text.
[[nodiscard]] std::optional<XmlTag> NextTag(std::string_view text, std::size_t from = 0);

/// The first start tag called `name` at or behind `from`.
[[nodiscard]] std::optional<XmlTag> NextTag(std::string_view text, std::string_view name,
                                            std::size_t from = 0);

/// Whether it has a comment.
[[nodiscard]] bool HasComment(std::string_view text);

/// The name of the first element; empty when there is none.
[[nodiscard]] std::string_view RootElementName(std::string_view text);

/// The word behind `before` in what stands before the first element: the profile that a comment
/// names. Empty where it does not stand there.
[[nodiscard]] std::string_view WordBeforeRoot(std::string_view text, std::string_view before);

/// What stands behind the tag, up to the next, without white space around it.
[[nodiscard]] std::string_view TextBehind(std::string_view text, const XmlTag& tag);

}  // namespace kinemorph
