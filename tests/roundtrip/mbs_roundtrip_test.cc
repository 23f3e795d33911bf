// There and back through Robotran: URDF+ -> MBS -> URDF+ and SDFormat -> MBS -> SDFormat, judged by
// the physics of `verify` at every step and from the first file to the last; humanoids with fixed
// and floating base; every MBS file as itself.
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "conversion.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

std::string Told(const VerifyResult& result) {
  std::string text;
  for (const VerifyCheck& check : result.checks) {
    if (check.max_error > check.tolerance)
      text += check.what + " " + std::to_string(check.max_error) + " at " + check.worst + "\n";
  }
  return text + Rendered(result.diagnostics, Severity::kWarning);
}

struct Step {
  std::optional<Model> model;  ///< what was written, read again
  LossReport report;
  std::string problem;
};

// The largest error of a check; -1 when it was not made.
double ErrorOf(const VerifyResult& result, const std::string& what) {
  for (const VerifyCheck& check : result.checks)
    if (check.what == what) return check.max_error;
  return -1;
}

// Converts and proves; what went wrong is in `problem`.
Step ConvertAndVerify(const Model& source, const std::string& target,
                      BaseChoice base = BaseChoice::kAuto) {
  Step step;
  ConvertOptions options;
  options.target = TargetNamed(target);
  options.base = base;
  Diagnostics converting, reading;
  const std::optional<Converted> converted = Convert(source, options, converting);
  if (!converted) {
    step.problem = "to " + target + ": " + Rendered(converting);
    return step;
  }
  step.report = converted->lowered.report;
  step.model =
      ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), reading);
  if (!step.model) {
    step.problem = target + " cannot be read again: " + Rendered(reading);
    return step;
  }
  VerifyOptions verify;
  verify.report = &step.report;
  const VerifyResult result = VerifyEquivalent(source, *step.model, verify);
  if (!result.equivalent)
    step.problem = "to " + target + ": " + Told(result) + LossReportText(step.report);
  return step;
}

std::map<std::string, bool> Declared(const Model& model) {
  std::map<std::string, bool> declared;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.independent && joint.role != JointRole::kLoop)
      declared[joint.name] = *joint.independent;
  }
  return declared;
}

class ThroughMbs : public testing::TestWithParam<std::string> {};

TEST_P(ThroughMbs, ComesBackTheSameMechanism) {
  Diagnostics reading;
  const std::optional<Model> source = ReadFile(GetParam(), reading);
  ASSERT_TRUE(source) << Rendered(reading);
  const std::string home = fs::path(GetParam()).extension() == ".sdf" ? "sdf" : "urdf+";
  const Step middle = ConvertAndVerify(*source, "mbs");
  ASSERT_TRUE(middle.model) << middle.problem;
  EXPECT_EQ(middle.problem, "");
  const Step last = ConvertAndVerify(*middle.model, home);
  ASSERT_TRUE(last.model) << last.problem;
  EXPECT_EQ(last.problem, "");
  // From the first file to the last, with what both steps said is lost and lowered.
  LossReport lost = middle.report;
  lost.losses.insert(lost.losses.end(), last.report.losses.begin(), last.report.losses.end());
  lost.lowerings.insert(lost.lowerings.end(), last.report.lowerings.begin(),
                        last.report.lowerings.end());
  VerifyOptions verify;
  verify.report = &lost;
  const VerifyResult whole = VerifyEquivalent(*source, *last.model, verify);
  EXPECT_TRUE(whole.equivalent) << Told(whole);
  for (const char* physics :
       {"mobility", "link poses", "link motions", "accelerations", "link masses", "link inertias"})
    EXPECT_NE(ErrorOf(whole, physics), -1) << physics << " was not compared";
  const std::map<std::string, bool> in_mbs = Declared(*middle.model),
                                    at_last = Declared(*last.model);
  for (const auto& [joint, independent] : Declared(*source)) {
    ASSERT_TRUE(in_mbs.contains(joint)) << joint;
    EXPECT_EQ(in_mbs.at(joint), independent) << joint;
    if (home == "sdf") continue;  // SDFormat cannot hold it
    const std::string name = at_last.contains(joint)
                                 ? joint
                                 : joint + "_1";  // URDF+ splits joints of several coordinates
    ASSERT_TRUE(at_last.contains(name)) << joint;
    EXPECT_EQ(at_last.at(name), independent) << joint;
  }
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  const fs::path path(info.param);
  return std::regex_replace(path.stem().string() + "_" + path.extension().string().substr(1),
                            std::regex("[^A-Za-z0-9]"), "_");
}
INSTANTIATE_TEST_SUITE_P(Mechanisms, ThroughMbs,
                         testing::ValuesIn(FilesBelow(Fixtures() + "/mechanisms",
                                                      {".sdf", ".urdf"})),
                         TestName);

