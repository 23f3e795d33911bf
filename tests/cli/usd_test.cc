// USD, which is written and not read, as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "conversion.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Usd : public testing::Test {
 protected:
  Usd() {
    fs::copy_file(Fixtures() + "/mechanisms/four_bar/four_bar.urdf", folder_ / "four_bar.urdf");
  }
  CommandResult Run(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path());
  }
  TemporaryFolder folder_;
};

TEST_F(Usd, IsFoundByExtensionAndByName) {
  const CommandResult done = Run("convert four_bar.urdf -o robot.usda");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(FileText(folder_ / "robot.usda"), testing::StartsWith("#usda 1.0\n"));
  EXPECT_THAT(FileText(folder_ / "robot.usda"), HasSubstr("NewtonArticulationRootAPI"));
  const CommandResult named = Run("convert four_bar.urdf -o - --to usda");
  EXPECT_EQ(named.out, FileText(folder_ / "robot.usda")) << named.err;
  const CommandResult physx = Run("convert four_bar.urdf -o - --to usda --physx");
  EXPECT_THAT(physx.out, HasSubstr("PhysxArticulationAPI"));
  EXPECT_THAT(physx.out, Not(HasSubstr("Newton")));
}

// To a stage and back: the triangles of a mesh go along, and stand beside what names files.
TEST_F(Usd, HoldsMeshesAndGivesThemBack) {
  WriteFile(folder_ / "w.obj",
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  WriteFile(
      folder_ / "arm.urdf",
      "<robot name='arm'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1' ixy='0' ixz='0' iyz='0'/></inertial><visual><geometry><mesh filename='w.obj'/>"
      "</geometry></visual></link></robot>");
  const CommandResult done = Run("convert arm.urdf -o arm.usda --verify");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(FileText(folder_ / "arm.usda"),
              HasSubstr("point3f[] points = [(0, 0, 0), (0, 1, 0)"));
  // Strangers' stages are held against the file, too.
  std::string moved = FileText(folder_ / "arm.usda");
  WriteFile(folder_ / "moved.usda", moved.replace(moved.find("(0, 1, 0)"), 9, "(0, 2, 0)"));
  EXPECT_EQ(Run("verify arm.urdf arm.usda").exit_code, 0);
  for (const char* pair : {"arm.urdf moved.usda", "moved.usda arm.urdf"})
    EXPECT_EQ(Run("verify " + std::string(pair)).exit_code, 1) << pair;
  fs::remove(folder_ / "w.obj");
  fs::create_directory(folder_ / "out");
  for (const char* file : {"back.urdf", "back.sdf", "back.xml"}) {
    const CommandResult back = Run("convert arm.usda --verify -o out/" + std::string(file));
    EXPECT_EQ(back.exit_code, 0) << back.err;
    EXPECT_THAT(back.err, HasSubstr("out/back_meshes/w.obj"));
    EXPECT_THAT(FileText(folder_ / "out" / file), HasSubstr("back_meshes/w.obj"));
    EXPECT_THAT(FileText(folder_ / "out/back_meshes/w.obj"), HasSubstr("\nv 0 0 1\nf 1 2 3\n"));
    fs::remove(folder_ / "out/back_meshes/w.obj");
  }
  const CommandResult named = Run(
      "convert arm.usda -o out/ros.urdf --copy-assets ros/meshes --mesh-uri package://ros/meshes");
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_THAT(FileText(folder_ / "out/ros.urdf"), HasSubstr("package://ros/meshes/w.obj"));
  EXPECT_THAT(FileText(folder_ / "ros/meshes/w.obj"), HasSubstr("f 1 2 3"));
  EXPECT_THAT(Run("convert arm.usda --to sdf -o -").err,
              HasSubstr("is not written: standard output has no folder"));
  // A file of somebody else stays.
  WriteFile(folder_ / "out/back_meshes/w.obj", "v 1 1 1\n");
  EXPECT_NE(Run("convert arm.usda -o out/back.urdf").exit_code, 0);
  EXPECT_EQ(FileText(folder_ / "out/back_meshes/w.obj"), "v 1 1 1\n");
  const CommandResult wrong = Run("convert arm.usda -o arm.sdf --meshes points");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("points are for USD"));
  EXPECT_EQ(Run("convert four_bar.urdf -o out/named.sdf --meshes files").exit_code, 0);
}

TEST_F(Usd, IsASourceForEveryCommand) {
  ASSERT_EQ(Run("convert four_bar.urdf -o robot.usda").exit_code, 0);
  fs::copy_file(folder_ / "robot.usda", folder_ / "robot.txt");
  for (const char* command :
       {"convert robot.usda -o robot.urdf --verify", "convert robot.txt -o other.urdf --verify",
        "convert --from usda robot.usda -o robot.xml --verify", "inspect robot.usda",
        "dump robot.usda", "check robot.usda --to sdf", "graph robot.usda --what cg",
        "lint robot.usda"}) {
    const CommandResult done = Run(command);
    EXPECT_EQ(done.exit_code, 0) << command << done.err;
  }
  const auto json = nlohmann::json::parse(Run("inspect robot.usda --json").out);
  EXPECT_EQ(json["format"], "usda");
  EXPECT_EQ(json["mobility"], 1);
  EXPECT_EQ(json["loop_joints"][0]["name"], "loop1");
}

