#include "defaults.h"

#include <algorithm>
#include <array>

namespace kinemorph::mjcf {
namespace {

// The kinds of actuator share one set of defaults.
bool IsActuator(std::string_view kind) {
  constexpr std::array<std::string_view, 13> kActuators = {"general",     "motor",   "position", "velocity", "intvelocity",
                                                           "orientation", "pid",     "damper",   "cylinder", "muscle",
                                                           "adhesion",    "dcmotor", "plugin"};
  return std::find(kActuators.begin(), kActuators.end(), kind) != kActuators.end();
}

std::string_view DefaultKind(std::string_view kind) {
  if (IsActuator(kind)) return "general";
  if (kind == "fixed" || kind == "spatial") return "tendon";
  return kind;
}

}  // namespace

Defaults::Defaults() {
  classes_.push_back({.name = "main", .parent = nullptr, .elements = {}});
  by_name_["main"] = &classes_.front();
}

void Defaults::Read(const SourceTree& sources) {
  for (const xml::Element section : sources.Children(sources.root())) {
    if (section.name() != "default") continue;
    section.Consume();
    const auto name = section.Attribute("class");
    if (name && !name->empty() && *name != "main") {
      section.Warn("default-class-top", "default class '" + std::string(*name) +
                                            "': the top-level class is called 'main'; MuJoCo 3 refuses another name, which is taken here");
      by_name_.emplace(*name, &classes_.front());
    }
    // Nested classes inherit, so a class is complete before its nested ones are read. Iterative: nesting is the author's.
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
          child.Error("default-class-repeated", "default class '" + class_name + "' is defined twice (or inside itself)");
          continue;
        }
        classes_.push_back({.name = class_name, .parent = target, .elements = target->elements});
        by_name_[class_name] = &classes_.back();
        nested.emplace_back(child, &classes_.back());
      }
      pending.insert(pending.end(), nested.rbegin(), nested.rend());
    }
  }
}

void Defaults::ReadClass(const SourceTree& sources, const xml::Element& section, DefaultClass& target) {
  for (const xml::Element child : sources.Children(section)) {
    if (child.name() == "default") continue;
    // A class nobody uses is no loss.
    child.ConsumeAll();
    target.elements[std::string(DefaultKind(child.name()))].push_back(child);
  }
}

const DefaultClass* Defaults::ClassOf(const xml::Element& element, const char* attribute, const DefaultClass* otherwise) const {
  const auto name = element.Attribute(attribute);
  if (!name || name->empty()) return otherwise;
  const auto found = by_name_.find(*name);
  if (found != by_name_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& known : by_name_) names.push_back(known.first);
  Diagnostic& error = element.Error("default-class-unknown", "default class '" + std::string(*name) + "' is not defined");
  if (const std::string nearest = NearestName(*name, names); !nearest.empty()) error.notes.push_back("did you mean '" + nearest + "'?");
  return otherwise;
}

Attributes::Attributes(xml::Element element, const DefaultClass* defaults, std::string_view kind) : element_(element) {
  if (defaults == nullptr) return;
  const auto found = defaults->elements.find(DefaultKind(kind));
  if (found != defaults->elements.end()) defaults_ = &found->second;
}

xml::Element Attributes::Supplier(std::string_view name) const {
  if (element_.Has(name)) return element_;
  if (defaults_ != nullptr) {
    for (auto it = defaults_->rbegin(); it != defaults_->rend(); ++it)
      if (it->Has(name)) return *it;
  }
  return {};
}

std::vector<double> Attributes::Overlaid(std::string_view name, std::vector<double> initial) const {
  const auto lay = [&](const xml::Element& element) {
    if (!element.Has(name)) return;
    const auto numbers = element.Numbers(name, 1, initial.size());
    if (numbers) std::copy(numbers->begin(), numbers->end(), initial.begin());
  };
  if (defaults_ != nullptr)
    for (const xml::Element& element : *defaults_) lay(element);
  lay(element_);
  return initial;
}

std::vector<std::pair<std::string, std::string>> Attributes::All() const {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&all](const xml::Element& element) {
    for (const auto& [name, value] : element.Attributes()) {
      const std::string key(name);
      static_cast<void>(element.Attribute(name));
      if (key == "class" || key == "childclass") continue;
      if (std::none_of(all.begin(), all.end(), [&key](const auto& known) { return known.first == key; })) all.emplace_back(key, value);
    }
  };
  add(element_);
  if (defaults_ != nullptr)
    for (auto it = defaults_->rbegin(); it != defaults_->rend(); ++it) add(*it);
  return all;
}

}  // namespace kinemorph::mjcf
