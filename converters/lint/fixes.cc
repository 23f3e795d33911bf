// Mistakes of a URDF text that can be taken out of it. All other bytes stay as they are.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "kinemorph/converters/lint.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph {
namespace {

// Fixes are made in the text and not in the model: a model that is written again would lose
// comments, order and spelling, and nobody would accept that of a fixer. Attributes are found by a
// scan of tags, and each change is told with its line. Changes are made when all are known: until
// then the text, of which words are views, stands as it was read.
std::optional<std::vector<double>> ThreeNumbers(std::string_view text) {
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
  Fixer(const std::string& text, const Model& model) : text_(text), model_(model) {}

  // As often as a line is given, an axis in it that is not a unit vector.
  void UnitAxes(std::multiset<std::uint32_t> lines) {
    for (auto axis = NextTag(text_, "axis"); axis; axis = NextTag(text_, "axis", axis->end)) {
      const auto xyz = axis->Attribute("xyz");
      const auto line = lines.find(LineOf(axis->begin));
      if (!xyz || line == lines.end()) continue;
      std::optional<std::vector<double>> v = ThreeNumbers(*xyz);
      const double norm = v ? std::hypot((*v)[0], (*v)[1], (*v)[2]) : 0;

      // Within 1e-12 it is a unit vector with all its digits; a zero vector has no direction to
      // keep.
      if (!(norm > 0) || std::abs(norm - 1) < 1e-12) continue;
      for (double& each : *v) each /= norm;
      Replace(*xyz, Spaced(*v), "the axis is a unit vector, as kinemorph reads it");
      lines.erase(line);
    }
  }

  // Revolute joints whose <limit> has neither lower nor upper.
  void Continuous() {
    for (auto joint = NextTag(text_, "joint"); joint; joint = NextTag(text_, "joint", joint->end)) {
      const auto name = joint->Attribute("name"), type = joint->Attribute("type");
      if (!name || !type || *type != "revolute" || !IsLocked(*name, LineOf(joint->begin))) continue;
      // In between may stand <origin>, <axis> and others, with elements in them.
      auto tag = NextTag(text_, joint->end);  // the first <limit> before </joint>
      while (tag && !(tag->closes && tag->name == "joint") && tag->name != "limit")
        tag = NextTag(text_, tag->end);
      if (!tag || tag->name != "limit" || tag->Attribute("lower") || tag->Attribute("upper"))
        continue;
      Replace(*type, "continuous",
              "joint '" + std::string(*name) + "' turns without end instead of not at all");
    }
  }

  // Where all angles are multiples of 15 and some are beyond a turn, they were degrees.
  void DegreesToRadians() {
    std::vector<std::pair<std::string_view, std::vector<double>>> all;
    bool beyond = false;
    for (auto tag = NextTag(text_, "origin"); tag; tag = NextTag(text_, "origin", tag->end)) {
      const auto rpy = tag->Attribute("rpy");
      if (!rpy) continue;

      // One angle that is no number, or no multiple of 15 degrees, makes it a guess: nothing is
      // changed.
      const auto v = ThreeNumbers(*rpy);
      if (!v) return;
      for (const double angle : *v) {
        if (std::fmod(angle, 15) != 0) return;
        beyond = beyond || std::abs(angle) > 2 * std::numbers::pi;
      }
      all.emplace_back(*rpy, *v);
    }
    if (!beyond) return;
    for (auto& [rpy, angles] : all) {
      if (angles == std::vector<double>(3, 0)) continue;
      for (double& angle : angles) angle *= std::numbers::pi / 180;
      Replace(rpy, Spaced(angles), "rpy was in degrees");
    }
  }

  [[nodiscard]] LintFixes Take() const {
    LintFixes out;
    std::size_t from = 0;
    for (const auto& [begin, change] : changes_) {
      const std::string old = text_.substr(begin, change.size);
      out.text.append(text_, from, begin - from) += change.value;
      from = begin + change.size;
      out.done.push_back((model_.files.empty() ? "" : model_.files[0]) + ":" +
                         std::to_string(LineOf(begin)) + ": '" + old + "' became '" + change.value +
                         "': " + change.why);
    }
    out.text.append(text_, from);
    return out;
  }

 private:
  struct Change {
    std::size_t size;  // of what is replaced
    std::string value, why;
  };

  [[nodiscard]] std::uint32_t LineOf(std::size_t at) const {
    return 1 + static_cast<std::uint32_t>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
  // Whether what stands there is a joint of the model, and not an element of that name elsewhere,
  // and cannot turn.
  [[nodiscard]] bool IsLocked(std::string_view name, std::uint32_t line) const {
    const std::optional<JointId> id = model_.FindJoint(name);
    if (!id || model_.joint(*id).where.line != line) return false;
    const Joint& joint = model_.joint(*id);
    return std::holds_alternative<Revolute>(joint.kind) && joint.axes[0].lower == 0.0 &&
           joint.axes[0].upper == 0.0;
  }
  // `old`: a view of the text.
  void Replace(std::string_view old, std::string value, std::string why) {
    if (old == value) return;
    changes_.insert_or_assign(static_cast<std::size_t>(old.data() - text_.data()),
                              Change{old.size(), std::move(value), std::move(why)});
  }

  const std::string& text_;
  const Model& model_;
  std::map<std::size_t, Change> changes_;  // by where it begins
};

}  // namespace

const std::vector<std::string>& FixableCodes() {
  static const std::vector<std::string> kCodes = {"lint-limits-absent", "lint-rpy-degrees"};
  return kCodes;
}

LintFixes FixText(const std::string& text, const Model& model, const Diagnostics& said,
                  const std::vector<std::string>& codes) {
  Fixer fixer(text, model);
  const auto asked = [&](const std::string& code) {
    return std::find(codes.begin(), codes.end(), code) != codes.end() &&
           std::any_of(said.items().begin(), said.items().end(),
                       [&](const Diagnostic& message) { return message.code == code; });
  };

  // Certain fixes without being asked; probable ones only where their code was asked for and said.
  // No other format has these elements.
  std::multiset<std::uint32_t> lines;
  for (const Diagnostic& message : said.items())
    if (message.code == "axis-not-unit") lines.insert(message.line);
  fixer.UnitAxes(std::move(lines));
  if (asked("lint-limits-absent")) fixer.Continuous();
  if (asked("lint-rpy-degrees")) fixer.DegreesToRadians();
  return fixer.Take();
}

}  // namespace kinemorph
