// USD by others' eyes: two parsers, the rules of the schemas, and an adapter to MJCF that knows the
// schemas alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "command.h"
#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::test {
namespace {

struct Source {
  std::string path, name;  ///< of the file, and of the robot in its world
  Model model;
  LossReport report;
};
using Sources = std::map<std::string, Source>;  // by the name of the stage

// What the proof says of the physics; the rest is told by names, frames and looks. Effort limits of
// 0 have no place in MJCF.
const std::set<std::string> kPhysics = {
    "link masses", "centres of mass", "link inertias",    "connected parts", "mobility",
    "link poses",  "loop closure",    "link motions",     "constraint rows", "accelerations",
    "joint axes",  "position limits", "damping",          "friction",        "springs",
    "armature",    "couplings",       "joint coordinates"};

std::string Scripts() { return SourceDir() + "/tests/oracle/usd"; }

bool HasPython() { return std::system("python3 --version > /dev/null 2>&1") == 0; }
bool HasNodeJudge() {
  return std::system("node --version > /dev/null 2>&1") == 0 &&
         fs::exists(Scripts() + "/node_modules/tinyusdz");
}

// Writes each file that reads well as a stage into `folder`; the base is as the source says.
void WriteStages(const std::vector<std::string>& files, const std::string& target, bool looped,
                 const fs::path& folder, Sources& sources) {
  for (const std::string& file : files) {
    Diagnostics reading, converting;
    std::optional<Model> model = ReadFile(file, reading);
    if (!model || reading.has_errors()) continue;
    const std::vector<JointId> loops = ChooseSpanningTree(*model).loop_joints;
    if (looped && loops.empty()) continue;
    // MJCF, in which stages are compared, has no limits or dynamics of loop joints.
    for (const JointId id : loops) model->joint(id).axes.assign(model->joint(id).axes.size(), {});
    ConvertOptions options;
    options.target = TargetNamed(target);
    for (const Scope& scope : model->scopes)
      if (!scope.is_world && options.model.empty()) options.model = scope.name;
    const std::optional<Converted> converted = Convert(*model, options, converting);
    const std::string name = "s" + std::to_string(sources.size());
    EXPECT_TRUE(converted) << file << "\n" << Rendered(converting);
    if (!converted) continue;
    WriteFile(folder / (name + ".usda"), converted->text);
    sources.emplace(name,
                    Source{file, options.model, std::move(*model), converted->lowered.report});
  }
}

std::vector<std::string> FixtureFiles() {
  std::vector<std::string> files;
  for (const char* part : {"/mechanisms", "/motion", "/regressions"})
    for (std::string& file : FilesBelow(Fixtures() + part, {".sdf", ".urdf"}))
      files.push_back(std::move(file));
  return files;
}

std::string Named(const std::string& line, const Sources& sources) {
  const std::size_t at = line.find(".usda");
  const std::size_t start = line.rfind('/', at) + 1;
  const auto found = sources.find(line.substr(start, at - start));
  return found == sources.end() ? line : found->second.path + line.substr(at + 5);
}

std::string Lines(const std::string& text, const Sources& sources) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += Named(line, sources) + "\n";
  return out;
}

// The checks of physics that fail, with their errors; empty: it agrees. `single`: the stage was
// rounded to single precision.
std::string Disagreement(const Source& source, const Model& adapted, bool single) {
  VerifyOptions options;
  options.report = &source.report;
  options.model = source.name;
  options.states = 5;
  if (single) options.tolerance = 1e-6;
  const VerifyResult result = VerifyEquivalent(source.model, adapted, options);
  std::string failed;
  for (const VerifyCheck& check : result.checks) {
    double tolerance = check.tolerance;
    // By principal axes, those of slender links.
    if (check.what == "accelerations") tolerance = std::max(tolerance, 3e-6);
    if (single) tolerance = check.what == "link inertias" ? 5e-3 : std::max(tolerance, 1e-5);
    if (kPhysics.contains(check.what) && check.max_error > tolerance)
      failed +=
          "  " + check.what + " " + std::to_string(check.max_error) + " at " + check.worst + "\n";
  }
  if (result.checks.size() < 10)
    failed += "  only " + std::to_string(result.checks.size()) + " checks\n";
  return failed;
}

