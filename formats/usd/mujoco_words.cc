// The table (mjcPhysics of MuJoCo, and what Newton 1.8 reads of it).
#include "mujoco_words.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/number.h"
#include "read/values.h"
#include "write/usda_text.h"
#include "xml_reader.h"

namespace kinemorph::usd {
namespace {

constexpr std::string_view kSolref = "0.02 1", kSolimp = "0.9 0.95 0.001 0.5 2";
constexpr std::size_t kMostOfList = 16;  // numbers

// Units are MuJoCo's own: radians, seconds.
constexpr MujocoWord kWords[] = {
    {"geom", "condim", "int"},
    {"geom", "priority", "int"},
    {"geom", "solmix", "double"},
    {"geom", "solref", "double[]", kSolref},
    {"geom", "solimp", "double[]", kSolimp},
    {"geom", "margin", "double"},
    {"geom", "gap", "double"},
    {"joint", "margin", "double"},
    {"joint", "solreflimit", "double[]", kSolref},
    {"joint", "solimplimit", "double[]", kSolimp},
    {"joint", "solreffriction", "double[]", kSolref},
    {"joint", "solimpfriction", "double[]", kSolimp},
    {"joint", "actuatorgravcomp", "bool"},
    {"body", "gravcomp", "double"},
    {"equality", "solref", "double[]", kSolref},
    {"equality", "solimp", "double[]", kSolimp},
    {"equality", "torquescale", "float", {}, "torqueScale"},
    {"option", "impratio", "double"},
    {"option", "tolerance", "double"},
    {"option", "ls_tolerance", "double"},
    {"option", "ccd_tolerance", "double"},
    {"option", "noslip_tolerance", "double"},
    {"option", "density", "double"},
    {"option", "viscosity", "double"},
    {"option", "wind", "double3"},
    {"option", "magnetic", "double3"},
    {"option", "ls_iterations", "int"},
    {"option", "noslip_iterations", "int"},
    {"option", "ccd_iterations", "int"},
    {"option", "sdf_iterations", "int"},
    {"option", "sdf_initpoints", "int"},
    {"option", "integrator", "token", "Euler RK4 implicit implicitfast"},
    {"option", "solver", "token", "CG Newton"},
    {"option", "cone", "token", "pyramidal elliptic"},
    {"option", "jacobian", "token", "dense sparse auto"},
    // Switches of mechanics.
    {"option/flag", "constraint", "bool"},
    {"option/flag", "equality", "bool"},
    {"option/flag", "frictionloss", "bool"},
    {"option/flag", "limit", "bool"},
    {"option/flag", "contact", "bool"},
    {"option/flag", "spring", "bool"},
    {"option/flag", "damper", "bool"},
    {"option/flag", "gravity", "bool"},
    {"option/flag", "clampctrl", "bool"},
    {"option/flag", "filterparent", "bool"},
    {"option/flag", "actuation", "bool"},
    {"option/flag", "refsafe", "bool"},
};
constexpr std::string_view kFlags = "option/flag";

std::string InLowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string NameOf(const MujocoWord& word) {
  const std::string of = word.element == kFlags     ? "flag:"
                         : word.element == "option" ? "option:"
                                                    : "";
  return "mjc:" + of + std::string(word.in_usd.empty() ? word.attribute : word.in_usd);
}

std::optional<MujocoWord> WordOf(std::string_view element, std::string_view attribute) {
  const auto* const word = std::find_if(std::begin(kWords), std::end(kWords), [&](const auto& w) {
    return w.element == element && w.attribute == attribute;
  });
  return word == std::end(kWords) ? std::nullopt : std::optional(*word);
}

// Numbers with one blank between, those of `whole` behind the given ones.
std::string Whole(const std::vector<double>& numbers, std::string_view whole) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + FormatNumber(number);
  const std::vector<std::string_view> rest = xml::SplitWords(whole);
  for (std::size_t i = numbers.size(); i < rest.size(); ++i) text += " " + std::string(rest[i]);
  return text;
}

// The value as MJCF spells it; nothing where it is none of the type.
std::optional<std::string> Spelt(const MujocoWord& word, std::string_view text) {
  if (word.type == "token") {
    for (const std::string_view known : xml::SplitWords(word.whole))
      if (InLowerCase(known) == InLowerCase(text)) return std::string(known);
    return std::nullopt;
  }
  if (word.type == "bool") {
    const std::string_view on = word.element == kFlags ? "enable" : "true",
                           off = word.element == kFlags ? "disable" : "false";
    return text == on || text == off ? std::optional(std::string(text)) : std::nullopt;
  }
  const auto numbers = xml::ParseNumbers(text, kMostOfList);
  constexpr double kMostOfInt = 2147483647;
  const bool list = word.type == "double[]", three = word.type == "double3";
  if (!numbers || numbers->empty() || (!list && numbers->size() != (three ? 3 : 1)) ||
      !std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::isfinite(x); }) ||
      (word.type == "int" && (numbers->front() != std::round(numbers->front()) ||
                              std::abs(numbers->front()) > kMostOfInt)) ||
      (list && numbers->size() > xml::SplitWords(word.whole).size()))
    return std::nullopt;
  // Directions of friction: none, sliding, twisting, rolling.
  const double first = numbers->front();
  if (word.attribute == "condim" && first != 1 && first != 3 && first != 4 && first != 6)
    return std::nullopt;
  return Whole(*numbers, word.whole);
}

