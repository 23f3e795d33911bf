// Typed access to one element.
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/text.h"
#include "leftovers.h"
#include "node.h"
#include "xml_reader.h"

namespace kinemorph::xml {

// Element is a handle to a node; all its accessors report mistakes themselves, with the path of the
// element, and return nothing for them. Each question is noted in three ways: the attribute or
// child is marked as consumed (leftovers.h lists the rest), the name goes to `asked` where a second
// reading collects suggestions, and a number that is none is told once.

namespace {

std::optional<bool> ParseBoolean(std::string_view text) {
  const std::string lower = LowerCase(Trimmed(text));
  if (lower == "true" || lower == "1") return true;
  if (lower == "false" || lower == "0") return false;
  return std::nullopt;
}

// What a bad text is.
std::string Where(std::string_view attribute) {
  return attribute.empty() ? "the text" : "attribute '" + std::string(attribute) + "'";
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  return "'" + std::string(text.substr(0, kMost)) + (text.size() > kMost ? "...'" : "'");
}

// The finite number in front of the second dot of "-0.125.75".
// Such texts come from exporters that lost a blank. libsdformat takes the number before the second
// dot; others stop with an error.
std::optional<double> BeforeSecondDot(std::string_view text) {
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos || ParseNumber(text)) return std::nullopt;
  const std::optional<double> number = ParseNumber(text.substr(0, second));
  return number && std::isfinite(*number) && ParseNumber(text.substr(second)) ? number
                                                                              : std::nullopt;
}

// What to do about a text that is no number; empty where that is not plain.
std::string RemedyOfNumber(std::string_view text, bool two_dots) {
  if (two_dots) return "two dots: two numbers without a space between them?";
  // A decimal comma, as spreadsheets of many countries write it.
  if (std::count(text.begin(), text.end(), ',') == 1) {
    std::string dotted(text);
    dotted[dotted.find(',')] = '.';
    if (ParseNumber(dotted)) return "the decimal sign is a dot: " + dotted;
  }
  const std::size_t unit = text.find_first_not_of("+-.0123456789");
  if (unit != std::string_view::npos && unit > 0 && text[unit] != 'e' && text[unit] != ',' &&
      ParseNumber(text.substr(0, unit)))
    return "units are not read: metres, radians and kilograms are meant";
  return {};
}

// Deep files are refused before: the recursion has a bound. `lines`: of the file before the text
// that was parsed.
NativeElement TreeOf(const tinyxml2::XMLElement& element, int lines) {
  NativeElement tree;
  tree.name = element.Name();
  tree.line = static_cast<std::uint32_t>(element.GetLineNum() + lines);
  for (const auto* a = element.FirstAttribute(); a != nullptr; a = a->Next())
    tree.attributes.emplace_back(a->Name(), a->Value());
  using enum NativeElement::Kind;
  const auto add = [&](NativeElement::Kind kind, const tinyxml2::XMLNode& node) {
    tree.children.push_back({.text = node.Value(),
                             .line = static_cast<std::uint32_t>(node.GetLineNum() + lines),
                             .kind = kind});
  };
  // Text before any child is the element's own; behind one it is a child, so that mixed content
  // keeps its order.
  for (const auto* child = element.FirstChild(); child != nullptr; child = child->NextSibling()) {
    if (const tinyxml2::XMLElement* const inner = child->ToElement())
      tree.children.push_back(TreeOf(*inner, lines));
    else if (child->ToComment() != nullptr)
      add(kComment, *child);
    else if (child->ToText() != nullptr && child->ToText()->CData())
      add(kCData, *child);
    else if (child->ToText() != nullptr && tree.children.empty())
      tree.text += child->Value();
    else if (child->ToText() != nullptr)
      add(kText, *child);
  }
  return tree;
}

}  // namespace

ElementRange::ElementRange(Node* parent, std::string_view name, const Context* context)
    : name_(name), context_(context), end_(parent->end()) {
  first_ = Match(parent + 1);
}

Node* ElementRange::Match(Node* node) const {
  // Siblings by the extent of each: descendants are stepped over, not looked at.
  while (node != end_ && !name_.empty() && node->name != name_) node = node->end();
  return node;
}

Element ElementRange::Iterator::operator*() const {
  // Children by name are consumed by the loop; of a loop over all the reader says itself which it
  // takes.
  if (!range_.name_.empty()) node_->consumed = true;
  return {node_, range_.context_};
}

ElementRange::Iterator& ElementRange::Iterator::operator++() {
  node_ = range_.Match(node_->end());
  return *this;
}

std::string_view Element::name() const { return node_ ? node_->name : ""; }

SourceLocation Element::where() const {
  if (node_ == nullptr) return {};
  // A text that a reader made (a <gazebo> block, say) stands for an element of the real file.
  if (context_->made_by.line > 0) return context_->made_by;
  return {context_->file, node_->line, static_cast<std::uint32_t>(node_ - context_->nodes + 1)};
}

