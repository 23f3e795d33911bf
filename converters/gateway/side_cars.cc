#include "gateway/side_cars.h"

#include <algorithm>
#include <variant>

#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/frame_pairs.h"
#include "kinemorph/formats/srdf.h"
#include "kinemorph/formats/submechanisms.h"

namespace kinemorph {
namespace {

// Every kind of side-car goes the same way: recognised by what stands in it (never by its name
// alone, since `robot.yml` may be anything), parsed, then added to the model by the names that it
// uses. Files that the user names must fit, or the load fails. A file that was only found beside
// the robot may belong to another one, and is passed over with a note where a name of it is unknown
// here.

// SRDF is read where it is added.
struct Srdf {
  std::string text, file;
};

// Each kind of side-car: what it claims to be, and what it says once it was read.
using SideCar = std::variant<Submechanisms, FramePairs, Srdf>;

bool IsSideCar(std::string_view text) {
  return LooksLikeSubmechanisms(text) || LooksLikeFramePairs(text) || LooksLikeSrdf(text);
}

std::optional<SideCar> Parse(std::string_view text, const std::string& file,
                             Diagnostics& diagnostics) {
  if (LooksLikeSrdf(text)) return Srdf{std::string(text), file};
  if (LooksLikeSubmechanisms(text)) {
    if (auto read = ParseSubmechanisms(text, file, diagnostics)) return std::move(*read);
  } else if (auto read = ParseFramePairs(text, file, diagnostics)) {
    return std::move(*read);
  }
  return std::nullopt;
}

bool Add(const SideCar& car, const ResourceResolver* resolver, Model& model,
         Diagnostics& diagnostics) {
  if (const auto* pairs = std::get_if<FramePairs>(&car))
    return AddFramePairs(*pairs, model, diagnostics);
  if (const auto* srdf = std::get_if<Srdf>(&car))
    return AddSrdf(srdf->text, srdf->file, model, diagnostics);
  return AddSubmechanisms(std::get<Submechanisms>(car), resolver, model, diagnostics);
}

// A name of the robot's that it uses and the model does not have; empty: none.
std::string UnknownIn(const SideCar& car, const Model& model) {
  if (const auto* pairs = std::get_if<FramePairs>(&car)) {
    const auto unknown = UnknownNames(*pairs, model, 1);
    return unknown.empty() ? "" : About("joint or link", unknown.front());
  }
  if (std::holds_alternative<Srdf>(car)) return {};  // none is looked for
  const auto unknown = UnknownJoints(std::get<Submechanisms>(car), model, 1);
  return unknown.empty() ? "" : About("joint", unknown.front());
}

void Say(Diagnostics& diagnostics, Severity severity, const char* code, const std::string& file,
         const std::string& what) {
  diagnostics.Add(MakeDiagnostic(severity, code, file, 0, "", {"", file, what}));
}

// The names of frames say which belong together: `--with frames`.
// Onshape's exporters mark a loop by two massless links; which pair closes with which kind of joint
// is in no file, so that each assumption is told.
bool AddByNames(const std::string& in, Model& model, Diagnostics& diagnostics) {
  const FramePairs pairs = PairsByName(model, in);
  if (pairs.pairs.empty()) {
    Say(diagnostics, Severity::kError, "frame-pairs-none", in,
        "has no links closing_NAME_1 and closing_NAME_2, or closedloopN_A and closedloopN_B");
    return false;
  }
  for (const FramePair& pair : pairs.pairs)
    diagnostics.Add({Severity::kNote,
                     "frame-pairs-assumed",
                     in,
                     pair.line,
                     "",
                     "frame '" + pair.a + "' and '" + pair.b + "' close a loop: " +
                         (std::holds_alternative<Ball>(pair.kind)
                              ? "their origins coincide, as the side-car has no more data"
                              : "they coincide, as Gepetto's generator takes them"),
                     {}});
  return AddFramePairs(pairs, model, diagnostics);
}

bool AddNamed(const std::string& in, const SideCarText& file, const ResourceResolver* resolver,
              Model& model, Diagnostics& diagnostics) {
  // `--with frames`: no file, but a word.
  if (file.name == kFramesByName && file.text.empty()) return AddByNames(in, model, diagnostics);
  if (!IsSideCar(file.text)) {
    Say(diagnostics, Severity::kError, "side-car-unknown", file.name,
        "is not a known side-car; the one of HyRoDyn has a line 'submechanisms:', the one of "
        "Gepetto 'closed_loop:', those of CAD exporters 'closing_joints:' or 'closures:', and an "
        "SRDF is a <robot> with passive joints, groups or pairs of links");
    return false;
  }
  const auto car = Parse(file.text, file.name, diagnostics);
  return car && Add(*car, resolver, model, diagnostics);
}

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// Habits of those who publish such files: the robot's own name, HyRoDyn's and Gepetto's.
std::vector<std::string> NamesBeside(const std::string& path) {
  const std::string name = path.substr(FolderOf(path).size());
  const std::string stem = name.substr(0, name.rfind('.'));
  return {stem + ".yml",        stem + ".yaml", "submechanisms.yml",
          "submechanisms.yaml", "robot.yaml",   "robot.yml"};
}

// The names of frames say that loops are to be closed, and nothing closes one.
void TellNames(const std::string& in, const Model& model, Diagnostics& diagnostics) {
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kLoop) return;
  const FramePairs pairs = PairsByName(model, in);
  if (pairs.pairs.empty()) return;
  const FramePair& first = pairs.pairs.front();
  const bool several = pairs.pairs.size() > 1;
  diagnostics.Add(MakeDiagnostic(
      Severity::kNote, "frame-pairs-open", in, first.line, "",
      {"", in,
       (several ? std::to_string(pairs.pairs.size()) + " loops stay open, which frames such as '"
                : "a loop stays open, which frames '") +
           first.a + "' and '" + first.b + "' close by their names (--with frames closes " +
           (several ? "all)" : "it)")}));
}

// One that cannot be added has errors.
enum class LookedBeside { kNone, kAdded, kFailed };

LookedBeside AddFound(const std::string& in, const ResourceResolver& resolver, Model& model,
                      Diagnostics& diagnostics) {
  // The first that can be used is the robot's; of two, nobody could say which is meant.
  for (const std::string& name : NamesBeside(in)) {
    std::string why;
    const std::optional<Resource> found = resolver.Open(name, in, why);
    if (!found || !IsSideCar(found->content)) continue;
    const std::string path = FolderOf(in) + name;
    Diagnostics reading;

    // Messages of reading are kept back until it is clear that the file is this robot's: warnings
    // about a foreign file would only confuse.
    const auto car = Parse(found->content, path, reading);
    if (!car) {
      Say(diagnostics, Severity::kWarning, "side-car-unusable", path,
          "lies beside '" + in + "' and cannot be read (--with none leaves it)");
      diagnostics.Append(reading);
      return LookedBeside::kFailed;
    }
    const std::string unknown = UnknownIn(*car, model);
    if (!unknown.empty()) {
      Say(diagnostics, Severity::kNote, "side-car-foreign", path,
          "lies beside '" + in + "' and belongs to another robot, because this one has no " +
              unknown + "; kinemorph does not read it");
      continue;
    }
    diagnostics.Append(reading);
    Say(diagnostics, Severity::kNote, "side-car-found", path,
        "is read with '" + in +
            "', because the side-car lies in the same folder (--with none ignores the side-car)");
    return Add(*car, &resolver, model, diagnostics) ? LookedBeside::kAdded : LookedBeside::kFailed;
  }
  return LookedBeside::kNone;
}

}  // namespace

