// What PROOF.md and FAQ.md claim, held against the program: each sentence stands in its page as it
// is quoted here, and the program does as it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// A page as one line, so that a sentence is found wherever its lines are broken.
std::string PageText(const std::string& name) {
  std::istringstream words(FileText(fs::path(SourceDir()) / "tools/docs" / name));
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

class Claims : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path mechanisms = fs::path(SourceDir()) / "fixtures/mechanisms";
    fs::copy_file(mechanisms / "four_bar/four_bar.urdf", folder_ / "robot.urdf");
    fs::copy_file(mechanisms / "four_bar/four_bar.sdf", folder_ / "robot.sdf");
    fs::copy_file(mechanisms / "four_bar_general/four_bar_general.sdf", folder_ / "linkage.sdf");
  }

  static void Says(const std::string& page, const std::string& sentence) {
    EXPECT_THAT(PageText(page), HasSubstr(sentence));
  }
  CommandResult Kinemorph(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path());
  }
  // What a conversion of `arguments` writes to `out`.
  std::string Written(const std::string& arguments, const std::string& out) {
    const CommandResult result = Kinemorph("convert " + arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments << "\n" << result.err;
    return FileText(folder_ / out);
  }
  static std::size_t Count(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++count;
    return count;
  }
  TemporaryFolder folder_;
};

TEST_F(Claims, VerdictsAndTheirExitCodes) {
  Says("PROOF.md", "| `equivalent` | kinemorph found no difference, or only one that");
  const CommandResult same = Kinemorph("verify robot.urdf robot.urdf");
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_THAT(same.out, HasSubstr("\nequivalent\n"));

  Says("PROOF.md",
       "0 if the loss report names them too, or you allowed them (`--allow FEATURE`); else 1");
  const std::string tree = Written(
      "linkage.sdf tree.urdf --to urdf --loops none -q --loss-report losses.json", "tree.urdf");
  EXPECT_THAT(tree, Not(HasSubstr("<gazebo")));
  const CommandResult except = Kinemorph("verify linkage.sdf tree.urdf");
  EXPECT_EQ(except.exit_code, 1);
  EXPECT_THAT(except.out, HasSubstr("\nequivalent except: "));
  EXPECT_EQ(Kinemorph("verify linkage.sdf tree.urdf --report losses.json").exit_code, 0);

  Says("PROOF.md",
       "such as the mass of a missing mesh | 1; `convert --verify` writes the file with a warning, "
       "and ends with 0 |");
  WriteFile(
      folder_ / "mesh.xml",
      "<mujoco><asset><mesh name='m' file='none.stl'/></asset><worldbody><body name='b'>"
      "<joint name='j' axis='0 0 1'/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  Written("mesh.xml mesh.urdf -q", "mesh.urdf");
  const CommandResult unknown = Kinemorph("verify mesh.xml mesh.urdf");
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.out, HasSubstr("not proved: "));

  Says("PROOF.md", "the line names the parts, and `kinemorph diff` prints their values | 1 |");
  std::string heavy = FileText(folder_ / "robot.urdf");
  const std::size_t mass = heavy.find("mass value=\"0.8\"");
  ASSERT_NE(mass, std::string::npos);
  WriteFile(folder_ / "heavy.urdf", heavy.replace(mass, 16, "mass value=\"7\""));
  const CommandResult different = Kinemorph("verify robot.urdf heavy.urdf");
  EXPECT_EQ(different.exit_code, 1);
  EXPECT_THAT(different.out, HasSubstr("NOT equivalent: link masses"));
  EXPECT_THAT(Kinemorph("diff robot.urdf heavy.urdf").out, HasSubstr("0.8 against 7 kg"));
}

TEST_F(Claims, WhatWasAskedForIsNamedAndAccepted) {
  Says("PROOF.md", "`--base floating` released the base.");
  Says("PROOF.md", "`convert --verify --strict` accepts this.");
  Written("linkage.sdf fixed.sdf --base fixed -q", "fixed.sdf");
  const CommandResult asked = Kinemorph(
      "convert fixed.sdf free.sdf --base floating --verify --strict --loss-report l.json");
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_THAT(asked.err, HasSubstr("equivalent except: as asked: "));
  Says("PROOF.md",
       "accepts it with `--allow as-asked` or with the report of the conversion (`--report "
       "losses.json`).");
  EXPECT_EQ(Kinemorph("verify fixed.sdf free.sdf").exit_code, 1);
  EXPECT_EQ(Kinemorph("verify fixed.sdf free.sdf --allow as-asked").exit_code, 0);
  EXPECT_EQ(Kinemorph("verify fixed.sdf free.sdf --report l.json").exit_code, 0);
}

