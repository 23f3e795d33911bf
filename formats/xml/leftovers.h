// What a reading did not consume: told with a suggestion, and kept as items of no format, so that
// no target takes it in silence.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xml_reader.h"

namespace kinemorph::xml {

/// The names that a reading asked for, element by element.
class Asked {
 public:
  struct Names {
    std::vector<std::string> attributes, children;
  };
  /// An element: the index of its file, and its place in document order.
  using Place = std::pair<std::uint32_t, std::size_t>;

  void Attribute(Place place, std::string_view name) {
    names_[place].attributes.emplace_back(name);
  }
  void Child(Place place, std::string_view name) { names_[place].children.emplace_back(name); }
  [[nodiscard]] const Names& At(Place place) const;

 private:
  std::map<Place, Names> names_;
};

/// Goes through the documents of one file after they were read.
class Leftovers {
 public:
  /// Items go to `native`. `read_again` reads the same text once more and notes what it asks for;
  /// it is called only when something is left, because noting every question would slow down every
  /// reading.
  Leftovers(std::vector<NativeData>& native, std::function<void(Asked&)> read_again)
      : native_(native), read_again_(std::move(read_again)) {}
  /// A warning (code `not-used`) and an item per element, attribute or text between elements that
  /// nobody consumed; what stands in such an element is part of its item. After a thousand the rest
  /// is one item.
  void Add(const Document& document);

 private:
  void Keep(NativeData data);
  void KeepTexts(const Node& node, const Element& element);
  void KeepElement(const Element& element, const Element& parent);
  void KeepAttribute(const Element& element, const std::string& name, const std::string& value);
  [[nodiscard]] bool Suggest(Diagnostic& warning, const Element& at, std::string_view name,
                             std::vector<std::string> Asked::Names::*names);

  std::vector<NativeData>& native_;
  std::function<void(Asked&)> read_again_;
  std::optional<Asked> asked_;
  std::size_t count_ = 0;
};

}  // namespace kinemorph::xml
