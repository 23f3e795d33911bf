#include "kinemorph/converters/conversion.h"

#include <algorithm>
#include <set>
#include <variant>

#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/fields.h"
#include "pipeline/asset_names.h"

namespace kinemorph {
namespace {

// ConvertModel is the whole of a conversion for every caller: the target is found, the model
// lowered, its files renamed, the text written, what was lost judged, and on request the text read
// back and proved. Nothing is handed out before all of that: a text that is in `files` may be
// written to a disk.
bool HasLoops(const Model& model) {
  return !model.couplings.empty() || !ChooseSpanningTree(model).loop_joints.empty();
}

// Asked of the table and not of a name: does this format have a word of its own for a revolute
// loop?
bool HoldsLoops(const Format& format) {
  Target target;
  target.format = &format;
  target.options.loops = LoopChoice::kNone;  // in words of its own
  const Capability cell = CapabilityOf(Feature::kLoopRevolute, target);
  return cell.support != Support::kLost && cell.as_itself;
}

// The format of the same files that holds loops too: .urdf+ beside .urdf.
const Format* WithLoops(const Format* format) {
  if (HoldsLoops(*format)) return format;
  const std::string_view extension = format->extensions.front();
  for (const Format& other : AllFormats())
    if (other.extensions.front().substr(0, extension.size()) == extension && HoldsLoops(other))
      return &other;
  return format;
}

std::vector<std::string> AllExtensions() {
  std::vector<std::string> all;
  for (const Format& format : AllFormats())
    all.insert(all.end(), format.extensions.begin(), format.extensions.end());
  return all;
}

std::string ExtensionOf(const std::string& path) {
  const std::size_t slash = path.find_last_of("/\\");
  const std::size_t dot = path.find_last_of('.');
  return dot == std::string::npos || (slash != std::string::npos && dot < slash) ? ""
                                                                                 : path.substr(dot);
}

std::string FileNameOf(const std::string& path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

std::string NameOf(const Target& target) {
  std::string name(target.format->name);
  const std::vector<std::string_view>& versions = target.format->versions;
  if (!target.options.version.empty()) return name + "@" + target.options.version;
  return versions.empty() ? name : name + "@" + std::string(versions.front());
}

// A defect of ours, or errors of the input.
ConversionEnd FailureOf(const Diagnostics& diagnostics) {
  const auto internal = [](const Diagnostic& d) {
    return d.severity == Severity::kError && d.code.rfind("internal", 0) == 0;
  };
  return std::any_of(diagnostics.items().begin(), diagnostics.items().end(), internal)
             ? ConversionEnd::kInternal
             : ConversionEnd::kBadInput;
}

void Say(Diagnostics& diagnostics, Severity severity, const char* code, const std::string& file,
         std::string message) {
  diagnostics.Add({severity, code, file, 0, "", std::move(message), {}});
}

// Of the file; a screen gets `brief` where there is one.
void SayOfFile(Diagnostics& diagnostics, Severity severity, const char* code,
               const std::string& file, const std::string& what, const std::string& brief = {}) {
  diagnostics.Add(MakeDiagnostic(severity, code, file, 0, "", {"", file, what})).brief = brief;
}

// There is nothing to compare: where loops stand open, for one, other joints stand open in another
// way.
void SayUnclosed(const VerifyResult& proof, Diagnostics& diagnostics) {
  for (Diagnostic item : proof.diagnostics.items()) {
    if (item.code != "verify-open") continue;
    item.severity = Severity::kError;
    item.code = "verify-unclosed";
    item.message += ": what differs there is neither proved nor refuted; nothing was written";
    diagnostics.Add(std::move(item));
  }
}

// What the verdict rests on: loops that nothing closes, and states that were left out.
void SayStates(const VerifyResult& proof, Diagnostics& diagnostics) {
  for (const Diagnostic& item : proof.diagnostics.items())
    if (item.code == "verify-open" || item.code == "verify-states-left-out") diagnostics.Add(item);
}

// What was written, read back and compared with the source by physics and values, and shown to the
// library that will read it.
bool Prove(const ConversionRequest& request, const Target& target, const Model& source,
           const Converted& converted, ConversionResult& result) {
  const std::string out = request.out.empty() || request.out == "-" ? "<output>" : request.out;
  if (target.format->read == nullptr) {
    SayOfFile(result.diagnostics, Severity::kWarning, "verify-not-proved", out,
              "not proved: " + std::string(target.format->name) +
                  " can be written but not read, so the proof cannot compare it with the source");
    return !request.judge || request.judge(target, converted, result.diagnostics);
  }

  // As a stranger would read it: the text alone, with files as they lie beside the target, then
  // side-cars. What cannot be read back is a defect of the writer, whatever the reader's message
  // is.
  ReadOptions read;
  read.file_name = out;
  read.resolver = request.target_resolver;
  Diagnostics reading;
  std::optional<Model> reread = ReadModel(converted.text, target.format, read, reading);
  const bool whole = reread && (!request.written_side_cars ||
                                request.written_side_cars(*reread, converted.side_files, reading));
  if (!whole) {
    result.diagnostics.Append(reading);
    SayOfFile(result.diagnostics, Severity::kError, "verify-unreadable", out,
              "kinemorph cannot read the file that it wrote");
    return false;
  }

  // The correspondence is the report of this conversion, so that renamed links are paired and
  // losses are exceptions that it has told. What stands in a side-car alone is allowed to be
  // missing.
  VerifyOptions options;
  options.report = &converted.lowered.report;
  options.written = &*reread;
  options.model = request.options.model;
  options.allow = TraitsOf(target).side_car_alone;
  options.mesh_file = [&](const std::string& uri) {
    // What goes with the output is no input, though an earlier run may have left it.
    const auto made = std::ranges::find(converted.side_files, uri, &SideFile::name);
    return made == converted.side_files.end() ? BytesOf(request.resolver, uri, request.in)
                                              : std::optional(made->text);
  };
  result.proof = VerifyEquivalent(source, *reread, options);
  const VerifyResult& proof = *result.proof;
  if (proof.verdict == Verdict::kDifferent && DiffersOnlyOpen(proof)) {
    SayUnclosed(proof, result.diagnostics);
    return false;
  }
  if (proof.verdict == Verdict::kDifferent) {
    result.diagnostics.Append(proof.diagnostics);
    SayOfFile(result.diagnostics, Severity::kError, "verify-failed", out,
              proof.line + "; nothing was written", proof.short_line + "; nothing was written");
    return false;
  }
  // What the target cannot hold at all was neither compared nor lost in silence: a note for each.
  for (const VerifySkipped& skipped : proof.skipped)
    SayOfFile(result.diagnostics, Severity::kNote, "verify-skipped", out,
              "skipped: " + Text(skipped));

  SayStates(proof, result.diagnostics);

  // A proof that rests on an unknown number (a mesh that was not found) is none, hence a warning.
  const char* const code = proof.verdict == Verdict::kEquivalent ? "verify-equivalent"
                           : proof.verdict == Verdict::kExcept   ? "verify-except"
                                                                 : "verify-not-proved";
  const bool known = proof.verdict != Verdict::kNotProved;
  const std::string checks = " (proved in " + std::to_string(proof.checks.size()) + " checks)";
  SayOfFile(result.diagnostics, known ? Severity::kNote : Severity::kWarning, code, out,
            proof.line + checks, proof.short_line + checks);
  // Last the library that users will load the file with: our own reader shares our mistakes.
  return !request.judge || request.judge(target, converted, result.diagnostics);
}

bool KnowsSideCars(const Target& target, std::string& why) {
  for (const std::string& name : target.options.side_cars) {
    const std::vector<std::string_view>& known = target.format->side_cars;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    why = std::string(target.format->name) + " has no side-car '" + name + "'; with it:";
    for (const Format& format : AllFormats())
      if (std::find(format.side_cars.begin(), format.side_cars.end(), name) !=
          format.side_cars.end())
        why += " " + std::string(format.name);
    return false;
  }
  return true;
}

// What a source of this dialect would lose in the format's default. A version that is asked for is
// that default.
void KeepProfile(const Model& source, Target& target) {
  if (!target.options.profile.empty() || source.format != target.format->name ||
      !target.options.version.empty())
    return;
  const Dialect* const own = FindProfile(*target.format, source.dialect);
  if (own != nullptr && own->stays && target.options.side_cars.empty())
    target.options.profile = own->options.profile;
}

bool KnowsProfile(const Target& target, std::string& why) {
  const std::string& name = target.options.profile;
  if (name.empty() || FindProfile(*target.format, name) != nullptr) return true;
  why = std::string(target.format->name) + " has no profile '" + name + "'; with it:";
  for (const Format& format : AllFormats())
    if (FindProfile(format, name) != nullptr) why += " " + std::string(format.name);
  return false;
}

// Why the written file and those that go with it would not stand side by side: two have one name,
// perhaps where capital letters are taken for small ones. Empty where they would.
std::string WhyOneName(const std::string& out, const std::vector<SideFile>& files) {
  std::set<std::string> taken = {LowerCase(FileNameOf(out))};
  for (const SideFile& file : files)
    if (!taken.insert(LowerCase(file.name)).second)
      return "'" + file.name + "' goes with '" + out +
             "' and would be written over another file of that name: name the output otherwise";
  return {};
}

std::string Counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

}  // namespace

namespace {

void AddDrives(const Model& model, ModelFacts& facts) {
  facts.drives = model.actuators.size();
  // --actuators motor asks how many joints would get one: of one coordinate, in the tree, with an
  // effort limit that is a limit.
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop || NumVelocities(joint.kind) != 1 || joint.axes.empty())
      continue;
    const double effort = joint.axes[0].effort.value_or(0);
    if (effort > 0 && effort < FormatLimits::kNone) ++facts.effort_limits;
  }
}

void AddMeshes(const Model& model, ModelFacts& facts) {
  std::set<std::string> files;
  const auto visit = [&](const Shape& shape) {
    if (const auto* mesh = std::get_if<Mesh>(&shape); mesh && !mesh->uri.empty())
      files.insert(mesh->uri);
  };
  for (const LinkId id : Links(model)) {
    for (const Collision& collision : model.link(id).collisions) visit(collision.shape);
    for (const Visual& visual : model.link(id).visuals) visit(visual.shape);
  }
  facts.meshes.assign(files.begin(), files.end());
}

}  // namespace

