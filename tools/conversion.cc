#include "conversion.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "assets.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model_dump.h"
#include "program.h"
#include "sha256.h"

namespace kinemorph::tools {
namespace {

constexpr int kJudgeSeconds = 60;

std::string Extension(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

bool HasLoops(const Model& model) {
  if (!model.couplings.empty()) return true;
  return !ChooseSpanningTree(model).loop_joints.empty();
}

// The target that --to names, or that the extension of OUT implies; a looped model in a .urdf file
// is URDF+.
Target TargetFor(const ConversionRequest& request, const Model& source) {
  Target target;
  if (!request.to.empty()) {
    target.format = FormatNamed(request.to, target.options.version);
  } else if (request.out == "-" || request.out.empty()) {
    throw UsageError("standard output has no extension: name the target format with --to");
  } else {
    target.format = FormatForExtension(request.out);
    if (!target.format)
      throw UsageError("'" + request.out + "': the extension '" + Extension(request.out) +
                       "' is of no known format; name it with --to");
    if (target.format->name == "urdf" && (HasLoops(source) || request.profile == "grbda"))
      target.format = FindFormat("urdf+");
  }
  target.options.profile = request.profile == "paper"   ? UrdfPlusProfile::kPaper
                           : request.profile == "grbda" ? UrdfPlusProfile::kGrbda
                                                        : UrdfPlusProfile::kReference;
  target.options.massless_mass = request.massless;
  return target;
}

// The reference library's word on `text`, asked through the judge program beside this one. False
// when it refuses.
bool ReferenceLibraryAccepts(const Target& target, const std::string& out, const std::string& text,
                             Diagnostics& diagnostics) {
  const auto note = [&](Severity severity, const char* code, std::string message) {
    diagnostics.Add({severity, code, out, 0, "", std::move(message), {}});
  };
  std::error_code error;
  const std::filesystem::path judge =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "kinemorph-judge";
  if (error || !std::filesystem::exists(judge)) {
    note(
        Severity::kNote, "verify-no-judge",
        "'" + out +
            "': no reference library was asked: kinemorph-judge is not installed beside kinemorph");
    return true;
  }
  // The text stands beside OUT while it is judged, so that relative assets are found.
  std::filesystem::path folder = out == "-" ? std::filesystem::temp_directory_path()
                                            : std::filesystem::absolute(out).parent_path();
  const TemporaryFile file(folder.string(), std::string(target.format->extensions.front()));
  if (file.handle() < 0 || !WriteAll(file.handle(), text)) {
    note(Severity::kError, "file-unwritable",
         "'" + out + "': no temporary file can be made in its folder: " + std::strerror(errno));
    return false;
  }
  const auto verdict = RunProgram({judge.string(), std::string(target.format->name), file.path()},
                                  "", kJudgeSeconds);
  if (!verdict) {
    note(Severity::kError, "verify-no-judge", "'" + out + "': kinemorph-judge could not be run");
    return false;
  }
  if (verdict->timed_out) {
    note(Severity::kError, "verify-judge-slow",
         "'" + out + "': the reference library gave no answer within " +
             std::to_string(kJudgeSeconds) + " s");
    return false;
  }
  std::string words = verdict->output;
  while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.pop_back();
  if (verdict->exit_code == 0 || verdict->exit_code == 3) {
    note(Severity::kNote, verdict->exit_code == 0 ? "verify-accepted" : "verify-not-judged",
         "'" + out + "': " + words);
    return true;
  }
  note(Severity::kError, "verify-refused",
       "'" + out + "': " + (verdict->exit_code > 128 ? "the reference library crashed: " : "") +
           words);
  return false;
}

// OUT as written, read back and compared with the source by physics and values, and shown to the
// reference library.
bool Proven(const ConversionRequest& request, const Target& target, const Model& source,
            const Converted& converted, Diagnostics& diagnostics) {
  const FileResolver resolver(request.out, {});
  ReadOptions read;
  read.file_name = request.out == "-" ? "<output>" : request.out;
  read.resolver = &resolver;
  Diagnostics reading;
  const std::optional<Model> reread = ReadModel(converted.text, target.format, read, reading);
  if (!reread) {
    diagnostics.Append(reading);
    diagnostics.Add({Severity::kError,
                     "verify-unreadable",
                     request.out,
                     0,
                     "",
                     "'" + request.out + "': what was written cannot be read back",
                     {}});
    return false;
  }
  VerifyOptions options;
  options.report = &converted.lowered.report, options.written = &*reread;
  const VerifyResult result = VerifyEquivalent(source, *reread, options);
  const auto say = [&](Severity severity, const char* code, const std::string& message) {
    diagnostics.Add({severity, code, request.out, 0, "", "'" + request.out + "': " + message, {}});
  };
  if (result.verdict == Verdict::kDifferent) {
    diagnostics.Append(result.diagnostics);
    say(Severity::kError, "verify-failed", result.line + "; nothing was written");
    return false;
  }
  for (const std::string& row : result.skipped)
    say(Severity::kNote, "verify-skipped", "skipped: " + row);
  say(Severity::kNote, result.verdict == Verdict::kExcept ? "verify-except" : "verify-equivalent",
      result.line + " (proved in " + std::to_string(result.checks.size()) + " checks)");
  return ReferenceLibraryAccepts(target, request.out, converted.text, diagnostics);
}

// Nothing is written over what is read, whatever the names are.
void RefuseOverwriting(const ConversionRequest& request) {
  const auto refuse = [](const std::string& a, const std::string& b, const char* what) {
    if (SameFile(a, b))
      throw UsageError("'" + b + "' is " + what + " '" + a + "': it would be overwritten");
  };
  refuse(request.input.path, request.out, "the input");
  if (request.loss_report.empty()) return;
  if (Extension(request.loss_report) != ".json" && Extension(request.loss_report) != ".md") {
    throw UsageError("--loss-report: '" + request.loss_report +
                     "' ends neither in .json nor in .md");
  }
  refuse(request.input.path, request.loss_report, "the input");
  if (request.loss_report == request.out)
    throw UsageError("--loss-report: '" + request.out + "' is also the output");
  refuse(request.out, request.loss_report, "the output");
}

void RefuseOverwritingInputs(const ConversionRequest& request, const std::vector<Asked>& inputs) {
  std::error_code error;
  if (!std::filesystem::exists(request.out, error)) return;
  for (const Asked& asked : inputs) {
    if (asked.path.empty() || !SameFile(asked.path, request.out)) continue;
    throw UsageError("'" + request.out + "' is '" + asked.path + "', which '" + request.input.path +
                     "' needs: it would be overwritten");
  }
}

bool Put(const std::string& path, const std::string& text, Diagnostics& diagnostics) {
  const std::string why = WriteWhole(path, text);
  if (!why.empty()) diagnostics.Add({Severity::kError, "file-unwritable", path, 0, "", why, {}});
  return why.empty();
}

}  // namespace

std::vector<Feature> FeaturesNamed(const std::vector<std::string>& names,
                                   const std::string& option) {
  std::vector<Feature> features;
  for (const std::string& name : names) {
    Feature feature{};
    if (!FeatureFromName(name, feature)) {
      std::vector<std::string> known;
      for (int f = 0; f < static_cast<int>(Feature::kCount); ++f)
        known.emplace_back(FeatureName(static_cast<Feature>(f)));
      const std::string nearest = NearestName(name, known);
      throw UsageError(option + ": '" + name + "' is no feature" +
                       (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") +
                       " (`kinemorph formats` lists them)");
    }
    features.push_back(feature);
  }
  return features;
}

void AddChoiceOptions(CLI::App& command, ConversionRequest& request) {
  command.add_option("--cut", request.cut, "make this joint a loop joint, repeatable")
      ->type_name("JOINT")
      ->allow_extra_args(false);
  command
      .add_option("--independent", request.independent,
                  "make this joint's coordinates independent, repeatable; the rest is chosen")
      ->type_name("JOINT")
      ->allow_extra_args(false);
}

void AddConversionOptions(CLI::App& command, ConversionRequest& request) {
  command
      .add_flag("--strict{any}", request.strict,
                "write nothing and exit with 3 if anything would be lost; =interface leaves out "
                "looks, =motion leaves out names, sensors, "
                "frames too")
      ->check(CLI::IsMember({"any", "interface", "motion"}));
  command
      .add_option("--drop", request.drop,
                  "leave this feature out on purpose (see `kinemorph formats`), repeatable")
      ->type_name("FEATURE")
      ->allow_extra_args(false);
  AddChoiceOptions(command, request);
  command
      .add_option("--base", request.base,
                  "is the base fixed to the world, floating, or as the source says")
      ->check(CLI::IsMember({"fixed", "floating", "auto"}))
      ->capture_default_str();
  command
      .add_option("--root", request.root,
                  "URDF's root above a fixed base: a link 'world', or the base itself")
      ->check(CLI::IsMember({"world", "base"}))
      ->capture_default_str();
  command
      .add_option(
          "--profile", request.profile,
          "URDF+ as the reference parser reads it, as the paper prints it, or as GRBDA runs it")
      ->check(CLI::IsMember({"reference", "paper", "grbda"}))
      ->capture_default_str();
  command.add_option("--model", request.model, "which model of a world with several")
      ->type_name("NAME");
  command
      .add_option("--frames", request.frames,
                  "what becomes of named frames where the target has none")
      ->check(CLI::IsMember({"keep", "drop"}))
      ->capture_default_str();
  command
      .add_option("--fixed", request.fixed,
                  "fixed joints in Robotran MBS: keep the links, or merge them")
      ->check(CLI::IsMember({"keep", "merge"}))
      ->capture_default_str();
  command
      .add_option("--actuators", request.actuators,
                  "drives as in the source, or a motor for every joint with an effort limit")
      ->check(CLI::IsMember({"keep", "motor"}))
      ->capture_default_str();
  command.add_option("--massless", request.massless, "give links without mass this mass (kg)")
      ->type_name("EPS")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--loss-report", request.loss_report,
                  "write the loss report to FILE.json or FILE.md")
      ->type_name("FILE");
}

ConvertOptions OptionsFor(const ConversionRequest& request, const Model& source) {
  ConvertOptions options;
  options.target = TargetFor(request, source);
  options.drop = FeaturesNamed(request.drop, "--drop");
  options.cut = request.cut;
  options.independent = request.independent;
  options.base = request.base == "fixed"      ? BaseChoice::kFixed
                 : request.base == "floating" ? BaseChoice::kFloating
                                              : BaseChoice::kAuto;
  options.model = request.model;
  options.base_as_root = request.root == "base";
  options.keep_frames = request.frames == "keep";
  options.massless = request.massless;
  options.merge_fixed = request.fixed == "merge";
  options.motors = request.actuators == "motor";
  return options;
}

int FailureCode(const Diagnostics& diagnostics) {
  const auto internal = [](const Diagnostic& d) {
    return d.severity == Severity::kError && d.code.rfind("internal", 0) == 0;
  };
  return std::any_of(diagnostics.items().begin(), diagnostics.items().end(), internal) ? kInternal
                                                                                       : kBadInput;
}

void AddLosses(const LossReport& report, Diagnostics& diagnostics) {
  for (const Loss& loss : report.losses) {
    diagnostics.Add({Severity::kWarning,
                     "loss-" + std::string(FeatureName(loss.feature)),
                     loss.file,
                     loss.subject.where.line,
                     Text(loss.subject),
                     Text(loss.subject) + ": " + loss.what + ": " + loss.why,
                     {}});
  }
}

std::size_t CountForbidden(const LossReport& report, const ConversionRequest& request) {
  if (request.strict.empty()) return 0;
  const Weight least = request.strict == "motion"      ? Weight::kMotion
                       : request.strict == "interface" ? Weight::kInterface
                                                       : Weight::kLooks;
  const auto count =
      std::count_if(report.losses.begin(), report.losses.end(), [&](const Loss& loss) {
        return loss.weight >= least && std::find(request.drop.begin(), request.drop.end(),
                                                 FeatureName(loss.feature)) == request.drop.end();
      });
  return static_cast<std::size_t>(count);
}

std::string ReportFor(const std::string& path, const LossReport& report) {
  return Extension(path) == ".md" ? LossReportMarkdown(report) : LossReportJson(report);
}

int RunConversion(const ConversionRequest& request, Diagnostics& diagnostics, Outcome& outcome) {
  RefuseOverwriting(request);
  const InputRecorder resolver(ResolverFor(request.input));
  std::string text;
  std::optional<Model> source = LoadModel(request.input, resolver, text, diagnostics);
  outcome.inputs = resolver.asked();
  if (request.fingerprints && !text.empty()) outcome.source_sha256 = Sha256(text);
  if (!source) return kBadInput;
  outcome.from = source->format;
  const ConvertOptions options = OptionsFor(request, *source);
  outcome.to = options.target.format->name;
  std::optional<Lowered> lowered =
      Lower(request.verify ? *source : std::move(*source), options, diagnostics);
  if (!lowered) return FailureCode(diagnostics);
  if (request.input.path != "-" && request.out != "-") {
    RebaseAssets(lowered->model, request.input.path, request.out, resolver,
                 options.target.format->name == "mjcf");
    outcome.inputs = resolver.asked();
  }
  RefuseOverwritingInputs(request, outcome.inputs);
  const std::optional<Converted> converted = Write(std::move(*lowered), options, diagnostics);
  if (!converted) return FailureCode(diagnostics);
  outcome.report = converted->lowered.report;
  AddLosses(outcome.report, diagnostics);
  if (const std::size_t forbidden = CountForbidden(outcome.report, request); forbidden > 0) {
    diagnostics.Add({Severity::kError,
                     "strict-loss",
                     request.input.path,
                     0,
                     "",
                     "'" + request.out + "': not written, because --strict" +
                         (request.strict == "any" ? "" : "=" + request.strict) + " was given and " +
                         std::to_string(forbidden) + " thing(s) would be lost",
                     {}});
    return kWouldLose;
  }
  if (request.verify) {
    const bool proven = Proven(request, options.target, *source, *converted, diagnostics);
    outcome.verdict = proven ? "equivalent" : "different";
    if (!proven) return kBadInput;
  }
  if (request.fingerprints) outcome.out_sha256 = Sha256(converted->text);
  std::string why;
  outcome.unchanged = request.keep_same && ReadWhole(request.out, why) == converted->text;
  if (!request.loss_report.empty() &&
      !Put(request.loss_report, ReportFor(request.loss_report, outcome.report), diagnostics))
    return kBadInput;
  return outcome.unchanged || Put(request.out, converted->text, diagnostics) ? kDone : kBadInput;
}

}  // namespace kinemorph::tools
