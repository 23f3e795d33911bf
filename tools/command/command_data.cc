#include "command/command_data.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/checks/feature.h"

namespace kinemorph::tools {
namespace {

// Help, shell completion, `completion json` and the pages of the site are all made of the options
// as CLI11 holds them. What CLI11 puts into one text (the value's word, its type, its checks) is
// taken apart here.

constexpr std::array kGroupOrder = {kInputGroup, kOutputGroup,  kMechanismGroup, kLossGroup,
                                    kProofGroup, kMeshGroup,    kMotionGroup,    kSolverGroup,
                                    kRunGroup,   kMessageGroup, kLimitGroup};

std::size_t RankOf(const std::string& group) {
  return static_cast<std::size_t>(std::find(kGroupOrder.begin(), kGroupOrder.end(), group) -
                                  kGroupOrder.begin());
}

// "TEXT:{native,program}" is the word of the value, then what its checks say of it.
std::vector<std::string> CheckedWords(const std::string& type) {
  std::vector<std::string> words;
  const std::size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos) return words;
  std::string word;
  for (const char c : type.substr(begin + 1, end - begin - 1) + ",") {
    if (c != ',')
      word += c;
    else
      words.push_back(std::exchange(word, ""));
  }
  return words;
}

// The values that may be typed. Formats and features are tables of the library, so that a new one
// is offered at once; all others come from the check of the option.
std::vector<std::string> ChoicesOf(const CLI::Option& option) {
  const std::string& name = option.get_single_name();
  std::vector<std::string> values;
  if (name == "drop" || name == "allow") {
    for (const Feature feature : kFeatures) values.emplace_back(FeatureName(feature));
    return values;
  }
  if (name != "to" && name != "from") return CheckedWords(option.get_type_name());
  for (const Format& format : AllFormats()) {
    if (name == "from" && format.read == nullptr) continue;
    values.emplace_back(format.name);
    for (const std::string_view version : format.versions)
      if (name == "to") values.push_back(std::string(format.name) + "@" + std::string(version));
  }
  return values;
}

// CLI11 appends the checks of an option to its type name, each behind a colon; words may have colons
// of their own. Empty of a flag that takes none.
std::string ValueWord(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  std::size_t end = std::string::npos;
  for (const char* const check : {":{", ":NUMBER", ":INT", ":UINT", ":FLOAT"})
    end = std::min(end, type.find(check));
  const std::string word = type.substr(0, end);
  return word == "TEXT" || (word.empty() && option.get_expected_max() > 0) ? "WORD" : word;
}

OptionData OptionDataOf(const CLI::Option& option, bool positional) {
  OptionData data;
  if (positional) {
    data.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) data.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) data.names.push_back("--" + name);
    data.group = option.get_group();
  }
  data.value = ValueWord(option);
  data.choices = ChoicesOf(option);
  // CLI11 calls a flag with a word one that expects no value and has a type.
  data.value_optional = option.get_expected_max() == 0 && !data.value.empty();
  data.default_value = option.get_default_str();
  data.required = option.get_required();
  data.repeatable = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  data.about = option.get_description();
  return data;
}

nlohmann::ordered_json OptionJson(const OptionData& data, bool positional) {
  nlohmann::ordered_json json;
  if (positional)
    json["name"] = data.names.front();
  else
    json["names"] = data.names;
  json["value"] = data.value;
  json["choices"] = data.choices;
  json["default"] = data.default_value;
  json["required"] = data.required;
  json["repeatable"] = data.repeatable;
  if (!positional) json["value_optional"] = data.value_optional;
  if (!positional) json["group"] = data.group;
  json["about"] = data.about;
  return json;
}

nlohmann::ordered_json CommandJson(const CommandData& data) {
  nlohmann::ordered_json json = {{"name", data.name}, {"about", data.about}, {"usage", data.usage}};
  json["positionals"] = json["options"] = json["examples"] = nlohmann::ordered_json::array();
  for (const OptionData& option : data.positionals)
    json["positionals"].push_back(OptionJson(option, true));
  for (const OptionData& option : data.options)
    json["options"].push_back(OptionJson(option, false));
  for (const Example& example : data.examples)
    json["examples"].push_back({{"line", example.line}, {"about", example.about}});
  return json;
}

}  // namespace

std::vector<const CLI::App*> Subcommands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

CommandData DataOf(const CLI::App& command) {
  CommandData data;
  data.name = command.get_name();
  data.about = command.get_description();
  data.usage = "kinemorph " + data.name + " [OPTIONS]";
  // An option with names and a position, as OUT of convert, is in both lists.
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) {
      data.positionals.push_back(OptionDataOf(*option, true));
      const std::string word =
          data.positionals.back().names.front() + (data.positionals.back().repeatable ? "..." : "");
      data.usage += " " + (option->get_required() ? word : "[" + word + "]");
    }
    if (option->nonpositional()) data.options.push_back(OptionDataOf(*option, false));
  }
  // Options are added where code shares them; the groups say what a user looks for together.
  std::stable_sort(
      data.options.begin(), data.options.end(),
      [](const OptionData& a, const OptionData& b) { return RankOf(a.group) < RankOf(b.group); });
  for (const Example& example : AllExamples())
    if (example.command == data.name) data.examples.push_back(example);
  return data;
}

std::string CommandsJson(const CLI::App& app) {
  nlohmann::ordered_json json = {{"program", app.get_name()}, {"version", KINEMORPH_VERSION}};
  json["about"] = app.get_description();
  json["groups"] = kGroupOrder;
  json["commands"] = nlohmann::ordered_json::array();
  for (const CLI::App* command : Subcommands(app))
    json["commands"].push_back(CommandJson(DataOf(*command)));
  return json.dump(1);
}

}  // namespace kinemorph::tools
