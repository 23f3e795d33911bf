#include "kinemorph/converters/verify.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "edit/take_model.h"
#include "kinemorph/converters/convert.h"
#include "verify/attachments.h"
#include "verify/content.h"
#include "verify/correspondence.h"
#include "verify/excuses.h"
#include "verify/prepare.h"
#include "verify/proof.h"
#include "verify/relations.h"
#include "verify/values.h"

namespace kinemorph {
namespace verify {
namespace {

void CompileSide(Side& side, VerifyResult& result) {
  side.m = Compile(side.model);
  side.coordinates =
      AnalyseCoordinates(side.m);  // not by the seed: what a mechanism is does not depend on it
  for (const std::string& problem : side.m.problems)
    Note(result, Severity::kWarning, "verify-not-modelled",
         "'" + side.model.name + "': " + problem);
}

constexpr std::size_t kColumns = 150;  // of a verdict on a screen

bool Holds(const VerifyCheck& check) { return check.max_error <= check.tolerance; }

// What the verdict lists: what moves the robot, which is never shortened, and the rest.
struct Listed {
  std::vector<std::string> motion, rest;
};

// "spring of 4 joints", "2 loops (mobility 2 -> 4)"; "1 sensor".
Listed Exceptions(const VerifyResult& result, const std::string& mobility) {
  Listed listed;
  for (const bool motion : {true, false}) {
    std::vector<std::string>& items = motion ? listed.motion : listed.rest;
    std::size_t loops = 0, couplings = 0;
    const auto count = [&](std::size_t n, const std::string& word) {
      if (n > 0) items.push_back(std::to_string(n) + " " + word + (n > 1 ? "s" : ""));
    };
    for (const VerifyException& exception : result.exceptions) {
      if ((exception.weight == Weight::kMotion) != motion) continue;
      const bool loop = In(exception.feature, feature_group::kLoops),
                 coupling = !loop && IsConstraint(exception.feature);
      loops += loop ? exception.subjects.size() : 0;
      couplings += coupling ? exception.subjects.size() : 0;
      if (!loop && !coupling) items.push_back(Phrase(exception));
    }
    count(loops, "loop"), count(couplings, "coupling");
    if (loops + couplings > 0) items.back() += mobility;
  }
  return listed;
}

std::string Joined(const std::vector<std::string>& items, std::string text = {}) {
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

// As many of the items as there is room for; always the first of a list of its own.
std::string Shortened(const std::vector<std::string>& items, std::string text, std::size_t room) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t tail = i + 1 < items.size() ? 12 : 0;  // " and 99 more"
    if (!text.empty() && text.size() + 2 + items[i].size() + tail > room)
      return text + " and " + std::to_string(items.size() - i) + " more";
    text += (text.empty() ? "" : ", ") + items[i];
  }
  return text;
}

bool Accepted(const VerifyResult& result, const VerifyOptions& options) {
  const auto has = [](const auto& list, const auto& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
  };
  const auto accepted = [&](const VerifyException& exception) {
    if ((options.report != nullptr && !options.assumed) || has(options.allow, exception.feature))
      return true;
    return std::all_of(
        exception.subjects.begin(), exception.subjects.end(), [&](const std::string& subject) {
          return has(options.accepted, std::string(FeatureName(exception.feature)) + " " + subject);
        });
  };
  return result.verdict < Verdict::kNotProved &&
         std::all_of(result.exceptions.begin(), result.exceptions.end(), accepted);
}

void Conclude(const VerifyOptions& options, const std::string& mobility, VerifyResult& result) {
  std::vector<std::string> differences;
  for (const VerifyCheck& check : result.checks)
    if (!Holds(check))
      differences.push_back(check.what + (check.worst.empty() ? "" : " ('" + check.worst + "')"));
  result.verdict = !differences.empty()        ? Verdict::kDifferent
                   : !result.unknown.empty()   ? Verdict::kNotProved
                   : result.exceptions.empty() ? Verdict::kEquivalent
                                               : Verdict::kExcept;
  result.equivalent = Accepted(result, options);
  const Listed listed = Exceptions(result, mobility);
  const bool none = result.exceptions.empty();
  const auto sentence = [&](std::size_t columns) {
    const auto exceptions = [&](const std::string& before) {
      const std::size_t room = columns - std::min(columns, before.size());
      return none ? "" : before + Shortened(listed.rest, Joined(listed.motion), room);
    };
    switch (result.verdict) {
      case Verdict::kEquivalent:
        return std::string("equivalent");
      case Verdict::kExcept:
        return exceptions("equivalent except: ");
      case Verdict::kNotProved:
        return "not proved: " + Joined(result.unknown) + exceptions("; the rest except: ");
      case Verdict::kDifferent:
        break;
    }
    const std::string different =
        "NOT equivalent: " + Shortened(differences, {}, none ? columns : columns / 2);
    const std::string rest = exceptions("; except for what is lost: ");
    return different + rest;
  };
  result.line = sentence(std::string::npos);
  result.short_line = sentence(kColumns);
}

// The model of a world that is asked for; nothing where all is asked for, or there is no such
// model.
std::optional<Model> Chosen(const Model& world, const std::string& name) {
  if (name.empty()) return std::nullopt;
  std::optional<Model> chosen(world);
  LossReport unsaid;
  if (!TakeModel(*chosen, name, unsaid)) chosen.reset();
  return chosen;
}

// What becomes of loops and couplings that the other format has no place for: they are lost, or the
// other file says them in another way (a loop as a mimic), and the physics must agree.
enum class Reading { kConstraintsLost, kConstraintsKept };

// A mass that a mesh would give is compared as its stand-in, and known to nobody; where both files
// leave it to the same mesh, they say the same.
void TellUnknown(const Side& a, const Side& b, const Correspondence& match, const Excuses& excuses,
                 VerifyResult& result) {
  const auto unknown = [](const Model& model, LinkId link) -> const std::string* {
    const std::optional<Inertial>& inertial = model.link(link).inertial;
    return inertial && !inertial->unknown.empty() ? &inertial->unknown : nullptr;
  };
  const auto tell = [&](const Model& model, LinkId link, const std::string& reason) {
    result.unknown.push_back("mass of link '" + model.link(link).name + "' (" + reason + ")");
  };
  for (const LinkId id : Links(a.model)) {
    const std::string* const reason = unknown(a.model, id);
    const LinkId other = match.b_of_a[Index(id)];
    const bool both = other != kNoLink && unknown(b.model, other) != nullptr;
    if (reason != nullptr && !(both && excuses.same_format())) tell(a.model, id, *reason);
  }
  for (const LinkId id : Links(b.model)) {
    const std::string* const reason = unknown(b.model, id);
    const LinkId other = match.a_of_b[Index(id)];
    if (reason != nullptr && (other == kNoLink || unknown(a.model, other) == nullptr))
      tell(b.model, id, *reason);
  }
}

// Under one correspondence: that of the report, or by names alone.
VerifyResult Compare(const Model& whole_a, const Model& whole_b, const VerifyOptions& options,
                     const std::vector<Loss>& expected = {},
                     Reading reading = Reading::kConstraintsLost) {
  const std::optional<Model> chosen_a = Chosen(whole_a, options.model),
                             chosen_b = Chosen(whole_b, options.model);
  const Model &model_a = chosen_a ? *chosen_a : whole_a, &model_b = chosen_b ? *chosen_b : whole_b;
  VerifyResult result;
  Side a, b;
  a.model = model_a, b.model = model_b;
  a.original = &model_a, b.original = &model_b;
  Excuses excuses(a, b, options);
  for (const Loss& loss : expected) excuses.Expect(loss);
  const LossReport *const ab = options.report, *const ba = options.back;
  if (ab != nullptr) RemoveLosses(*ab, options.assumed, b.model, a.model, excuses);
  if (ba != nullptr && options.assumed)
    RemoveLosses(*ba, options.assumed, a.model, b.model, excuses);
  const bool keep = reading == Reading::kConstraintsKept;
  if (ab != nullptr && !keep) RemoveConstraints(*ab, b.model, a.model, excuses);
  if (ba != nullptr && options.assumed && !keep) RemoveConstraints(*ba, model_a, b.model, excuses);
  if (keep) excuses.KeepConstraints();
  LockStatic(a.model), LockStatic(b.model);
  FindBase(a), FindBase(b);
  Correspondence match = MatchLinks(a, b, options);
  match.held = !a.base_specified || !b.base_specified;
  const bool floats = FloatOtherRoots(a, b, match);
  if (!a.base_specified) HoldCounterpart(a, match.b_of_a, b);
  if (!b.base_specified) HoldCounterpart(b, match.a_of_b, a);
  CompileSide(a, result), CompileSide(b, result);
  if (a.base_specified != b.base_specified && !floats) {
    Note(result, Severity::kNote, "verify-base-held",
         "'" + (a.base_specified ? b : a).model.name +
             "' leaves open how its base stands: both are compared with the root link held");
  }
  AlignFrames(a, b, options, match);
  MatchSynthetic(a, b, options, match);
  b.m.gravity =
      match.X_BA.R *
      a.m.gravity;  // the same field for both; what the files say of it is compared as a value

  std::vector<Worst> checks;
  const auto add = [&] {
    for (const Worst& check : checks) result.checks.push_back(check.check()), Report(check, result);
    checks.clear();
  };
  const RigidGroups groups = GroupRigidLinks(a, b, match);
  const Relations relations = CompareRelations(a, b, match, options, excuses, checks);
  CompareMasses(a, b, match, groups, options, excuses, checks);
  CompareAttachments(a, b, match, groups, checks);
  add();
  std::vector<CoordinatePair> pairs = PairCoordinates(a, b, match);
  Prove(a, b, match, relations, options, excuses, pairs, result);
  CompareJointValues(a, b, pairs, match, options, excuses, checks);
  CompareContent(a, b, match, groups, relations, options, excuses, checks);
  add();
  excuses.ExceptUnseen();
  excuses.Tell(result);
  TellUnknown(a, b, match, excuses, result);
  std::string mobility;
  const auto fewer = [](const Side& side, const Model& given) {
    return side.model.num_joints() < given.num_joints() ||
           side.model.couplings.size() < given.couplings.size();
  };
  if (fewer(a, model_a) || fewer(b, model_b)) {
    mobility = " (mobility " + std::to_string(AnalyseCoordinates(Compile(model_a)).mobility) +
               " -> " + std::to_string(AnalyseCoordinates(Compile(model_b)).mobility) + ")";
  }
  Conclude(options, mobility, result);
  return result;
}

// What a conversion of one model into the format of the other says, and writes.
struct Telling {
  LossReport report;
  std::optional<Model> written;
};

std::optional<Telling> Tell(const Model& model, const Model& other, const std::string& chosen,
                            MimicChoice mimic) {
  ConvertOptions conversion;
  conversion.mimic = mimic;
  conversion.model = chosen;
  std::string version;
  conversion.target.format = FindFormat(other.format, version);
  conversion.target.options.version = other.format_version;
  conversion.target.options.profile = ProfileNamed(other.dialect);
  if (ChooseSpanningTree(other).loop_joints.empty())
    conversion.target.options.loops = LoopChoice::kNone;  // the other is a tree
  if (conversion.target.format == nullptr) return std::nullopt;
  Diagnostics unsaid;
  std::optional<Converted> converted = Convert(model, conversion, unsaid);
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
  const std::optional<Telling> telling = Tell(a, b, options.model, MimicChoice::kExact);
  if (!telling || !telling->written ||
      Compare(*telling->written, b, options).verdict != Verdict::kEquivalent)
    return std::nullopt;
  VerifyOptions with = options;
  with.report = &telling->report, with.written = &*telling->written;
  with.assumed = true;
  return Compare(a, b, with);
}

// The same said of B and A.
std::optional<VerifyResult> Turned(std::optional<VerifyResult> result) {
  if (!result) return result;
  for (std::string& row : result->skipped) {
    const std::size_t at = row.rfind("(A has");
    const std::size_t other = row.rfind("(B has");
    if (at != std::string::npos) row[at + 1] = 'B';
    if (other != std::string::npos) row[other + 1] = 'A';
  }
  return result;
}

// Between two formats each side may say what the other's has no place for: all that a conversion
// either way would lose, but for what the other side's own conversion makes good.
VerifyResult CompareBetween(const Model& a, const Model& b, const VerifyOptions& options,
                            MimicChoice mimic = MimicChoice::kExact, bool* fitted = nullptr) {
  const std::string model_b = Chosen(b, options.model) ? options.model : "";
  const std::optional<Telling> ba = Tell(b, a, model_b, mimic);
  std::optional<Telling> ab;
  VerifyOptions with = options;
  if (options.report == nullptr) {
    ab = Tell(a, b, options.model, mimic);
    with.assumed = true;
    if (ab) with.report = &ab->report, with.written = ab->written ? &*ab->written : nullptr;
  }
  if (ba) with.back = &ba->report;
  std::vector<Loss> expected;
  const auto expect = [&](const Model* written, const Model& other) {
    const std::optional<Telling> again =
        written == nullptr ? std::nullopt : Tell(*written, other, "", mimic);
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
  const auto loses_constraints = [](const LossReport& report) {
    return std::any_of(report.losses.begin(), report.losses.end(),
                       [](const Loss& loss) { return IsConstraint(loss.feature); });
  };
  if (with.assumed && (has(with.report, loses_constraints) || has(with.back, loses_constraints))) {
    VerifyResult kept = Compare(a, b, with, expected, Reading::kConstraintsKept);
    if (kept.verdict != Verdict::kDifferent) return kept;
  }
  return Compare(a, b, with, expected);
}

}  // namespace
}  // namespace verify

std::string_view Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kEquivalent:
      return "equivalent";
    case Verdict::kExcept:
      return "except";
    case Verdict::kNotProved:
      return "not proved";
    case Verdict::kDifferent:
      break;
  }
  return "different";
}

