// Random mechanisms through every format: what is written is the same mechanism, and a damaged file is not.
#include <gtest/gtest.h>

#include <map>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "mutations.h"

namespace kinemorph {
namespace {

using testing::RandomMechanism;
using testing::RandomMechanismOptions;

RandomMechanismOptions OptionsFor(std::uint64_t seed) {
  RandomMechanismOptions options;
  options.links = 5 + static_cast<int>(seed % 9), options.loops = static_cast<int>(seed % 4),
  options.couplings = static_cast<int>(seed % 3);
  options.free_base = seed % 5 == 0, options.reversed_joints = seed % 4 == 1;
  return options;
}

struct Step {
  std::optional<Model> model;  ///< as read from what was written
  std::string failure;
};

// Converts, reads the text again, and asks whether that is still `source`.
Step Through(const Model& source, const std::string& target, std::string* text = nullptr) {
  Step step;
  ConvertOptions options;
  options.target = test::TargetNamed(target);
  Diagnostics diagnostics;
  const std::optional<Converted> converted = Convert(source, options, diagnostics);
  if (!converted) {
    step.failure = "not converted: " + test::Rendered(diagnostics);
    return step;
  }
  if (text != nullptr) *text = converted->text;
  step.model = test::ReadText(converted->text, "written" + test::Extension(target), diagnostics);
  if (!step.model) {
    step.failure = "not read: " + test::Rendered(diagnostics);
    return step;
  }
  VerifyOptions verify;
  verify.states = 4, verify.report = &converted->lowered.report;
  const VerifyResult result = VerifyEquivalent(source, *step.model, verify);
  if (result.equivalent) return step;
  for (const VerifyCheck& check : result.checks) {
    if (check.max_error > check.tolerance) step.failure += check.what + " " + std::to_string(check.max_error) + " at " + check.worst + "; ";
  }
  for (const Diagnostic& item : result.diagnostics.items()) step.failure += Render(item) + "\n";
  return step;
}

TEST(RandomConversions, X) {
  std::map<std::string, int> failures;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Model model = RandomMechanism(seed, OptionsFor(seed));
    const auto say = [&](const std::string& what, const Step& step) {
      if (!step.failure.empty()) {
        ++failures[what];
        std::printf("SEED %d %s: %s\n", int(seed), what.c_str(), step.failure.substr(0, 400).c_str());
      }
    };
    const Step sdf = Through(model, "sdf");
    say("->sdf", sdf);
    if (sdf.model) {
      const Step urdf = Through(*sdf.model, "urdf+");
      say("sdf->urdf+", urdf);
      if (urdf.model) {
        const Step back = Through(*urdf.model, "sdf");
        say("urdf+->sdf", back);
      }
      for (const char* other : {"mjcf", "mbs"}) {
        const Step step = Through(*sdf.model, other);
        say(std::string("sdf->") + other, step);
        if (step.model) say(std::string(other) + "->urdf+", Through(*step.model, "urdf+"));
      }
    }
  }
  for (const auto& [k, v] : failures) std::printf("%s %d\n", k.c_str(), v);
}

}  // namespace
}  // namespace kinemorph
