// What the options of a command say of themselves, as data: help, completion and the site are made of it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/options.h"

namespace kinemorph::tools {

/// What an option says of itself.
struct OptionData {
  std::vector<std::string> names;    ///< -q, --quiet; of a positional its one name
  std::string value;                 ///< the word for its value, FILE; empty: it takes none
  std::vector<std::string> choices;  ///< the values that it takes, where they are known
  std::string default_value;         ///< empty: none
  bool required = false;
  bool repeatable = false;
  bool value_optional = false;  ///< --strict and --strict=motion
  std::string about;
  std::string group;  ///< empty of a positional
};

/// A command line with what it does.
struct Example {
  std::string_view command;  ///< the subcommand
  std::string_view line;     ///< as it is typed
  std::string_view about;    ///< what it does
};

/// What a subcommand says of itself.
struct CommandData {
  std::string name, about, usage;
  std::vector<OptionData> positionals, options;
  std::vector<Example> examples;
};

/// All examples, those of one subcommand in a row. A test runs each.
[[nodiscard]] const std::vector<Example>& AllExamples();

/// Options in the order of their groups.
[[nodiscard]] CommandData DataOf(const CLI::App& command);

/// All subcommands, in their order.
[[nodiscard]] std::vector<const CLI::App*> Subcommands(const CLI::App& app);

/// All of it as one JSON object (tools/docs/schemas/commands.schema.json).
[[nodiscard]] std::string CommandsJson(const CLI::App& app);

}  // namespace kinemorph::tools
