// What every subcommand shares: input, output, messages, exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinemorph/converters/convert.h"

namespace kinemorph::tools {

enum ExitCode : int { kDone = 0, kBadInput = 1, kUsage = 2, kWouldLose = 3, kInternal = 4 };

/// A use that the parser of options cannot see to be wrong: printed like any other usage error, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Options that say what to read and how to talk.
struct Input {
  std::string path;                   ///< "-" is standard input
  std::string from;                   ///< format name, empty: detect
  std::vector<std::string> packages;  ///< NAME=DIR
  std::string diagnostics = "text";   ///< or "json"
  bool quiet = false;                 ///< errors only
};

void AddInputOptions(CLI::App& command, Input& input);

/// Folder by package name, of the NAME=DIR options. Throws UsageError where one is of another form.
[[nodiscard]] std::map<std::string, std::string> PackageFolders(const std::vector<std::string>& packages);

/// Prints to standard error: rendered lines, or one JSON object per line.
void PrintDiagnostics(const Diagnostics& diagnostics, const Input& input);

/// The whole of a file or of standard input. Nothing and an error when it cannot be read (or is larger than 2 GiB).
[[nodiscard]] std::optional<std::string> ReadText(const std::string& path, Diagnostics& diagnostics);

/// Reads and validates the model of `input`; also keeps the resolver's fence. Nothing on errors.
[[nodiscard]] std::optional<Model> LoadModel(const Input& input, Diagnostics& diagnostics);

/// The format that --from or --to names (usage error when unknown), with its version.
[[nodiscard]] const Format* FormatNamed(const std::string& name, std::string& version);

/// Writes `text` whole or not at all: temporary file beside it, fsync, rename. "-" is standard output.
/// An existing file survives a failure. Returns why it failed, empty on success.
[[nodiscard]] std::string WriteWhole(const std::string& path, const std::string& text);

/// Runs a program with `input` on its standard input and returns its standard output and error together; nothing when it cannot be started.
struct ProgramResult {
  int exit_code = 0;
  std::string output;
};
[[nodiscard]] std::optional<ProgramResult> RunProgram(const std::vector<std::string>& command, const std::string& input);

using Command = std::function<int()>;
// One per file: adds the subcommand's options and returns what runs it.
void AddConvert(CLI::App& app, Command& run);
void AddCheck(CLI::App& app, Command& run);
void AddInspect(CLI::App& app, Command& run);
void AddGraph(CLI::App& app, Command& run);
void AddVerify(CLI::App& app, Command& run);
void AddDump(CLI::App& app, Command& run);
void AddFormats(CLI::App& app, Command& run);
void AddBatch(CLI::App& app, Command& run);
void AddCompletion(CLI::App& app, Command& run);

}  // namespace kinemorph::tools