std::string Element::path() const {
  // Names in brackets tell siblings apart; long ones are cut.
  std::string path;
  for (const Node* node = node_; node; node = node->up > 0 ? node - node->up : nullptr) {
    const NodeAttribute* name = node->Find("name");
    std::string step(node->name);
    if (name && !name->value.empty()) step += "[" + std::string(name->value.substr(0, 80)) + "]";
    path = path.empty() ? step : step + "/" + path;
  }
  return path;
}

std::pair<std::uint32_t, std::size_t> Element::place() const {
  return {context_->file, static_cast<std::size_t>(node_ - context_->nodes)};
}

// By name, in a loop over all children: the parent is asked for this name too.
bool Element::Is(std::string_view name) const {
  if (!node_) return false;
  if (context_->asked && node_->up > 0)
    context_->asked->Child(Element(node_ - node_->up, context_).place(), name);
  return node_->name == name;
}

bool Element::IsOneOf(std::initializer_list<std::string_view> names) const {
  bool found = false;
  // All are asked, not just up to the first hit: each may be what a misspelt name means.
  for (const std::string_view name : names) found = Is(name) || found;
  return found;
}

bool Element::Has(std::string_view attribute) const {
  if (!node_) return false;
  if (context_->asked) context_->asked->Attribute(place(), attribute);
  return node_->Find(attribute);
}

std::optional<std::string_view> Element::Attribute(std::string_view attribute) const {
  if (!node_) return std::nullopt;
  if (context_->asked) context_->asked->Attribute(place(), attribute);
  NodeAttribute* const found = node_->Find(attribute);
  if (!found) return std::nullopt;
  found->consumed = true;
  return found->value;
}

std::string Element::Attribute(std::string_view attribute, std::string_view fallback) const {
  return std::string(Attribute(attribute).value_or(fallback));
}

std::optional<double> Element::CheckedNumber(std::string_view text,
                                             std::string_view attribute) const {
  const std::optional<double> number = ParseNumber(text);
  if (number && std::isfinite(*number)) return number;
  // Finite numbers only: nan and inf have a meaning in a few places, which read the text
  // themselves.
  const std::string what = Where(attribute) + " of '" + path() + "' is " + Quoted(text);
  const std::optional<double> front = BeforeSecondDot(text);
  if (front && context_->second_dot_ends_number) {
    Warn("number-cut", what + ", which is read as " + FormatNumber(*front) +
                           ", as libsdformat does; write one number");
    return front;
  }
  Diagnostic& error =
      Error("bad-number", what + (number ? ", which is not finite" : ", which is not a number"));
  const std::string remedy = RemedyOfNumber(text, front.has_value());
  if (!remedy.empty()) error.notes.push_back(remedy);
  return std::nullopt;
}

std::optional<NumberList> Element::CheckedNumbers(std::string_view text, std::string_view attribute,
                                                  std::size_t min, std::size_t max) const {
  std::optional<NumberList> numbers(std::in_place);
  std::size_t count = 0;
  const auto first = [&](std::size_t from, bool space) {
    while (from < text.size() && IsSpace(text[from]) != space) ++from;
    return from;
  };
  for (std::size_t start = first(0, false), end = 0; start < text.size();
       start = first(end, false)) {
    end = first(start, true);
    if (++count <= max) {
      const std::optional<double> number =
          CheckedNumber(text.substr(start, end - start), attribute);
      if (!number) return std::nullopt;
      numbers->push_back(*number);
    }
  }
  // Below the limit the numbers are all there, and beyond it the count says how many there were.
  if (count >= min && count <= max) return numbers;
  Error("bad-vector", Where(attribute) + " of '" + path() + "' has " + std::to_string(count) +
                          " numbers, expected " +
                          (min == max ? std::to_string(min)
                                      : std::to_string(min) + " to " + std::to_string(max)) +
                          ": " + Quoted(text));
  return std::nullopt;
}

std::optional<double> Element::Number(std::string_view attribute) const {
  const auto text = Attribute(attribute);
  return text ? CheckedNumber(*text, attribute) : std::nullopt;
}

double Element::Number(std::string_view attribute, double fallback) const {
  return Number(attribute).value_or(fallback);
}

std::optional<NumberList> Element::Numbers(std::string_view attribute, std::size_t n) const {
  return Numbers(attribute, n, n);
}

std::optional<NumberList> Element::Numbers(std::string_view attribute, std::size_t min,
                                           std::size_t max) const {
  const auto text = Attribute(attribute);
  return text ? CheckedNumbers(*text, attribute, min, max) : std::nullopt;
}

