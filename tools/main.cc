// The kinemorph command: options in, exit code out. Each subcommand has a file of its own.
#include <algorithm>
#include <iostream>

#include "session.h"

#ifndef KINEMORPH_VERSION
#define KINEMORPH_VERSION "unknown"
#endif

namespace kinemorph::tools {
namespace {

int Main(int argc, char** argv) {
  CLI::App app{
      "kinemorph: the gateway between robot description formats that keeps kinematic loops.\n"
      "Converts between URDF, URDF+, SDFormat, MJCF and Robotran MBS, reports what the target cannot hold, and proves the rest.\n"};
  app.name("kinemorph");
  app.set_version_flag("--version", "kinemorph " KINEMORPH_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 the input has errors, or verify found a difference; 2 wrong use; 3 --strict and something would be lost;\n"
      "4 internal error. Messages go to standard error, results to standard output.\n"
      "Example: kinemorph convert robot.sdf -o robot.urdf --verify");
  Command run;
  for (auto* add : {AddConvert, AddCheck, AddInspect, AddGraph, AddVerify, AddDump, AddFormats, AddBatch, AddCompletion}) add(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 says only that a subcommand is missing, even where there is one that it does not know.
    const std::string first = argc > 1 ? argv[1] : "";
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(each->get_name());
    if (!first.empty() && first[0] != '-' && std::find(names.begin(), names.end(), first) == names.end()) {
      const std::string nearest = NearestName(first, names);
      std::cerr << "kinemorph: '" << first << "' is no subcommand" << (nearest.empty() ? "" : "; did you mean '" + nearest + "'?")
                << "\nRun with --help for more information.\n";
      return kUsage;
    }
    return app.exit(error) == 0 ? kDone : kUsage;
  }
  try {
    return run();
  } catch (const UsageError& error) {
    std::cerr << "kinemorph: " << error.what() << "\nRun with --help for more information.\n";
    return kUsage;
  }
}

}  // namespace
}  // namespace kinemorph::tools

int main(int argc, char** argv) {
  try {
    std::ios::sync_with_stdio(false);
    return kinemorph::tools::Main(argc, argv);
  } catch (const std::exception& error) { std::cerr << "kinemorph: internal error: " << error.what() << '\n'; } catch (...) {
    std::cerr << "kinemorph: internal error\n";
  }
  return kinemorph::tools::kInternal;
}
