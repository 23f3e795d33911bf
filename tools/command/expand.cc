// kinemorph expand: the text that a xacro file stands for.
#include <iostream>

#include "kinemorph/graph/base/printable.h"
#include "session/outputs.h"
#include "session/xacro.h"

namespace kinemorph::tools {
namespace {

struct Expand {
  Input input;
  std::string out = "-";
};

// OUT must be none of the files that the xacro text includes, and which these are is known only
// when it is expanded: so it is asked twice.
int RunExpand(const Expand& command) {
  RefuseInputs({command.out}, {command.input.path});
  Diagnostics diagnostics;
  std::vector<Asked> asked;
  const std::optional<std::string> text = ReadInput(command.input, diagnostics, nullptr, &asked);
  std::vector<std::string> inputs;
  for (const Asked& each : asked) inputs.push_back(each.path);
  RefuseInputs({command.out}, inputs);
  PrintDiagnostics(diagnostics, command.input);
  if (!text) return kBadInput;
  if (command.out == "-") {
    std::cout << *text << std::flush;
    return kDone;
  }
  const std::string why = WriteWhole(command.out, *text);
  if (why.empty()) return kDone;
  std::cerr << "kinemorph: " << Printable(why) << '\n';
  return kBadInput;
}

}  // namespace

void AddExpand(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "expand", "Expand a xacro file to the robot description that it stands for.");
  auto options = std::make_shared<Expand>();
  // Whoever expands means a xacro file, whatever its name.
  options->input.xacro = "native";
  command->add_option("IN", options->input.path, "the xacro file; - reads standard input")
      ->type_name("FILE")
      ->required();
  StartGroup(*command, kOutputGroup);
  command->add_option("-o,--output", options->out, "the file to write; - writes to standard output")
      ->type_name("FILE")
      ->capture_default_str();
  AddResourceOptions(*command, options->input);
  AddXacroOption(*command, options->input);
  AddMessageOptions(*command, options->input);
  AddLimitOptions(*command);
  command->callback([options, &run] { run = [options] { return RunExpand(*options); }; });
}

}  // namespace kinemorph::tools
