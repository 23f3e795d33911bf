#include "kinemorph/converters/verify.h"

#include <algorithm>

#include "verify/content.h"
#include "verify/correspondence.h"
#include "verify/prepare.h"
#include "verify/proof.h"
#include "verify/values.h"

namespace kinemorph {
namespace verify {
namespace {

void CompileSide(std::uint64_t seed, Side& side, VerifyResult& result) {
  side.m = Compile(side.model);
  CoordinateOptions coordinates;
  coordinates.seed = seed;
  side.coordinates = AnalyseCoordinates(side.model, side.m, coordinates);
  for (const std::string& problem : side.m.problems)
    Note(result, Severity::kWarning, "verify-not-modelled", "'" + side.model.name + "': " + problem);
}

}  // namespace
}  // namespace verify

VerifyResult VerifyEquivalent(const Model& model_a, const Model& model_b, const VerifyOptions& options) {
  using namespace verify;
  VerifyResult result;
  Side a, b;
  a.model = model_a, b.model = model_b;
  if (options.report != nullptr) RemoveLosses(*options.report, b.model, a.model);
  FindBase(a), FindBase(b);
  Correspondence match = MatchLinks(a, b, options);
  match.held = !a.base_specified || !b.base_specified;
  const bool floats = FloatOtherRoots(a, b, match);
  if (!a.base_specified) HoldCounterpart(a, match.b_of_a, b);
  if (!b.base_specified) HoldCounterpart(b, match.a_of_b, a);
  CompileSide(options.seed, a, result), CompileSide(options.seed, b, result);
  if (a.base_specified != b.base_specified && !floats) {
    Note(result, Severity::kNote, "verify-base-held",
         "'" + (a.base_specified ? b : a).model.name + "' leaves open how its base stands: both are compared with the root link held");
  }
  AlignFrames(a, b, options, match);
  b.m.gravity = match.X_BA.R * a.m.gravity;  // the same field for both; what the files say of it is compared as a value

  std::vector<Worst> checks;
  const RigidGroups groups = GroupRigidLinks(a, b, match);
  CompareMasses(a, b, match, groups, options.tolerance, checks);
  std::vector<CoordinatePair> pairs = PairCoordinates(a, b, match, options);
  for (const Worst& check : checks) result.checks.push_back(check.check()), Report(check, result);
  Prove(a, b, match, options, pairs, result);
  checks.clear();
  const Tolerance tolerance(a, b, options);
  CompareJointValues(a, b, pairs, match, tolerance, options, checks);
  CompareContent(a, b, match, groups, tolerance, options, checks);
  for (const Worst& check : checks) result.checks.push_back(check.check()), Report(check, result);
  result.equivalent =
      std::all_of(result.checks.begin(), result.checks.end(), [](const VerifyCheck& check) { return check.max_error <= check.tolerance; });
  return result;
}

}  // namespace kinemorph
