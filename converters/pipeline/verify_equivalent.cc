// Whether two files describe the same robot: the comparison, and where it finds differences, what
// conversions between the two formats would say of them.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "edit/take_model.h"
#include "kinemorph/converters/convert.h"
#include "kinemorph/converters/verify.h"
#include "verify/compare.h"
#include "verify/excuses.h"
#include "verify/proof.h"

namespace kinemorph {
namespace {

// Two strangers have no report between them. Which differences are the formats' fault is then found
// by converting each into the other's format and reading the losses: what any conversion would lose
// is an exception, though one that nobody accepted. The comparison itself (verify/compare.h) knows
// nothing of conversions; here is decided under which correspondence it runs, and the best verdict
// counts.
using verify::IsConstraint;
using verify::Reading;

// The model of a world that is asked for; nothing where all is asked for, or there is no such
// model.
std::optional<Model> Chosen(const Model& world, const std::string& name) {
  if (name.empty()) return std::nullopt;
  std::optional<Model> chosen(world);
  LossReport unsaid;
  if (!TakeModel(*chosen, name, unsaid)) chosen.reset();
  return chosen;
}

// Under one correspondence, of the models that are asked for.
VerifyResult CompareChosen(const Model& a, const Model& b, const VerifyOptions& options,
                           const std::vector<Loss>& expected = {},
                           Reading reading = Reading::kConstraintsLost) {
  const std::optional<Model> chosen_a = Chosen(a, options.model),
                             chosen_b = Chosen(b, options.model);
  return verify::Compare(chosen_a ? *chosen_a : a, chosen_b ? *chosen_b : b, options, expected,
                         reading);
}

bool IsTree(const Model& model) { return ChooseSpanningTree(model).loop_joints.empty(); }

// What a conversion of one model into the format of the other says, and writes.
struct Telling {
  LossReport report;
  std::optional<Model> written;
};

// By the name of each base: whether it is fixed; nothing where one says neither.
std::map<std::string, bool> BasesIn(const Model& model) {
  const SpanningTree tree = ChooseSpanningTree(model);
  // A root link "world" is the world.
  const auto is_world = [&](LinkId link) {
    return link == kWorld ||
           (tree.parent_joint[Index(link)] == kNoJoint && model.link(link).name == "world");
  };
  std::map<std::string, bool> fixed;
  for (const LinkId link : tree.order) {
    if (is_world(link) || !is_world(tree.parent[Index(link)])) continue;
    const JointId joint = tree.parent_joint[Index(link)];
    if (joint == kNoJoint) return {};
    const JointKind& kind = model.joint(joint).kind;
    const bool is_fixed = std::holds_alternative<Fixed>(kind);
    if (!is_fixed && !std::holds_alternative<Free>(kind)) return {};
    fixed.emplace(verify::PlainName(model.link(link).name), is_fixed);
  }
  return fixed;
}

// What --base asked for, where B has the bases of A and all of them stand otherwise.
BaseChoice BaseAsked(const Model& a, const Model& b) {
  const std::map<std::string, bool> x = BasesIn(a), y = BasesIn(b);
  const bool other =
      !x.empty() &&
      std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& in_a, const auto& in_b) {
        return in_a.first == in_b.first && in_a.second != in_b.second;
      });
  if (!other) return BaseChoice::kAuto;
  return y.begin()->second ? BaseChoice::kFixed : BaseChoice::kFloating;
}

// The mass (kg) that --massless gave to links of B that have none in A: such a link has the moments
// of a ball of this mass, as GiveInertia writes them.
std::optional<double> MassGiven(const Model& a, const Model& b) {
  std::set<std::string> massless;
  for (const LinkId id : Links(a))
    if (const auto& inertial = a.link(id).inertial; !inertial || inertial->mass == 0)
      massless.insert(verify::PlainName(a.link(id).name));
  for (const LinkId id : Links(b)) {
    const std::optional<Inertial>& inertial = b.link(id).inertial;
    if (!inertial || inertial->mass == 0 || !massless.contains(verify::PlainName(b.link(id).name)))
      continue;
    const Matrix3 ball = inertial->mass * kMomentOfGiven * Matrix3::Identity();
    if ((inertial->I_I - ball).norm() <= 1e-9 * ball.norm()) return inertial->mass;
  }
  return std::nullopt;
}