// PhysX has no relation between a hinge and a slide: a robot that loses one moves otherwise, and
// is told so.
bool LosesACoupling(const Source& source) {
  return std::any_of(source.report.losses.begin(), source.report.losses.end(),
                     [](const Loss& l) { return FeatureName(l.feature).starts_with("coupling-"); });
}

struct Count {
  std::size_t agree = 0, judged = 0, without_equality = 0, told = 0;
  std::string failures;
};

Count Judge(const fs::path& folder, const Sources& sources, bool single) {
  const CommandResult adapted = Shell(
      "python3 " + Scripts() + "/to_mjcf.py " + (single ? "--float32 " : "") + folder.string(),
      folder);
  EXPECT_EQ(adapted.exit_code, 0) << adapted.err;
  Count count;
  std::set<std::string> excused;
  std::istringstream lines(adapted.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("a loop joint of type") != std::string::npos)
      excused.insert(line.substr(0, line.find(".usda")));
    else
      count.failures += Named(line, sources) + "\n";
  }
  for (const auto& [name, source] : sources) {
    if (excused.contains(name) || LosesACoupling(source)) {
      ++(excused.contains(name) ? count.without_equality : count.told);
      continue;
    }
    ++count.judged;
    const fs::path file = folder / (name + ".xml");
    if (!fs::exists(file)) continue;
    Diagnostics reading;
    const std::optional<Model> model = ReadFile(file, reading);
    const std::string failed =
        model ? Disagreement(source, *model, single) : "  not read: " + Rendered(reading);
    if (failed.empty()) ++count.agree;
    if (!failed.empty()) count.failures += source.path + "\n" + failed;
  }
  return count;
}

class UsdFixtures : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!HasPython()) GTEST_SKIP() << "python3 is absent";
    WriteStages(FixtureFiles(), GetParam(), false, folder_.path(), sources_);
    ASSERT_GT(sources_.size(), 40U);
  }
  TemporaryFolder folder_;
  Sources sources_;
};

TEST_P(UsdFixtures, KeepTheRulesOfTheSchemasAndOfTheirReaders) {
  const CommandResult checked = Shell(
      "python3 " + Scripts() + "/check.py " + folder_.path().string() + "/*.usda", folder_.path());
  EXPECT_EQ(checked.exit_code, 0) << checked.err << Lines(checked.out, sources_);
}

TEST_P(UsdFixtures, AreTakenByTinyusdzAndReadAlikeByThree) {
  if (!HasNodeJudge())
    GTEST_SKIP() << "node, or npm module tinyusdz, is absent (npm ci in tests/oracle/usd)";
  const CommandResult checked =
      Shell("node " + Scripts() + "/judge.mjs " + folder_.path().string() +
                "/*.usda > judged.jsonl && " + "python3 " + Scripts() + "/check.py " +
                folder_.path().string() + "/*.usda --three judged.jsonl",
            folder_.path());
  EXPECT_EQ(checked.exit_code, 0) << checked.err << Lines(checked.out, sources_);
}

TEST_P(UsdFixtures, HoldThePhysicsOfTheirSources) {
  const Count count = Judge(folder_.path(), sources_, false);
  EXPECT_EQ(count.agree, count.judged) << count.failures;
  EXPECT_LE(count.without_equality, 2U);
}

TEST_P(UsdFixtures, HoldThePhysicsInSinglePrecisionToo) {
  const Count count = Judge(folder_.path(), sources_, true);
  EXPECT_EQ(count.agree, count.judged) << count.failures;
}

constexpr const char* kDialects[] = {"usda", "usda physx"};
std::string NameOf(const testing::TestParamInfo<const char*>& tested) {
  return tested.param == std::string("usda") ? "Newton" : "PhysX";
}
INSTANTIATE_TEST_SUITE_P(Dialects, UsdFixtures, testing::ValuesIn(kDialects), NameOf);

class UsdCorpus : public testing::TestWithParam<const char*> {};

