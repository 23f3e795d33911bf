// kinemorph dump: the model as canonical text.
#include <iostream>

#include "kinemorph/graph/model/model_dump.h"
#include "session/session.h"

namespace kinemorph::tools {

void AddDump(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "dump", "Print the model that kinemorph read, as text that two versions can be compared by.");
  auto input = std::make_shared<Input>();
  AddInputOptions(*command, *input);
  // The dump is that of the reader: no pass has touched the model.
  command->callback([input, &run] {
    run = [input] {
      Diagnostics diagnostics;
      const std::optional<Robot> robot = LoadRobot(*input, diagnostics);
      PrintDiagnostics(diagnostics, *input);
      if (!robot) return kBadInput;
      std::cout << DumpModel(robot->model);
      return kDone;
    };
  });
}

}  // namespace kinemorph::tools
