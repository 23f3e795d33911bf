#include "verify/canonical.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph::verify {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string Resolved(std::string_view text) {
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string out;
  while (!text.empty()) {
    const auto* entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                      [&](const auto& e) { return text.starts_with(e.first); });
    const bool found = entity != std::end(kEntities);
    out += found ? entity->second : text.front();
    text.remove_prefix(found ? entity->first.size() : 1);
  }
  return out;
}

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
  const std::string resolved = Resolved(text);
  std::string out;
  std::string_view rest = resolved;
  for (;;) {
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

// The text of an element whose canonical start tag is `tag`.
std::string TextIn(std::string_view tag, const std::string& words) {
  if (!tag.starts_with("<pose") || tag.find_first_of(" >") != 5) return words;
  if (tag.find(" rotation_format=quat") != std::string_view::npos) return words;
  const bool degrees = tag.find(" degrees=true") != std::string_view::npos ||
                       tag.find(" degrees=1") != std::string_view::npos;
  return WithAngles(words, 3, degrees ? 360 : 2 * std::numbers::pi);
}

// Position just after the tag that begins at `at`; quotes may hold '>'.
std::size_t EndOfTag(std::string_view xml, std::size_t at) {
  char quote = 0;
  for (; at < xml.size(); ++at) {
    const char c = xml[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    }
  }
  return xml.size();
}

// The inside of a start tag: name, then name="value" ...
void AddTag(std::string_view inside, std::string& out) {
  const std::size_t name = std::min(inside.find_first_of(" \t\r\n/"), inside.size());
  out += '<';
  out += inside.substr(0, name);
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string_view rest = inside.substr(name);
  for (;;) {
    const std::size_t begin = rest.find_first_not_of(" \t\r\n/"), equals = rest.find('=');
    if (begin == std::string_view::npos || equals == std::string_view::npos || equals < begin)
      break;
    std::string_view key = rest.substr(begin, equals - begin);
    key = key.substr(0, std::min(key.find_first_of(kSpace), key.size()));
    const std::size_t open = rest.find_first_of("\"'", equals);
    const std::size_t close =
        open == std::string_view::npos ? open : rest.find(rest[open], open + 1);
    if (close == std::string_view::npos) break;
    std::string value = Words(rest.substr(open + 1, close - open - 1));
    rest.remove_prefix(close + 1);
    if (key == "rpy") value = WithAngles(value, 0, 2 * std::numbers::pi);
    // <pose frame=""> names the frame that is meant without it.
    if (value.empty() && inside.substr(0, name) == "pose") continue;
    attributes.emplace_back(key, std::move(value));
  }
  std::sort(attributes.begin(), attributes.end());
  for (const auto& [key, value] : attributes) out += " " + key + "=" + value;
  out += '>';
}

}  // namespace

std::string Canonical(std::string_view xml) {
  std::string out;
  std::size_t tag = 0;  // where the last one begins
  const auto skip = [&](std::string_view end) {
    const std::size_t found = xml.find(end);
    xml.remove_prefix(found == std::string_view::npos ? xml.size() : found + end.size());
  };
  while (!xml.empty()) {
    if (xml.starts_with("<!--")) {
      skip("-->");
    } else if (xml.starts_with("<?")) {
      skip("?>");
    } else if (xml.starts_with("<![CDATA[")) {
      const std::size_t end = std::min(xml.find("]]>"), xml.size());
      out += xml.substr(9, end > 9 ? end - 9 : 0);
      skip("]]>");
    } else if (xml.front() == '<') {
      const std::size_t end = EndOfTag(xml, 0);
      std::string_view inside = xml.substr(1, end - std::min<std::size_t>(end, 2));
      const bool closes = inside.starts_with("/"), empty = inside.ends_with("/");
      tag = out.size();
      if (!closes) AddTag(inside, out);
      if (closes || empty) out += "</>";
      xml.remove_prefix(end);
    } else {
      const std::size_t end = std::min(xml.find('<'), xml.size());
      out += TextIn(std::string_view(out).substr(tag), Words(xml.substr(0, end)));
      xml.remove_prefix(end);
    }
  }
  return out;
}

