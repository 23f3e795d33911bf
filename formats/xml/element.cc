// Typed access to one element.
#include <tinyxml2.h>

#include <cmath>
#include <cstring>

#include "consumption.h"
#include "xml_reader.h"

namespace kinemorph::xml {
namespace {

// The attribute and its position, marked as consumed.
const tinyxml2::XMLAttribute* Take(tinyxml2::XMLElement* element, const char* name) {
  unsigned index = 0;
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a; a = a->Next(), ++index) {
    if (std::strcmp(a->Name(), name) == 0) {
      Mark(*element, AttributeBit(index));
      return a;
    }
  }
  return nullptr;
}

std::optional<bool> ParseBoolean(std::string_view text) {
  std::string lower(Trimmed(text));
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (lower == "true" || lower == "1") return true;
  if (lower == "false" || lower == "0") return false;
  return std::nullopt;
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  return "'" + std::string(text.substr(0, kMost)) + (text.size() > kMost ? "...'" : "'");
}

}  // namespace

Element ElementRange::Iterator::operator*() const {
  if (name_) Mark(*element_, kVisited);
  return {element_, context_};
}

ElementRange::Iterator& ElementRange::Iterator::operator++() {
  element_ = element_->NextSiblingElement(name_);
  return *this;
}

std::string_view Element::name() const { return element_ ? element_->Name() : ""; }

SourceLocation Element::where() const {
  return element_ ? SourceLocation{context_->file, static_cast<std::uint32_t>(element_->GetLineNum())} : SourceLocation{};
}

std::string Element::path() const {
  std::string path;
  for (const tinyxml2::XMLElement* e = element_; e; e = e->Parent() ? e->Parent()->ToElement() : nullptr) {
    const char* name = e->Attribute("name");
    std::string step = e->Name();
    if (name && *name) step += "[" + std::string(name).substr(0, 80) + "]";
    path = path.empty() ? step : step + "/" + path;
  }
  return path;
}

bool Element::Has(const char* attribute) const { return element_ && element_->FindAttribute(attribute); }

std::optional<std::string_view> Element::Attribute(const char* attribute) const {
  if (!element_) return std::nullopt;
  const tinyxml2::XMLAttribute* found = Take(element_, attribute);
  return found ? std::optional<std::string_view>(found->Value()) : std::nullopt;
}

std::string Element::Attribute(const char* attribute, std::string_view fallback) const {
  return std::string(Attribute(attribute).value_or(fallback));
}

std::optional<double> Element::CheckedNumber(std::string_view text, std::string_view what) const {
  const std::optional<double> number = ParseNumber(text);
  if (number && std::isfinite(*number)) return number;
  Error("bad-number",
        std::string(what) + " of '" + path() + "' is " + Quoted(text) + (number ? ", which is not finite" : ", which is not a number"));
  return std::nullopt;
}

std::optional<std::vector<double>> Element::CheckedNumbers(std::string_view text, std::string_view what, std::size_t min,
                                                           std::size_t max) const {
  std::vector<double> numbers;
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = text.find_first_not_of(" \t\r\n\f\v", i);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\f\v", start), text.size());
    if (++count <= max) {
      const std::optional<double> number = CheckedNumber(text.substr(start, end - start), what);
      if (!number) return std::nullopt;
      numbers.push_back(*number);
    }
    i = end;
  }
  if (count >= min && count <= max) return numbers;
  Error("bad-vector", std::string(what) + " of '" + path() + "' has " + std::to_string(count) + " numbers, expected " +
                          (min == max ? std::to_string(min) : std::to_string(min) + " to " + std::to_string(max)) + ": " + Quoted(text));
  return std::nullopt;
}

std::optional<double> Element::Number(const char* attribute) const {
  const auto text = Attribute(attribute);
  return text ? CheckedNumber(*text, "attribute '" + std::string(attribute) + "'") : std::nullopt;
}

double Element::Number(const char* attribute, double fallback) const { return Number(attribute).value_or(fallback); }

std::optional<std::vector<double>> Element::Numbers(const char* attribute, std::size_t n) const { return Numbers(attribute, n, n); }

