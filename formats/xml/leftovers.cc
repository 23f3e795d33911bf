#include "leftovers.h"

#include <algorithm>

#include "node.h"

// What a reader did not ask for, in document order: whole elements, single attributes, and text
// beside elements. Everything is kept and told, once each. Which names would have been understood
// is not written down anywhere: where something is left, the text is read a second time with a
// recorder of the questions (Asked), and the nearest question is suggested.

namespace kinemorph::xml {
namespace {

constexpr std::size_t kMost = 1000;

// XML's own: namespaces and the place of a schema say nothing of the robot.
bool IsEnvelope(std::string_view attribute) {
  return attribute.starts_with("xmlns") || attribute.starts_with("xsi:") ||
         attribute.starts_with("xml:");
}

bool IsFirst(const Element& element, const Element& parent) {
  return parent.Child(element.name()) == element;
}

}  // namespace

const Asked::Names& Asked::At(Place place) const {
  static const Names kNone;
  const auto found = names_.find(place);
  return found == names_.end() ? kNone : found->second;
}

void Leftovers::Add(const Document& document) {
  Node* const root = document.nodes();
  for (Node* node = root; node != root->end();) {
    const Element element(node, &document.context());
    // An element that is left over is kept with all its content: nobody asked for that either. What
    // was taken as text is skipped.
    if (node != root && !node->consumed) {
      KeepElement(element, Element(node - node->up, &document.context()));
      node = node->end();
    } else if (node->subtree_consumed) {
      node = node->end();
    } else {
      for (const NodeAttribute* a = node->attributes; a != node->attributes + node->num_attributes;
           ++a)
        if (!a->consumed && !IsEnvelope(a->name))
          KeepAttribute(element, std::string(a->name), std::string(a->value));
      if (node->mixed) KeepTexts(*node, element);
      ++node;
    }
  }
}

// No format has text beside elements: it can only have slipped in.
void Leftovers::KeepTexts(const Node& node, const Element& element) {
  const tinyxml2::XMLNode* child = node.element->FirstChild();
  // The first text before any element is the content that the reader asked for by Text().
  if (node.text_consumed && child->ToText()) child = child->NextSibling();
  for (; child; child = child->NextSibling()) {
    if (!child->ToText()) continue;
    const std::string text(Trimmed(child->Value()));
    Diagnostic& warning =
        element.Warn("not-used", "text '" + text.substr(0, 60) + (text.size() > 60 ? "..." : "") +
                                     "' in '" + element.path() + "' is not used");
    // The element's line may have been shifted by parts of the text: only the distance within it is
    // sure.
    SourceLocation where = element.where();
    where.line += static_cast<std::uint32_t>(child->GetLineNum() - node.element->GetLineNum());
    warning.line = where.line;
    ++count_;
    Keep({"", kTextBetween, {.name = kTextBetween, .text = text, .line = where.line}, where});
  }
}

void Leftovers::KeepElement(const Element& element, const Element& parent) {
  const std::string name(element.name());
  Diagnostic& warning =
      element.Warn("not-used", "element '" + name + "' in '" + parent.path() + "' is not used");
  const bool known = Suggest(warning, parent, name, &Asked::Names::children);
  // Child(name) takes the first of a name: a second one is no mistake in spelling.
  if (known && !IsFirst(element, parent))
    warning.notes.push_back("only the first '" + name + "' there is read");
  Keep(++count_ <= kMost ? element.Native() : NativeData{"", "", {}, element.where()});
}

void Leftovers::KeepAttribute(const Element& element, const std::string& name,
                              const std::string& value) {
  Diagnostic& warning =
      element.Warn("not-used", "attribute '" + name + "' of '" + element.path() + "' is not used");
  static_cast<void>(Suggest(warning, element, name, &Asked::Names::attributes));
  ++count_;
  const SourceLocation where = element.where();
  std::string element_name(element.name());
  NativeData left{"",
                  element_name,
                  {.name = element_name, .attributes = {{name, value}}, .line = where.line},
                  where};
  left.idle = name == "name";  // a label of what is read
  Keep(std::move(left));
}

void Leftovers::Keep(NativeData data) {
  // Nobody read it: it belongs to no family yet, and no writer may take it for its own.
  data.format.clear();
  if (count_ <= kMost)
    native_.push_back(std::move(data));
  else if (count_ == kMost + 1)
    native_.push_back(
        {"",
         "...",
         {.text = " more than " + std::to_string(kMost) + " elements that are not used ",
          .kind = NativeElement::Kind::kComment},
         data.where});
}

// True when the name is known there, and means nothing all the same.
bool Leftovers::Suggest(Diagnostic& warning, const Element& at, std::string_view name,
                        std::vector<std::string> Asked::Names::*names) {
  // Read again for the first leftover only: files without any pay nothing.
  if (!asked_) read_again_(asked_.emplace());
  const std::vector<std::string>& known = asked_->At(at.place()).*names;
  if (std::find(known.begin(), known.end(), name) != known.end()) return true;
  warning.suggestion = NearestName(name, known);
  return false;
}

}  // namespace kinemorph::xml
