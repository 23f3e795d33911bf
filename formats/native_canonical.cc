#include "kinemorph/formats/native_canonical.h"

#include <algorithm>
#include <utility>

#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

// Kept content of two files is compared word by word: numbers are written in their shortest form,
// blanks are one, attributes are sorted, comments go. What else means the same (angles of a pose
// with a turn more, a default class) each format says itself by `respell`.

constexpr std::string_view kSpace = " \t\r\n";

// "+0.50" -> "0.5"; what is no number stays.
void AddWord(std::string_view word, std::string& out) {
  std::string_view digits = word;
  if (digits.size() > 1 && digits.front() == '+') digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = ParseDouble(digits.data(), digits.data() + digits.size(), value);
  const bool number = error == std::errc() && end == digits.data() + digits.size() &&
                      word.find_first_of("0123456789") != std::string_view::npos;
  if (number)
    out += FormatNumber(value + 0.0);  // no minus before zero
  else
    out += word;
}

using Respell = void (*)(NativeElement& element);

// What nobody read may be of any family.
Respell RespellOf(std::string_view family) {
  for (const Format& format : AllFormats())
    if (format.respell != nullptr && (family.empty() || family == format.name))
      return format.respell;
  return nullptr;
}

// Children first, so that respell sees a tree in canonical form.
NativeElement CanonicalBy(const NativeElement& element, Respell respell) {
  NativeElement out{
      .name = element.name, .text = CanonicalWords(element.text), .line = element.line};
  for (const auto& [name, value] : element.attributes)
    out.attributes.emplace_back(name, CanonicalWords(value));
  std::sort(out.attributes.begin(), out.attributes.end());
  for (const NativeElement& child : element.children) {
    if (child.kind == NativeElement::Kind::kComment) continue;
    if (child.IsElement()) {
      out.children.push_back(CanonicalBy(child, respell));
      continue;
    }
    // CDATA keeps its blanks; text behind an element keeps its place.
    const bool as_it_stands = child.kind == NativeElement::Kind::kCData;
    std::string text = as_it_stands ? child.text : CanonicalWords(child.text);
    if (out.children.empty())
      out.text += text;
    else
      out.children.push_back({.text = std::move(text), .kind = NativeElement::Kind::kText});
  }
  if (respell != nullptr) respell(out);
  return out;
}

}  // namespace

std::string CanonicalWords(std::string_view text) {
  std::string out;
  for (std::string_view rest = text;;) {
    const std::size_t begin = rest.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) return out;
    rest.remove_prefix(begin);
    const std::size_t end = std::min(rest.find_first_of(kSpace), rest.size());
    if (!out.empty()) out += ' ';
    AddWord(rest.substr(0, end), out);
    rest.remove_prefix(end);
  }
}

NativeElement Canonical(const NativeElement& element, std::string_view family) {
  return CanonicalBy(element, RespellOf(family));
}

// One line for messages, in no syntax that could be parsed.
std::string BriefText(const NativeElement& element) {
  if (!element.IsElement()) return element.text;
  std::string out = "<" + element.name;
  for (const auto& [name, value] : element.attributes) out += " " + name + "=" + value;
  out += ">" + element.text;
  for (const NativeElement& child : element.children) out += BriefText(child);
  return out + "</>";
}

}  // namespace kinemorph