std::optional<std::vector<double>> Element::Numbers(const char* attribute, std::size_t min, std::size_t max) const {
  const auto text = Attribute(attribute);
  return text ? CheckedNumbers(*text, "attribute '" + std::string(attribute) + "'", min, max) : std::nullopt;
}

std::optional<Vector3> Element::Vector(const char* attribute) const {
  const auto numbers = Numbers(attribute, 3);
  return numbers ? std::optional<Vector3>(Vector3((*numbers)[0], (*numbers)[1], (*numbers)[2])) : std::nullopt;
}

std::optional<bool> Element::Boolean(const char* attribute) const {
  const auto text = Attribute(attribute);
  if (!text) return std::nullopt;
  const std::optional<bool> value = ParseBoolean(*text);
  if (!value)
    Error("bad-boolean", "attribute '" + std::string(attribute) + "' of '" + path() + "' is " + Quoted(*text) + ", expected true or false");
  return value;
}

std::vector<std::pair<std::string_view, std::string_view>> Element::Attributes() const {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  if (element_)
    for (const tinyxml2::XMLAttribute* a = element_->FirstAttribute(); a; a = a->Next()) all.emplace_back(a->Name(), a->Value());
  return all;
}

Element Element::Child(const char* child) const {
  tinyxml2::XMLElement* found = element_ ? element_->FirstChildElement(child) : nullptr;
  if (!found) return {};
  Mark(*found, kVisited);
  return {found, context_};
}

ElementRange Element::Children(const char* child) const {
  return {element_ ? element_->FirstChildElement(child) : nullptr, child, context_};
}
ElementRange Element::Children() const { return {element_ ? element_->FirstChildElement() : nullptr, nullptr, context_}; }
bool Element::HasChild(const char* child) const { return element_ && element_->FirstChildElement(child); }

std::string_view Element::Text() const {
  const char* text = element_ ? element_->GetText() : nullptr;
  return text ? Trimmed(text) : std::string_view();
}

std::optional<double> Element::TextNumber() const {
  const std::string_view text = Text();
  return text.empty() ? std::nullopt : CheckedNumber(text, "the text");
}

std::optional<std::vector<double>> Element::TextNumbers(std::size_t min, std::size_t max) const {
  const std::string_view text = Text();
  return text.empty() ? std::nullopt : CheckedNumbers(text, "the text", min, max);
}

std::optional<bool> Element::TextBoolean() const {
  const std::string_view text = Text();
  if (text.empty()) return std::nullopt;
  const std::optional<bool> value = ParseBoolean(text);
  if (!value) Error("bad-boolean", "the text of '" + path() + "' is " + Quoted(text) + ", expected true or false");
  return value;
}

std::optional<std::string> Element::ChildText(const char* child) const {
  const Element found = Child(child);
  return found ? std::optional<std::string>(found.Text()) : std::nullopt;
}

std::optional<double> Element::ChildNumber(const char* child) const { return Child(child).TextNumber(); }

void Element::Consume() const {
  if (element_) Mark(*element_, kVisited);
}
void Element::ConsumeAll() const {
  if (element_) Mark(*element_, kVisited | kAll);
}

NativeData Element::Native() const {
  ConsumeAll();
  tinyxml2::XMLPrinter printer;
  if (element_) element_->Accept(&printer);
  std::string xml = printer.CStr();
  while (!xml.empty() && (xml.back() == '\n' || xml.back() == ' ')) xml.pop_back();
  return {std::string(context_->format), std::string(name()), std::move(xml), where()};
}

Diagnostic& Element::Report(Severity severity, std::string code, std::string message) const {
  return context_->diagnostics->Add({severity, std::move(code), context_->file_name, where().line, path(), std::move(message), {}});
}
Diagnostic& Element::Error(std::string code, std::string message) const {
  return Report(Severity::kError, std::move(code), std::move(message));
}
Diagnostic& Element::Warn(std::string code, std::string message) const {
  return Report(Severity::kWarning, std::move(code), std::move(message));
}
Diagnostic& Element::Note(std::string code, std::string message) const {
  return Report(Severity::kNote, std::move(code), std::move(message));
}

}  // namespace kinemorph::xml