// The joints that --cut asked for: of the tree here, closing loops there.
std::vector<std::string> CutAsked(const Model& model, const Model& other) {
  std::vector<std::string> cut;
  const std::vector<JointId> there = ChooseSpanningTree(other).loop_joints;
  if (there.empty()) return cut;
  std::unordered_set<std::string_view> in_tree;
  for (const JointId id : Joints(model)) in_tree.insert(model.joint(id).name);
  for (const JointId loop : ChooseSpanningTree(model).loop_joints)
    in_tree.erase(model.joint(loop).name);
  for (const JointId loop : there)
    if (const std::string& name = other.joint(loop).name; in_tree.contains(name))
      cut.push_back(name);
  return cut;
}

template <class Visit>
void ForEachMesh(Model& model, const Visit& visit) {
  const auto look = [&](Shape& shape) {
    if (auto* const mesh = std::get_if<Mesh>(&shape)) visit(*mesh);
  };
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    for (Visual& visual : model.link(LinkId{v}).visuals) look(visual.shape);
    for (Collision& collision : model.link(LinkId{v}).collisions) look(collision.shape);
  }
}

// Where the other holds meshes itself, those of files were no loss on the way there.
Model AsHeld(Model model, Model other) {
  bool holds = false;
  ForEachMesh(other, [&](const Mesh& mesh) { holds = holds || mesh.content; });
  if (!holds) return model;
  const auto unread = std::make_shared<const std::string>();
  ForEachMesh(model, [&](Mesh& mesh) { mesh.content = unread; });
  return model;
}

// Whether A became B on the way, by an option that B shows.
enum class Way { kThere, kBack };

std::optional<Telling> Tell(const Model& model, const Model& other, const std::string& chosen,
                            MimicChoice mimic, Way way, const std::vector<Feature>& dropped = {}) {
  ConvertOptions conversion;
  conversion.mimic = mimic;
  conversion.model = chosen;
  // As its user asked for it, where the other shows that: a base that stands otherwise, masses of
  // links without any, and cuts of loops.
  conversion.drop = dropped;
  conversion.massless = MassGiven(model, other);
  if (way == Way::kThere) conversion.base = BaseAsked(model, other);
  // In the format, version and profile of the other, with loops where it has them: otherwise losses
  // would be told that the other file did not have. Side files do not matter, and no mesh is
  // opened.
  std::string version;
  conversion.target.format = FindFormat(other.format, version);
  conversion.target.options.version = other.format_version;
  conversion.target.options.profile = ProfileNamed(other.dialect);
  if (IsTree(other)) conversion.target.options.loops = LoopChoice::kNone;  // the other is a tree
  if (conversion.target.format == nullptr) return std::nullopt;
  Diagnostics unsaid;
  conversion.cut = CutAsked(model, other);
  std::optional<Converted> converted = Convert(AsHeld(model, other), conversion, unsaid);
  if (!converted && !conversion.cut.empty()) {  // not all of them can be cut here
    conversion.cut.clear();
    converted = Convert(AsHeld(model, other), conversion, unsaid);
  }
  if (!converted) return std::nullopt;
  ReadOptions read;
  read.file_name = "written";
  return Telling{std::move(converted->lowered.report),
                 ReadModel(converted->text, conversion.target.format, read, unsaid)};
}

// In one format B is A, or exactly what is written for A. What the conversion loses is nobody's
// word, so it is an exception and not accepted.
std::optional<VerifyResult> CompareAsConverted(const Model& a, const Model& b,
                                               const VerifyOptions& options) {
  const std::optional<Telling> telling =
      Tell(a, b, options.model, MimicChoice::kExact, Way::kThere, options.dropped);
  if (!telling || !telling->written ||
      CompareChosen(*telling->written, b, options).verdict != Verdict::kEquivalent)
    return std::nullopt;
  VerifyOptions with = options;
  with.report = &telling->report, with.written = &*telling->written;
  with.assumed = true;
  return CompareChosen(a, b, with);
}

// The same said of B and A.
std::optional<VerifyResult> Turned(std::optional<VerifyResult> result) {
  if (!result) return result;
  for (VerifySkipped& skipped : result->skipped) skipped.in_a = !skipped.in_a;
  return result;
}

