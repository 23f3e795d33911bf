// Makes the tables of options (options.inc): a new option is a row there, and what obeys it.
#include "kinemorph/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <sstream>
#include <utility>

#include "gateway/did_you_mean.h"
#include "kinemorph/export.h"
#include "kinemorph/gateway.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/simulate.h"

namespace kinemorph {
namespace {

// One table serves the command line, JSON of pages and bindings, and the help: a row names an
// option, and the member of the request that it sets. What it takes follows from the member's type
// by the overloads of Set; `words` is what was typed, all of it for options that may be repeated,
// else the last counts.
using Words = std::vector<std::string>;

// What numbers an option takes, in words too.
struct NumberRange {
  double least, most;
  const char* name;
  bool open = false;  // the least is none
};
constexpr double kMost = 1e12;
constexpr NumberRange kAny{-kMost, kMost, "within 1e12"}, kPositive{0, kMost, "positive", true},
    kNotNegative{0, kMost, "zero or positive"};

// Why a text is no such number; empty where it is.
std::string Parse(const std::string& text, const NumberRange& range, double& value) {
  const char *const first = text.data(), *const last = first + text.size();
  const auto [end, error] = ParseDouble(first, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value))
    return "'" + text + "' is not a finite number";
  if (value < range.least || value > range.most || (range.open && value == range.least))
    return "'" + text + "' is not " + range.name +
           (value > range.most ? ", at most " + FormatNumber(range.most) : "");
  return {};
}

std::string NoneOf(const std::string& word, const Words& words) {
  std::string known;
  for (const std::string& each : words) known += (known.empty() ? "" : ", ") + each;
  return "'" + word + "' is none of " + known + DidYouMean(word, words);
}

// Each sets an option by what was typed. Why it cannot be set to that, or nothing.
std::string Set(const Words& words, const NumberRange&, bool& out) {
  return out = words.back() != "false", std::string();
}
std::string Set(const Words& words, const NumberRange&, std::string& out) {
  return out = words.back(), std::string();
}
std::string Set(const Words& words, const NumberRange&, Words& out) {
  return out = words, std::string();
}
std::string Set(const Words& names, const NumberRange&, std::vector<Feature>& out) {
  out.clear();
  Words known;
  for (const Feature each : kFeatures) known.emplace_back(FeatureName(each));
  for (const std::string& name : names) {
    Feature feature{};
    if (!FeatureFromName(name, feature))
      return "'" + name + "' is not a feature" + DidYouMean(name, known) +
             " (`kinemorph formats` lists them)";
    out.push_back(feature);
    // By the word for any of them.
    if (feature == Feature::kActuator) out.insert(out.end(), {Feature::kMotor, Feature::kServo});
  }
  return {};
}
std::string Set(const Words& words, const NumberRange&, std::optional<Vector3>& out) {
  const std::optional<Vector3> vector = ParseVector(words.back());
  if (vector) out = vector;
  return vector ? "" : "'" + words.back() + "' is not of the form X,Y,Z";
}
template <class Number>
requires std::same_as<Number, double> || std::same_as<Number, std::optional<double>> std::string
Set(const Words& words, const NumberRange& range, Number& out) {
  double value = 0;
  std::string why = Parse(words.back(), range, value);
  if (why.empty()) out = value;
  return why;
}
template <std::integral Whole>
std::string Set(const Words& words, const NumberRange& range, Whole& out) {
  const std::string& text = words.back();
  double value = 0;
  std::string why = Parse(text, range, value);
  if (why.empty() && value != std::floor(value)) why = "'" + text + "' is not a whole number";
  if (!why.empty()) return why;
  // A seed of 64 bits has more digits than a double: after the range is checked, it is read again
  // as a whole number; what from_chars does not take (1e3) is exact as a double.
  Whole exact{};  // which a double may not hold
  const char* const last = text.data() + text.size();
  const bool whole = std::from_chars(text.data(), last, exact).ptr == last;
  return out = whole ? exact : static_cast<Whole>(value), std::string();
}

template <class Value>
constexpr OptionKind KindOf() {
  if (std::same_as<Value, bool>) return OptionKind::kFlag;
  if (std::same_as<Value, std::string>) return OptionKind::kText;
  if (std::same_as<Value, std::optional<Vector3>>) return OptionKind::kVector;
  if (std::integral<Value>) return OptionKind::kCount;
  const bool number = std::same_as<Value, double> || std::same_as<Value, std::optional<double>>;
  return number ? OptionKind::kNumber : OptionKind::kTexts;
}

template <class Value>
using Meanings = std::vector<std::pair<std::string, Value>>;

// Makes the rows of a request. `at` leads to what an option sets: a member, or a function that gives
// a reference.
template <class Request>
struct Rows {
  // What the member's type says, unless the row says that it is of another kind. Numbers that are
  // something without the option are told.
  static Option<Request> Row(OptionRow row, auto at, const NumberRange& range = kAny) {
    // A default is what the request has by itself, so that help cannot say another. Zero is "none"
    // in all requests and is not told.
    Request request;
    const auto& standard = std::invoke(at, request);
    using Value = std::remove_cvref_t<decltype(standard)>;
    if (row.kind == OptionKind::kFlag) row.kind = KindOf<Value>();
    if constexpr (std::is_arithmetic_v<Value> && !std::same_as<Value, bool>) {
      std::ostringstream text;
      text << standard;
      if (standard > 0) row.standard = text.str();
    }
    return {row, [at, range, known = row.words](const Words& words, Request& out) {
              for (const std::string& word : words)
                if (!known.empty() && std::find(known.begin(), known.end(), word) == known.end())
                  return NoneOf(word, known);
              return Set(words, range, std::invoke(at, out));
            }};
  }
  // A word for each value; where no word was given, it is as without the option.
  template <class Value>
  static Option<Request> Word(OptionRow row, const Meanings<Value>& meanings, auto at) {
    if (row.kind == OptionKind::kFlag) row.kind = OptionKind::kWord;
    row.value = "WORD";
    Request request;
    for (const auto& [word, meant] : meanings) {
      row.words.push_back(word);
      if (std::invoke(at, request) == meant) row.standard = word;
    }
    return {row, [at, meanings, known = row.words](const Words& words, Request& out) {
              // A flag of which no word was given goes back to the default, whatever an earlier
              // option set.
              if (Request none; words.empty())
                return std::invoke(at, out) = std::invoke(at, none), std::string();
              for (const auto& [word, meant] : meanings)
                if (word == words.back()) return std::invoke(at, out) = meant, std::string();
              return NoneOf(words.back(), known);
            }};
  }
};

// Members of what a request is made of.
template <class Value>
auto Of(Value ConvertOptions::*member) {
  return [member](ConversionRequest& request) -> Value& { return request.options.*member; };
}
template <class Value>
auto Of(Value WriteOptions::*member) {
  return [member](ConversionRequest& request) -> Value& {
    return request.options.target.options.*member;
  };
}

OptionRow CutRow() {
  return {"cut", "JOINT", kMechanismGroup,
          "make this joint the loop joint of its loop: the tree is cut there"};
}
OptionRow IndependentRow() {
  return {"independent", "JOINT", kMechanismGroup,
          "make the coordinates of this joint independent; kinemorph chooses the others"};
}
// Beside features, what is no feature: whatever was asked for.
Option<VerifyOptions> AllowRow(Option<VerifyOptions> row) {
  row.take = [take = std::move(row.take)](Words words, VerifyOptions& out) {
    out.allow_asked = std::erase(words, "as-asked") > 0;
    return take(words, out);
  };
  return row;
}
OptionRow ArmatureRow(const char* group) {
  return {"armature", "JOINT=VALUE",
          group,      "the rotor inertia of a joint, seen at the joint (kg m^2 or kg)",
          kOfAll,     OptionKind::kAssignments};
}
OptionRow ContactRow(const char* group, const std::string& more = {}) {
  return {"contact", "LINK:X,Y,Z", group,
          "a point foot, given in the frame of the link (m)" + more};
}
OptionRow BaseRow(const char* group, const std::string& who) {
  return {"base", "", group,
          "fix the base to the world, let the base float, or do as the " + who + " says"};
}
const Meanings<BaseChoice> kBases = {{"fixed", BaseChoice::kFixed},
                                     {"floating", BaseChoice::kFloating},
                                     {"auto", BaseChoice::kAuto}};

// A word for every profile of every format; the table of formats says for whom each is.
Meanings<std::string> Profiles() {
  Meanings<std::string> words;
  for (const std::string_view name : AllProfiles()) words.emplace_back(name, ProfileNamed(name));
  return words;
}
// Formats tell what their profiles are for; nothing here names one.
// "drake: URDF as Drake reads it, or SDFormat as Drake reads it; paper: ...", each name once.
std::string AboutProfiles() {
  Words abouts;
  for (const Format& format : AllFormats()) {
    for (const Dialect& dialect : format.dialects) {
      const std::string about(dialect.about);
      const std::size_t text = about.find(": ") + 2;
      const auto known = std::ranges::find_if(
          abouts, [&](const std::string& each) { return each.starts_with(about.substr(0, text)); });
      if (about.empty()) continue;
      if (known == abouts.end())
        abouts.push_back(about);
      else
        known->append(", or ").append(about.substr(text));
    }
  }
  std::string all = "the program that the file is written for";
  for (const std::string& about : abouts)
    all.append(&about == &abouts[0] ? ". " : "; ").append(about);
  return all;
}
Words SideCars() {
  Words names;
  for (const Format& format : AllFormats())
    for (const std::string_view name : format.side_cars) names.emplace_back(name);
  return names;
}

constexpr const char* kFormats =
    "the target format: urdf, urdf+, sdf (or sdf@VERSION), mjcf, mbs or usda";

}  // namespace

std::string WhyNotPositive(const std::string& text, double most) {
  double value = 0;
  return Parse(text, {0, most, "positive", true}, value);
}

#include "options/options.inc"

}  // namespace kinemorph
