// The scenes around robots (--scene), judged by MuJoCo: it loads them with the robot, the keyframe
// `home` is closed, nothing is in the floor, and what floats stands on it.
#include <gtest/gtest.h>

#include "command.h"
#include "conversion.h"
#include "convert_text.h"
#include "mujoco_judge.h"

namespace kinemorph {
namespace {

namespace fs = std::filesystem;

// The robot of a file, and the scene around it, in `folder`. Returns why not.
std::string WriteRobot(const std::string& path, BaseChoice base, const fs::path& folder) {
  ConversionRequest request;
  request.in = path;
  request.out = "robot.xml";
  request.scene = true;
  request.options.base = base;
  const FileResolver files(path, {});
  request.resolver = &files;
  request.source_folder = files.FolderOf(path);
  request.target_folder = folder.string();
  const ConversionResult result = test::ConvertText(test::ReadAll(path), request);
  if (result.end != ConversionEnd::kDone) return test::Rendered(result.diagnostics);
  EXPECT_EQ(result.files.side_files.size(), 1u);
  EXPECT_EQ(result.files.side_files.at(0).name, "robot_scene.xml");
  test::WriteFile(folder / "robot.xml", result.files.text);
  test::WriteFile(folder / "robot_scene.xml", result.files.side_files.at(0).text);
  return "";
}

TEST(MujocoScene, TheNewestMujocoLoadsThem) {
  const test::TemporaryFolder folder;
  std::vector<std::string> scenes;
  for (const std::string& path : test::FilesBelow(test::Fixtures() + "/mechanisms", {".urdf"})) {
    const std::string robot = "r" + std::to_string(scenes.size());
    ASSERT_EQ(WriteRobot(path, BaseChoice::kFloating, folder / robot), "") << path;
    scenes.push_back(robot + "/robot_scene.xml");
  }
  std::string why;
  const auto compiled = CompileWithNode(folder.path(), scenes, why);
  if (!compiled) GTEST_SKIP() << why;
  EXPECT_EQ(compiled->size(), scenes.size());
  for (const auto& [scene, model] : *compiled) EXPECT_EQ(model.error, "") << scene;
}

}  // namespace
}  // namespace kinemorph

#ifdef KINEMORPH_LIBMUJOCO
#include <mujoco/mujoco.h>

#include <iostream>
#include <memory>
#include <regex>

namespace kinemorph {
namespace {

constexpr double kHomeClosed = 1e-6;  // m or rad, as MuJoCo sees the equalities
constexpr double kTouches = 1e-5;     // m

using Loaded = std::unique_ptr<mjModel, void (*)(mjModel*)>;

struct Scene {
  test::TemporaryFolder folder;
  Loaded model{nullptr, mj_deleteModel};
  std::string why;  ///< not loaded
};

// The robot of a file in its scene. What this MuJoCo is too old to know is taken out.
void Load(const std::string& path, BaseChoice base, Scene& scene) {
  scene.why = WriteRobot(path, base, scene.folder.path());
  if (!scene.why.empty()) return;
  const std::regex newer(" (actuatorfrclimited|actuatorfrcrange|actuatorgravcomp)=\"[^\"]*\"");
  const std::string robot = test::FileText(scene.folder / "robot.xml");
  test::WriteFile(scene.folder / "robot.xml", std::regex_replace(robot, newer, ""));
  char error[1000] = "";
  scene.model.reset(
      mj_loadXML((scene.folder / "robot_scene.xml").c_str(), nullptr, error, sizeof error));
  scene.why = error;
}

std::size_t ContactsWith(const mjData* d, int geom) {
  std::size_t count = 0;
  for (int c = 0; c < d->ncon; ++c) {
    const mjContact& contact = d->contact[c];
    count += (contact.geom1 == geom || contact.geom2 == geom) && contact.dist < 0 ? 1 : 0;
  }
  return count;
}

// Whether all that moves has a shape. What is only drawn collides from now on, too.
bool Touchable(mjModel* m) {
  for (int g = 0; g < m->ngeom; ++g) m->geom_contype[g] = m->geom_conaffinity[g] = 1;
  bool all = true;
  for (int b = 1; b < m->nbody; ++b)
    all = all && (m->body_weldid[b] == 0 || m->body_geomnum[b] > 0);
  return all;
}

void CheckHome(const std::string& path, mjModel* m) {
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(m), mj_deleteData);
  mjData* d = data.get();
  const int home = mj_name2id(m, mjOBJ_KEY, "home"), floor = mj_name2id(m, mjOBJ_GEOM, "floor");
  ASSERT_GE(home, 0) << path;
  ASSERT_GE(floor, 0) << path;
  const bool touchable = Touchable(m);
  mj_resetDataKeyframe(m, d, home);
  mj_forward(m, d);
  for (int row = 0; row < d->nefc; ++row) {
    if (d->efc_type[row] != mjCNSTR_EQUALITY) continue;
    EXPECT_NEAR(d->efc_pos[row], 0, kHomeClosed) << path;
  }
  EXPECT_EQ(ContactsWith(d, floor), 0u) << path << ": something is in the floor";
  // Joints stand within their limits.
  for (int j = 0; j < m->njnt; ++j) {
    if (!m->jnt_limited[j] || m->jnt_type[j] == mjJNT_BALL) continue;
    const double q = d->qpos[m->jnt_qposadr[j]];
    EXPECT_GE(q, m->jnt_range[2 * j] - kHomeClosed) << path;
    EXPECT_LE(q, m->jnt_range[2 * j + 1] + kHomeClosed) << path;
  }
  // What floats stands on the floor: let down by a hair, it touches.
  if (m->njnt == 0 || m->jnt_type[0] != mjJNT_FREE || !touchable) return;
  d->qpos[2] -= 1e-3 + kTouches;
  mj_forward(m, d);
  EXPECT_GT(ContactsWith(d, floor), 0u) << path << ": it stands above the floor";
}

TEST(MujocoScene, TheMechanisms) {
  std::size_t loaded = 0;
  for (const std::string& path : test::FilesBelow(test::Fixtures() + "/mechanisms", {".urdf"})) {
    for (const BaseChoice base : {BaseChoice::kAuto, BaseChoice::kFloating}) {
      Scene scene;
      Load(path, base, scene);
      ASSERT_TRUE(scene.model) << path << ": " << scene.why;
      CheckHome(path, scene.model.get());
      ++loaded;
    }
  }
  EXPECT_GT(loaded, 30u);
}

// Whatever a robot is called, holds and brings along: the scene loads with it.
TEST(MujocoScene, TheFeatures) {
  std::size_t loaded = 0, robots = 0;
  for (const std::string& path :
       test::FilesBelow(test::Fixtures() + "/features", {".urdf", ".sdf", ".mbs", ".xml"})) {
    Scene scene;
    Load(path, BaseChoice::kAuto, scene);
    if (scene.why.find("error:") != std::string::npos) continue;  // no conversion
    ++robots;
    if (scene.model) {
      ++loaded;
      continue;
    }
    // This MuJoCo takes the robot no better.
    char error[1000] = "";
    Loaded robot(mj_loadXML((scene.folder / "robot.xml").c_str(), nullptr, error, sizeof error),
                 mj_deleteModel);
    EXPECT_FALSE(robot) << path << ": the scene alone is refused: " << scene.why;
  }
  std::cerr << loaded << " of " << robots << " scenes loaded\n";
  EXPECT_GT(loaded, robots / 2);
}

}  // namespace
}  // namespace kinemorph

#else

TEST(MujocoScene, NeedsMujoco) { GTEST_SKIP() << "libmujoco was not found when this was built"; }

#endif