// As it stands behind "=".
std::string InUsd(const MujocoWord& word, const std::string& value) {
  if (word.type == "token") return Quoted(InLowerCase(value));
  if (word.type == "bool") return Boolean(value == "true" || value == "enable");
  std::vector<std::string> numbers;
  for (const std::string_view number : xml::SplitWords(value)) numbers.emplace_back(number);
  if (word.type == "double[]") return List(numbers);
  return numbers.size() == 1 ? value
                             : "(" + numbers[0] + ", " + numbers[1] + ", " + numbers[2] + ")";
}

}  // namespace

NativeElement MujocoPart(const NativeData& data) {
  NativeElement part{.name = data.content.name, .line = data.content.line};
  if (data.format != "mjcf") return part;
  for (const auto& [name, value] : data.content.attributes)
    if (const std::optional<MujocoWord> word = WordOf(data.element, name))
      if (std::optional<std::string> spelt = Spelt(*word, value))
        part.attributes.emplace_back(name, std::move(*spelt));
  return part;
}

std::vector<std::pair<std::string, std::string>> MujocoAttributes(
    const std::vector<NativeData>& natives, std::string_view element) {
  std::vector<std::pair<std::string, std::string>> attributes;
  for (const NativeData& data : natives) {
    if (data.element != element) continue;
    for (const auto& [name, value] : MujocoPart(data).attributes) {
      const MujocoWord word = *WordOf(element, name);
      attributes.emplace_back("uniform " + std::string(word.type) + " " + NameOf(word),
                              InUsd(word, value));
    }
  }
  return attributes;
}

std::optional<std::pair<std::string, std::string>> MujocoAttribute(std::string_view element,
                                                                   std::string_view name,
                                                                   std::string_view value) {
  const auto* const word = std::find_if(std::begin(kWords), std::end(kWords), [&](const auto& w) {
    return w.element == element && NameOf(w) == name;
  });
  if (word == std::end(kWords)) return std::nullopt;
  std::optional<std::string> text;
  if (word->type == "token") {
    text = StringIn(value);
  } else if (word->type == "bool") {
    const std::optional<bool> on = BooleanIn(value);
    if (on && element == kFlags) text = *on ? "enable" : "disable";
    if (on && element != kFlags) text = *on ? "true" : "false";
  } else if (const auto numbers = NumbersIn(value, kMostOfList)) {
    text = Whole(*numbers, "");
  }
  if (text) text = Spelt(*word, *text);
  // A weld without torque was read as a point.
  if (!text || (word->attribute == "torquescale" && *text == "0")) return std::nullopt;
  return std::pair(std::string(word->attribute), *text);
}

}  // namespace kinemorph::usd
