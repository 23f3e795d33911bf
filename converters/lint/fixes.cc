// Mistakes of a URDF text that can be taken out of it. All other bytes stay as they are.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "kinemorph/converters/lint.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph {
namespace {

// Begin and end of `attribute="..."`'s value in the tag that starts at `tag`; npos where it has
// none.
struct Span {
  std::size_t begin = std::string::npos, end = std::string::npos;
  [[nodiscard]] bool found() const { return begin != std::string::npos; }
};

// Of the start tags of a text, comments passed over.
class Tags {
 public:
  explicit Tags(const std::string& text) : text_(text) {}

  // The next start tag `<name ` at or after `from`; npos: there is none.
  [[nodiscard]] std::size_t Next(std::string_view name, std::size_t from) const {
    const std::string start = "<" + std::string(name);
    while (true) {
      const std::size_t comment = text_.find("<!--", from), tag = text_.find(start, from);
      if (tag == std::string::npos) return tag;
      if (comment < tag) {
        from = text_.find("-->", comment);
        if (from == std::string::npos) return from;
        continue;
      }
      const std::size_t after = tag + start.size();
      if (after < text_.size() &&
          (IsSpace(text_[after]) || text_[after] == '/' || text_[after] == '>'))
        return tag;
      from = after;
    }
  }
  [[nodiscard]] Span Attribute(std::size_t tag, std::string_view attribute) const {
    for (std::size_t i = tag; i < text_.size() && text_[i] != '>'; ++i) {
      if (text_[i] == '"' || text_[i] == '\'') {  // another attribute's value
        i = text_.find(text_[i], i + 1);
        if (i == std::string::npos) return {};
        continue;
      }
      if (!IsSpace(text_[i]) || text_.compare(i + 1, attribute.size(), attribute) != 0) continue;
      std::size_t at = i + 1 + attribute.size();
      while (at < text_.size() && IsSpace(text_[at])) ++at;
      if (at >= text_.size() || text_[at] != '=') continue;
      for (++at; at < text_.size() && IsSpace(text_[at]);) ++at;
      if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return {};
      const std::size_t end = text_.find(text_[at], at + 1);
      return end == std::string::npos ? Span{} : Span{at + 1, end};
    }
    return {};
  }
  // The start of line `line`, from 1.
  [[nodiscard]] std::size_t Line(std::uint32_t line) const {
    std::size_t at = 0;
    for (; line > 1 && at != std::string::npos; --line) {
      at = text_.find('\n', at);
      if (at != std::string::npos) ++at;
    }
    return at;
  }
  [[nodiscard]] std::uint32_t LineOf(std::size_t at) const {
    return 1 + static_cast<std::uint32_t>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  [[nodiscard]] std::string Value(Span span) const {
    return text_.substr(span.begin, span.end - span.begin);
  }

 private:
  const std::string& text_;
};

std::optional<std::vector<double>> ThreeNumbers(const std::string& text) {
  std::vector<double> numbers;
  for (const char *at = text.data(), *const last = at + text.size(); at != last;) {
    if (IsSpace(*at)) {
      ++at;
      continue;
    }
    double value = 0;
    const auto [end, error] = ParseDouble(at, last, value);
    if (error != std::errc()) return std::nullopt;
    numbers.push_back(value);
    at = end;
  }
  if (numbers.size() != 3) return std::nullopt;
  return numbers;
}

std::string Spaced(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + FormatNumber(number);
  return text;
}

class Fixer {
 public:
  Fixer(const std::string& text, const Model& model) : text_(text), tags_(text_), model_(model) {}

  // The first axis in that line that is not a unit vector.
  void UnitAxis(std::uint32_t line) {
    const std::size_t from = tags_.Line(line);
    if (from == std::string::npos) return;
    for (std::size_t axis = tags_.Next("axis", from);
         axis != std::string::npos && tags_.LineOf(axis) == line;
         axis = tags_.Next("axis", axis + 1)) {
      const Span xyz = tags_.Attribute(axis, "xyz");
      if (!xyz.found()) continue;
      std::optional<std::vector<double>> v = ThreeNumbers(tags_.Value(xyz));
      const double norm = v ? std::hypot((*v)[0], (*v)[1], (*v)[2]) : 0;
      if (!(norm > 0) || std::abs(norm - 1) < 1e-12) continue;
      for (double& each : *v) each /= norm;
      Replace(xyz, Spaced(*v), "the axis is a unit vector, as it was read");
      return;
    }
  }

