// robot.yaml by another's eyes: a script that knows what Gepetto's loader does makes MJCF of the
// tree and the pairs, which is held against the source and given to MuJoCo.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "command.h"
#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "mujoco_judge.h"

namespace kinemorph::test {
namespace {

std::string Script() { return SourceDir() + "/tests/oracle/gepetto/to_mjcf.py"; }
// Debian's, where the first in the path has no YAML.
std::string Python() {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system((std::string(python) + " -c 'import yaml' > /dev/null 2>&1").c_str()) == 0)
      return python;
  return {};
}

struct Source {
  std::string path;
  Model model;
  Model lowered;
  LossReport report;
};

std::map<std::string, Source> WriteRobots(const fs::path& folder) {
  std::map<std::string, Source> sources;
  for (const char* part : {"/mechanisms", "/motion"}) {
    for (const std::string& path : FilesBelow(Fixtures() + part, {".urdf", ".sdf"})) {
      Diagnostics diagnostics;
      const std::optional<Model> model = ReadFile(path, diagnostics);
      if (!model) continue;
      const std::string name = "r" + std::to_string(sources.size());
      ConvertOptions options;
      options.target = TargetNamed("urdf");
      options.target.options.side_cars = {"gepetto"};
      options.target.options.stem = name;
      for (const Scope& scope : model->scopes)
        if (!scope.is_world && options.model.empty()) options.model = scope.name;
      const std::optional<Converted> converted = Convert(*model, options, diagnostics);
      EXPECT_TRUE(converted) << path << "\n" << Rendered(diagnostics);
      if (!converted) continue;
      WriteFile(folder / (name + ".urdf"), converted->text);
      WriteFile(folder / (name + ".yaml"), converted->side_files.at(0).text);
      sources.emplace(name,
                      Source{path, *model, converted->lowered.model, converted->lowered.report});
    }
  }
  return sources;
}

TEST(Gepetto, AnotherReaderOfTheYamlFindsTheSameMechanism) {
  const std::string python = Python();
  if (python.empty()) GTEST_SKIP() << "python3 with PyYAML (python3-yaml) is absent";
  TemporaryFolder folder;
  const std::map<std::string, Source> sources = WriteRobots(folder.path());
  ASSERT_GT(sources.size(), 30u);
  const CommandResult adapted =
      Shell(python + " " + Script() + " " + folder.path().string(), folder.path());
  EXPECT_EQ(adapted.exit_code, 0) << adapted.out << adapted.err;
  std::size_t agree = 0, judged = 0;
  for (const auto& [name, source] : sources) {
    Diagnostics reading;
    const std::optional<Model> back = ReadFile(folder / (name + ".xml"), reading);
    ASSERT_TRUE(back) << source.path << Rendered(reading);
    const Coordinates of_source = AnalyseCoordinates(Compile(source.model)),
                      of_back = AnalyseCoordinates(Compile(*back));
    int couplings = 0;  // Gepetto's loader passes mimics over
    for (const Coupling& coupling : source.lowered.couplings)
      couplings += coupling.terms.empty() ? 0 : 1;
    ++judged;
    const bool free_base = of_back.mobility < of_source.mobility;  // a base that floats is not said
    const int expected = of_source.mobility + couplings - (free_base ? 6 : 0);
    EXPECT_EQ(of_back.mobility, expected) << source.path;
    agree += of_back.mobility == expected ? 1 : 0;
    if (couplings > 0 || free_base) continue;
    VerifyOptions options;
    options.states = 5;
    const VerifyResult result = VerifyEquivalent(source.model, *back, options);
    for (const VerifyCheck& check : result.checks)
      for (const char* what :
           {"mobility", "loop closure", "constraint rows", "accelerations"})  // links have halves
        if (check.what == what) {
          EXPECT_LE(check.max_error, std::max(check.tolerance, 3e-6))
              << source.path << ": " << check.what << " at " << check.worst;
        }
  }
  std::cout << agree << " of " << judged << " have their mobility\n";
}

// What MuJoCo makes of them: as many rows as the types say.
TEST(Gepetto, MujocoTakesTheTreeAndThePairs) {
  const std::string python = Python();
  if (python.empty()) GTEST_SKIP() << "python3 with PyYAML (python3-yaml) is absent";
  TemporaryFolder folder;
  const std::map<std::string, Source> sources = WriteRobots(folder.path());
  ASSERT_EQ(Shell(python + " " + Script() + " " + folder.path().string(), folder.path()).exit_code,
            0);
  std::vector<std::string> files;
  for (const auto& entry : sources) files.push_back(entry.first + ".xml");
  std::string why;
  const auto compiled = CompileWithNode(folder.path(), files, why);
  if (!compiled) GTEST_SKIP() << why;
  std::size_t taken = 0;
  for (const auto& [name, source] : sources) {
    const CompiledMujoco& found = compiled->at(name + ".xml");
    if (!found.error.empty()) {
      // A link without mass that moves is no body to MuJoCo.
      EXPECT_NE(found.error.find("mass"), std::string::npos) << source.path << ": " << found.error;
      continue;
    }
    ++taken;
    std::size_t loops = 0;
    for (const JointId id : Joints(source.lowered))
      loops += source.lowered.joint(id).role == JointRole::kLoop ? 1 : 0;
    EXPECT_EQ(found.equalities.size(), loops) << source.path;
  }
  EXPECT_GT(taken, 15u);
}

}  // namespace
}  // namespace kinemorph::test
