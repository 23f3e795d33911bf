#include "kinemorph/graph/model/native_data.h"

#include <algorithm>
#include <tuple>

#include "kinemorph/graph/base/text.h"

namespace kinemorph {
namespace {

// Lines are no part of what an element says: the same plugin read from two files is one.
auto Said(const NativeElement& e) {
  return std::tie(e.kind, e.name, e.text, e.attributes, e.children);
}

}  // namespace

const std::string* FindAttribute(const AttributeList& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes)
    if (key == name) return &value;
  return nullptr;
}

void SetAttribute(AttributeList& attributes, std::string_view name, std::string value) {
  for (auto& [key, old] : attributes)
    if (key == name) {
      old = std::move(value);
      return;
    }
  attributes.emplace_back(name, std::move(value));
}

const NativeElement* NativeElement::Child(std::string_view child) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const NativeElement& c) { return c.name == child; });
  return found == children.end() ? nullptr : &*found;
}

NativeElement* NativeElement::Child(std::string_view child) {
  // The search is written once; adding const and taking it away again is safe on an object that is
  // not.
  return const_cast<NativeElement*>(std::as_const(*this).Child(child));
}

NativeElement& NativeElement::Add(std::string_view child, std::string child_text) {
  return children.emplace_back(
      NativeElement{.name = std::string(child), .text = std::move(child_text)});
}

void NativeElement::Erase(std::string_view child) {
  std::erase_if(children, [&](const NativeElement& c) { return c.name == child; });
}

std::string_view NativeElement::Text() const {
  // What stands behind a comment counts as the text, what stands behind a child element does not:
  // that element has content of its own.
  if (!text.empty()) return Trimmed(text);
  for (const NativeElement& child : children) {
    if (child.kind == Kind::kComment) continue;
    return child.IsElement() ? std::string_view() : Trimmed(child.text);
  }
  return {};
}

bool operator==(const NativeElement& a, const NativeElement& b) { return Said(a) == Said(b); }
std::strong_ordering operator<=>(const NativeElement& a, const NativeElement& b) {
  return Said(a) <=> Said(b);
}

}  // namespace kinemorph
