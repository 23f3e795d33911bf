// Default classes, and elements seen through them.
//
// A class inherits from its parent class only. `class` on an element replaces the childclass of its
// body; it does not stack on it.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "read/source_tree.h"
#include "schema.h"
#include "xml_reader.h"

namespace kinemorph::mjcf {

struct DefaultClass;

/// One element of a default class, before the more general ones that it adds to. Classes share what
/// they inherit.
struct DefaultLayer {
  xml::Element element;
  /// What it says, as far as MJCF knows it in a default; the rest means nothing.
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  const DefaultClass* owner = nullptr;  ///< the class that it stands in
  const DefaultLayer* general = nullptr;
  std::size_t depth = 1;  ///< how many there are from here on
  std::size_t* copied =
      nullptr;  ///< bytes that went from defaults into elements so far, of all classes

  [[nodiscard]] bool Says(std::string_view name) const;
};

struct DefaultClass {
  std::array<const DefaultLayer*, kDefaultKinds.size()>
      layers{};  ///< by kind; inherited ones included
  /// The most specific layer for elements called `kind`, or null.
  [[nodiscard]] const DefaultLayer* LayerFor(std::string_view kind) const;
};

class Defaults {
 public:
  Defaults();
  /// Reads the top-level <default> sections. Errors: unnamed or repeated classes (hence cycles), a
  /// renamed top class, more than 200 elements of one kind one behind the other.
  void Read(const SourceTree& sources);
  /// After reading: what MJCF knows in a default, and no element asked for, is no loss.
  void ConsumeKnown() const;
  [[nodiscard]] const DefaultClass* main() const { return &classes_.front(); }
  /// The class `element` names in `attribute` ("class", "childclass"), or `otherwise`. An unknown
  /// name is an error.
  [[nodiscard]] const DefaultClass* ClassOf(const xml::Element& element, const char* attribute,
                                            const DefaultClass* otherwise) const;

 private:
  void ReadClass(const SourceTree& sources, const xml::Element& section, DefaultClass& target);
  std::deque<DefaultClass> classes_;  // addresses stay
  std::deque<DefaultLayer> layers_;
  std::unique_ptr<std::size_t> copied_ = std::make_unique<std::size_t>(0);
  std::map<std::string, DefaultClass*, std::less<>> by_name_;
};

/// An element with the attributes of its default class behind its own.
class Attributes {
 public:
  /// `kind` is the name under which defaults are looked up ("tendon" for fixed and spatial,
  /// "general" for every actuator).
  Attributes(xml::Element element, const DefaultClass* defaults, std::string_view kind);
  explicit Attributes(xml::Element element) : element_(element) {}

  [[nodiscard]] const xml::Element& element() const { return element_; }
  /// The most specific default, or null.
  [[nodiscard]] const DefaultLayer* defaults() const { return defaults_; }
  [[nodiscard]] bool Has(std::string_view name) const { return static_cast<bool>(Supplier(name)); }
  [[nodiscard]] bool HasOwn(std::string_view name) const { return element_.Has(name); }
  [[nodiscard]] std::optional<std::string_view> Text(std::string_view name) const {
    return Supplier(name).Attribute(name);
  }
  [[nodiscard]] std::string Text(std::string_view name, std::string_view fallback) const {
    return std::string(Text(name).value_or(fallback));
  }
  [[nodiscard]] std::optional<double> Number(std::string_view name) const {
    return Supplier(name).Number(name);
  }
  [[nodiscard]] double Number(std::string_view name, double fallback) const {
    return Number(name).value_or(fallback);
  }
  [[nodiscard]] std::optional<Vector3> Vector(std::string_view name) const {
    return Supplier(name).Vector(name);
  }
  [[nodiscard]] std::optional<xml::NumberList> Numbers(std::string_view name, std::size_t min,
                                                       std::size_t max) const {
    return Supplier(name).Numbers(name, min, max);
  }
  [[nodiscard]] bool Boolean(std::string_view name, bool fallback) const {
    return Supplier(name).Boolean(name).value_or(fallback);
  }
  /// `initial` overlaid by the defaults from the general to the specific and by the element: a
  /// shorter list replaces the first numbers.
  [[nodiscard]] std::vector<double> Overlaid(std::string_view name,
                                             std::vector<double> initial) const;
  /// The element that supplies an attribute: this one, the nearest default, or nothing.
  [[nodiscard]] xml::Element Supplier(std::string_view name) const;
  /// Name and value of every attribute in force (class and childclass excluded), own ones first,
  /// all consumed. An error when defaults are copied into more text than the memory is good for.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> All() const;
  /// Text that will be kept: nothing, and an error, where defaults are copied into too much.
  [[nodiscard]] std::optional<std::string_view> Copy(std::string_view name) const;
  /// Counts an attribute that comes from defaults. False, and an error, where that is too much.
  [[nodiscard]] bool Charge(std::string_view name, std::string_view value) const;

 private:
  [[nodiscard]] bool Charge(std::size_t inherited) const;
  xml::Element element_;
  const DefaultLayer* defaults_ = nullptr;
};

}  // namespace kinemorph::mjcf
