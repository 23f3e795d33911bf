#include "session/conversion.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <utility>

#include "host/asset_copies.h"
#include "host/mesh_converter.h"
#include "host/program.h"
#include "host/reference_library.h"
#include "host/sha256.h"
#include "host/working.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/text.h"
#include "session/hints.h"
#include "session/outputs.h"
#include "session/xacro.h"

namespace kinemorph::tools {
namespace {

// convert, one model of --all-models and one file of batch all go through ConvertFile: read,
// convert in memory, prove, then write. Nothing is written before everything is known; what would
// be written over is checked three times: names before reading (RefuseOverwriting), inputs that
// reading brought up (RefuseOverwritingInputs), and marks of who wrote what is there
// (RefuseForeign...).

std::string Extension(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

// What its text says of who wrote it.
std::string_view MarkOf(const SideFile& file) {
  return file.kind == SideFileKind::kLoops ? kLoopsMark : kWrittenMark;
}

}  // namespace

std::string SceneOf(const std::string& out) {
  const std::filesystem::path path(out);
  return (path.parent_path() / SceneName(path.filename().string())).string();
}

namespace {

// What the command line names, itself or by OUT.
std::vector<std::string> NamedOutputs(const ConversionOptions& request) {
  return {request.out, request.loss_report, request.scene ? SceneOf(request.out) : ""};
}

// Where a file goes that goes with OUT.
std::string PathOf(const SideFile& file, const ConversionOptions& options) {
  if (file.kind == SideFileKind::kMesh && !options.copy_assets.empty())
    return (std::filesystem::path(options.copy_assets) /
            std::filesystem::path(file.name).filename())
        .string();
  const bool own = file.kind == SideFileKind::kCode && !options.own_folder.empty();
  const std::filesystem::path folder = own ? std::filesystem::path(options.own_folder)
                                           : std::filesystem::path(options.out).parent_path();
  return (folder / file.name).string();
}

// An option without what it needs is told here as well, because these need OUT.
// Nothing is written over what is read, whatever the names are.
void RefuseOverwriting(const ConversionOptions& request) {
  if (!request.options.target.options.side_cars.empty() && request.out == "-")
    throw UsageError(
        "--sidecar writes files beside OUT, and standard output has no place: name a file");
  const WriteOptions& write = request.options.target.options;
  const bool control = std::find(write.side_cars.begin(), write.side_cars.end(), "ros2_control") !=
                       write.side_cars.end();
  if (control && write.hardware_plugin.empty())
    throw UsageError(
        "--sidecar ros2_control: name the class that drives the joints: --hardware-plugin");
  // Names may differ: links, or letters of another size.
  const auto refuse = [](const std::string& a, const std::string& b, const char* what) {
    if (SameFile(a, b))
      throw UsageError("'" + b + "' is " + what + " '" + a + "': the command would overwrite it");
  };
  refuse(request.input.path, request.out, "the input");
  if (request.scene) refuse(request.input.path, SceneOf(request.out), "the input");
  RefuseClashes(NamedOutputs(request));
  for (const std::string& with : request.input.with) refuse(with, request.out, "the side-car");
  if (request.loss_report.empty()) return;
  if (Extension(request.loss_report) != ".json" && Extension(request.loss_report) != ".md") {
    throw UsageError("--loss-report: '" + request.loss_report +
                     "' ends neither in .json nor in .md");
  }
  refuse(request.input.path, request.loss_report, "the input");
  RefuseForeign(request.loss_report, LossReportMark(request.loss_report));
}

// Includes, meshes and side-cars are known only after reading.
// All that is read, once it is known: neither OUT nor what goes with it may be among that.
void RefuseOverwritingInputs(const ConversionOptions& request, const Outcome& outcome) {
  std::vector<std::string> read = request.input.with, written = NamedOutputs(request);
  read.push_back(request.input.path);
  for (const Asked& asked : outcome.inputs) read.push_back(asked.path);
  for (const SideFile& file : outcome.result.files.side_files)
    if (request.out != "-") written.push_back(PathOf(file, request));
  RefuseInputs(written, read);
}

// Of a run with several robots: what goes with one of them is not the file of another one.
bool StandsApart(const ConversionOptions& request, Outcome& outcome) {
  for (const SideFile& file : outcome.result.files.side_files) {
    const std::string path = PathOf(file, request);
    if (!request.targets || request.targets->count(OneName(path)) == 0) continue;
    outcome.result.diagnostics.Add(
        MakeDiagnostic(Severity::kError, "file-unwritable", path, 0, "",
                       {"", path,
                        "goes with '" + request.out +
                            "' and is the output of another robot too: rename one of them"}));
    return false;
  }
  return true;
}

// The targets of a batch have names that nobody gave one by one: what stands at one of them, and
// neither a report nor its content says that it may be of an earlier run, stays.
// A conversion of one file may replace what stands at OUT: the user named it.
void RefuseForeignTarget(const ConversionOptions& options) {
  if (options.own_folder.empty() || options.ours.count(options.out) > 0) return;
  RefuseForeign(options.out, [](const std::string& there) {
    Diagnostics unknown;
    return DetectFormat(there, "", unknown) != nullptr;
  });
}

// `name` beside OUT is a mesh that we wrote for another output of this stem: it is not `text`, and
// OUT as it stands does not name it.
bool IsOfAnotherOutput(const std::string& out, const std::string& name, const std::string& text) {
  std::string why;
  const std::string there =
      ReadWhole((std::filesystem::path(out).parent_path() / name).string(), why).value_or("");
  return there.starts_with(kObjMark) && there != text &&
         ReadWhole(out, why).value_or("").find(name) == std::string::npos;
}

// What stands where a scene or a side-car shall, and is of somebody else.
void RefuseForeignSideFiles(const ConversionOptions& request, const Outcome& outcome) {
  for (const SideFile& file : outcome.result.files.side_files) {
    const std::string path = PathOf(file, request);
    // Nobody named this folder, and a link that stands there leads to somebody else's.
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    if (file.kind == SideFileKind::kMesh && request.copy_assets.empty() && request.out != "-" &&
        std::filesystem::is_symlink(folder, error))
      throw UsageError("'" + folder.string() +
                       "' is a link, and meshes would go where it leads: name a folder for them "
                       "with --copy-assets DIR --convert-meshes");
    const bool beside = file.kind != SideFileKind::kCode && request.out != "-";
    if (!beside || request.ours.count(path) > 0) continue;
    if (!MayReplace(path, file.text, MarkOf(file))) RefuseForeign(path, MarkOf(file));
    // The names of a stage's own meshes are settled.
    if (file.kind == SideFileKind::kMesh && IsOfAnotherOutput(request.out, file.name, file.text))
      throw UsageError("'" + path +
                       "' is a mesh of another output and stays as it is: give OUT another "
                       "name, or remove this mesh");
  }
}

bool Put(const std::string& path, const std::string& text, Diagnostics& diagnostics) {
  const std::string why = WriteWhole(path, text);
  if (!why.empty()) diagnostics.Add({Severity::kError, "file-unwritable", path, 0, "", why, {}});
  return why.empty();
}

// Called twice: by the judge, which looks for the meshes, and before OUT is written.
// Meshes and textures are in place, where they shall be.
bool Copied(std::optional<AssetCopies>& copies, Diagnostics& diagnostics) {
  const std::string why = copies ? copies->Copy() : "";
  if (!why.empty()) diagnostics.Add({Severity::kError, "file-unwritable", "", 0, "", why, {}});
  return why.empty();
}

// Code (functions for Robotran) is a template that users go on writing in. A scene and a side-car
// carry a mark.
// What goes with OUT: a scene, code that is to be compiled in. Code that somebody wrote there
// stays, unless the folder belongs to OUT; a scene was asked for by its name.
// `meshes`: those alone, which OUT names; else all others.
bool PutSideFiles(const ConversionOptions& options, Outcome& outcome, bool meshes) {
  const std::string& out = options.out;
  ConversionResult& result = outcome.result;
  if (out == "-" || result.files.side_files.empty()) {
    for (const SideFile& file : result.files.side_files)
      if (meshes && file.kind == SideFileKind::kMesh)
        result.diagnostics.Add(
            MakeDiagnostic(Severity::kWarning, "asset-not-copied", file.name, 0, "",
                           {"mesh", file.name, "is not written: standard output has no folder"}));
    return true;
  }
  std::error_code error;  // of a folder that cannot be made, writing tells
  bool told = false;      // of the meshes
  for (const SideFile& file : result.files.side_files) {
    if ((file.kind == SideFileKind::kMesh) != meshes) continue;
    const bool is_code = file.kind == SideFileKind::kCode;
    const bool own = is_code && !options.own_folder.empty();
    if (own) std::filesystem::create_directories(options.own_folder, error);
    const std::string path = PathOf(file, options);
    const bool is_mesh = file.kind == SideFileKind::kMesh;
    if (is_mesh)
      std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    if (options.fingerprints) outcome.also.push_back({path, Sha256(file.text)});
    std::string why;
    // What is there already with the same text keeps its time, so that a build does not start anew.
    const std::optional<std::string> there = ReadWhole(path, why);
    if (there == file.text) continue;
    // In the folder of this output a file is ours when a record names it, or when it is empty.
    const bool ours = own && (options.ours.count(path) > 0 || (there && there->empty()));
    if (there && !ours && is_code) {
      result.diagnostics.Add(MakeDiagnostic(Severity::kWarning, "side-file-kept", path, 0, "",
                                            {"", path,
                                             "exists already and stays unchanged; what '" + out +
                                                 "' needs of it is in the loss report"}));
      continue;
    }
    if (!Put(path, file.text, result.diagnostics)) return false;
    outcome.unchanged = false;
    if (is_mesh && std::exchange(told, true)) continue;
    const bool is_scene = file.kind == SideFileKind::kScene;
    result.diagnostics.Add(MakeDiagnostic(
        Severity::kNote, is_code || is_scene || is_mesh ? "side-file" : "side-car-written", path, 0,
        "",
        {"", path,
         (is_mesh    ? "holds a mesh of '" + out + "' (as do other files of its folder)"
          : is_code  ? "must be compiled with '" + out + "'"
          : is_scene ? "shows '" + out + "' in a scene"
                     : "holds what '" + out + "' cannot hold") +
             "; keep both files together"}));
  }
  return true;
}

}  // namespace

// Several robots in one run: the names of all their outputs, none of which may be written by
// another one.
std::shared_ptr<const std::set<std::string>> TargetsOf(const std::vector<std::string>& outs,
                                                       bool scenes) {
  std::set<std::string> targets;
  for (const std::string& out : outs) targets.insert(OneName(out));
  for (const std::string& out : outs)
    if (scenes && targets.count(OneName(SceneOf(out))) > 0)
      throw UsageError("--scene: '" + SceneOf(out) + "' would be the scene of '" + out +
                       "' and another output");
  return std::make_shared<const std::set<std::string>>(std::move(targets));
}

void AddReportOption(CLI::App& command, ConversionOptions& request) {
  StartGroup(command, kLossGroup);
  command
      .add_option("--loss-report", request.loss_report,
                  "write the list of all losses to FILE.json or FILE.md")
      ->type_name("FILE");
}

void AddAssetOptions(CLI::App& command, ConversionOptions& request) {
  StartGroup(command, kMeshGroup);
  command
      .add_option("--copy-assets", request.copy_assets,
                  "copy meshes and textures into this folder (seen from the working folder, as OUT "
                  "is), and let OUT name the copies")
      ->type_name("DIR");
  command
      .add_option("--mesh-uri", request.mesh_uri,
                  "with --copy-assets: how the names of copies begin, such as "
                  "package://NAME/meshes; without this option, OUT has paths relative to OUT")
      ->type_name("PREFIX");
  command.add_flag(
      "--convert-meshes", request.convert_meshes,
      "with --copy-assets: convert meshes that the target cannot open (.dae for MuJoCo) to OBJ, "
      "by the program assimp");
}

namespace {

// Programs open a file by its ending: o.sdf with MJCF in it would be a puzzle. .xml may be anything,
// and .urdf is URDF+ too.
void RefuseMisnamed(const std::string& out, const Format& target) {
  const Format* const named = FormatForExtension(out);
  if (named == nullptr || Extension(out) == ".xml") return;
  if (target.name.starts_with(named->name) || named->name.starts_with(target.name)) return;
  throw UsageError("'" + out + "' ends as " + std::string(named->name) +
                   " does, and --to asks for " + std::string(target.name) +
                   ": name a file that ends in " + std::string(target.extensions.front()) +
                   ", or leave --to out");
}

}  // namespace

ConversionRequest RequestFor(const ConversionOptions& options) {
  ConversionRequest request = options;
  request.in = options.input.path == "-" ? "<stdin>" : options.input.path;
  const std::string stem = std::filesystem::path(options.out).stem().string();
  request.options.target.options.stem = stem.empty() || stem == "-" ? "robot" : stem;
  // Names that nobody knows are wrong use before anything is read.
  // With an empty model: the target's format is known by its name, or by the extension of OUT.
  std::string version, why;
  if (!options.input.from.empty()) static_cast<void>(FormatNamed(options.input.from, version));
  const std::optional<Target> target = TargetFor(request, Model(), why);

  // Options that this target has no use for are wrong use, not a silent nothing.
  if (!target) throw UsageError(why);
  RefuseMisnamed(request.out, *target->format);
  if (request.options.base_as_root && !TraitsOf(*target).one_root)
    throw UsageError("--root base: " + std::string(target->format->name) +
                     " has no root link above the base");
  if (request.options.motors && !TraitsOf(*target).motors)
    throw UsageError("--actuators motor: " + std::string(target->format->name) + " has no motors");
  if (request.options.target.options.loops && !TraitsOf(*target).loops_can_be_chosen)
    throw UsageError("--loops: " + std::string(target->format->name) +
                     (target->options.side_cars.empty()
                          ? " has loops of its own; --loops is for plain URDF (--to urdf), and "
                            "--loops detachable for SDFormat too"
                          : ": its loops are in the side-car"));
  if (request.options.target.options.physx && !TraitsOf(*target).is_stage)
    throw UsageError("--physx: " + std::string(target->format->name) +
                     " has no attributes of PhysX");
  if (request.options.target.options.mesh_points.value_or(false) && !TraitsOf(*target).is_stage)
    throw UsageError("--meshes points: " + std::string(target->format->name) +
                     " names the files of meshes; points are for USD");
  if (request.scene && !TraitsOf(*target).scenes)
    throw UsageError("--scene: " + std::string(target->format->name) + " has no scenes");
  if (request.scene && request.out == "-")
    throw UsageError("--scene: a scene includes the file of the robot, and '-' is none");
  return request;
}

void CheckAssetOptions(const ConversionOptions& request) {
  if (!request.mesh_uri.empty() && request.copy_assets.empty())
    throw UsageError("--mesh-uri names copies: give their folder with --copy-assets DIR");
  if (request.convert_meshes && request.copy_assets.empty())
    throw UsageError("--convert-meshes writes meshes: give their folder with --copy-assets DIR");
}

// inspect and others convert without writing; they take the same choices.
ConvertOptions OptionsFor(const ConversionOptions& options, const Model& source) {
  const ConversionRequest request = RequestFor(options);
  std::string why;
  const std::optional<Target> target = TargetFor(request, source, why);
  if (!target) throw UsageError(why);
  ConvertOptions out = request.options;
  out.target = *target;
  return out;
}

std::string ReportFor(const std::string& path, const LossReport& report) {
  return Extension(path) == ".md" ? LossReportMarkdown(report) : LossReportJson(report);
}

std::string_view LossReportMark(const std::string& path) {
  return Extension(path) == ".md" ? "# Loss report\n" : "{\n  \"losses\": [";
}

std::vector<Diagnostic> AllMessages(const ConversionResult& result) {
  std::vector<Diagnostic> messages = LossMessages(result.report);
  const std::vector<Diagnostic>& others = result.diagnostics.items();
  messages.insert(messages.end(), others.begin(), others.end());
  return messages;
}

// On the screen losses are summed up, and hints say what a new user needs next; in other forms all
// messages go out one by one.
void PrintConversion(const ConversionResult& result, const ConversionOptions& options,
                     const std::string& written) {
  if (options.input.form != MessageForm::kText) {
    PrintMessages(AllMessages(result), options.input);
    return;
  }
  ScreenOptions screen = ScreenFor(options.input);
  screen.silent = options.options.drop;
  screen.hints = HintsFor(result, options, written);
  std::cerr << ConversionScreen(result, options.input.path, written, screen);
}

namespace {

// Where no copy goes.
std::function<bool(const std::string& path)> IsOutput(const ConversionOptions& options) {
  // Neither OUT nor its report, nor those of other robots of the run.
  std::set<std::string> named;
  for (const std::string& out : NamedOutputs(options)) named.insert(OneName(out));
  return [named, targets = options.targets](const std::string& path) {
    const std::string name = OneName(path);
    return named.count(name) > 0 || (targets && targets->count(name) > 0);
  };
}

// OUT names what IN names, and what is beside OUT changes.
FileResolver ResolverOfOutput(const ConversionOptions& options) {
  Input out = options.input;
  out.path = options.out;
  out.beside.push_back(options.input.path);
  out.disk = nullptr;
  return ResolverFor(out);
}

void TellForbidden(const ConversionOptions& options, ConversionResult& result) {
  if (result.forbidden == 0) return;
  result.diagnostics.Add(MakeDiagnostic(
      Severity::kError, "strict-loss", options.input.path, 0, "",
      {"", options.out,
       "not written, because --strict" +
           (options.strict == Weight::kLooks ? "" : "=" + std::string(Name(*options.strict))) +
           " was given and " + std::to_string(result.forbidden) +
           (result.forbidden == 1 ? " thing would be lost" : " things would be lost")}));
}

// Copies come before OUT, which names them; side files come last, since without OUT they mean
// nothing.
// Report, copies, the file and what stands beside it, in this order.
int WriteOutputs(const ConversionOptions& options, std::optional<AssetCopies>& copies,
                 Outcome& outcome) {
  RefuseForeignTarget(options);
  if (!StandsApart(options, outcome)) return kBadInput;
  RefuseForeignSideFiles(options, outcome);
  ConversionResult& result = outcome.result;
  const std::string& written = result.files.text;
  if (options.fingerprints) outcome.out_sha256 = Sha256(written);
  std::string why;
  // With --resume a text that would be the same is not touched.
  const bool same = options.keep_same && ReadWhole(options.out, why) == written;
  outcome.unchanged = same;
  if (!options.loss_report.empty() &&
      !Put(options.loss_report, ReportFor(options.loss_report, result.report), result.diagnostics))
    return kBadInput;
  if (!Copied(copies, result.diagnostics) || !PutSideFiles(options, outcome, true))
    return kBadInput;
  if (!same && !Put(options.out, written, result.diagnostics)) return kBadInput;
  if (copies && copies->made() > 0) outcome.unchanged = false;
  if (copies && options.fingerprints)
    for (WrittenFile& copy : copies->Copies()) outcome.also.push_back(std::move(copy));
  return PutSideFiles(options, outcome, false) ? kDone : kBadInput;
}

// From MJCF to MJCF the mechanism is the same, and its author's words are not.
void TellWords(const std::string& in, const ConversionResult& result, Diagnostics& messages) {
  const auto is_mjcf = [](const ModelFacts& facts) { return facts.format.starts_with("mjcf"); };
  if (result.end != ConversionEnd::kDone || !is_mjcf(result.source) || !is_mjcf(result.target))
    return;
  messages.Add(MakeDiagnostic(Severity::kNote, "words-not-kept", in, 0, "",
                              {"", in,
                               "its comments and default classes are not written: every element "
                               "says its own values"}));
}

}  // namespace

bool MakesMeshes(const ConversionOptions& options) {
  const Target& target = options.options.target;
  const bool in_stage = TraitsOf(target).is_stage;
  if (in_stage && !target.options.mesh_points.value_or(true)) return false;
  if (options.convert_meshes) return true;
  if (options.one_of_many) return false;
  return in_stage || (options.out != "-" && options.copy_assets.empty());
}

int ConvertFile(const ConversionOptions& options, Outcome& outcome) {
  ConversionRequest request = RequestFor(options);
  // Wrong use is an exception, which leaves before anything is opened; what is wrong in a file is a
  // message.
  RefuseOverwriting(options);
  ConversionResult& result = outcome.result;
  std::string written_there;
  std::vector<Asked> expanding;
  std::optional<std::string> text =
      ReadInput(options.input, result.diagnostics, &written_there, &expanding);
  if (!text) return kBadInput;
  request.in = NameOf(options.input);
  // Of the text as it was on the disk: an expanded xacro file is another one.
  if (options.fingerprints) outcome.source_sha256 = Sha256(written_there);
  FileResolver files = ResolverFor(options.input);
  // With both names known, relative names of meshes can be turned from one folder to the other.
  if (options.input.path != "-" && options.out != "-") {
    request.source_folder = files.FolderOf(options.input.path);
    request.target_folder = files.FolderOf(options.out);
  }
  // Records each file that is asked for, for RefuseOverwritingInputs and the record of a batch.
  const auto resolver = std::make_shared<InputRecorder>(std::move(files));
  std::optional<FileResolver> target_resolver;
  if (options.verify) target_resolver = ResolverOfOutput(options);
  request.target_resolver = target_resolver ? &*target_resolver : nullptr;
  // Names of copies are asked while the text is written; messages of that are told after those of
  // the conversion.
  Diagnostics of_assets;
  std::optional<AssetCopies> copies;
  if (!options.copy_assets.empty()) {
    copies.emplace(options.copy_assets, options.mesh_uri, options.out, options.ours,
                   IsOutput(options), *resolver, of_assets);
    request.asset_name = [&](const std::string& path) { return copies->NameOf(path); };
    request.mesh_folder = copies->Folder();
  }
  std::optional<ObjConverter> meshes;
  std::map<std::string, std::string> converted;  // by file: its name beside OUT
  std::set<std::string> taken;                   // of these names, in lower case
  if (MakesMeshes(options)) {
    meshes.emplace(of_assets);
    request.convert_mesh = [&](const std::string& mesh, bool by_colour) {
      std::vector<MadeMesh> made;
      for (const ColouredFile& file : meshes->FilesOf(mesh, by_colour)) {
        std::string why;
        const std::string obj = ReadWhole(file.path, why).value_or("");
        if (copies) {
          made.push_back({{copies->NameOf(file.path), obj}, file.colour});
          continue;
        }
        // Two meshes of different folders may have one name.
        const std::string marked = std::string(kObjMark) + obj;
        const auto [entry, fresh] = converted.try_emplace(file.path);
        if (fresh) {
          const std::string folder = request.options.target.options.stem + "_meshes/";
          const std::filesystem::path plain = std::filesystem::path(file.path).filename();
          std::string name = plain.generic_string();
          for (int n = 2; !taken.insert(LowerCase(name)).second ||
                          IsOfAnotherOutput(options.out, folder + name, marked);
               ++n)
            name = plain.stem().generic_string() + "_" + std::to_string(n) + ".obj";
          entry->second = folder + name;
        }
        made.push_back({{entry->second, marked, SideFileKind::kMesh}, file.colour});
      }
      return made;
    };
  }
  // In the folder of OUT, because the library looks for meshes beside the text.
  request.judge = [&](const Target& target, const Bundle& written, Diagnostics& messages) {
    const std::string folder = options.out == "-"
                                   ? TemporaryRoot()
                                   : std::filesystem::absolute(options.out).parent_path().string();
    if (!Copied(copies, messages)) return false;  // the library looks for them
    Working::On("letting the library of the format load '" + options.out + "'");
    // What the description may reach, and what stands beside its output.
    std::vector<std::string> fence = resolver->files().Fence();
    fence.push_back(RealPath(folder).string());
    return ReferenceLibraryAccepts(ProgramBeside("kinemorph-judge"), target, options.out, folder,
                                   fence, written, messages);
  };
  const std::optional<LoadOptions> how = LoadOptionsOf(options.input, result.diagnostics);
  if (!how) return kBadInput;
  const bool has_words = HasComment(*text) || NextTag(*text, "default");
  Loaded loaded = LoadText(std::move(*text), request.in, resolver, *how);
  // In the order in which a user sees them: reading, assets, converting.
  Diagnostics messages = std::move(result.diagnostics);
  messages.Append(loaded.diagnostics);
  if (loaded.robot) result = ConvertRobot(std::move(*loaded.robot), request);
  messages.Append(of_assets);
  if (has_words) TellWords(request.in, result, messages);
  messages.Append(result.diagnostics);
  result.diagnostics = std::move(messages);
  // Lines of the expanded text become lines of the xacro files.
  TranslateResult(options.input, result);
  outcome.inputs = std::move(expanding);
  outcome.inputs.insert(outcome.inputs.end(), resolver->asked().begin(), resolver->asked().end());
  RefuseOverwritingInputs(options, outcome);
  TellForbidden(options, result);
  return result.end == ConversionEnd::kDone ? WriteOutputs(options, copies, outcome)
                                            : static_cast<int>(result.end);
}

}  // namespace kinemorph::tools
