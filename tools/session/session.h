// What every subcommand shares: input, output, messages, exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/files.h"
#include "kinemorph/converters/screen.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/xacro.h"
#include "kinemorph/gateway.h"
#include "session/command_options.h"

namespace kinemorph::tools {

enum ExitCode : int { kDone = 0, kBadInput = 1, kUsage = 2, kWouldLose = 3, kInternal = 4 };

/// A use that the parser of options cannot see to be wrong: printed like any other usage error,
/// exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Says on standard error what was thrown; the exit code that the command ends with.
[[nodiscard]] int ExitCodeOf(const std::exception& thrown);

/// How messages are printed on standard error.
enum class MessageForm {
  kText,    ///< for people
  kJson,    ///< one object per line
  kSarif,   ///< one document
  kGithub,  ///< annotations
};

/// Options that say what to read and how to talk.
struct Input {
  std::string path;                        ///< "-" is standard input
  std::string from;                        ///< format name, empty: detect
  std::vector<std::string> packages;       ///< NAME=DIR
  std::vector<std::string> package_paths;  ///< folders that hold packages
  bool allow_outside = false;              ///< no fence around what IN names
  std::vector<std::string> beside;         ///< other files whose folders IN may reach
  std::shared_ptr<Disk> disk;              ///< shared by the files of a batch
  std::vector<std::string> xacro_args;     ///< K:=V
  bool no_xacro = false;                   ///< nothing is expanded
  bool no_env = false;                     ///< xacro sees no environment variable
  std::string xacro;                       ///< "native", "program"; empty: by the name of IN
  std::vector<std::string> with;           ///< side-cars; "none": not those beside IN either
  MessageForm form = MessageForm::kText;   ///< of messages
  bool quiet = false;                      ///< errors only
  bool verbose = false;                    ///< every message in full
  /// What IN was expanded to, once it is read: messages are translated by it.
  mutable std::shared_ptr<const XacroExpansion> expansion;
};

/// Checks that a value is one of these words; the nearest is proposed where it is not.
[[nodiscard]] CLI::Validator OneOf(const std::vector<std::string>& words);

/// An option whose words stand for values: one table checks the word and gives the value. The word
/// of the `value` so far is shown as the default.
template <class Value, class Held>
CLI::Option* AddChoice(CLI::App& command, const std::string& name, Held& value,
                       const std::vector<std::pair<std::string, Value>>& words,
                       const std::string& description) {
  const auto take = [&value, words](const std::string& word) {
    for (const auto& [known, meant] : words)
      if (known == word) value = meant;
  };
  CLI::Option* option =
      command.add_option_function<std::string>(name, take, description)->type_name("WORD");
  std::vector<std::string> known;
  for (const auto& [word, meant] : words) {
    known.push_back(word);
    if (value == meant) option->default_str(word);
  }
  return option->check(OneOf(known));
}

/// IN, and AddReadingOptions.
void AddInputOptions(CLI::App& command, Input& input);
/// How a description is read, and how messages are told.
void AddReadingOptions(CLI::App& command, Input& input);
/// --xacro, --xacro-arg, --no-xacro and --no-env, which are part of them.
void AddXacroOption(CLI::App& command, Input& input);
/// --timeout and --memory of a command that does one thing. They hold as soon as they are read.
void AddLimitOptions(CLI::App& command);

/// Checks that a value is a positive number within reason: --timeout of 1e300 is no limit.
[[nodiscard]] CLI::Validator PositiveNumber(double most);
inline constexpr double kLongestTimeout = 3e7;  ///< s: about a year
/// --package, --package-path and --allow-outside, which are part of them.
void AddResourceOptions(CLI::App& command, Input& input);

/// Folder by package name, of the NAME=DIR options. Throws UsageError where one is of another form.
[[nodiscard]] std::map<std::string, std::string> PackageFolders(
    const std::vector<std::string>& packages);

/// `option` names files that are read with `description`: Input::with.
void AddSideCarOption(CLI::App& command, const std::string& option, const std::string& description,
                      std::vector<std::string>& files);

/// --diagnostics, --verbose and --quiet, which are part of them.
void AddMessageOptions(CLI::App& command, Input& input);
/// --diagnostics alone.
void AddFormOption(CLI::App& command, Input& input);

/// How messages look: colour and excerpts on a terminal only, and not where NO_COLOR is set.
[[nodiscard]] ScreenOptions ScreenFor(const Input& input);

/// Whether a command may show how far it is: messages are text for people.
[[nodiscard]] inline bool ShowsWork(const Input& input) {
  return input.form == MessageForm::kText && !input.quiet;
}

/// Prints a line to standard output, folded to the width of the terminal or of a file.
void PrintFolded(const std::string& line, std::size_t indent);

/// Prints messages to standard error as JSON lines, SARIF or annotations, as `input` asks for.
void PrintMessages(const std::vector<Diagnostic>& messages, const Input& input);
/// The same, or as text for people, of at most so many lines and its errors (0: as many as there
/// are). Returns the lines of that text.
std::size_t PrintDiagnostics(const Diagnostics& diagnostics, const Input& input,
                             std::size_t most_lines = 0);

/// What finds other files for `input`, behind its fence.
[[nodiscard]] FileResolver ResolverFor(const Input& input);

/// The text of `input`, expanded where it is xacro; nothing, with an error, where it cannot be
/// read. `written` gets what stands in the file, `asked` the files that the expansion looked for.
[[nodiscard]] std::optional<std::string> ReadInput(const Input& input, Diagnostics& diagnostics,
                                                   std::string* written = nullptr,
                                                   std::vector<struct Asked>* asked = nullptr);

/// What `input` says of how its text is read: format and side-cars. Nothing, with an error, where a
/// side-car cannot be read.
[[nodiscard]] std::optional<LoadOptions> LoadOptionsOf(const Input& input,
                                                       Diagnostics& diagnostics);
/// The name of `input` in messages.
[[nodiscard]] std::string NameOf(const Input& input);

/// Reads the robot of `input`. Nothing on errors; `read` gets the files that were read all the
/// same, `asked` what was looked for.
[[nodiscard]] std::optional<Robot> LoadRobot(const Input& input, Diagnostics& diagnostics,
                                             std::vector<std::string>* read = nullptr,
                                             std::vector<struct Asked>* asked = nullptr);

/// The format that --from or --to names (usage error when unknown), with its version.
[[nodiscard]] const Format* FormatNamed(const std::string& name, std::string& version);

using Command = std::function<int()>;
// One per file: adds the subcommand's options and returns what runs it.
void AddConvert(CLI::App& app, Command& run);
void AddCheck(CLI::App& app, Command& run);
void AddInspect(CLI::App& app, Command& run);
void AddLint(CLI::App& app, Command& run);
void AddGraph(CLI::App& app, Command& run);
void AddSimulate(CLI::App& app, Command& run);
void AddVerify(CLI::App& app, Command& run);
void AddDiff(CLI::App& app, Command& run);
void AddExamples(CLI::App& app, Command& run);
void AddExplain(CLI::App& app, Command& run);
void AddDump(CLI::App& app, Command& run);
void AddExpand(CLI::App& app, Command& run);
void AddExport(CLI::App& app, Command& run);
void AddFormats(CLI::App& app, Command& run);
void AddBatch(CLI::App& app, Command& run);
void AddView(CLI::App& app, Command& run);
void AddCompletion(CLI::App& app, Command& run);

}  // namespace kinemorph::tools
