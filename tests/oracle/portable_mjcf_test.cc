// MJCF of the portable profile: every MuJoCo compiles it, Debian's and the newest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "command.h"
#include "conversion.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "mujoco_judge.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

TEST(PortableMjcf, EveryMujocoCompilesEveryLoopedModel) {
  const fs::path folder = fs::path(testing::TempDir()) / "portable";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::map<std::string, std::string> source_of;
  const auto write = [&](const std::vector<std::string>& files) {
    for (const std::string& path : files) {
      Diagnostics reading, converting;
      std::optional<Model> source = ReadFile(path, reading);
      if (!source || reading.has_errors() || ChooseSpanningTree(*source).loop_joints.empty())
        continue;
      for (std::uint32_t i = 0; i < source->num_links(); ++i) {  // they need files
        Link& link = source->link(LinkId{i});
        link.visuals.clear(), link.collisions.clear();
        link.gravity.reset();  // gravcomp came after MuJoCo 2.2
      }
      std::erase_if(source->native, [](const NativeData& n) {  // of shapes; and words of its own
        return n.content.name == "texture" || n.content.name == "material" ||
               n.element.starts_with("asset") || n.element.starts_with("contact") ||
               n.element.starts_with("option") || n.element.starts_with("size");
      });
      for (const JointId id : Joints(*source))  // so did actuatorfrcrange
        for (JointAxis& axis : source->joint(id).axes)
          axis.effort.reset(), axis.effort_lower.reset();
      ConvertOptions options;
      options.target = TargetNamed("mjcf portable");
      const std::optional<Converted> converted = Convert(*source, options, converting);
      if (!converted) {  // by name
        EXPECT_THAT(Rendered(converting), testing::HasSubstr("[target-refuses")) << path;
        continue;
      }
      const std::string name = "m" + std::to_string(source_of.size()) + ".xml";
      WriteFile(folder / name, converted->text);
      source_of[name] = path;
    }
  };
  for (const char* part : {"/features", "/mechanisms", "/regressions", "/motion"})
    write(FilesBelow(Fixtures() + part, {".sdf", ".urdf", ".xml", ".mbs"}));
  for (const char* part : {"corpus", "urdf_plus", "legs", "mbs"})
    write(FilesBelow(fs::path(Shared()) / part, {".sdf", ".urdf", ".xml", ".mbs"}));
  ASSERT_GT(source_of.size(), 20U);
  std::vector<std::string> names;
  std::size_t compiled = 0, asked = 0;
  for (const auto& [name, source] : source_of) {
    names.push_back(name);
    const auto by_library = CompileWithLibrary(folder / name);
    if (!by_library) continue;
    ++asked;
    compiled += by_library->error.empty() ? 1 : 0;
    if (!by_library->error.empty())
      std::cout << "library: " << source << ": " << by_library->error << "\n";
  }
  std::cout << "the library compiles " << compiled << " of " << asked << "\n";
  EXPECT_GE(static_cast<double>(compiled), 0.98 * static_cast<double>(asked));
  std::string why;
  const auto by_node = CompileWithNode(folder, names, why);
  if (!by_node) GTEST_SKIP() << why;
  std::size_t good = 0;
  for (const auto& [name, result] : *by_node) {
    good += result.error.empty() ? 1 : 0;
    if (!result.error.empty())
      std::cout << "newest: " << source_of[name] << ": " << result.error << "\n";
  }
  std::cout << "the newest compiles " << good << " of " << names.size() << "\n";
  EXPECT_GE(static_cast<double>(good), 0.98 * static_cast<double>(names.size()));
}

}  // namespace
}  // namespace kinemorph::test
