// The command where there are no other processes: in WebAssembly. What would need one is refused,
// never silently different; tools/docs/WEB.md lists it.
#include <new>

#include "command/fmu_binary.h"
#include "host/cleanup.h"
#include "host/program.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

// The command is linked against these in place of host/native and batch, which need processes
// and signals. A feature that is absent says so; RunProgram fails as where a program is not
// installed.

[[noreturn]] void Refuse(const std::string& what) {
  throw UsageError(what + ": the npm package cannot do that; the native kinemorph can");
}

}  // namespace

// -- program.h
std::optional<ProgramResult> RunProgram(const std::vector<std::string>&, const std::string&,
                                        double) {
  return std::nullopt;
}
StandingProgram::StandingProgram(std::vector<std::string>) {}
StandingProgram::~StandingProgram() = default;
std::optional<ProgramResult> StandingProgram::Ask(const std::vector<std::string>&, double) {
  return std::nullopt;
}
std::string ProgramBeside(const std::string&) { return ""; }
std::string AsArgument(const std::string& path) { return path; }

// -- cleanup.h: signals end the host at once.
void WatchSignals() {}
void EndAfter(double) { Refuse("--timeout"); }
void LimitMemory(std::size_t) { Refuse("--memory"); }
Doomed::Doomed(const std::string&) : slot_(-1) {}
Doomed::~Doomed() = default;
SignalsWait::SignalsWait() : before_() {}
SignalsWait::~SignalsWait() = default;

// -- fmu_binary.h
void AddBinaries(ExportedEquations&, FmiVersion, const std::vector<std::string>&,
                 const std::string&, Diagnostics&) {
  Refuse("--language fmu");
}

namespace {
// Any options are taken, so that the refusal is about the subcommand and not about one of them.
void AddAbsent(CLI::App& app, Command& run, const std::string& name, const std::string& what) {
  CLI::App* command = app.add_subcommand(name, "not in the npm package: " + what);
  command->prefix_command();
  command->callback([&run, name] { run = [name]() -> int { Refuse(name); }; });
}
}  // namespace
void AddBatch(CLI::App& app, Command& run) {
  AddAbsent(app, run, "batch", "convert a whole folder with several processes");
}
void AddView(CLI::App& app, Command& run) {
  AddAbsent(app, run, "view", "write the page with a robot in it, and open it");
}

}  // namespace kinemorph::tools
