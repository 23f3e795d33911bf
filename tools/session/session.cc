#include "session/session.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

#include "host/cleanup.h"
#include "host/inputs.h"
#include "host/terminal.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/json.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/printable.h"
#include "session/xacro.h"

namespace kinemorph::tools {

// What all subcommands share: options of reading, messages and limits; reading itself (LoadRobot),
// which expands xacro, finds side-cars and resolves names; and the forms of messages.

void AddResourceOptions(CLI::App& command, Input& input) {
  StartGroup(command, kInputGroup);
  command
      .add_option("--package", input.packages,
                  "the folder of the package or model NAME, for file names that begin with "
                  "package://NAME or model://NAME")
      ->type_name("NAME=DIR")
      ->allow_extra_args(false);
  command
      .add_option("--package-path", input.package_paths,
                  "a folder that holds packages or models; the folders of ROS_PACKAGE_PATH, "
                  "AMENT_PREFIX_PATH, GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH, SDF_PATH and "
                  "PRJPATH are searched too")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command.add_flag("--allow-outside", input.allow_outside,
                   "also open files that lie neither in the folder of the model nor in a package");
}

void AddInputOptions(CLI::App& command, Input& input) {
  command.add_option("IN", input.path, "the robot description to read; - reads standard input")
      ->required();
  AddReadingOptions(command, input);
}

void AddReadingOptions(CLI::App& command, Input& input) {
  StartGroup(command, kInputGroup);
  command
      .add_option("--from", input.from,
                  "the format of IN, where the text does not show it: urdf, urdf+, sdf, mjcf, mbs "
                  "or usda")
      ->type_name("FORMAT");
  AddResourceOptions(command, input);
  AddXacroOption(command, input);
  AddSideCarOption(command, "--with", "IN", input.with);
  AddMessageOptions(command, input);
  AddLimitOptions(command);
}

void AddXacroOption(CLI::App& command, Input& input) {
  StartGroup(command, kInputGroup);
  command
      .add_option("--xacro-arg", input.xacro_args,
                  "set an argument of a .xacro file, which kinemorph expands before reading it")
      ->type_name("K:=V")
      ->allow_extra_args(false);
  command
      .add_option("--xacro", input.xacro,
                  "expand IN, whatever its name. native: kinemorph expands the file. program: "
                  "the program xacro does, and runs the Python code in the file")
      ->type_name("WORD")
      ->check(OneOf({"native", "program"}));
  command.add_flag("--no-xacro", input.no_xacro, "do not expand .xacro files");
  command.add_flag("--no-env", input.no_env,
                   "keep environment variables from .xacro files: $(env NAME) is an error, and "
                   "$(optenv NAME DEFAULT) gives the default");
}

// Checked and set while the command line is parsed, so that they hold for everything after.
void AddLimitOptions(CLI::App& command) {
  StartGroup(command, kLimitGroup);
  command
      .add_option_function<double>("--timeout", EndAfter,
                                   "stop after this many seconds, with exit code 1")
      ->type_name("SECONDS")
      ->check(PositiveNumber(kLongestTimeout));
  command
      .add_option_function<std::size_t>(
          "--memory", LimitMemory,
          "the most memory (MB) that the command may use, and each program that the command runs")
      ->type_name("MB")
      ->check(CLI::Range(64, 1 << 24));
}

// The words are in the type of the option, too: help and completions are made of it
// (command_data.cc).
CLI::Validator OneOf(const std::vector<std::string>& words) {
  std::string listed;
  for (const std::string& word : words) listed += (listed.empty() ? "" : ",") + word;
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        if (std::find(words.begin(), words.end(), text) != words.end()) return "";
        const std::string nearest = NearestName(text, words);
        std::string known;
        for (const std::string& word : words) known += (known.empty() ? "" : ", ") + word;
        return "'" + text + "' is none of " + known +
               (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
      },
      "{" + listed + "}");
}

CLI::Validator PositiveNumber(double most) {
  return CLI::Validator([most](const std::string& text) { return WhyNotPositive(text, most); },
                        "NUMBER");
}

