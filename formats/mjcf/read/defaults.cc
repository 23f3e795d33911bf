#include "read/defaults.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_set>

namespace kinemorph::mjcf {
namespace {

constexpr std::size_t kMaxLayers = 200;  // an attribute is looked for in all of them
// What every copy costs beside its text is counted as text, too.
constexpr std::size_t kMaxDefaultsText = std::size_t{32} << 20, kCostOfAttribute = 32;
constexpr std::size_t kMostHints =
    1000;  // errors from which on nobody reads what a name may have meant

// Words of one field: the nearest counts, whatever it is called.
using FieldWords = std::span<const std::string_view>;
FieldWords WordsOfFieldOf(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kOrientation = {"quat", "axisangle", "xyaxes",
                                                                   "zaxis", "euler"};
  static constexpr std::array<std::string_view, 2> kLight = {"directional", "type"};
  for (const FieldWords words : {FieldWords(kOrientation), FieldWords(kLight)})
    if (std::ranges::find(words, name) != words.end()) return words;
  return {};
}

}  // namespace

// A class is an array of chains, one for each kind of element, from the specific layer to the
// general. Nested classes share the chains of their parent, so that thousands of classes cost a
// layer only where they say something. What is copied from them into elements is counted (Charge),
// because a few classes that many elements name could fill the memory.

bool DefaultLayer::Says(std::string_view name) const {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& attribute) { return attribute.first == name; });
}

const DefaultLayer* DefaultClass::LayerFor(std::string_view kind) const {
  const std::size_t at = DefaultKind(kind);
  return at < layers.size() ? layers[at] : nullptr;
}

Defaults::Defaults() {
  classes_.emplace_back();
  by_name_["main"] = &classes_.front();
}

void Defaults::Read(const SourceTree& sources) {
  for (const xml::Element section : sources.Children(sources.root())) {
    if (section.name() != "default") continue;
    section.Consume();
    const auto name = section.Attribute("class");
    if (name && !name->empty() && *name != "main") {
      section.Warn("default-class-top", {"default class", std::string(*name),
                                         "the top-level class must be called 'main'; MuJoCo 3 "
                                         "refuses this name, but kinemorph accepts it"});
      // The file means the top class by this name; it is known under both.
      by_name_.emplace(*name, &classes_.front());
    }
    // Nested classes inherit, so a class is complete before its nested ones are read. Iterative:
    // nesting is the author's.
    std::vector<std::pair<xml::Element, DefaultClass*>> pending = {{section, &classes_.front()}};
    while (!pending.empty()) {
      const auto [element, target] = pending.back();
      pending.pop_back();
      ReadClass(sources, element, *target);
      std::vector<std::pair<xml::Element, DefaultClass*>> nested;
      for (const xml::Element child : sources.Children(element)) {
        if (child.name() != "default") continue;
        child.Consume();
        const std::string class_name = child.Attribute("class", "");
        if (class_name.empty()) {
          child.Error("default-class-unnamed", "default: a nested default needs a 'class'");
          continue;
        }
        if (by_name_.count(class_name) != 0) {
          child.Error("default-class-repeated",
                      {"default class", class_name, " is defined twice (or inside itself)"});
          continue;
        }

        // The copy of the parent's chains is made after ReadClass has added to them.
        classes_.push_back(*target);
        by_name_[class_name] = &classes_.back();
        nested.emplace_back(child, &classes_.back());
      }
      pending.insert(pending.end(), nested.rbegin(), nested.rend());
    }
  }
}

void Defaults::ReadClass(const SourceTree& sources, const xml::Element& section,
                         DefaultClass& target) {
  for (const xml::Element child : sources.Children(section)) {
    if (child.name() == "default") continue;
    const std::size_t kind = DefaultKind(child.name());
    if (kind == kDefaultKinds.size()) continue;
    child.Consume();
    // Attributes are consumed where an element takes them; see ConsumeKnown for the rest. Those
    // that MJCF does not know here stay unread, and are said.
    auto known = child.Attributes();
    std::erase_if(known, [&](const auto& a) { return !IsOfDefault(child.name(), a.first); });
    for (const xml::Element part : child.Children()) part.ConsumeAll();
    const DefaultLayer* general = target.layers[kind];
    const std::size_t depth = general == nullptr ? 1 : general->depth + 1;
    if (depth > kMaxLayers) {
      child.Error("default-too-many", {"default", std::string(child.name()),
                                       "more than " + std::to_string(kMaxLayers) +
                                           " defaults of this kind add to each other"});
      return;
    }
    layers_.push_back({child, std::move(known), &target, general, depth, copied_.get()});
    target.layers[kind] = &layers_.back();
  }
}

