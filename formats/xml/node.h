// The elements of a parsed document as one array in document order, with views of their names and
// attributes.
#pragma once

#include <tinyxml2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace kinemorph::xml {

struct NodeAttribute {
  std::string_view name, value;
  bool consumed = false;
};

/// One of 64 bits by length and first letter.
inline std::uint64_t NameBit(std::string_view name) {
  return std::uint64_t{1} << ((static_cast<unsigned char>(name.front()) + 5 * name.size()) % 64);
}

/// An element: its descendants are the `extent - 1` nodes after it.
struct Node {
  tinyxml2::XMLElement* element = nullptr;
  std::string_view name;
  NodeAttribute* attributes = nullptr;
  std::uint32_t num_attributes = 0;
  std::uint32_t line = 0;   ///< in the text, from 1
  std::uint64_t names = 0;  ///< the bits of the attributes' names
  std::uint32_t extent = 1;
  std::uint32_t up = 0;           ///< nodes back to the parent; 0 for the root
  bool mixed = false;             ///< has text beside child elements
  bool text_consumed = false;     ///< what of it stands before them
  bool consumed = false;          ///< the tag
  bool subtree_consumed = false;  ///< all of it

  [[nodiscard]] Node* end() { return this + extent; }
  /// The attribute of that name (not empty), or null. Most names that are asked for are not there.
  [[nodiscard]] NodeAttribute* Find(std::string_view attribute) const {
    if ((names & NameBit(attribute)) == 0) return nullptr;
    for (NodeAttribute* a = attributes; a != attributes + num_attributes; ++a)
      if (a->name == attribute) return a;
    return nullptr;
  }
};

/// Room for nodes and attributes, to be constructed in place: whoever fills a page first, maps it.
class NodeTable {
 public:
  NodeTable() = default;
  NodeTable(std::size_t nodes, std::size_t attributes)
      : nodes_(std::make_unique_for_overwrite<std::byte[]>(nodes * sizeof(Node))),
        attributes_(
            std::make_unique_for_overwrite<std::byte[]>(attributes * sizeof(NodeAttribute))) {}
  [[nodiscard]] Node* nodes() const { return reinterpret_cast<Node*>(nodes_.get()); }
  [[nodiscard]] NodeAttribute* attributes() const {
    return reinterpret_cast<NodeAttribute*>(attributes_.get());
  }

 private:
  std::unique_ptr<std::byte[]> nodes_, attributes_;
};

}  // namespace kinemorph::xml