void AddSideCarOption(CLI::App& command, const std::string& option, const std::string& description,
                      std::vector<std::string>& files) {
  StartGroup(command, kInputGroup);
  command
      .add_option(option, files,
                  "a side-car: a file that adds loops or joints to " + description +
                      ". Read are submechanisms.yml of HyRoDyn, robot.yaml of Gepetto, "
                      "closing_joints of fusion2URDF, loop_closures.yaml of sw2robot, and SRDF. "
                      "Write 'frames' to close loops by the names of links, 'none' to ignore a "
                      "side-car that lies beside " +
                      description)
      ->type_name("FILE")
      ->allow_extra_args(false);
}

void AddFormOption(CLI::App& command, Input& input) {
  StartGroup(command, kMessageGroup);
  AddChoice<MessageForm>(
      command, "--diagnostics", input.form,
      {{"text", MessageForm::kText},
       {"json", MessageForm::kJson},
       {"sarif", MessageForm::kSarif},
       {"github", MessageForm::kGithub}},
      "the form of messages on standard error: text for people, one JSON object per line, a SARIF "
      "document, or annotations for GitHub");
}

void AddMessageOptions(CLI::App& command, Input& input) {
  AddFormOption(command, input);
  command.add_flag("--verbose", input.verbose,
                   "print every message in full, not one line per code");
  command.add_flag("-q,--quiet", input.quiet, "print errors only");
}

// What a terminal gets: its width, colours unless NO_COLOR is set, and the line of the file that a
// message is about. A file or a pipe gets plain lines.
ScreenOptions ScreenFor(const Input& input) {
  ScreenOptions options;
  options.verbose = input.verbose;
  options.errors_only = input.quiet;
  options.columns = TerminalColumns(STDERR_FILENO);
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (!isatty(STDERR_FILENO) || (terminal != nullptr && std::string(terminal) == "dumb"))
    return options;
  options.colour = no_colour == nullptr || *no_colour == '\0';
  options.source_line = [](const std::string& file, unsigned line) -> std::optional<std::string> {
    std::string why;
    const std::optional<std::string> whole = ReadWhole(file, why);
    std::istringstream stream(whole.value_or(""));
    std::string text;
    for (unsigned i = 0; i < line; ++i)
      if (!std::getline(stream, text)) return std::nullopt;
    return text;
  };
  return options;
}

void PrintFolded(const std::string& line, std::size_t indent) {
  std::cout << Folded(Printable(line), TerminalColumns(STDOUT_FILENO), indent);
}

// One form for each kind of reader: SARIF and annotations for code review, a line of JSON for
// scripts.
void PrintMessages(const std::vector<Diagnostic>& messages, const Input& input) {
  std::vector<Diagnostic> told;
  for (const Diagnostic& message : messages)
    if (!input.quiet || message.severity == Severity::kError) told.push_back(message);
  if (input.form == MessageForm::kSarif) {
    std::cerr << MessagesSarif(told, KINEMORPH_VERSION) << '\n';
  } else if (input.form == MessageForm::kGithub) {
    std::cerr << MessagesGithub(told);
  } else {
    for (const Diagnostic& message : told) std::cerr << MessageJson(message) << '\n';
  }
}

// Messages about an expanded file name lines that its author does not know: they are turned back
// here, if nobody has done it before.
std::size_t PrintDiagnostics(const Diagnostics& diagnostics, const Input& input,
                             std::size_t most_lines) {
  const Diagnostics said = input.expansion ? input.expansion->Translated(diagnostics) : diagnostics;
  if (input.form != MessageForm::kText) {
    PrintMessages(said.items(), input);
    return 0;
  }
  ScreenOptions options = ScreenFor(input);
  options.most_lines = most_lines;
  const std::string text = MessagesScreen(said.items(), options);
  std::cerr << text;
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const Format* FormatNamed(const std::string& name, std::string& version) {
  std::string why;
  const Format* format = kinemorph::FormatNamed(name, version, why);
  if (format == nullptr) throw UsageError(why);
  return format;
}

std::map<std::string, std::string> PackageFolders(const std::vector<std::string>& packages) {
  std::map<std::string, std::string> folders;
  for (const std::string& package : packages) {
    const std::size_t equals = package.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == package.size()) {
      throw UsageError("--package: '" + package + "' is not of the form NAME=DIR");
    }
    const std::string folder = package.substr(equals + 1);
    std::error_code unreadable;
    if (!std::filesystem::is_directory(folder, unreadable))
      throw UsageError("--package: '" + folder + "' is not a folder");
    folders[package.substr(0, equals)] = folder;
  }
  return folders;
}

