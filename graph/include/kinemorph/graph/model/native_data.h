// Content of one format that we do not interpret, kept as a tree so that it survives when source
// and target format agree.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinemorph/graph/base/source_location.h"

namespace kinemorph {

/// Names and values, in the order of the file.
using AttributeList = std::vector<std::pair<std::string, std::string>>;
/// The value of the attribute of that name, or null.
[[nodiscard]] const std::string* FindAttribute(const AttributeList& attributes,
                                               std::string_view name);
/// Replaces the value where there is one, else adds it.
void SetAttribute(AttributeList& attributes, std::string_view name, std::string value);

/// One element with all that is in it, e.g. `<plugin name="p"> <rate>5</rate> </plugin>`.
/// Entities are resolved.
struct NativeElement {
  /// Among the children of an element, other nodes keep their order.
  enum class Kind : std::uint8_t {
    kElement,  ///< with a name
    kText,     ///< behind another child
    kCData,    ///< printed as such again
    kComment,  ///< without its marks
  };

  std::string name = {};  ///< of an element, else empty
  /// What stands before the first child; of other nodes, all they say. White space as written.
  std::string text = {};
  AttributeList attributes = {};             ///< of an element
  std::vector<NativeElement> children = {};  ///< and other nodes, in the order of the file
  std::uint32_t line = 0;                    ///< in its file, from 1; 0: made by us
  Kind kind = Kind::kElement;                ///< what the node is

  /// Nothing was kept.
  [[nodiscard]] bool empty() const { return name.empty() && text.empty(); }
  /// No text and no comment.
  [[nodiscard]] bool IsElement() const { return kind == Kind::kElement; }
  /// The value of an attribute, or null.
  [[nodiscard]] const std::string* Attribute(std::string_view attribute) const {
    return FindAttribute(attributes, attribute);
  }
  /// @{
  /// The first child element of that name, or null.
  [[nodiscard]] const NativeElement* Child(std::string_view child) const;
  [[nodiscard]] NativeElement* Child(std::string_view child);
  /// @}
  /// Adds `<child>text</child>` at the end.
  NativeElement& Add(std::string_view child, std::string child_text = {});
  /// Removes the child elements of that name.
  void Erase(std::string_view child);
  /// Its first text, comments passed over, without white space around it.
  [[nodiscard]] std::string_view Text() const;

  /// @{
  /// By what they say: lines do not count.
  friend bool operator==(const NativeElement& a, const NativeElement& b);
  friend std::strong_ordering operator<=>(const NativeElement& a, const NativeElement& b);
  /// @}
};

/// Calls visit(element) for the element and all elements in it, in document order.
template <class Node, class Visit>
void ForEachIn(Node& element, const Visit& visit) {
  if (!element.IsElement()) return;
  visit(element);
  for (auto& child : element.children) ForEachIn(child, visit);
}

/// One element that is kept.
struct NativeData {
  /// The family whose writers put it back: "urdf", "sdf", "mjcf" or "mbs"; empty: of none of
  /// them, so that every target loses it.
  std::string format;
  /// What it is, e.g. "plugin" or "tendon/fixed"; what a loss report names.
  std::string element;
  NativeElement content;  ///< the whole element
  SourceLocation where;   ///< of the element
  /// It has no effect where it stands (a limit of a fixed joint, a tag that nothing reads): without
  /// it nothing moves or looks otherwise.
  bool idle = false;
};

/// NativeData::element of text that stands between elements, where no format has any.
inline constexpr const char* kTextBetween = "text";

/// NativeData::element of what says that an inertial is computed from the shapes of its link
/// (SDFormat `auto`, with its densities), on the inertial and on the collisions. The model holds
/// the result too.
inline constexpr const char* kComputedInertia = "inertia from shapes";

}  // namespace kinemorph
