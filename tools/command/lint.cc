// kinemorph lint: what a colleague would point at.
#include "kinemorph/converters/lint.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "host/terminal.h"
#include "kinemorph/converters/screen.h"
#include "kinemorph/graph/base/printable.h"
#include "session/conversion.h"
#include "session/exceptions.h"
#include "session/named_files.h"
#include "session/outputs.h"
#include "session/xacro.h"

namespace kinemorph::tools {
namespace {

// Rules are in the library (Lint). Here files are found, messages printed and counted, and with
// --fix a copy is written. A file with warnings is a success, one with errors is none.

struct LintRequest {
  Input input;                     ///< but for the path
  std::vector<std::string> paths;  ///< files and folders
  Globs globs;                     ///< of what stands in folders
  Exceptions exceptions;
  std::string to;   ///< losses of a conversion to this format are told too
  std::string fix;  ///< "certain", or codes with commas; empty: nothing is fixed
  std::string out;  ///< takes the fixed text
};

struct LintCounts {
  std::size_t files = 0, errors = 0, warnings = 0, notes = 0;
  void Add(const std::vector<Diagnostic>& said) {
    ++files;
    for (const Diagnostic& message : said) {
      errors += message.severity == Severity::kError;
      warnings += message.severity == Severity::kWarning;
      notes += message.severity == Severity::kNote;
    }
  }
  [[nodiscard]] std::string Text() const {
    const auto counted = [](std::size_t count, const std::string& word) {
      return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
    };
    return counted(errors, "error") + ", " + counted(warnings, "warning") + ", " +
           counted(notes, "note");
  }
};

// With --to the messages are those of check, so that one run says all that stands in the way.
// The losses of a conversion, and what it has to say.
void AppendLosses(Robot robot, const Input& input, const std::string& to, Diagnostics& said) {
  ConversionOptions options;
  options.input = input;
  options.to = to;
  ConversionRequest library = RequestFor(options);
  library.in = NameOf(input);
  const ConversionResult result = ConvertRobot(std::move(robot), library);
  for (const Diagnostic& message : AllMessages(result)) said.Add(message);
}

int WriteFixes(const LintRequest& request, const Robot& robot, const Diagnostics& said) {
  std::vector<std::string> codes;
  // CODE,CODE. CheckFix has seen that all of them exist.
  for (std::string rest = request.fix; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    codes.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  const LintFixes fixes = FixText(robot.text, robot.model, said, codes);
  const std::string why = WriteWhole(request.out, fixes.text);
  if (!why.empty()) {
    std::cerr << "kinemorph: " << Printable(why) << '\n';
    return kBadInput;
  }
  if (request.out == "-") return kDone;
  for (const std::string& line : fixes.done) std::cout << "fixed " << Printable(line) << '\n';
  if (fixes.done.empty()) std::cout << "nothing to fix\n";
  std::cout << "wrote " << Printable(request.out) << "; the messages are of the file as it was\n";
  return kDone;
}

void CheckFix(const LintRequest& request) {
  if (request.fix.empty()) {
    if (!request.out.empty()) throw UsageError("-o takes what --fix fixes; write --fix too");
    return;
  }
  // Fixes are offsets into one text; nothing else could be written back.
  if (request.paths.size() != 1 || std::filesystem::is_directory(request.paths[0]))
    throw UsageError("--fix fixes one file");
  if (request.out.empty()) throw UsageError("--fix writes another file; name it with -o FILE");
  RefuseInputs({request.out}, request.paths);
  Input input = request.input;
  input.path = request.paths[0];
  // The text that has the mistake is not the one that the user edits.
  if (IsToBeExpanded(input)) throw UsageError("--fix of a xacro file: fix what it was made of");
  const std::vector<std::string>& known = FixableCodes();
  std::string rest = request.fix == "certain" ? "" : request.fix;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string code = rest.substr(0, comma);
    if (std::find(known.begin(), known.end(), code) == known.end()) {
      std::string list;
      for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
      throw UsageError("--fix: '" + code + "' has no fix; these have one: " + list);
    }
    rest.erase(0, comma + 1);
  }
}

// The last line; a long path gives way to the counts.
std::string Summary(const std::vector<std::string>& files, const LintCounts& total) {
  const std::string counts = ": " + total.Text();
  const std::size_t terminal = TerminalColumns(STDOUT_FILENO),
                    columns = terminal > 0 ? terminal : kFileColumns;
  const std::string name =
      files.size() == 1 ? Printable(ShortPath(files[0], columns - std::min(columns, counts.size())))
                        : std::to_string(files.size()) + " files";
  return Folded(name + counts, columns, 6);
}

// All of it; with -q what makes the command fail, which without --fail-on are errors.
void PrintWhatFails(std::vector<Diagnostic> said, const Exceptions& exceptions,
                    const Input& input) {
  ScreenOptions screen = ScreenFor(input);
  if (input.quiet)
    std::erase_if(said, [&](const Diagnostic& each) { return each.severity < exceptions.fail_on; });
  screen.errors_only = false;
  std::cerr << MessagesScreen(said, screen) << std::flush;
}

// A line per file and the fixes go to standard output.
int LintFiles(const LintRequest& request) {
  CheckFix(request);
  if (std::string version; !request.to.empty())
    static_cast<void>(FormatNamed(request.to, version));  // a usage error before anything is read
  const auto [files, all_read] =
      FilesNamed(request.paths, request.globs, request.input.allow_outside);
  const bool text = request.input.form == MessageForm::kText;
  std::vector<Diagnostic> all;
  LintCounts total;
  int end = kDone;  // of two ends the worse counts
  for (const std::string& file : files) {
    Input input = request.input;
    input.path = file;
    Diagnostics said;
    // In this order: a fix takes the robot's text, a conversion takes the robot.
    std::optional<Robot> robot = LoadRobot(input, said);
    if (robot) said = Lint(robot->model, said, robot->resolver.get());
    TellUnknownCodes(file, said);
    if (robot && !request.fix.empty()) end = std::max(end, WriteFixes(request, *robot, said));
    if (robot && !request.to.empty()) AppendLosses(std::move(*robot), input, request.to, said);
    if (input.expansion) said = input.expansion->Translated(said);
    const std::vector<Diagnostic> kept = WithoutExceptions(said.items(), request.exceptions);
    total.Add(kept);
    if (Fails(kept, request.exceptions)) end = kBadInput;
    if (text)
      PrintWhatFails(kept, request.exceptions, input);
    else
      all.insert(all.end(), kept.begin(), kept.end());
  }
  if (!text) PrintMessages(all, request.input);
  if (!request.input.quiet && request.out != "-") std::cout << Summary(files, total) << std::flush;
  // A fix that cannot be written, an error, a folder unread: each ends in 1.
  return all_read ? end : static_cast<int>(kBadInput);
}

}  // namespace

void AddLint(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand("lint",
                                         "List probable mistakes in a robot description: units, "
                                         "placeholders, locked joints, loops that "
                                         "cannot close.");
  auto request = std::make_shared<LintRequest>();
  command
      ->add_option("IN", request->paths,
                   "files to read, or folders in which all robot descriptions are read; - reads "
                   "standard input")
      ->type_name("PATH")
      ->required();
  AddReadingOptions(*command, request->input);
  StartGroup(*command, kLossGroup);
  command->add_option("--to", request->to, "also list what a conversion to this format would lose")
      ->type_name("FORMAT");
  AddGlobOptions(*command, request->globs);
  AddExceptionOptions(*command, request->exceptions);
  StartGroup(*command, kOutputGroup);
  command
      ->add_flag("--fix{certain}", request->fix,
                 "fix certain mistakes; --fix=CODE,CODE also fixes probable mistakes with these "
                 "codes: lint-limits-absent, lint-rpy-degrees")
      ->type_name("CODE");
  command->add_option("-o,--output", request->out, "the file to write the fixed text to")
      ->type_name("FILE");
  command->callback([request, &run] { run = [request] { return LintFiles(*request); }; });
}

}  // namespace kinemorph::tools
