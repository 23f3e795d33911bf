// Help: what a command does, its options in groups, examples; folded at the width of the terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kinemorph::tools {

/// Prints the help of the program and of its subcommands.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t columns) : columns_(columns) {}
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  std::size_t columns_;
};

}  // namespace kinemorph::tools