ModelFacts FactsOf(const Model& model, const Format* format) {
  std::string version;
  if (format == nullptr) format = FindFormat(model.format, version);
  ModelFacts facts;
  facts.format = model.format;
  facts.name = model.name;
  const bool folds = format != nullptr && format->joints_in_a_row;
  for (const LinkId id : Links(model))
    if (id != kWorld && !(folds && model.link(id).synthetic)) ++facts.links;
  // The tree counts joints that its file names; the loop joints of the spanning tree are among all.
  for (const JointId id : Joints(model))
    if (!model.joint(id).implicit) ++facts.joints;
  facts.loops = ChooseSpanningTree(model).loop_joints.size();
  facts.joints -= std::min(facts.loops, facts.joints);
  facts.couplings = model.couplings.size();
  AddDrives(model, facts);
  AddMeshes(model, facts);
  return facts;
}

std::string Text(const ModelFacts& facts) {
  std::string text =
      facts.format + ", " + Counted(facts.links, "link") + ", " + Counted(facts.joints, "joint");
  if (facts.loops > 0) text += ", " + Counted(facts.loops, "loop");
  if (facts.couplings > 0) text += ", " + Counted(facts.couplings, "coupling");
  return text;
}

const Format* FormatNamed(std::string_view name, std::string& version, std::string& why) {
  // Names by which people know the families; a version may follow each ("sdformat@1.9").
  constexpr std::pair<std::string_view, std::string_view> kAliases[] = {
      {"mujoco", "mjcf"}, {"sdformat", "sdf"}, {"robotran", "mbs"}, {"urdfplus", "urdf+"}};
  const std::string_view family = name.substr(0, name.find('@'));
  std::string spelt(name);
  // Whatever could have been meant is a candidate for "did you mean".
  std::vector<std::string> candidates;
  for (const auto& [alias, meant] : kAliases) {
    if (family == alias) spelt = std::string(meant).append(name.substr(family.size()));
    candidates.emplace_back(alias);
  }
  if (const Format* format = FindFormat(spelt, version)) return format;
  std::string known;
  for (const Format& each : AllFormats()) {
    candidates.emplace_back(each.name);
    known += (known.empty() ? "" : ", ") + std::string(each.name);
    for (const std::string_view v : each.versions)
      candidates.push_back(std::string(each.name) + "@" + std::string(v));
    if (!each.versions.empty())
      known += " (or " + candidates[candidates.size() - each.versions.size()] + " .. " +
               candidates.back() + ")";
  }
  const std::string nearest = NearestName(name, candidates);
  why = "'" + std::string(name) + "' is not a format; " +
        (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + "known: " + known;
  return nullptr;
}

std::optional<Target> TargetFor(const ConversionRequest& request, const Model& source,
                                std::string& why) {
  // The order of who decides: --to, a format given by a program, the extension of the output. Only
  // a name of a file is a guess, and only then may a loop make a .urdf file URDF+.
  Target target = request.options.target;
  if (!request.to.empty()) {
    target.format = FormatNamed(request.to, target.options.version, why);
    if (target.format == nullptr) return std::nullopt;
    KeepProfile(source, target);
    if (!KnowsSideCars(target, why) || !KnowsProfile(target, why)) return std::nullopt;
    return target;
  }
  if (target.format != nullptr) return target;
  if (request.out.empty() || request.out == "-") {
    why = "standard output has no extension: name the target format with --to";
    return std::nullopt;
  }
  target.format = FormatForExtension(request.out);
  if (target.format == nullptr) {
    const std::string extension = ExtensionOf(request.out);
    const std::string nearest = NearestName(extension, AllExtensions());
    why = "'" + request.out + "': " +
          (extension.empty() ? "the name has no extension"
                             : "no format has the extension '" + extension + "'") +
          "; name the format with --to" +
          (nearest.empty() ? "" : " (did you mean '" + nearest + "'?)");
    return std::nullopt;
  }
  KeepProfile(source, target);
  // Its loops stand in a side-car, in a profile of the format itself, or as was asked.
  const std::string& profile = target.options.profile;
  const bool holds = !target.options.side_cars.empty() || target.options.loops ||
                     FindProfile(*target.format, profile) != nullptr;
  if (!holds && (HasLoops(source) || FindProfile(*WithLoops(target.format), profile) != nullptr))
    target.format = WithLoops(target.format);
  const bool known = KnowsSideCars(target, why) && KnowsProfile(target, why);
  return known ? std::optional(target) : std::nullopt;
}

std::size_t CountForbidden(const LossReport& report, const ConversionRequest& request) {
  if (!request.strict) return 0;
  // Losses that were asked for (--drop, or a choice like --base) are no surprise.
  const std::vector<Feature>& asked = request.options.drop;
  return static_cast<std::size_t>(
      std::count_if(report.losses.begin(), report.losses.end(), [&](const Loss& loss) {
        return loss.weight >= *request.strict &&
               std::find(asked.begin(), asked.end(), loss.feature) == asked.end() && !loss.asked;
      }));
}

std::vector<Diagnostic> LossMessages(const LossReport& report) {
  std::vector<Diagnostic> messages;
  messages.reserve(report.losses.size());
  for (const Loss& loss : report.losses) {
    messages.push_back({Severity::kWarning, "loss-" + std::string(FeatureName(loss.feature)),
                        loss.file, loss.subject.where.line, Text(loss.subject),
                        Text(loss.subject) + ": " + loss.what + ": " + loss.why, loss.calls});
  }
  return messages;
}

ConversionResult ConvertModel(Model source, const ConversionRequest& request) {
  ConversionResult result;
  Diagnostics& diagnostics = result.diagnostics;
  result.source = FactsOf(source);
  std::string why;
  std::optional<Target> target = TargetFor(request, source, why);
  if (!target) {
    Say(diagnostics, Severity::kError, "wrong-use", request.in, why);
    result.end = ConversionEnd::kWrongUse;
    return result;
  }

  // Files of meshes are asked for while passes run (a target may not open some), and by the writer,
  // which may need their bytes: `names` answers for both, by names of the source first and of the
  // target later.
  ConvertOptions options = request.options;
  options.target = *target;
  AssetNames names(request);
  options.convert_mesh = names.Converter();
  options.target.options.files = &names;
  if (request.scene && TraitsOf(*target).scenes)
    options.target.options.scene_of = FileNameOf(request.out);
  // The proof needs the source as it was read; passes work on their own copy.
  std::optional<Model> given;  // to prove the result by
  if (request.verify) given = source;
  names.Hold(source);
  std::optional<Lowered> lowered = Lower(std::move(source), options, diagnostics);
  if (!lowered) {
    result.end = FailureOf(diagnostics);
    return result;
  }

  // The version that Lower chose is the one to write, to name and to prove in.
  if (!lowered->version.empty())
    options.target.options.version = target->options.version = lowered->version;
  names.Rename(lowered->model, TraitsOf(*target));
  lowered->report.files = names.renamed();
  std::optional<Converted> converted = Write(std::move(*lowered), options, diagnostics);
  if (!converted) {
    result.end = FailureOf(diagnostics);
    return result;
  }
  if (!TraitsOf(*target).is_stage)
    for (SideFile& mesh : names.Held(converted->lowered.model))
      converted->side_files.push_back(std::move(mesh));
  if (why = WhyOneName(request.out, converted->side_files); !why.empty()) {
    Say(diagnostics, Severity::kError, "wrong-use", request.in, why);
    result.end = ConversionEnd::kWrongUse;
    return result;
  }
  result.target = FactsOf(converted->lowered.model, target->format);
  result.target.format = NameOf(*target);

  // The report is complete here, and a conversion that is forbidden still gets it.
  result.report = converted->lowered.report;
  result.forbidden = CountForbidden(result.report, request);
  if (result.forbidden > 0) {
    result.end = ConversionEnd::kWouldLose;
    return result;
  }
  if (given && !Prove(request, *target, *given, *converted, result)) return result;
  result.files = {std::move(converted->text), std::move(converted->side_files)};
  result.end = ConversionEnd::kDone;
  return result;
}

}  // namespace kinemorph