namespace {

// Folders that are named, then those that the environment names.
std::vector<std::string> SearchFolders(const Input& input) {
  std::vector<std::string> folders = input.package_paths;
  for (std::string& folder : PackageFoldersOfEnvironment()) folders.push_back(std::move(folder));
  return folders;
}

}  // namespace

// Who may be opened: the folder of the file, packages that are named, and the folders of the files
// beside it.
FileResolver ResolverFor(const Input& input) {
  std::vector<std::string> beside = input.beside;
  beside.insert(beside.end(), input.with.begin(), input.with.end());
  std::map<std::string, std::string> packages = PackageFolders(input.packages);
  if (input.expansion)  // what $(find) gave may be named by its path
    packages.insert(input.expansion->packages.begin(), input.expansion->packages.end());
  return FileResolver(input.path, {std::move(packages), SearchFolders(input), std::move(beside),
                                   input.allow_outside, input.disk});
}

std::string NameOf(const Input& input) {
  if (input.expansion) return input.expansion->name;
  return input.path == "-" ? "<stdin>" : input.path;
}

// The text that a format reads: the file, or what xacro makes of it. `expansion` stays with the
// input, because later messages need it to name lines.
std::optional<std::string> ReadInput(const Input& input, Diagnostics& diagnostics,
                                     std::string* written, std::vector<Asked>* asked) {
  input.expansion.reset();
  std::string why;
  std::optional<std::string> text = ReadWhole(input.path, why);
  if (!text) {
    diagnostics.Add({Severity::kError,
                     "file-unreadable",
                     input.path,
                     0,
                     "",
                     "'" + input.path + "' cannot be read: " + why,
                     {}});
    return std::nullopt;
  }
  if (written != nullptr) *written = *text;
  if (!IsToBeExpanded(input)) return text;
  if (input.xacro == "program") return ExpandedByProgram(input, diagnostics);
  if (!ExpandHere(input, *text, diagnostics, asked)) return std::nullopt;
  return input.expansion->text;
}

std::optional<LoadOptions> LoadOptionsOf(const Input& input, Diagnostics& diagnostics) {
  LoadOptions options;
  options.from = input.from;
  // Without --with the library looks for known side-cars in the folder of the file; a stream has no
  // folder.
  options.look_beside = input.with.empty() && input.path != "-";
  for (const std::string& path : input.with) {
    if (path == "none") continue;
    if (path == kFramesByName) {
      options.with.push_back({path, {}});
      continue;
    }
    std::string why;
    std::optional<std::string> text = ReadWhole(path, why);
    if (!text) {
      diagnostics.Add(MakeDiagnostic(Severity::kError, "file-unreadable", path, 0, "",
                                     {"", path, "cannot be read: " + why}));
      return std::nullopt;
    }
    options.with.push_back({path, std::move(*text)});
  }
  return options;
}

// All that was read comes back in `read`, for the checks of outputs.
std::optional<Robot> LoadRobot(const Input& input, Diagnostics& diagnostics,
                               std::vector<std::string>* read, std::vector<Asked>* asked) {
  if (std::string version; !input.from.empty())
    static_cast<void>(FormatNamed(input.from, version));  // a usage error before anything is read
  std::vector<Asked> expanding;
  std::optional<std::string> text = ReadInput(input, diagnostics, nullptr, &expanding);
  if (!text) return std::nullopt;
  const std::optional<LoadOptions> options = LoadOptionsOf(input, diagnostics);
  // Records each question, also those that were asked in vain.
  if (!options) return std::nullopt;
  const auto resolver = std::make_shared<InputRecorder>(ResolverFor(input));
  Loaded loaded = LoadText(std::move(*text), NameOf(input), resolver, *options);
  diagnostics.Append(loaded.diagnostics);
  if (input.expansion) diagnostics = input.expansion->Translated(diagnostics);
  expanding.insert(expanding.end(), resolver->asked().begin(), resolver->asked().end());
  if (read != nullptr) {
    read->push_back(input.path);
    read->insert(read->end(), input.with.begin(), input.with.end());
    for (const Asked& each : expanding) read->push_back(each.path);
  }
  if (asked != nullptr) *asked = std::move(expanding);
  return std::move(loaded.robot);
}

}  // namespace kinemorph::tools
