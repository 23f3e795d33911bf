// kinemorph verify: are two descriptions the same mechanism?
#include "kinemorph/converters/verify.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "host/working.h"
#include "kinemorph/converters/json.h"
#include "kinemorph/converters/screen.h"
#include "kinemorph/graph/base/printable.h"
#include "session/conversion.h"

namespace kinemorph::tools {
namespace {

// verify and diff are one comparison; diff prints less. The verdict, its exceptions and tolerances
// are the library's (VerifyEquivalent): what is printed here adds nothing to it.

void PrintVerdict(const VerifyResult& result, bool verbose) {
  PrintFolded(verbose ? result.line : result.short_line, 6);
}

// Rows of a table, "same    link masses    0  tolerance    1e-09  base_link". What is equal and what
// is skipped is counted, and of what is excepted the first is shown, where nobody asks for all.
void PrintText(const VerifyResult& result, bool verbose) {
  std::size_t width = 0, same = 0;
  const auto good = [](const VerifyCheck& check) { return check.Holds(); };
  const auto hidden = [&](const VerifyCheck& check) {
    return !verbose && good(check) && check.excepted.empty();
  };
  for (const VerifyCheck& check : result.checks) {
    if (hidden(check))
      ++same;
    else
      width = std::max(width, check.what.size());
  }
  for (const VerifyCheck& check : result.checks) {
    if (hidden(check)) continue;
    // An error above its tolerance that the user has allowed is still shown.
    const char* const word = !good(check)             ? "DIFFERS "
                             : check.excepted.empty() ? "same    "
                                                      : "differs ";
    std::ostringstream row;
    row << word << std::left << std::setw(static_cast<int>(width) + 2) << check.what << std::right;
    if (verbose || !good(check)) {
      row << std::setw(12) << std::setprecision(3) << check.max_error << "  tolerance "
          << std::setw(8) << check.tolerance;
      if (!check.worst.empty()) row << "  " << check.worst;
    } else {
      row << check.excepted.front();
      if (check.excepted.size() > 1) row << " (and " << check.excepted.size() - 1 << " more)";
    }
    PrintFolded(row.str(), 12);
    if (!verbose) continue;
    for (const std::string& item : check.excepted) PrintFolded("        " + item, 12);
  }
  std::string skipped;
  for (const VerifySkipped& each : result.skipped) {
    if (verbose) PrintFolded("skipped: " + Text(each), 9);
    skipped += (skipped.empty() ? "" : ", ") + std::string(FeatureName(each.feature));
  }
  if (!verbose && !skipped.empty()) PrintFolded("skipped " + skipped, 8);
  if (same > 0)
    std::cout << "same    " << same << " of " << result.checks.size()
              << " checks (--verbose lists them)\n";
  PrintVerdict(result, verbose);
}

// Only what differs, each with what was found.
void PrintDifferences(const VerifyResult& result, bool verbose) {
  for (const std::string& line : DifferenceLines(result)) PrintFolded(line, 4);
  PrintVerdict(result, verbose);
}

// Nothing, where nothing is wrong.
void PrintQuiet(const VerifyResult& result) {
  if (!result.equivalent) PrintVerdict(result, false);
}

// A loss that the conversion reported is no surprise in the comparison: it is accepted by feature
// and element, not by feature alone.
// The losses that a report of convert names, as VerifyOptions::accepted has them, and what it was
// asked to leave out.
void AcceptLosses(const std::string& path, VerifyOptions& options) {
  std::string why;
  const std::optional<std::string> text = ReadWhole(path, why);
  const nlohmann::json report = nlohmann::json::parse(text.value_or(""), nullptr, false);
  if (!text) throw UsageError("--report: '" + path + "' cannot be read: " + why);
  if (!report.is_object() || !report.contains("losses") || !report["losses"].is_array())
    throw UsageError("--report: '" + path +
                     "' is not a loss report of convert (--loss-report FILE.json)");
  // Entries of another version may lack keys; they accept nothing.
  for (const nlohmann::json& loss : report["losses"]) {
    if (!loss.is_object() || !loss.value("feature", nlohmann::json()).is_string() ||
        !loss.value("element", nlohmann::json()).is_string())
      continue;
    const auto name = loss["feature"].get<std::string>();
    options.accepted.push_back(name + " " + loss["element"].get<std::string>());
    Feature feature{};
    if (loss.value("pass", nlohmann::json()) == "drop_requested" && FeatureFromName(name, feature))
      options.dropped.push_back(feature);
  }
  // A link that was merged as asked is missing.
  for (const nlohmann::json& lowering : report.value("lowerings", nlohmann::json::array()))
    if (lowering.is_object() && lowering.value("pass", nlohmann::json()) == "merge_fixed" &&
        lowering.value("element", nlohmann::json()).is_string())
      options.accepted.push_back("massless-link " + lowering["element"].get<std::string>());
}

struct VerifyCommand {
  Input a;
  std::string b;
  std::vector<std::string> with_b;
  bool json = false, only_differences = false;
  std::string report;
  VerifyOptions verify;
};

int Run(VerifyCommand& command) {
  if (!command.report.empty()) AcceptLosses(command.report, command.verify);
  Input b = command.a;
  b.path = command.b;
  b.with = command.with_b;
  // Meshes of one description may only be found from the other one's folder.
  b.beside = {command.a.path};  // a conversion names the meshes of its source
  command.a.beside = {command.b};
  Diagnostics diagnostics;
  const std::optional<Robot> robot_a = LoadRobot(command.a, diagnostics);
  const std::optional<Robot> robot_b = LoadRobot(b, diagnostics);
  std::optional<VerifyResult> result;
  if (robot_a && robot_b) {
    const Working working("comparing '" + command.a.path + "' and '" + command.b + "'",
                          ShowsWork(command.a));
    result = VerifyRobots(*robot_a, *robot_b, command.verify);
    // Messages about the comparison would be told again by the differences.
    if (!command.only_differences) diagnostics.Append(result->diagnostics);
  }
  PrintDiagnostics(diagnostics, command.a);
  if (!result) return kBadInput;
  if (command.json)
    std::cout << VerdictJson(*result) << '\n';
  else if (command.a.quiet)
    PrintQuiet(*result);
  else if (command.only_differences)
    PrintDifferences(*result, command.a.verbose);
  else if (!command.a.quiet)
    PrintText(*result, command.a.verbose);
  else if (!result->equivalent)
    PrintVerdict(*result, command.a.verbose);
  std::cout << std::flush;
  return result->equivalent ? kDone : kBadInput;
}

void AddComparison(CLI::App& command, const std::shared_ptr<VerifyCommand>& options, Command& run) {
  command.add_option("A", options->a.path, "one robot description")->type_name("FILE")->required();
  command.add_option("B", options->b, "the other robot description, in any format")
      ->type_name("FILE")
      ->required();
  AddResourceOptions(command, options->a);
  AddXacroOption(command, options->a);
  AddLimitOptions(command);
  AddSideCarOption(command, "--with", "A", options->a.with);
  AddSideCarOption(command, "--with-b", "B", options->with_b);
  AddOptions(command, options->verify);
  AddMessageOptions(command, options->a);
  StartGroup(command, kOutputGroup);
  command.add_flag("--json", options->json, "print the result as JSON");
  StartGroup(command, kLossGroup);
  command
      .add_option("--report", options->report,
                  "accept the losses in this report of `kinemorph convert --loss-report`")
      ->type_name("FILE.json");
  command.callback([options, &run] { run = [options] { return Run(*options); }; });
}

}  // namespace

void AddVerify(CLI::App& app, Command& run) {
  AddComparison(*app.add_subcommand("verify",
                                    "Prove that two robot descriptions describe the same "
                                    "mechanism, or say where they differ."),
                std::make_shared<VerifyCommand>(), run);
}

void AddDiff(CLI::App& app, Command& run) {
  const auto options = std::make_shared<VerifyCommand>();
  options->only_differences = true;
  AddComparison(
      *app.add_subcommand("diff", "Print only what differs between two robot descriptions."),
      options, run);
}

}  // namespace kinemorph::tools