// Robots of the seed's validation set in kind: Atlas, WalkMan's brother and iCub, tens of links
// each.
class Humanoid : public testing::TestWithParam<const char*> {};

TEST_P(Humanoid, StandsTheSameOnAFixedAndAFloatingBase) {
  const std::string path = Shared() + "/corpus/urdf/" + GetParam();
  if (!fs::exists(path)) GTEST_SKIP() << "no data folder beside the project";
  Diagnostics reading;
  const std::optional<Model> source = ReadFile(path, reading);
  ASSERT_TRUE(source) << Rendered(reading);
  EXPECT_GE(source->num_links(), 25u);
  for (const BaseChoice base : {BaseChoice::kFixed, BaseChoice::kFloating}) {
    const Step mbs = ConvertAndVerify(*source, "mbs", base);
    EXPECT_EQ(mbs.problem, "");
    ASSERT_TRUE(mbs.model);
    int free = 0;
    for (const JointId id : Joints(*mbs.model))
      free += std::holds_alternative<Free>(mbs.model->joint(id).kind) ? 1 : 0;
    EXPECT_EQ(free, base == BaseChoice::kFloating ? 1 : 0);
    const Step back = ConvertAndVerify(*mbs.model, "urdf");
    EXPECT_EQ(back.problem, "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, Humanoid,
    testing::Values("Daniella1__urdf_files_dataset/urdf_files/matlab/Atlas/urdf/atlas.urdf",
                    "gazebosim__sdformat/test/performance/parser_urdf_atlas.urdf",
                    "osrf__drcsim/atlas_description/urdf/atlas_v4_raw.urdf",
                    "robotology__idyntree/src/tests/data/bigman.urdf",
                    "robotology__icub-models/iCub/robots/iCubGenova02/model.urdf",
                    "robotology__icub-models/iCub/robots/iCubGazeboV2_7/model.urdf"));

// What MBSysPad sees is not touched: values, names, order, diagram. Comments and the sign of a zero
// are nobody's.
std::string Bare(std::string text) {
  text = std::regex_replace(text, std::regex("<!--[^]*?-->"), "");
  text = std::regex_replace(text, std::regex("\\s+/>"), "/>");
  text = std::regex_replace(text, std::regex("\\s*(<[^>]*>)\\s*"), "\n$1\n");
  text = std::regex_replace(text, std::regex("\n+"), "\n");
  return std::regex_replace(text, std::regex("-0\\.0(?![0-9])"), "0.0");
}

TEST(MbsToMbs, EveryRealFileIsWrittenBackAsItWas) {
  const std::vector<std::string> files = FilesBelow(Shared() + "/mbs", {".mbs"});
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const std::string& path : files) {
    Diagnostics reading, converting;
    const std::optional<Model> source = ReadFile(path, reading);
    ASSERT_TRUE(source) << path << "\n" << Rendered(reading);
    ConvertOptions options;
    options.target = TargetNamed("mbs");
    const std::optional<Converted> converted = Convert(*source, options, converting);
    ASSERT_TRUE(converted) << path << "\n" << Rendered(converting);
    const LossReport& report = converted->lowered.report;
    EXPECT_TRUE(report.losses.empty() && report.lowerings.empty() && report.names.empty() &&
                report.frames.empty())
        << path << "\n"
        << LossReportText(report);
    EXPECT_EQ(Bare(converted->text), Bare(ReadAll(path))) << path;
  }
  EXPECT_GE(files.size(), 25u);
}

// Every real file leaves for the other formats, proved at each.
TEST(MbsToOthers, EveryRealFileMovesTheSame) {
  const std::vector<std::string> files = FilesBelow(Shared() + "/mbs", {".mbs"});
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const std::string& path : files) {
    Diagnostics reading;
    const std::optional<Model> source = ReadFile(path, reading);
    ASSERT_TRUE(source) << path << "\n" << Rendered(reading);
    for (const char* target : {"urdf+", "sdf", "mjcf"})
      EXPECT_EQ(ConvertAndVerify(*source, target).problem, "") << path;
  }
}

}  // namespace
}  // namespace kinemorph::test
