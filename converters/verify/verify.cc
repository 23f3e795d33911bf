#include "kinemorph/converters/verify.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/model/elements.h"
#include "verify/attachments.h"
#include "verify/compare.h"
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
    Note(result, Severity::kWarning, "verify-not-modelled", {"", side.model.name, problem});
}

constexpr std::size_t kColumns = 150;    // of a verdict on a screen
constexpr std::size_t kFewColumns = 80;  // where a conversion tells its losses beside it

// What the verdict lists: what moves the robot, the rest, and what an option asked for.
struct Listed {
  std::vector<std::string> motion, rest, asked;
};

std::string Joined(const std::vector<std::string>& items, std::string text = {}) {
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

// "spring of 4 joints", "2 loops (mobility 2 -> 4)"; "1 sensor".
Listed Exceptions(const VerifyResult& result, const std::string& mobility) {
  Listed listed;
  // Loops and couplings are counted, with what their loss does to the mobility, as their names would
  // fill the line.
  const auto list = [&](bool motion, bool asked, std::vector<std::string>& items) {
    std::size_t loops = 0, couplings = 0;
    const auto count = [&](std::size_t n, const std::string& word) {
      if (n > 0) items.push_back(std::to_string(n) + " " + word + (n > 1 ? "s" : ""));
    };
    for (const VerifyException& exception : result.exceptions) {
      if ((exception.weight == Weight::kMotion) != motion || exception.asked != asked) continue;
      const bool loop = In(exception.feature, feature_group::kLoops),
                 coupling = !loop && IsConstraint(exception.feature);
      loops += loop ? exception.subjects.size() : 0;
      couplings += coupling ? exception.subjects.size() : 0;
      if (!loop && !coupling) items.push_back(Phrase(exception));
    }
    count(loops, "loop"), count(couplings, "coupling");
    if (loops + couplings > 0) items.back() += mobility;
  };
  for (const bool motion : {true, false}) {
    list(motion, false, motion ? listed.motion : listed.rest);
    list(motion, true, listed.asked);
  }
  return listed;
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

// Accepted is what the caller's own report named, what the caller allowed, and what was accepted by
// name. An assumed report is nobody's word.
bool Accepted(const VerifyResult& result, const VerifyOptions& options) {
  const auto has = [](const auto& list, const auto& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
  };
  const auto accepted = [&](const VerifyException& exception) {
    if ((options.report != nullptr && !options.assumed) || has(options.allow, exception.feature) ||
        (exception.asked && options.allow_asked))
      return true;
    return std::all_of(
        exception.subjects.begin(), exception.subjects.end(), [&](const Subject& subject) {
          return has(options.accepted,
                     std::string(FeatureName(exception.feature)) + " " + Text(subject));
        });
  };
  return result.verdict < Verdict::kNotProved &&
         std::all_of(result.exceptions.begin(), result.exceptions.end(), accepted);
}

void Conclude(const VerifyOptions& options, const std::string& mobility, VerifyResult& result) {
  std::vector<std::string> differences;
  for (const VerifyCheck& check : result.checks)
    if (!check.Holds())
      differences.push_back(check.what + (check.worst.empty() ? "" : " ('" + check.worst + "')"));
  // The worst counts: a difference, then a number that nobody knows, then an exception.
  result.verdict = !differences.empty()        ? Verdict::kDifferent
                   : !result.unknown.empty()   ? Verdict::kNotProved
                   : result.exceptions.empty() ? Verdict::kEquivalent
                                               : Verdict::kExcept;
  result.equivalent = Accepted(result, options);
  const Listed listed = Exceptions(result, mobility);
  const bool none = result.exceptions.empty(),
             converted = options.written != nullptr && !options.assumed;
  const std::string asked = listed.asked.empty() ? "" : "as asked: " + Joined(listed.asked);

  // The same sentence for a file and, shortened, for a screen. What moves the robot stays whole,
  // unless it stands beside it; so does what an option asked for, which stands last.
  const auto sentence = [&](std::size_t columns) {
    std::vector<std::string> whole = listed.motion, items = listed.rest;
    if (converted && columns != std::string::npos) {
      items.insert(items.begin(), whole.begin(), whole.end());
      whole.clear();
    }
    const auto exceptions = [&](const std::string& before) {
      const std::size_t room = columns - std::min(columns, before.size() + asked.size());
      const std::string text = Shortened(items, Joined(whole), room);
      return none ? "" : before + text + (text.empty() || asked.empty() ? "" : "; ") + asked;
    };
    switch (result.verdict) {
      case Verdict::kEquivalent:
        return std::string("equivalent");
      case Verdict::kExcept:
        return exceptions("equivalent except: ");
      case Verdict::kNotProved:
        return "not proved: " + Shortened(result.unknown, {}, none ? columns : columns / 2) +
               exceptions("; the rest except: ");
      case Verdict::kDifferent:
        break;
    }
    const std::string different =
        "NOT equivalent: " + Shortened(differences, {}, none ? columns : columns / 2);
    const std::string rest = exceptions("; except for what is lost: ");
    return different + rest;
  };
  result.line = sentence(std::string::npos);
  const bool told = converted && result.verdict != Verdict::kDifferent;
  result.short_line = sentence(told ? kFewColumns : kColumns);
}

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

}  // namespace

VerifyResult Compare(const Model& model_a, const Model& model_b, const VerifyOptions& options,
                     const std::vector<Loss>& expected, Reading reading) {
  // Copies with elements numbered anew; `original` is what the files say, for what is compared as
  // text.
  VerifyResult result;
  Side a, b;
  a.model = model_a, b.model = model_b;
  NumberElements(a.model), NumberElements(b.model);
  a.original = &model_a, b.original = &model_b;
  Excuses excuses(a, b, options);
  for (const Loss& loss : expected) excuses.Expect(loss);
  const LossReport *const ab = options.report, *const ba = options.back;

  // What is lost is taken out on both sides, each by the report of its conversion; loops and
  // couplings only if they are not to be compared.
  if (ab != nullptr) RemoveLosses(*ab, options.assumed, b.model, a.model, excuses);
  if (ba != nullptr && options.assumed)
    RemoveLosses(*ba, options.assumed, a.model, b.model, excuses);
  const bool keep = reading == Reading::kConstraintsKept;
  if (ab != nullptr && !keep) RemoveConstraints(*ab, b.model, a.model, excuses);
  if (ba != nullptr && options.assumed && !keep) RemoveConstraints(*ba, model_a, b.model, excuses);
  if (keep) excuses.KeepConstraints();
  if (b.model.format == kFormatOfBlocks) ReadTransparency(a.model);
  if (a.model.format == kFormatOfBlocks) ReadTransparency(b.model);

  // Bases: what one side leaves unsaid is not compared, so that both are held at the root, or both
  // float.
  LockStatic(ab, a.model, excuses), LockStatic(nullptr, b.model, excuses);
  FindBase(a), FindBase(b);
  Correspondence match = MatchLinks(a, b, options);
  GatherWelded(match.b_of_a, a.model), GatherWelded(match.a_of_b, b.model);
  match.held = !a.base_specified || !b.base_specified;
  const bool floats = FloatOtherRoots(a, b, match);
  if (!a.base_specified) HoldCounterpart(a, match.b_of_a, b);
  if (!b.base_specified) HoldCounterpart(b, match.a_of_b, a);
  CompileSide(a, result), CompileSide(b, result);
  if (a.base_specified != b.base_specified && !floats) {
    Note(result, Severity::kNote, "verify-base-held",
         "'" + (a.base_specified ? b : a).model.name +
             "' does not say whether its base is fixed; both are compared with a fixed base");
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

  // By construction first (relations, masses, parts), then by states, then by values and content.
  // The order is that of the checks in the verdict.
  const RigidGroups groups = GroupRigidLinks(a, b, match);
  const Relations relations = CompareRelations(a, b, match, options, excuses, checks);
  CompareMasses(a, b, match, groups, options, excuses, checks);
  CompareAttachments(a, b, match, groups, checks);
  add();
  std::vector<CoordinatePair> pairs = PairCoordinates(a, b, match);
  Prove(a, b, match, relations, options, excuses, pairs, result);
  CompareJointValues(a, b, pairs, match, options, excuses, checks);
  CompareContent({a, b, match, groups, relations, options, excuses}, checks);
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

}  // namespace verify

std::string Text(const VerifySkipped& skipped) {
  const char *const has = skipped.in_a ? "A" : "B", *const other = skipped.in_a ? "B" : "A";
  return skipped.format +
         (skipped.never ? " has no "
                        : std::string(", the format of ") + other + ", does not hold this ") +
         std::string(FeatureTitle(skipped.feature)) + " (" + has + " has " +
         std::to_string(skipped.count) + ")";
}

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
                     [](const VerifyCheck& check) { return check.Holds() || check.open; });
}

}  // namespace kinemorph
