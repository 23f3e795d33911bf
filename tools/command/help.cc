#include "command/help.h"

#include <algorithm>

#include "command/command_data.h"
#include "kinemorph/converters/screen.h"

namespace kinemorph::tools {
namespace {

constexpr std::size_t kWidestName = 26;  // of the column of options, where there is room

// CLI11 prints options of one subcommand without an order that a user would look for, and folds no
// lines. The help is made of CommandData instead: groups, values, defaults, examples.

// "  NAME   about", about folded in a column of its own.
std::string HelpEntry(const std::string& name, const std::string& about, std::size_t column,
                      std::size_t columns) {
  std::string text = "  " + name;
  // A name that is too long has a line of its own; the text still begins in its column.
  if (text.size() + 2 > column)
    text += "\n" + std::string(column, ' ');
  else
    text.resize(column, ' ');
  // As if it began at the left, so that the first line has the same room as the others.
  std::string folded = Folded(about, columns - column, 0);
  for (std::size_t i = folded.find('\n'); i + 1 < folded.size(); i = folded.find('\n', i + 1))
    folded.insert(i + 1, column, ' ');
  return text + folded;
}

std::string JoinedBy(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// "-q, --quiet", "--base fixed|floating|auto", "--strict[=any|interface|motion]".
std::string OptionName(const OptionData& option, std::size_t columns) {
  const std::string names = JoinedBy(option.names, ", ");
  if (option.value.empty()) return names;
  std::string value = option.value;
  // Of words that only the check of the option knows; formats and features have lists of their own.
  // Words are shown where there is room for them; else the group of the option says enough.
  if (value == "WORD" && !option.choices.empty()) {
    const std::string words = JoinedBy(option.choices, "|");
    if (names.size() + words.size() + 6 <= columns) value = words;
  }
  return option.value_optional ? names + "[=" + value + "]" : names + " " + value;
}

std::string OptionAbout(const OptionData& option) {
  std::vector<std::string> marks;
  if (option.required) marks.emplace_back("required");
  if (option.repeatable) marks.emplace_back("repeatable");
  if (!option.default_value.empty()) marks.push_back("default: " + option.default_value);
  return marks.empty() ? option.about : option.about + " (" + JoinedBy(marks, "; ") + ")";
}

std::string OptionsText(const CommandData& data, std::size_t columns) {
  const std::size_t column = std::min(kWidestName, columns / 3);
  std::string text;
  if (!data.positionals.empty()) text += "\nArguments:\n";
  for (const OptionData& argument : data.positionals) {
    // "required" and "repeatable" would be said twice.
    OptionData said = argument;  // the usage says what is required
    said.required = said.repeatable = false;
    text += HelpEntry(said.names.front(), OptionAbout(said), column, columns);
  }
  std::string group;
  for (const OptionData& option : data.options) {
    if (option.group != group) text += "\n" + option.group + ":\n";
    group = option.group;
    text += HelpEntry(OptionName(option, columns), OptionAbout(option), column, columns);
  }
  return text;
}

std::string ExamplesText(const CommandData& data, std::size_t columns) {
  if (data.examples.empty()) return "";
  std::string text = "\nExamples:\n";
  for (const Example& example : data.examples) {
    text += Folded("  " + std::string(example.line), columns, 6);
    text += Folded("      " + std::string(example.about), columns, 6);
  }
  return text;
}

std::string ProgramHelp(const CLI::App& app, std::size_t columns) {
  std::string text = Folded(app.get_description(), columns, 0);
  text += "\nUsage: " + app.get_name() + " SUBCOMMAND [OPTIONS]\n\nSubcommands:\n";
  // The column of subcommands is as wide as they need, since they are few.
  std::size_t column = 0;
  for (const CLI::App* each : Subcommands(app)) column = std::max(column, each->get_name().size());
  column += 4;
  for (const CLI::App* each : Subcommands(app))
    text += HelpEntry(each->get_name(), each->get_description(), column, columns);
  text += "\nOptions:\n";
  for (const OptionData& option : DataOf(app).options)
    text += HelpEntry(JoinedBy(option.names, ", "), option.about, column, columns);
  return text + "\n" + Folded(app.get_footer(), columns, 0);
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string /*name*/,
                                     CLI::AppFormatMode /*mode*/) const {
  if (app->get_parent() == nullptr) return ProgramHelp(*app, columns_);
  const CommandData data = DataOf(*app);
  return Folded(data.about, columns_, 0) + "\n" + Folded("Usage: " + data.usage, columns_, 7) +
         OptionsText(data, columns_) + ExamplesText(data, columns_);
}

}  // namespace kinemorph::tools
