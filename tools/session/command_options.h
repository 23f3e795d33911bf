// The options of a command line, of the tables that say them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "kinemorph/options.h"

namespace kinemorph::tools {

/// Options that are added to `command` from here on stand in this group of its help.
void StartGroup(CLI::App& command, const char* group);

/// Adds an option. What is typed goes to `take`, which says why it cannot be taken, or nothing.
void AddOption(CLI::App& command, const OptionRow& row,
               const std::function<std::string(const std::vector<std::string>& words)>& take);

/// Adds the options that the table of a request has for `face`.
template <class Request>
void AddOptions(CLI::App& command, Request& request, unsigned face = kOfCommand) {
  for (const Option<Request>& option : Options<Request>())
    if (option.faces & face)
      AddOption(command, option, [&option, &request](const std::vector<std::string>& words) {
        return option.take(words, request);
      });
}

}  // namespace kinemorph::tools
