#include "session/command_options.h"

#include <memory>

#include "session/session.h"

namespace kinemorph::tools {
namespace {

// The options of a request are a table of the library (OptionRow), of which this command, the
// Python module and the web page are made. Here a row becomes an option of CLI11; values are read
// by the table alone, so that all three take the same words.

CLI::Option* Made(CLI::App& command, const OptionRow& row, const std::string& name,
                  const CLI::callback_t& taken) {
  if (row.kind != OptionKind::kFlagOrWord) return command.add_option(name, taken, row.help);
  // A flag that may have a word; what was typed goes on once it is checked.
  const auto word = std::make_shared<std::string>();
  return command.add_flag(name + "{" + row.words.front() + "}", *word, row.help)
      ->check(OneOf(row.words))
      ->each([word, taken](const std::string& typed) { taken({typed}); });
}

}  // namespace

void StartGroup(CLI::App& command, const char* group) { command.option_defaults()->group(group); }

void AddOption(CLI::App& command, const OptionRow& row,
               const std::function<std::string(const std::vector<std::string>& words)>& take) {
  StartGroup(command, row.group);
  const std::string name = "--" + std::string(row.name);
  // The library checks a value and says why not; CLI11 only puts the name of the option before it.
  CLI::Option* const option = Made(command, row, name, [name, take](const CLI::results_t& words) {
    if (const std::string why = take(words); !why.empty()) throw CLI::ValidationError(name, why);
    return true;
  });
  option->type_name(std::string(row.value))->default_str(row.standard);
  // A flag that is written twice is still one flag.
  if (row.kind == OptionKind::kFlag)
    option->expected(0)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  // One value for each time that the option is written: else the next argument would be taken for
  // one more.
  const bool several = row.kind == OptionKind::kTexts || row.kind == OptionKind::kWords ||
                       row.kind == OptionKind::kAssignments;
  if (several) option->expected(CLI::detail::expected_max_vector_size)->allow_extra_args(false);
  const bool unchecked = row.kind != OptionKind::kFlagOrWord && !row.words.empty();
  if (unchecked) option->check(OneOf(row.words));
}

}  // namespace kinemorph::tools