bool AddSideCars(const std::string& in, const LoadOptions& options,
                 const ResourceResolver* resolver, Model& model, Diagnostics& diagnostics) {
  // With a file or a word of --with, nobody looks for others; from a pipe ("-") there is no beside.
  for (const SideCarText& file : options.with)
    if (!AddNamed(in, file, resolver, model, diagnostics)) return false;
  const Format* const format = FindFormat(model.format);
  if (!options.with.empty() || !options.look_beside || format == nullptr || !format->looks_beside)
    return true;
  const LookedBeside found = resolver != nullptr && in != "-"
                                 ? AddFound(in, *resolver, model, diagnostics)
                                 : LookedBeside::kNone;
  if (found == LookedBeside::kNone) TellNames(in, model, diagnostics);
  return found != LookedBeside::kFailed;
}

bool AddWrittenSideCars(Model& model, const std::vector<SideFile>& files,
                        Diagnostics& diagnostics) {
  // What a conversion wrote beside its target is read back for the proof. No resolver: the parts of
  // submechanisms in other URDF files are the source's, and what is written names none.
  for (const SideFile& file : files) {
    if (file.kind == SideFileKind::kCode || !IsSideCar(file.text)) continue;
    const auto car = Parse(file.text, file.name, diagnostics);
    if (!car || !Add(*car, nullptr, model, diagnostics)) return false;
  }
  return true;
}

}  // namespace kinemorph
