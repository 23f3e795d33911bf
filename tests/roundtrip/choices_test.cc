// What a user may ask for changes how a mechanism is written, never which mechanism it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "support/conversion.h"

namespace kinemorph::test {
namespace {

bool HasInternalError(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.items().begin(), diagnostics.items().end(),
                     [](const Diagnostic& d) { return d.code.starts_with("internal"); });
}

// A refusal is an answer; a defect of ours, or another mechanism, is not. True where it was
// written.
bool ExpectSame(const Model& source, const ConvertOptions& options, const std::string& what) {
  Diagnostics said;
  const std::optional<Converted> converted = Convert(source, options, said);
  EXPECT_FALSE(HasInternalError(said)) << what << "\n" << Rendered(said);
  EXPECT_EQ(converted.has_value(), said.num_errors() == 0) << what;
  if (!converted) return false;
  const std::optional<Model> written =
      ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), said);
  EXPECT_TRUE(written) << what << "\n" << Rendered(said);
  if (!written) return false;
  VerifyOptions verify;
  verify.states = 3;
  verify.report = &converted->lowered.report, verify.written = &*written;
  const VerifyResult result = VerifyEquivalent(source, *written, verify);
  EXPECT_NE(result.verdict, Verdict::kDifferent) << what << ": " << result.line;
  return true;
}

constexpr const char* kTargets[] = {"urdf", "urdf+", "sdf", "mjcf", "mbs"};

struct Choice {
  std::string name;
  std::function<void(ConvertOptions&)> take;
};

std::vector<Choice> ChoicesFor(const Model& model) {
  std::vector<Choice> choices = {
      {"fixed base", [](ConvertOptions& o) { o.base = BaseChoice::kFixed; }},
      {"floating base", [](ConvertOptions& o) { o.base = BaseChoice::kFloating; }},
      {"base as root", [](ConvertOptions& o) { o.base_as_root = true; }},
      {"merged", [](ConvertOptions& o) { o.merge_fixed = true; }},
      {"hinges", [](ConvertOptions& o) { o.balls_as_hinges = true; }},
      {"motors", [](ConvertOptions& o) { o.motors = true; }},
      {"no frames", [](ConvertOptions& o) { o.keep_frames = false; }},
      {"massless", [](ConvertOptions& o) { o.massless = 1e-9; }},
  };
  for (const JointId id : Joints(model)) {
    if (NumVelocities(model.joint(id).kind) == 0) continue;
    const std::string joint = model.joint(id).name;
    choices.push_back({"cut " + joint, [joint](ConvertOptions& o) { o.cut = {joint}; }});
    choices.push_back(
        {"independent " + joint, [joint](ConvertOptions& o) { o.independent = {joint}; }});
    choices.push_back({"cut, merged " + joint, [joint](ConvertOptions& o) {
                         o.cut = {joint}, o.merge_fixed = true, o.base_as_root = true;
                       }});
  }
  return choices;
}

TEST(Choices, EveryChoiceGivesTheSameMechanismOrARefusal) {
  std::size_t written = 0, refused = 0;
  for (const std::string& file :
       FilesBelow(Fixtures() + "/mechanisms", {".sdf", ".urdf", ".xml"})) {
    Diagnostics reading;
    const std::optional<Model> model = ReadFile(file, reading);
    if (!model) continue;
    for (const Choice& choice : ChoicesFor(*model)) {
      for (const char* target : kTargets) {
        ConvertOptions options;
        options.target = TargetNamed(target);
        choice.take(options);
        ++(ExpectSame(*model, options, file + " -> " + target + ", " + choice.name) ? written
                                                                                    : refused);
      }
    }
  }
  std::cout << written << " written, " << refused << " refused\n";
  EXPECT_GT(written, 5 * refused);
}

}  // namespace
}  // namespace kinemorph::test