TEST_F(Usd, WhatIsNoTextOfItIsAnErrorThatNamesTheCommand) {
  WriteFile(folder_ / "arm.usd", "PXR-USDC no text");
  WriteFile(folder_ / "arm.usda", "#usda 1.0\n( subLayers = [@arm.usd@] )\n");
  for (const char* file : {"arm.usd", "arm.usda"}) {
    const CommandResult done = Run(std::string("convert ") + file + " -o arm.urdf");
    EXPECT_EQ(done.exit_code, 1) << done.err;
    EXPECT_THAT(done.err, HasSubstr("arm.usd: error: is binary USD")) << "the layer, not its user";
    EXPECT_THAT(done.err, testing::ContainsRegex("usdcat --flatten .*arm.usd -o .*arm_flat.usda"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "arm.urdf"));
}

TEST_F(Usd, VerifyProvesIt) {
  for (const char* command : {"convert four_bar.urdf -o robot.usda --verify",
                              "convert four_bar.urdf -o robot.usda --verify --physx"}) {
    const CommandResult done = Run(command);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("equivalent (proved"));
  }
}

TEST_F(Usd, InspectShowsTheCutsThatItGets) {
  const CommandResult done = Run("inspect four_bar.urdf --to usda --json");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  EXPECT_EQ(json["mobility"], 1);
  EXPECT_EQ(json["loop_joints"][0]["name"], "loop1");
}

TEST_F(Usd, CheckPredictsAndFormatsSaysSo) {
  const CommandResult check = Run("check four_bar.urdf --to usda");
  EXPECT_EQ(check.exit_code, 0) << check.err;
  const CommandResult table = Run("formats");
  EXPECT_THAT(table.out, HasSubstr("usda (physx)"));
  EXPECT_THAT(table.out, Not(HasSubstr("written, not read")));
  const auto json = nlohmann::json::parse(Run("formats --json").out);
  for (const auto& format : json["formats"]) EXPECT_TRUE(format["read"]) << format["name"];
}

TEST_F(Usd, PhysxIsAWordOfUsdAlone) {
  const CommandResult done = Run("convert four_bar.urdf -o robot.sdf --physx");
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_THAT(done.err, HasSubstr("--physx: sdf has no attributes of PhysX"));
}

TEST_F(Usd, TheSideCarStandsBesideAndIsOfUsdAlone) {
  const CommandResult done = Run("convert four_bar.urdf -o robot.usda --sidecar isaaclab");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("[side-car-written]"));
  const std::string text = FileText(folder_ / "robot_isaaclab.py");
  EXPECT_THAT(text, HasSubstr("DRIVEN_JOINTS = [\"joint1\"]"));
  EXPECT_THAT(text, HasSubstr("PASSIVE_JOINTS = [\"joint2\", \"joint3\"]"));
  EXPECT_THAT(text, HasSubstr("usd_path=\"robot.usda\""));
  // The stage alone does not say which joints are independent.
  const CommandResult proved =
      Run("convert four_bar.urdf -o robot.usda --sidecar isaaclab --verify");
  EXPECT_EQ(proved.exit_code, 0) << proved.err;
  EXPECT_THAT(proved.err, HasSubstr("equivalent except: declared independent coordinates"));
  // It is ours to replace, and nobody else's.
  EXPECT_EQ(Run("convert four_bar.urdf -o robot.usda --sidecar isaaclab").exit_code, 0);
  WriteFile(folder_ / "robot_isaaclab.py", "ROBOT_CFG = None\n");
  EXPECT_NE(Run("convert four_bar.urdf -o robot.usda --sidecar isaaclab").exit_code, 0);
  const CommandResult wrong = Run("convert four_bar.urdf -o robot.sdf --sidecar isaaclab");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("sdf has no side-car 'isaaclab'; with it: usda"));
}

TEST_F(Usd, ABatchReadsAndWritesIt) {
  fs::create_directories(folder_ / "in");
  fs::copy_file(folder_ / "four_bar.urdf", folder_ / "in/four_bar.urdf");
  ASSERT_EQ(Run("convert four_bar.urdf -o in/other.usda").exit_code, 0);
  for (int run = 0; run < 2; ++run) {
    const CommandResult done = Run("batch in -o out --to usda --report report.jsonl");
    EXPECT_EQ(done.exit_code, 0) << done.err;
  }
  EXPECT_TRUE(fs::exists(folder_ / "out/four_bar.usda"));
  EXPECT_TRUE(fs::exists(folder_ / "out/other.usda"));
}

}  // namespace
}  // namespace kinemorph::test