// Which defaults elements do take hangs on which attributes they write themselves; an unused one is
// no mistake of the author.
void Defaults::ConsumeKnown() const {
  for (const DefaultLayer& layer : layers_)
    for (const auto& attribute : layer.attributes)
      static_cast<void>(layer.element.Attribute(attribute.first));
}

const DefaultClass* Defaults::ClassOf(const xml::Element& element, const char* attribute,
                                      const DefaultClass* otherwise) const {
  const auto name = element.Attribute(attribute);
  if (!name || name->empty()) return otherwise;
  const auto found = by_name_.find(*name);
  if (found != by_name_.end()) return found->second;
  std::vector<std::string> names;
  // A hint compares the name with all classes; where there are as many errors as classes, that
  // would be quadratic.
  if (element.context().diagnostics->num_errors() < kMostHints)
    for (const auto& known : by_name_) names.push_back(known.first);
  Diagnostic& error = element.Error("default-class-unknown",
                                    {"default class", std::string(*name), " is not defined"});
  error.suggestion = NearestName(*name, names);
  return otherwise;
}

Attributes::Attributes(xml::Element element, const DefaultClass* defaults, std::string_view kind)
    : element_(element) {
  if (defaults != nullptr) defaults_ = defaults->LayerFor(kind);
}

xml::Element Attributes::Supplier(std::string_view name) const {
  if (element_.Has(name)) return element_;
  const FieldWords words = WordsOfFieldOf(name);
  const auto said_otherwise = [&](const auto& says) { return std::ranges::any_of(words, says); };
  if (said_otherwise([&](std::string_view word) { return element_.Has(word); })) return {};
  for (const DefaultLayer* layer = defaults_; layer != nullptr; layer = layer->general) {
    if (layer->Says(name)) return layer->element;
    if (said_otherwise([&](std::string_view word) { return layer->Says(word); })) return {};
  }
  return {};
}

// MuJoCo overlays lists from the general to the specific, and leaves the numbers behind a shorter
// list as they were.
std::vector<double> Attributes::Overlaid(std::string_view name, std::vector<double> initial) const {
  boost::container::small_vector<xml::Element, 4> suppliers;
  if (element_.Has(name)) suppliers.push_back(element_);
  for (const DefaultLayer* layer = defaults_; layer != nullptr; layer = layer->general)
    if (layer->Says(name)) suppliers.push_back(layer->element);
  for (auto it = suppliers.rbegin(); it != suppliers.rend(); ++it) {
    const auto numbers = it->Numbers(name, 1, initial.size());
    if (numbers) std::copy(numbers->begin(), numbers->end(), initial.begin());
  }
  return initial;
}

std::vector<std::pair<std::string, std::string>> Attributes::All() const {
  std::vector<std::pair<std::string, std::string>> all;
  std::unordered_set<std::string_view> known = {"class", "childclass"};
  const auto add = [&](const xml::Element& element, const auto& attributes) {
    for (const auto& [name, value] : attributes) {
      static_cast<void>(element.Attribute(name));
      if (known.insert(name).second) all.emplace_back(name, value);
    }
    for (const auto& attribute : attributes)
      for (const std::string_view word : WordsOfFieldOf(attribute.first)) known.insert(word);
  };
  add(element_, element_.Attributes());

  // From here on the attributes come from defaults. They count towards the bound; beyond it they
  // are left out, with one error.
  std::size_t inherited = 0;
  for (const DefaultLayer* layer = defaults_;
       layer != nullptr && *layer->copied <= kMaxDefaultsText; layer = layer->general) {
    const std::size_t own = all.size();
    add(layer->element, layer->attributes);
    for (std::size_t i = own; i < all.size(); ++i)
      inherited += all[i].first.size() + all[i].second.size() + kCostOfAttribute;
  }
  static_cast<void>(Charge(inherited));
  return all;
}

bool Attributes::Charge(std::size_t inherited) const {
  if (defaults_ == nullptr || inherited == 0) return true;
  if (*defaults_->copied > kMaxDefaultsText) return false;
  *defaults_->copied += inherited;
  if (*defaults_->copied <= kMaxDefaultsText) return true;
  element_.Error("default-too-large", "default classes add more than " +
                                          std::to_string(kMaxDefaultsText >> 20) +
                                          " MiB of attributes to the elements up to here");
  return false;
}

bool Attributes::Charge(std::string_view name, std::string_view value) const {
  return Charge(name.size() + value.size() + kCostOfAttribute);
}

std::optional<std::string_view> Attributes::Copy(std::string_view name) const {
  const auto value = Text(name);
  return value && !HasOwn(name) && !Charge(name, *value) ? std::nullopt : value;
}

}  // namespace kinemorph::mjcf