TEST_P(UsdCorpus, LoopedModelsHoldThePhysicsOfTheirSources) {
  if (!fs::exists(Shared())) GTEST_SKIP() << "no shared data";
  if (!HasPython()) GTEST_SKIP() << "python3 is absent";
  TemporaryFolder folder;
  Sources sources;
  for (const char* part : {"/corpus", "/urdf_plus", "/legs", "/mbs"})
    WriteStages(FilesBelow(Shared() + part, {".urdf", ".sdf", ".world", ".xml", ".mjcf", ".mbs"}),
                GetParam(), true, folder.path(), sources);
  const Count count = Judge(folder.path(), sources, false);
  std::cout << count.agree << " of " << count.judged << " looped models agree, "
            << count.without_equality << " have loop joints without an equality in MJCF, "
            << count.told << " lose a coupling by name\n"
            << count.failures;
  EXPECT_GT(count.judged, 50U);
  EXPECT_EQ(count.agree, count.judged);
  EXPECT_LE(count.told, 7U);  // PhysX leaves out mimics without limits
}

INSTANTIATE_TEST_SUITE_P(Dialects, UsdCorpus, testing::ValuesIn(kDialects), NameOf);

// The judges themselves: each damaged stage is refused by the one that is to see it.
struct Damage {
  const char *name, *from, *to;
};
constexpr Damage kDamages[] = {
    {"wrong_axis", "physics:axis = \"Y\"", "physics:axis = \"Q\""},
    {"no_such_body", "</four_bar/link1>", "</four_bar/link9>"},
    {"infinity", "float physics:mass = ", "float physics:mass = inf\n#"},
    {"no_exclusion", "physics:excludeFromArticulation = true",
     "physics:excludeFromArticulation = false"},
    {"no_up_axis", "upAxis = \"Z\"", "upAxis = \"Y\""},
    {"no_metres", "metersPerUnit = 1", "metersPerUnit = 0.01"},
    {"mass_zero", "float physics:mass = ", "float physics:mass = 0\n#"},
    {"moments_zero", "float3 physics:diagonalInertia = (",
     "float3 physics:diagonalInertia = (0, 0, 0)\n#"},
    {"no_axes", "quatf physics:principalAxes = (", "quatf physics:principalAxes = (0, 0, 0, 0)\n#"},
    {"wrong_tuple", "point3f physics:localPos0 = (", "point3f physics:localPos0 = ((1), "},
    {"bad_prim_name", "def Xform \"link1\"", "def Xform \"link-1\""},
    {"scaled_body", "quatd xformOp:orient",
     "double3 xformOp:scale = (2, 2, 2)\nquatd xformOp:orient"},
    {"another_type", "float physics:mass", "double physics:mass"},
    {"second_root", "\"PhysicsRigidBodyAPI\", ",
     "\"PhysicsRigidBodyAPI\", \"PhysicsArticulationRootAPI\", "},
    {"open_loop", "point3f physics:localPos1 = (0.", "point3f physics:localPos1 = (1."}};

TEST(UsdDamage, IsSeen) {
  if (!HasPython()) GTEST_SKIP() << "python3 is absent";
  TemporaryFolder folder;
  Sources sources;
  WriteStages({Fixtures() + "/mechanisms/four_bar/four_bar.urdf"}, "usda", false, folder.path(),
              sources);
  const std::string whole = FileText(folder / "s0.usda");
  for (const Damage& damage : kDamages) {
    std::string text = whole;
    const std::size_t at = text.find(damage.from);
    ASSERT_NE(at, std::string::npos) << damage.name << "\n" << text;
    text.replace(at, std::string(damage.from).size(), damage.to);
    WriteFile(folder / (std::string(damage.name) + ".usda"), text);
  }
  const CommandResult seen = Shell("python3 " + Scripts() + "/check.py *.usda", folder.path());
  EXPECT_EQ(seen.exit_code, 1) << seen.err;
  EXPECT_EQ(seen.out.find("s0.usda"), std::string::npos) << seen.out;
  for (const Damage& damage : kDamages)
    EXPECT_NE(seen.out.find(std::string(damage.name) + ".usda"), std::string::npos) << damage.name;
}

}  // namespace
}  // namespace kinemorph::test