// Between two formats each side may say what the other's has no place for: all that a conversion
// either way would lose, but for what the other side's own conversion makes good.
VerifyResult CompareBetween(const Model& a, const Model& b, const VerifyOptions& options,
                            MimicChoice mimic = MimicChoice::kExact, bool* fitted = nullptr) {
  // With a report (of convert --verify) A to B is known; only B to A is asked, for what B has on
  // its own. A model of a world is called there as it is compared, without the world's prefix.
  const std::optional<Model> chosen_b = Chosen(b, options.model);
  const std::optional<Telling> ba = Tell(chosen_b ? *chosen_b : b, a, "", mimic, Way::kBack);
  std::optional<Telling> ab;
  VerifyOptions with = options;
  if (options.report == nullptr) {
    ab = Tell(a, b, options.model, mimic, Way::kThere, options.dropped);
    with.assumed = true;
    if (ab) with.report = &ab->report, with.written = ab->written ? &*ab->written : nullptr;
  }
  if (ba) with.back = &ba->report;

  // What was written may lose again on the way back (a screw that became a coupling): the other
  // model cannot show it either.
  std::vector<Loss> expected;
  const auto expect = [&](const Model* written, const Model& other) {
    const std::optional<Telling> again =
        written == nullptr ? std::nullopt : Tell(*written, other, "", mimic, Way::kBack);
    if (again)
      std::copy(again->report.losses.begin(), again->report.losses.end(),
                std::back_inserter(expected));
  };
  expect(with.written, a);
  expect(ba && ba->written ? &*ba->written : nullptr, b);
  const auto has = [](const LossReport* report, const auto& what) {
    return report != nullptr && what(*report);
  };
  const auto fits = [](const LossReport& report) { return !report.fitted.empty(); };
  if (fitted != nullptr) *fitted = has(with.report, fits) || has(with.back, fits);

  // Lost loops and couplings are taken out of both, which is right where the target has no word for
  // them, but the other file may say them in another way (a loop as a mimic, a mimic as a gear). So
  // they are first kept and compared: if the physics agree, nothing was lost.
  const auto loses_constraints = [](const LossReport& report) {
    return std::any_of(report.losses.begin(), report.losses.end(),
                       [](const Loss& loss) { return IsConstraint(loss.feature); });
  };
  if (with.assumed && (has(with.report, loses_constraints) || has(with.back, loses_constraints))) {
    VerifyResult kept = CompareChosen(a, b, with, expected, Reading::kConstraintsKept);
    if (kept.verdict != Verdict::kDifferent) return kept;
  }
  return CompareChosen(a, b, with, expected);
}

}  // namespace

VerifyResult VerifyEquivalent(const Model& a, const Model& b, const VerifyOptions& options) {
  // Of a world one model may be asked for, and is compared with the one of the other world, or with
  // the robot of a file that holds no other, whatever its name.
  if (!options.model.empty() && !Chosen(a, options.model) &&
      (!TopModels(a).empty() || !Chosen(b, options.model))) {
    VerifyResult none;
    none.verdict = Verdict::kDifferent;
    none.line = none.short_line = "NOT equivalent: '" + options.model + "' is not a model of A";
    verify::Note(none, Severity::kError, "no-such-model",
                 "'" + options.model + "' is not a model of A");
    return none;
  }
  if (a.format != b.format) {
    VerifyResult exact = CompareBetween(a, b, options);
    if (exact.verdict != Verdict::kDifferent || options.report != nullptr) return exact;
    // A loop that became a line by --mimic fit agrees only within the error of the fit, which is an
    // exception of its own: tried after the exact one.
    if (!IsTree(a) || !IsTree(b)) {
      bool fitted = false;
      VerifyResult fit = CompareBetween(a, b, options, MimicChoice::kFit, &fitted);
      if (fitted && fit.verdict != Verdict::kDifferent) return fit;
    }
    // The order of the files is no matter: what the conversion of A does not explain, that of B may.
    if (!options.model.empty()) return exact;
    VerifyResult turned = *Turned(CompareBetween(b, a, options));
    return turned.verdict != Verdict::kDifferent ? turned : exact;
  }
  // In one format nothing should be lost. Only where files differ, one of them may be what a
  // conversion made of the other (a version or profile that holds less).
  if (options.report != nullptr) return CompareChosen(a, b, options);
  VerifyResult best = CompareChosen(a, b, options);
  const auto consider = [&](std::optional<VerifyResult> other) {
    if (other && other->verdict < best.verdict) best = std::move(*other);
  };
  if (best.verdict == Verdict::kDifferent) consider(CompareAsConverted(a, b, options));
  if (best.verdict == Verdict::kDifferent) consider(Turned(CompareAsConverted(b, a, options)));
  return best;
}

}  // namespace kinemorph
