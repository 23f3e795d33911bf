// The command where it runs no other program: in WebAssembly, and on Windows. What would need one is
// refused, never silently different; tools/docs/WEB.md and INSTALL.md list it.
#include "command/alone/alone.h"

#include "command/fmu_binary.h"
#include "host/program.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

// The command is linked against these in place of host/native/program.cc and batch, which need
// processes. A feature that is absent says so; RunProgram fails as where a program is not installed.

#ifdef _WIN32
constexpr const char* kHere = "the command for Windows";
constexpr const char* kElsewhere = "the one for Linux can, also in WSL";
#else
constexpr const char* kHere = "the npm package";
constexpr const char* kElsewhere = "the native kinemorph can";
#endif

}  // namespace

void Refuse(const std::string& what) {
  throw UsageError(what + ": " + kHere + " cannot do that; " + kElsewhere);
}

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

// -- fmu_binary.h
void AddBinaries(ExportedEquations&, FmiVersion, const std::vector<std::string>&,
                 const std::string&, Diagnostics&) {
  Refuse("--language fmu");
}

namespace {
// Any options are taken, so that the refusal is about the subcommand and not about one of them.
void AddAbsent(CLI::App& app, Command& run, const std::string& name, const std::string& what) {
  CLI::App* command = app.add_subcommand(name, std::string("not in ") + kHere + ": " + what);
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
