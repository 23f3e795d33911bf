// kinemorph check: the loss reports that convert would give, without writing anything.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "host/terminal.h"
#include "host/working.h"
#include "kinemorph/graph/base/printable.h"
#include "session/conversion.h"
#include "session/exceptions.h"
#include "session/hints.h"
#include "session/named_files.h"
#include "session/outputs.h"
#include "session/xacro.h"

namespace kinemorph::tools {
namespace {

// check runs the conversion of convert up to the text and throws the text away, so that what it
// predicts is what convert does. A folder takes many files: then one line or one array stands for
// all.

using Printer = std::string (*)(const LossReport&);

struct CheckOptions {
  ConversionOptions options;       ///< but for the path
  std::vector<std::string> paths;  ///< files and folders
  Globs globs;                     ///< of what stands in folders
  Exceptions exceptions;
  Printer print = LossReportText;
};

// Reads and converts the file of `options`, whose input gets to know what it was expanded to.
// The messages of reading come before those of converting, as a user sees them.
ConversionResult Predict(const ConversionOptions& options) {
  ConversionRequest library = RequestFor(options);
  Diagnostics messages;
  const Working working("checking '" + options.input.path + "'", ShowsWork(options.input));
  std::optional<Robot> robot = LoadRobot(options.input, messages);
  ConversionResult result;
  library.in = NameOf(options.input);
  if (robot) result = ConvertRobot(std::move(*robot), library);
  messages.Append(result.diagnostics);
  result.diagnostics = std::move(messages);
  TranslateResult(options.input, result);
  return result;
}

// There is a report: nothing went wrong, or --strict forbids what would be lost.
bool HasReport(const ConversionResult& result) {
  return result.end == ConversionEnd::kDone || result.forbidden > 0;
}

// What goes to standard output for one of several files or for the only one.
void PrintReport(const CheckOptions& request, const Input& input, const ConversionResult& result) {
  const bool screen = request.print == LossReportText && input.form == MessageForm::kText;
  if (screen && input.quiet) return;
  if (screen && !input.verbose) {
    ScreenOptions options;
    options.silent = request.options.options.drop;
    options.columns = TerminalColumns(STDOUT_FILENO);
    options.hides = [&](const Diagnostic& message) {
      return WithoutExceptions({message}, request.exceptions).empty();
    };
    const std::string hint = UnopenedMeshHint(result, request.options,
                                              "convert makes OBJ files of them beside its output");
    if (!hint.empty()) options.hints = {hint};
    std::cout << ConversionScreen(result, input.path, "", options);
  } else {
    std::cout << request.print(result.report);
  }
}

// Why the exit code is not 0 though the report has no error.
void PrintRefusal(const CheckOptions& request, const ConversionResult& result, bool fails) {
  if (request.print != LossReportText || request.options.input.form != MessageForm::kText ||
      request.options.input.quiet || result.diagnostics.has_errors())
    return;
  if (result.forbidden > 0)
    std::cout << "refused: --strict forbids " << result.forbidden
              << (result.forbidden == 1 ? " loss" : " losses") << " (exit code 3)\n";
  else if (fails)
    std::cout << "refused: --fail-on " << Name(request.exceptions.fail_on) << " (exit code 1)\n";
}

// `report` is null where there is none, so that a script need not know which end gives one.
// One array: what would become of each file.
class Reports {
 public:
  void Add(const std::string& file, const ConversionResult& result) {
    nlohmann::ordered_json each = {{"source", file}, {"exit_code", static_cast<int>(result.end)}};
    each["report"] = HasReport(result)
                         ? nlohmann::ordered_json::parse(LossReportJson(result.report))
                         : nlohmann::ordered_json();
    all_.push_back(std::move(each));
  }
  [[nodiscard]] std::string Text() const {
    return PrintableJson(
        all_.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }

 private:
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
};

int CheckFiles(const CheckOptions& request) {
  const std::string& loss_report = request.options.loss_report;
  // The options are checked against the target here: the first of a thousand files must not be the
  // one to tell.
  static_cast<void>(RequestFor(request.options));  // a usage error before anything is read
  const auto [files, all_read] =
      FilesNamed(request.paths, request.globs, request.options.input.allow_outside);
  const bool several = files.size() != 1;
  // What a folder happens to hold does not change the form of what is printed.
  const bool listed = request.paths.size() != 1 || std::filesystem::is_directory(request.paths[0]);
  if (several && !loss_report.empty())
    throw UsageError("--loss-report takes the report of one file; --format json prints all");
  // Files of the user are not written over: neither one that is read, nor one that is no loss
  // report.
  RefuseInputs({loss_report}, files);
  RefuseForeign(loss_report, LossReportMark(loss_report));
  const bool text = request.options.input.form == MessageForm::kText;
  const bool as_text = request.print == LossReportText, as_json = request.print == LossReportJson;
  std::vector<Diagnostic> all;
  Reports reports;
  std::map<int, std::size_t> ends;
  std::size_t failed = 0;  // by --fail-on
  for (const std::string& file : files) {
    ConversionOptions options = request.options;
    options.input.path = file;
    ConversionResult result = Predict(options);
    TellUnknownCodes(file, result.diagnostics);
    ++ends[static_cast<int>(result.end)];
    const std::vector<Diagnostic> kept = WithoutExceptions(AllMessages(result), request.exceptions);
    const bool fails = Fails(kept, request.exceptions);
    failed += fails;
    Input said = options.input;
    // SARIF is one document and annotations are counted: they wait for the end.
    if (!text) {
      all.insert(all.end(), kept.begin(), kept.end());
    } else {
      // The screen says the rest.
      said.quiet = said.quiet || (HasReport(result) && as_text && !said.verbose);
      PrintDiagnostics(result.diagnostics, said);
    }
    // One array at the end; else each report goes out as soon as it is known, and is flushed,
    // because the messages between them go to another stream.
    if (listed && as_json)
      reports.Add(file, result);
    else if (HasReport(result) && (text || !as_text || !several))
      PrintReport(request, options.input, result);
    PrintRefusal(request, result, fails);
    std::cout << std::flush;
    if (loss_report.empty() || !HasReport(result)) continue;
    const std::string why = WriteWhole(loss_report, ReportFor(loss_report, result.report));
    if (why.empty()) continue;
    std::cerr << "kinemorph: " << Printable(why) << '\n';
    return kBadInput;
  }
  if (!text) PrintMessages(all, request.options.input);
  if (listed && as_json) std::cout << reports.Text() << '\n';
  if (several && as_text && !request.options.input.quiet)
    std::cout << files.size() << (files.size() == 1 ? " file: " : " files: ") << ends[kDone]
              << " can be converted, " << ends[kBadInput] + ends[kInternal] << " with errors, "
              << ends[kWouldLose] << " refused by --strict\n";
  std::cout << std::flush;
  // A folder that could not be read in part is no success.
  ends[kBadInput] += all_read ? 0 : 1;
  for (const int code : {kInternal, kBadInput, kWouldLose})
    if (ends[code] > 0) return code;
  return failed > 0 ? kBadInput : kDone;
}

}  // namespace

void AddCheck(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "check", "List what a conversion would lose, without writing the converted file.");
  auto request = std::make_shared<CheckOptions>();
  ConversionOptions& options = request->options;
  command
      ->add_option("IN", request->paths,
                   "files to read, or folders in which all robot descriptions are read; - reads "
                   "standard input")
      ->type_name("PATH")
      ->required();
  AddReadingOptions(*command, options.input);
  AddGlobOptions(*command, request->globs);
  AddExceptionOptions(*command, request->exceptions);
  AddOptions<ConversionRequest>(*command, options, kOfCheck);
  command->get_option("--to")->required();
  AddReportOption(*command, options);
  StartGroup(*command, kOutputGroup);
  AddChoice<Printer>(
      *command, "--format", request->print,
      {{"text", LossReportText}, {"json", LossReportJson}, {"md", LossReportMarkdown}},
      "the form of the list on standard output");
  command->callback([request, &run] { run = [request] { return CheckFiles(*request); }; });
}

}  // namespace kinemorph::tools
