#include "kinemorph/formats/native_canonical.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

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

std::string Words(std::string_view text) {
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

// An angle is the same with whole turns more; nine decimals survive that.
std::string AngleText(double value, double turn) {
  const auto rounded = [](double x) { return std::round(1e9 * x) / 1e9; };
  double angle = rounded(std::remainder(value, turn));
  if (angle <= rounded(-turn / 2)) angle = rounded(turn / 2);
  return FormatNumber(angle + 0.0);
}

// Canonical words, of which those from `first` on are angles where there are three of these.
std::string WithAngles(const std::string& words, std::size_t first, double turn) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = words; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    parts.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (parts.size() != first + 3) return words;
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    double value = 0;
    const char* const last = parts[i].data() + parts[i].size();
    const auto [end, error] = ParseDouble(parts[i].data(), last, value);
    if (error != std::errc() || end != last || !std::isfinite(value)) return words;
    out += (i > 0 ? " " : "") + (i < first ? std::string(parts[i]) : AngleText(value, turn));
  }
  return out;
}

constexpr double kTurn = 2 * std::numbers::pi;

// The text of an element whose own attributes are canonical.
std::string TextIn(const NativeElement& element, std::string_view text) {
  const std::string words = Words(text);
  if (element.name != "pose") return words;
  const auto is = [&](std::string_view name, std::string_view value) {
    const std::string* const found = element.Attribute(name);
    return found != nullptr && *found == value;
  };
  if (is("rotation_format", "quat_xyzw")) return words;
  return WithAngles(words, 3, is("degrees", "true") || is("degrees", "1") ? 360 : kTurn);
}

}  // namespace

NativeElement Canonical(const NativeElement& element) {
  NativeElement out{.name = element.name, .line = element.line};
  for (const auto& [name, value] : element.attributes) {
    std::string words = Words(value);
    if (name == "rpy") words = WithAngles(words, 0, kTurn);
    // <pose frame=""> names the frame that is meant without it.
    if (!words.empty() || element.name != "pose") out.attributes.emplace_back(name, words);
  }
  std::sort(out.attributes.begin(), out.attributes.end());
  out.text = TextIn(out, element.text);
  for (const NativeElement& child : element.children) {
    if (child.kind == NativeElement::Kind::kComment) continue;
    if (child.IsElement()) {
      out.children.push_back(Canonical(child));
      continue;
    }
    const bool as_it_stands = child.kind == NativeElement::Kind::kCData;
    std::string text = as_it_stands ? child.text : TextIn(out, child.text);
    if (out.children.empty())
      out.text += text;
    else
      out.children.push_back({.text = std::move(text), .kind = NativeElement::Kind::kText});
  }
  // What a script of SDFormat names has no order.
  if (element.name == "script") std::ranges::stable_sort(out.children, {}, &NativeElement::name);
  return out;
}

std::string BriefText(const NativeElement& element) {
  if (!element.IsElement()) return element.text;
  std::string out = "<" + element.name;
  for (const auto& [name, value] : element.attributes) out += " " + name + "=" + value;
  out += ">" + element.text;
  for (const NativeElement& child : element.children) out += BriefText(child);
  return out + "</>";
}

}  // namespace kinemorph
