// What every subcommand shares: input, output, messages, exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files.h"
#include "kinemorph/converters/convert.h"
#include "kinemorph/formats/file_resolver.h"

namespace kinemorph::tools {

enum ExitCode : int { kDone = 0, kBadInput = 1, kUsage = 2, kWouldLose = 3, kInternal = 4 };

/// A use that the parser of options cannot see to be wrong: printed like any other usage error,
/// exit code 2.
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
/// --package, which is part of them.
void AddResourceOptions(CLI::App& command, Input& input);

/// Folder by package name, of the NAME=DIR options. Throws UsageError where one is of another form.
[[nodiscard]] std::map<std::string, std::string> PackageFolders(
    const std::vector<std::string>& packages);

/// Prints to standard error: rendered lines, or one JSON object per line.
void PrintDiagnostics(const Diagnostics& diagnostics, const Input& input);

/// What finds other files for `input`, behind its fence.
[[nodiscard]] FileResolver ResolverFor(const Input& input);

/// Reads and validates the model of `input`. Nothing on errors. The second form looks for other
/// files through `resolver` and hands over the text that was read.
[[nodiscard]] std::optional<Model> LoadModel(const Input& input, Diagnostics& diagnostics);
[[nodiscard]] std::optional<Model> LoadModel(const Input& input, const ResourceResolver& resolver,
                                             std::string& text, Diagnostics& diagnostics);

/// The format that --from or --to names (usage error when unknown), with its version.
[[nodiscard]] const Format* FormatNamed(const std::string& name, std::string& version);

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