  // Revolute joints whose <limit> has neither lower nor upper.
  void Continuous() {
    for (std::size_t tag = tags_.Next("joint", 0); tag != std::string::npos;
         tag = tags_.Next("joint", tag + 1)) {
      const Span name = tags_.Attribute(tag, "name"), type = tags_.Attribute(tag, "type");
      const std::size_t limit = tags_.Next("limit", tag), end = text_.find("</joint", tag);
      if (!name.found() || !type.found() || tags_.Value(type) != "revolute" || limit > end)
        continue;
      if (tags_.Attribute(limit, "lower").found() || tags_.Attribute(limit, "upper").found())
        continue;
      Replace(type, "continuous",
              "joint '" + tags_.Value(name) + "' turns without end instead of not at all");
    }
  }

  // Where all angles are multiples of 15 and some are beyond a turn, they were degrees.
  void DegreesToRadians() {
    std::vector<std::pair<Span, std::vector<double>>> all;
    bool beyond = false;
    for (std::size_t tag = tags_.Next("origin", 0); tag != std::string::npos;
         tag = tags_.Next("origin", tag + 1)) {
      const Span rpy = tags_.Attribute(tag, "rpy");
      if (!rpy.found()) continue;
      const auto v = ThreeNumbers(tags_.Value(rpy));
      if (!v) return;
      for (const double angle : *v) {
        if (std::fmod(angle, 15) != 0) return;
        beyond = beyond || std::abs(angle) > 2 * std::numbers::pi;
      }
      all.emplace_back(rpy, *v);
    }
    if (!beyond) return;
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
      if (it->second == std::vector<double>(3, 0)) continue;
      std::vector<double> radians = it->second;
      for (double& angle : radians) angle *= std::numbers::pi / 180;
      Replace(it->first, Spaced(radians), "rpy was in degrees");
    }
  }

  LintFixes Take() {
    std::sort(done_.begin(), done_.end());
    LintFixes out{std::move(text_), {}};
    for (auto& [line, what] : done_) out.done.push_back(std::move(what));
    return out;
  }

 private:
  void Replace(Span span, const std::string& value, const std::string& what) {
    const std::string before = tags_.Value(span);
    if (before == value) return;
    const std::uint32_t line = tags_.LineOf(span.begin);
    done_.emplace_back(line, (model_.files.empty() ? "" : model_.files[0]) + ":" +
                                 std::to_string(line) + ": '" + before + "' became '" + value +
                                 "': " + what);
    text_.replace(span.begin, span.end - span.begin, value);
  }

  std::string text_;
  Tags tags_;
  const Model& model_;
  std::vector<std::pair<std::uint32_t, std::string>> done_;
};

}  // namespace

const std::vector<std::string>& FixableCodes() {
  static const std::vector<std::string> kCodes = {"lint-limits-absent", "lint-rpy-degrees"};
  return kCodes;
}

LintFixes FixText(const std::string& text, const Model& model, const Diagnostics& said,
                  const std::vector<std::string>& codes) {
  Fixer fixer(text, model);
  if (!model.format.starts_with("urdf")) return fixer.Take();
  const auto asked = [&](const std::string& code) {
    return std::find(codes.begin(), codes.end(), code) != codes.end() &&
           std::any_of(said.items().begin(), said.items().end(),
                       [&](const Diagnostic& message) { return message.code == code; });
  };
  for (const Diagnostic& message : said.items())
    if (message.code == "axis-not-unit" && message.line > 0) fixer.UnitAxis(message.line);
  if (asked("lint-limits-absent")) fixer.Continuous();
  if (asked("lint-rpy-degrees")) fixer.DegreesToRadians();
  return fixer.Take();
}

}  // namespace kinemorph