bool DiffersOnlyOpen(const VerifyResult& result) {
  return result.verdict == Verdict::kDifferent &&
         std::all_of(result.checks.begin(), result.checks.end(),
                     [](const VerifyCheck& check) { return verify::Holds(check) || check.open; });
}

VerifyResult VerifyEquivalent(const Model& a, const Model& b, const VerifyOptions& options) {
  using namespace verify;
  if (!options.model.empty() && !Chosen(a, options.model)) {
    VerifyResult none;
    none.verdict = Verdict::kDifferent;
    none.line = none.short_line = "NOT equivalent: '" + options.model + "' is no model of A";
    Note(none, Severity::kError, "no-such-model", "'" + options.model + "' is no model of A");
    return none;
  }
  if (a.format != b.format) {
    VerifyResult exact = CompareBetween(a, b, options);
    if (exact.verdict != Verdict::kDifferent || options.report != nullptr) return exact;
    bool fitted = false;
    VerifyResult fit = CompareBetween(a, b, options, MimicChoice::kFit, &fitted);
    return fitted && fit.verdict != Verdict::kDifferent ? fit : exact;
  }
  if (options.report != nullptr) return Compare(a, b, options);
  VerifyResult best = Compare(a, b, options);
  const auto consider = [&](std::optional<VerifyResult> other) {
    if (other && other->verdict < best.verdict) best = std::move(*other);
  };
  if (best.verdict == Verdict::kDifferent) consider(CompareAsConverted(a, b, options));
  if (best.verdict == Verdict::kDifferent) consider(Turned(CompareAsConverted(b, a, options)));
  return best;
}

}  // namespace kinemorph