std::string WithoutChildren(std::string_view canonical, std::string_view name) {
  std::string out;
  int depth = 0;
  bool inside = false;  // of a child of that name
  while (!canonical.empty()) {
    const std::size_t end = std::min(canonical.find('<', 1), canonical.size());
    const std::string_view tag = canonical.substr(0, end);
    canonical.remove_prefix(end);
    const bool closes = tag.starts_with("</");
    if (!closes && ++depth == 2 && tag.substr(1).starts_with(name))
      inside = tag.find_first_of(" >") == name.size() + 1;
    if (!inside) out += tag;
    if (closes && --depth == 1) inside = false;
  }
  return out;
}

namespace {

struct Element {
  std::string_view tag;     // with the text behind it
  std::string_view closed;  // its end, with the text behind that
  std::vector<Element> children;
};

std::string_view NameOf(const Element& element) {
  return element.tag.substr(0, element.tag.find_first_of(" >"));
}

// `text` begins with the element, and is left behind it.
Element Take(std::string_view& text) {
  const auto next = [&text] {
    const std::size_t end = std::min(text.find('<', 1), text.size());
    const std::string_view tag = text.substr(0, end);
    text.remove_prefix(end);
    return tag;
  };
  Element element{next(), {}, {}};
  while (!text.empty() && !text.starts_with("</")) element.children.push_back(Take(text));
  if (!text.empty()) element.closed = next();
  return element;
}

// A leaf that is the number zero, or what holds such leaves only.
bool IsZero(const Element& element) {
  if (!element.children.empty())
    return std::all_of(element.children.begin(), element.children.end(), IsZero);
  const std::string_view text =
      element.tag.substr(std::min(element.tag.find('>') + 1, element.tag.size()));
  return text == "0" || text == "-0";
}

// Less the text behind it.
std::string_view TextOf(const Element& element) {
  constexpr std::string_view kEnd = "</>";
  if (element.closed.empty()) return element.tag;
  return {element.tag.data(),
          static_cast<std::size_t>(element.closed.data() - element.tag.data()) + kEnd.size()};
}

// What of a part the whole may lack.
struct Absent {
  bool zeros;
  const std::vector<std::string>& lost;

  [[nodiscard]] bool Has(std::string_view element) const {
    return std::find(lost.begin(), lost.end(), element) != lost.end();
  }
  // The same tag; the text behind that of the part may be lost.
  [[nodiscard]] bool IsTag(std::string_view whole, std::string_view part) const {
    return whole == part || (!whole.empty() && part.starts_with(whole) && whole.ends_with('>') &&
                             Has("<text>" + std::string(part.substr(whole.size())) + "</>"));
  }
};

bool Holds(const Element& whole, const Element& part, const Absent& may_be) {
  if (!may_be.IsTag(whole.tag, part.tag) || !may_be.IsTag(whole.closed, part.closed)) return false;
  auto from = whole.children.begin();
  for (const Element& wanted : part.children) {
    const auto found = std::find_if(from, whole.children.end(), [&](const Element& child) {
      return Holds(child, wanted, may_be);
    });
    if (found != whole.children.end()) {
      from = found + 1;
      continue;
    }
    if (may_be.Has(TextOf(wanted))) continue;
    const bool other = std::any_of(from, whole.children.end(), [&](const Element& child) {
      return NameOf(child) == NameOf(wanted);
    });
    if (!may_be.zeros || !IsZero(wanted) || other) return false;
  }
  return true;
}

}  // namespace

bool SaysAllOf(std::string_view whole, std::string_view part, bool zeros_say_nothing,
               const std::vector<std::string>& lost) {
  return !whole.empty() && !part.empty() &&
         Holds(Take(whole), Take(part), {zeros_say_nothing, lost});
}

}  // namespace kinemorph::verify
