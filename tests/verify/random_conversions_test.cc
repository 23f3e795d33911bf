// Random mechanisms through every format: what is written is the same mechanism, and a damaged file
// is not.
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/mechanics/dynamics.h"
#include "mutations.h"

namespace kinemorph {
namespace {

using test::RandomMechanism;
using test::RandomMechanismOptions;

RandomMechanismOptions OptionsFor(std::uint64_t seed) {
  RandomMechanismOptions options;
  options.links = 5 + static_cast<int>(seed % 9), options.loops = static_cast<int>(seed % 4),
  options.couplings = static_cast<int>(seed % 3);
  options.free_base = seed % 5 == 0, options.reversed_joints = seed % 4 == 1,
  options.closed_at_zero = seed % 3 != 1;
  return options;
}

struct Step {
  std::optional<Converted> converted;
  std::optional<Model> model;  ///< as read from what was written
  std::string failure;
};

std::string Told(const VerifyResult& result) {
  std::string text;
  for (const VerifyCheck& check : result.checks) {
    if (check.max_error > check.tolerance) text += check.what + " at " + check.worst + "; ";
  }
  return text;
}

// Converts, reads the text again, and asks whether that is still `source`.
Step Through(const Model& source, const std::string& target) {
  Step step;
  ConvertOptions options;
  options.target = test::TargetNamed(target);
  Diagnostics diagnostics;
  step.converted = Convert(source, options, diagnostics);
  if (!step.converted) {
    step.failure = "not converted: " + test::Rendered(diagnostics);
    return step;
  }
  step.model =
      test::ReadText(step.converted->text, "written" + test::Extension(target), diagnostics);
  if (!step.model) {
    step.failure = "not read: " + test::Rendered(diagnostics);
    return step;
  }
  VerifyOptions verify;
  verify.states = 4, verify.report = &step.converted->lowered.report;
  const VerifyResult result = VerifyEquivalent(source, *step.model, verify);
  if (!result.equivalent) step.failure = "not equivalent: " + Told(result);
  return step;
}

TEST(RandomConversions, TwoHundredMechanismsStayThemselvesInEveryFormat) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto through = [&](const Model& source, const std::string& target) {
      Step step = Through(source, target);
      EXPECT_EQ(step.failure, "") << seed << ": " << source.format << " -> " << target;
      return step;
    };
    const Step sdf = through(RandomMechanism(seed, OptionsFor(seed)), "sdf");
    if (!sdf.model) continue;
    const Step urdf = through(*sdf.model, "urdf+");
    if (urdf.model) through(*urdf.model, "sdf");
    for (const char* other : {"mjcf", "mbs"}) {
      const Step step = through(*sdf.model, other);
      if (step.model) through(*step.model, "urdf+");
    }
  }
}

// "joint4_2" -> "joint4": the joint of the source that a joint is a part of.
std::optional<JointKind> KindInSource(const Model& source, std::string name) {
  if (const std::size_t cut = name.find('_'); cut != std::string::npos) name.resize(cut);
  const auto joint = source.FindJoint(name);
  if (!joint) return std::nullopt;
  return source.joint(*joint).kind;
}

// Damages that are none: of what only the target has (the mass of an intermediate link, the joint
// of a floating base), and of the frames of balls and free joints, which only say from where their
// quaternion counts.
bool ChangesNothing(const Model& source, const Model& written, const test::Mutation& mutation) {
  if (written.FindLink(mutation.element)) return !source.FindLink(mutation.element);
  const std::optional<JointKind> kind = KindInSource(source, mutation.element);
  if (!kind) return !source.FindJoint(mutation.element).has_value();
  return std::holds_alternative<Ball>(*kind) || std::holds_alternative<Free>(*kind);
}

// A joint that its loops hold still may point anywhere.
bool IsLocked(const Model& model, const std::string& name) {
  const auto joint = model.FindJoint(name);
  if (!joint) return false;
  const Mechanism m = Compile(model);
  const Coordinates c = AnalyseCoordinates(m);
  ClosureSolver solver(m);
  Random random(1);
  const Eigen::VectorXd q = solver.RandomState(c.assembled, 0.3, c.Ranks(), random);
  const Embedding e = Embed(m, c, q, Eigen::VectorXd::Zero(m.nv));
  for (const Body& body : m.bodies) {
    if (body.joint == *joint)
      return body.nv > 0 &&
             (c.mobility == 0 || e.G.middleRows(body.v, body.nv).cwiseAbs().maxCoeff() < 1e-9);
  }
  return false;
}

TEST(RandomConversions, AThousandDamagedFilesAreAllCaught) {
  int damaged_files = 0;
  for (std::uint64_t seed = 1; damaged_files < 1000 && seed <= 200; ++seed) {
    const Model source = RandomMechanism(seed, OptionsFor(seed));
    for (const char* target : {"sdf", "urdf+"}) {
      const Step step = Through(source, target);
      if (!step.failure.empty()) continue;
      Random random(seed + 1000);  // not the numbers that made the mechanism
      for (int i = 0; i < 5; ++i) {
        Model damaged = *step.model;
        const test::Mutation mutation = test::Mutate(damaged, random);
        if (ChangesNothing(source, *step.model, mutation) ||
            (mutation.what == "axis" && IsLocked(*step.model, mutation.element)))
          continue;
        ++damaged_files;
        VerifyOptions verify;
        verify.states = 4, verify.report = &step.converted->lowered.report;
        EXPECT_FALSE(VerifyEquivalent(source, damaged, verify).equivalent)
            << seed << " " << target << ": " << mutation.what << " of " << mutation.element;
      }
    }
  }
  EXPECT_GE(damaged_files, 1000);
}

}  // namespace
}  // namespace kinemorph