TEST_F(Claims, LinksThatNoLongerTouchAreNamed) {
  Says("PROOF.md", "Messages name the pairs, 50 at most: \"link 'a' no longer touches 'b'\".");
  const auto links = [](const char* self) {
    std::string text = "<sdf version='1.9'><model name='m'><self_collide>";
    text += std::string(self) + "</self_collide>";
    for (const char* name : {"a", "b"})
      text += "<link name='" + std::string(name) +
              "'><inertial><mass>1</mass></inertial><collision name='c'><geometry><sphere><radius>1"
              "</radius></sphere></geometry></collision></link>";
    return text + "</model></sdf>";
  };
  WriteFile(folder_ / "touch.sdf", links("true"));
  WriteFile(folder_ / "pass.sdf", links("false"));
  EXPECT_THAT(Kinemorph("diff touch.sdf pass.sdf").out,
              HasSubstr("link 'a' no longer touches 'b'"));
}

TEST_F(Claims, LoopsInURDF) {
  Says("FAQ.md",
       "If a robot has loops, kinemorph writes URDF+ into a file that ends with `.urdf`.");
  EXPECT_THAT(Written("robot.sdf plus.urdf", "plus.urdf"), HasSubstr("<loop "));
  Says("FAQ.md",
       "A parallelogram then becomes `<mimic>`, and every other loop becomes a joint in a "
       "`<gazebo>` block");
  const std::string parallelogram = Written("robot.sdf a.urdf --to urdf", "a.urdf");
  EXPECT_THAT(parallelogram, HasSubstr("<mimic "));
  EXPECT_THAT(parallelogram, Not(HasSubstr("<gazebo")));
  const std::string other = Written("linkage.sdf b.urdf --to urdf", "b.urdf");
  EXPECT_THAT(other, HasSubstr("<gazebo>"));
  EXPECT_THAT(other, Not(HasSubstr("<mimic ")));
  Says("FAQ.md", "With `--loops none` these loops are losses in the report.");
  EXPECT_THAT(Kinemorph("check linkage.sdf --to urdf --loops none").out, HasSubstr("[loss-loop-"));
}

TEST_F(Claims, LossesAreToldListedAndForbidden) {
  Says("FAQ.md", "kinemorph prints one line for each kind of loss, with the first place.");
  const CommandResult told =
      Kinemorph("convert robot.urdf o.xml --drop damping --loss-report losses.md");
  EXPECT_EQ(Count(told.err, "[loss-velocity-limit]"), 1u) << told.err;
  EXPECT_THAT(told.err, HasSubstr("robot.urdf:"));
  Says("FAQ.md", "`--loss-report losses.md` writes all into a file.");
  EXPECT_EQ(Count(FileText(folder_ / "losses.md"), "velocity limit"), 3u);
  Says("FAQ.md", "`--drop velocity-limit` says that you know about this loss.");
  EXPECT_THAT(Kinemorph("convert robot.urdf p.xml --drop velocity-limit").err,
              Not(HasSubstr("[loss-velocity-limit]")));
  Says("FAQ.md", "`--strict=motion` writes no file if the robot would move differently.");
  const std::string tree = "convert linkage.sdf tree.urdf --to urdf --loops none";
  EXPECT_EQ(Kinemorph(tree + " --strict=motion").exit_code, 3);
  EXPECT_FALSE(fs::exists(folder_ / "tree.urdf"));
  EXPECT_EQ(Kinemorph(tree).exit_code, 0);
}

TEST_F(Claims, MotorsAndAFloorForMuJoCo) {
  Says(
      "FAQ.md",
      "`--actuators motor` writes a motor for every independent joint with an effort limit. Joints "
      "that follow others, through a mimic or a loop, get none, unless the source has a drive "
      "there.");
  EXPECT_EQ(
      Count(Written("robot.urdf robot.xml --actuators motor --scene", "robot.xml"), "<motor "), 1u);
  Says(
      "FAQ.md",
      "`--scene` writes `robot_scene.xml` beside `robot.xml`: floor, light, camera, and a keyframe "
      "`home`.");
  const std::string scene = FileText(folder_ / "robot_scene.xml");
  for (const char* part : {"name=\"floor\"", "<light ", "<camera ", "<key name=\"home\""})
    EXPECT_THAT(scene, HasSubstr(part));
}

TEST_F(Claims, APackageForROS) {
  Says("FAQ.md", "`--package-out NAME` writes a whole ROS 2 package around the URDF");
  EXPECT_EQ(Kinemorph("convert robot.sdf r.urdf --package-out robot_description").exit_code, 0);
  for (const char* file : {"package.xml", "CMakeLists.txt", "launch/display.launch.py", "urdf"})
    EXPECT_TRUE(fs::exists(folder_ / "robot_description" / file)) << file;
}

TEST_F(Claims, ABrokenFileGivesItsLineAndNoOutput) {
  Says("FAQ.md", "A broken file gives an error with its line, and kinemorph writes nothing.");
  WriteFile(folder_ / "broken.urdf", "<robot name='r'>\n<link name='a'>\n</robot>");
  const CommandResult broken = Kinemorph("convert broken.urdf broken.sdf");
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, testing::ContainsRegex("broken.urdf:[1-3]: error: "));
  EXPECT_FALSE(fs::exists(folder_ / "broken.sdf"));
}

}  // namespace
}  // namespace kinemorph::test