std::optional<Vector3> Element::Vector(std::string_view attribute) const {
  const auto numbers = Numbers(attribute, 3);
  return numbers ? std::optional<Vector3>(Vector3((*numbers)[0], (*numbers)[1], (*numbers)[2]))
                 : std::nullopt;
}

std::optional<bool> Element::Boolean(std::string_view attribute) const {
  const auto text = Attribute(attribute);
  if (!text) return std::nullopt;
  const std::optional<bool> value = ParseBoolean(*text);
  if (!value)
    Error("bad-boolean", Where(attribute) + " of '" + path() + "' is " + Quoted(*text) +
                             ", expected true or false");
  return value;
}

std::vector<std::pair<std::string_view, std::string_view>> Element::Attributes() const {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  if (node_)
    for (const NodeAttribute* a = node_->attributes; a != node_->attributes + node_->num_attributes;
         ++a)
      all.emplace_back(a->name, a->value);
  return all;
}

Element Element::Child(std::string_view child) const {
  for (const Element found : Children(child)) return found;
  return {};
}

ElementRange Element::Children(std::string_view child) const {
  if (!node_) return {};
  if (context_->asked && !child.empty()) context_->asked->Child(place(), child);
  return {node_, child, context_};
}
ElementRange Element::Children() const { return Children({}); }

bool Element::HasChild(std::string_view child) const {
  for (const Element other : Children())
    if (other.Is(child)) return true;
  return false;
}

std::string_view Element::Text() const {
  if (!node_) return {};
  node_->text_consumed = true;
  const char* const text = node_->element->GetText();
  return text ? Trimmed(text) : std::string_view();
}

std::optional<double> Element::TextNumber() const {
  const std::string_view text = Text();
  return text.empty() ? std::nullopt : CheckedNumber(text, {});
}

std::optional<NumberList> Element::TextNumbers(std::size_t min, std::size_t max) const {
  const std::string_view text = Text();
  return text.empty() ? std::nullopt : CheckedNumbers(text, {}, min, max);
}

std::optional<bool> Element::TextBoolean() const {
  const std::string_view text = Text();
  if (text.empty()) return std::nullopt;
  const std::optional<bool> value = ParseBoolean(text);
  if (!value)
    Error("bad-boolean",
          "the text of '" + path() + "' is " + Quoted(text) + ", expected true or false");
  return value;
}

std::optional<std::string> Element::ChildText(std::string_view child) const {
  const Element found = Child(child);
  return found ? std::optional<std::string>(found.Text()) : std::nullopt;
}

std::optional<double> Element::ChildNumber(std::string_view child) const {
  return Child(child).TextNumber();
}

void Element::Consume() const {
  if (node_) node_->consumed = true;
}
void Element::ConsumeAll() const {
  if (node_) node_->consumed = node_->subtree_consumed = true;
}

NativeData Element::Native() const {
  ConsumeAll();
  return {std::string(context_->format), std::string(name()), Tree(), where()};
}

NativeElement Element::Tree() const {
  if (node_ == nullptr) return {};
  // The line of a part's parser is shifted by the lines before that part.
  if (node_->up > 0)
    return TreeOf(*node_->element, static_cast<int>(node_->line) - node_->element->GetLineNum());
  // The root may lie in several documents: it is put together from its children.
  NativeElement root{.name = std::string(node_->name), .line = node_->line};
  for (const auto& [name, value] : Attributes()) root.attributes.emplace_back(name, value);
  for (const Element child : Children()) root.children.push_back(child.Tree());
  return root;
}

Diagnostic& Element::Report(Severity severity, std::string code, Statement statement) const {
  return context_->diagnostics->Add(MakeDiagnostic(severity, std::move(code), context_->file_name,
                                                   where().line, path(), std::move(statement)));
}
Diagnostic& Element::Error(std::string code, Statement statement) const {
  return Report(Severity::kError, std::move(code), std::move(statement));
}
Diagnostic& Element::Warn(std::string code, Statement statement) const {
  return Report(Severity::kWarning, std::move(code), std::move(statement));
}
Diagnostic& Element::Note(std::string code, Statement statement) const {
  return Report(Severity::kNote, std::move(code), std::move(statement));
}
void Element::WarnOfDegrees(const Vector3& angles) const {
  // A full turn and a little more: 6.2832 is still meant in radians.
  constexpr double kTurn = 2 * std::numbers::pi + 1e-3;
  for (const double angle : angles) {
    if (!(std::abs(angle) > kTurn)) continue;
    const auto text = [](double value) { return FormatNumber(NearDecimal(value, 4)); };
    Warn("lint-rpy-degrees",
         {"", path(), "an angle of " + text(angle) + " rad is more than a turn: degrees?"})
        .notes.push_back("angles are in radians: " + text(angle) + " degrees are " +
                         text(angle * std::numbers::pi / 180));
    return;
  }
}

}  // namespace kinemorph::xml
