// Files beside a description: found, named, refused, written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "conversion.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CommandResult Kinemorph(const std::string& arguments, const fs::path& folder) {
  std::string command = KINEMORPH_COMMAND;
  command.append(" ").append(arguments);
  return Shell(command, folder);
}

class SideCars : public ::testing::Test {
 protected:
  SideCars() {
    for (const char* name : {"elbow.urdf", "elbow.yml"})
      fs::copy_file(Fixtures() + "/sidecars/" + name, folder_ / name);
  }
  CommandResult Run(const std::string& arguments) { return Kinemorph(arguments, folder_.path()); }
  TemporaryFolder folder_;
};

TEST_F(SideCars, FoundBesideAndSaid) {
  const CommandResult beside = Run("inspect elbow.urdf");
  EXPECT_EQ(beside.exit_code, 0) << beside.err;
  EXPECT_THAT(beside.err, HasSubstr("[side-car-found]"));
  EXPECT_THAT(beside.out, HasSubstr("mobility 1"));
  // However much else there is to say.
  EXPECT_THAT(Run("convert elbow.urdf -o elbow.xml").err, HasSubstr("is read with 'elbow.urdf'"));
  const CommandResult none = Run("inspect elbow.urdf --with none");
  EXPECT_THAT(none.err, Not(HasSubstr("side-car")));
  EXPECT_THAT(none.out, HasSubstr("mobility 3"));
  fs::rename(folder_ / "elbow.yml", folder_ / "submechanisms.yml");
  EXPECT_THAT(Run("inspect elbow.urdf").out, HasSubstr("mobility 1"));
  fs::rename(folder_ / "submechanisms.yml", folder_ / "robot.yaml");
  EXPECT_THAT(Run("inspect elbow.urdf").out, HasSubstr("mobility 1"));
  fs::rename(folder_ / "robot.yaml", folder_ / "other.yml");
  EXPECT_THAT(Run("inspect elbow.urdf").out, HasSubstr("mobility 3"));
  EXPECT_THAT(Run("inspect elbow.urdf --with other.yml").out, HasSubstr("mobility 1"));
  EXPECT_THAT(Run("dump elbow.urdf --with other.yml").out, HasSubstr("slide_loop"));
  EXPECT_THAT(Run("graph elbow.urdf --what lacg --with other.yml").out, HasSubstr("slide_loop"));
  const CommandResult checked = Run("check elbow.urdf --to urdf --with other.yml");
  EXPECT_THAT(checked.out, HasSubstr("loop"));
}

// The drives that it names are drives in every target, or lost by name.
TEST_F(SideCars, WhatItSaysIsProvedInEveryTarget) {
  for (const char* to : {"urdf", "urdf+", "sdf", "mjcf", "mbs"}) {
    const CommandResult done = Run("convert elbow.urdf out --verify --to " + std::string(to));
    EXPECT_EQ(done.exit_code, 0) << to << ": " << done.err;
  }
  EXPECT_THAT(FileText(folder_ / "out"), HasSubstr("<actuated/>"));
  // Motors of a stage stand beside it alone.
  const CommandResult stage = Run("convert elbow.urdf out.usda --sidecar isaaclab --verify");
  EXPECT_EQ(stage.exit_code, 0) << stage.err;
}

TEST_F(SideCars, OfAnotherRobotOrNone) {
  WriteFile(folder_ / "elbow.yml",
            "submechanisms:\n- contextual_name: x\n  type: R\n  jointnames_spanningtree: [knee]\n"
            "  jointnames_independent: [knee]\n  jointnames_active: [knee]\n");
  const CommandResult foreign = Run("inspect elbow.urdf");
  EXPECT_EQ(foreign.exit_code, 0);
  EXPECT_THAT(foreign.err, HasSubstr("[side-car-foreign]"));
  const CommandResult asked = Run("inspect elbow.urdf --with elbow.yml");
  EXPECT_EQ(asked.exit_code, 1);
  EXPECT_THAT(asked.err, HasSubstr("elbow.yml:2: error: joint 'knee'"));
  WriteFile(folder_ / "elbow.yml", "gains: [1, 2]\n");  // somebody else's
  EXPECT_THAT(Run("inspect elbow.urdf").err, Not(HasSubstr("elbow.yml")));
  EXPECT_EQ(Run("inspect elbow.urdf --with elbow.yml").exit_code, 1);
  EXPECT_EQ(Run("inspect elbow.urdf --with nobody.yml").exit_code, 1);
}

TEST_F(SideCars, WrittenBesideAndReadAgain) {
  const CommandResult out =
      Run("convert elbow.urdf out/arm.urdf --to urdf --sidecar hyrodyn --verify --strict=motion");
  EXPECT_EQ(out.exit_code, 1) << "the folder is not there";
  fs::create_directories(folder_ / "out");
  const CommandResult done =
      Run("convert elbow.urdf out/arm.urdf --sidecar hyrodyn --verify --strict=motion");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/arm.yml"));
  EXPECT_TRUE(fs::exists(folder_ / "out/arm.part1.urdf"));
  EXPECT_THAT(done.err, HasSubstr("[side-car-written]"));
  const CommandResult same = Run("verify elbow.urdf out/arm.urdf");
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  // Without it the loop is gone, and verify says so.
  fs::remove(folder_ / "out/arm.yml");
  EXPECT_EQ(Run("verify elbow.urdf out/arm.urdf").exit_code, 1);
  // What is read is never written over.
  const CommandResult over = Run("convert elbow.urdf elbow.urdf+ --to urdf --sidecar hyrodyn");
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_THAT(over.err, HasSubstr("would overwrite it"));
  EXPECT_EQ(Run("convert elbow.urdf - --to urdf --sidecar hyrodyn").exit_code, 2);
  EXPECT_EQ(Run("convert elbow.urdf x.xml --sidecar hyrodyn").exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "x.xml"));
}

// Each side its own: --with for A, --with-b for B.
TEST_F(SideCars, BesideBothSidesOfVerify) {
  EXPECT_EQ(Run("convert elbow.urdf -o whole.urdf --to urdf+").exit_code, 0);
  fs::copy_file(folder_ / "elbow.urdf", folder_ / "tree.urdf");
  fs::rename(folder_ / "elbow.yml", folder_ / "other.yml");
  EXPECT_EQ(Run("verify elbow.urdf whole.urdf").exit_code, 1) << "the tree alone";
  const CommandResult first = Run("verify elbow.urdf whole.urdf --with other.yml");
  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  const CommandResult second = Run("verify whole.urdf elbow.urdf --with-b other.yml");
  EXPECT_EQ(second.exit_code, 0) << second.out << second.err;
  EXPECT_EQ(Run("diff whole.urdf elbow.urdf --with-b other.yml").exit_code, 0);
  EXPECT_EQ(Run("verify elbow.urdf tree.urdf --with other.yml").exit_code, 1) << "B has none";
  EXPECT_EQ(Run("verify elbow.urdf tree.urdf --with other.yml --with-b other.yml").exit_code, 0);
  EXPECT_EQ(Run("verify elbow.urdf whole.urdf --with nobody.yml").exit_code, 1);
  // What stands beside a file is read, and `none` leaves it, on either side.
  fs::rename(folder_ / "other.yml", folder_ / "elbow.yml");
  EXPECT_EQ(Run("verify elbow.urdf whole.urdf").exit_code, 0);
  EXPECT_EQ(Run("verify elbow.urdf whole.urdf --with none").exit_code, 1);
  EXPECT_EQ(Run("verify whole.urdf elbow.urdf --with none").exit_code, 0);
  EXPECT_EQ(Run("verify whole.urdf elbow.urdf --with-b none").exit_code, 1);
  EXPECT_EQ(Run("verify elbow.urdf tree.urdf --with none --with-b none").exit_code, 0);
}

// Pairs of frames: found beside, by names, and written.
TEST_F(SideCars, PairsOfFrames) {
  for (const char* name : {"crank.urdf", "crank.yaml", "crank_closing_joints.yml"})
    fs::copy_file(Fixtures() + "/sidecars/" + name, folder_ / name);
  EXPECT_THAT(Run("inspect crank.urdf").out, HasSubstr("mobility 1"));
  EXPECT_THAT(Run("inspect crank.urdf --with none").out, HasSubstr("mobility 3"));
  const CommandResult named = Run("inspect crank.urdf --with frames");
  EXPECT_THAT(named.out, HasSubstr("mobility 0")) << "a weld, as Gepetto's generator takes them";
  EXPECT_THAT(named.err, HasSubstr("[frame-pairs-assumed]"));
  EXPECT_EQ(Run("inspect elbow.urdf --with frames").exit_code, 1);
  EXPECT_THAT(Run("inspect crank.urdf --with crank_closing_joints.yml").out,
              HasSubstr("mobility 1"));
  fs::copy_file(Fixtures() + "/mechanisms/four_bar/four_bar.sdf", folder_ / "a.sdf");
  const CommandResult done = Run("convert a.sdf -o a.urdf --sidecar gepetto --verify");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("[side-car-written]"));
  EXPECT_THAT(Run("inspect a.urdf --with a.yaml").out, HasSubstr("mobility 1"));
  const CommandResult same = Run("verify a.sdf a.urdf --with-b a.yaml");
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("equivalent"));
  // Ours is replaced, another's is not; neither is what is read.
  EXPECT_EQ(Run("convert a.sdf -o a.urdf --sidecar gepetto").exit_code, 0);
  WriteFile(folder_ / "a.yaml", "gains: [1]\n");
  EXPECT_EQ(Run("convert a.sdf -o a.urdf --sidecar gepetto").exit_code, 2);
  EXPECT_EQ(Run("convert crank.urdf -o b.urdf --sidecar gepetto --sidecar hyrodyn").exit_code, 1);
  EXPECT_EQ(Run("convert a.sdf -o a.xml --sidecar gepetto").exit_code, 2);
}

// SRDF and ros2_control, and a package around the URDF.
TEST_F(SideCars, NamesOfFramesThatCloseALoopAreTold) {
  const std::string link =
      "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
      "</inertial></link>";
  WriteFile(folder_ / "bars.urdf",
            "<robot name='bars'><link name='base'>" + link + "<link name='a'>" + link +
                "<link name='b'>" + link +
                "<link name='closing_tip_1'/><link name='closing_tip_2'/>"
                "<joint name='ja' type='continuous'><parent link='base'/><child link='a'/></joint>"
                "<joint name='jb' type='continuous'><parent link='base'/><child link='b'/></joint>"
                "<joint name='t1' type='fixed'><parent link='a'/><child link='closing_tip_1'/>"
                "</joint><joint name='t2' type='fixed'><parent link='b'/><child "
                "link='closing_tip_2'/></joint></robot>");
  EXPECT_THAT(
      Run("inspect bars.urdf").err,
      HasSubstr(
          "a loop stays open, which frames 'closing_tip_1' and 'closing_tip_2' close by their "
          "names (--with frames closes it) [frame-pairs-open]"));
  EXPECT_THAT(Run("inspect bars.urdf --with none").err, Not(HasSubstr("frame-pairs-open")));
  EXPECT_THAT(Run("inspect bars.urdf --with frames").err, Not(HasSubstr("frame-pairs-open")));
}

TEST_F(SideCars, AFileOfNoPackageLiesBesideTheRobotOrInAFolderOfPackages) {
  fs::create_directories(folder_ / "beside/meshes");
  fs::create_directories(folder_ / "packages/meshes");
  WriteFile(folder_ / "beside/meshes/a.stl", "solid a\nendsolid a\n");
  WriteFile(folder_ / "packages/meshes/b.stl", "solid b\nendsolid b\n");
  for (const char* name : {"a", "b"})
    WriteFile(
        folder_ / "beside" / (std::string(name) + ".urdf"),
        "<robot name='r'><link name='l'><visual><geometry><mesh filename='package:///meshes/" +
            std::string(name) + ".stl'/></geometry></visual></link></robot>");
  EXPECT_EQ(Run("inspect beside/a.urdf").err, "");
  EXPECT_EQ(Run("inspect beside/b.urdf --package-path packages").err, "");
  EXPECT_THAT(
      Run("inspect beside/b.urdf --verbose").err,
      HasSubstr("package without a name: file 'package:///meshes/b.stl' is not found: its name has "
                "no package; the file is neither beside the robot nor in a folder of "
                "--package-path"));
  // Beside another folder, the name leads back to where the file lies.
  const auto written = [&](const std::string& arguments) {
    EXPECT_EQ(Run("convert beside/" + arguments).exit_code, 0);
    return FileText(folder_ / arguments.substr(arguments.find("-o ") + 3));
  };
  EXPECT_THAT(written("a.urdf -o o.urdf"), HasSubstr("\"beside/meshes/a.stl\""));
  EXPECT_THAT(written("b.urdf --package-path packages -o o2.urdf"),
              HasSubstr("\"packages/meshes/b.stl\""));
  EXPECT_THAT(written("a.urdf -o beside/o.urdf"), HasSubstr("\"package:///meshes/a.stl\""));
  // Which no other format has.
  EXPECT_THAT(written("a.urdf -o beside/o.sdf"), HasSubstr(">meshes/a.stl<"));
}

TEST_F(SideCars, ForRos2) {
  fs::copy_file(Fixtures() + "/mechanisms/four_bar/four_bar.urdf", folder_ / "a.urdf");
  EXPECT_EQ(Run("convert a.urdf -o b.urdf --sidecar ros2_control").exit_code, 2) << "no plugin";
  const CommandResult done =
      Run("convert a.urdf -o b.urdf --sidecar gepetto --sidecar ros2_control --hardware-plugin x/Y "
          "--verify");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(FileText(folder_ / "b.urdf"), HasSubstr("<plugin>x/Y</plugin>"));
  EXPECT_THAT(FileText(folder_ / "b.srdf"), HasSubstr("<passive_joint name=\"joint2\"/>"));
  EXPECT_EQ(Run("inspect b.urdf --with b.yaml --with b.srdf").exit_code, 0);
  WriteFile(folder_ / "b.srdf", "<robot name=\"four_bar\"/>");
  EXPECT_EQ(Run("convert a.urdf -o b.urdf --sidecar srdf").exit_code, 2) << "of somebody else";

  const CommandResult package = Run("convert a.urdf -o c.urdf --package-out four_bar_description");
  EXPECT_EQ(package.exit_code, 0) << package.err;
  for (const char* name : {"urdf/c.urdf", "package.xml", "CMakeLists.txt",
                           "launch/display.launch.py", "config/display.rviz"})
    EXPECT_TRUE(fs::exists(folder_ / "four_bar_description" / name)) << name;
  EXPECT_THAT(FileText(folder_ / "four_bar_description/config/display.rviz"),
              HasSubstr("Fixed Frame: \"base_link\""));
  EXPECT_EQ(
      Shell("python3 -m py_compile four_bar_description/launch/display.launch.py", folder_.path())
          .exit_code,
      0);
  EXPECT_EQ(Run("convert a.urdf -o c.urdf --package-out four_bar_description").exit_code, 0);
  WriteFile(folder_ / "four_bar_description/package.xml", "<package/>");
  EXPECT_EQ(Run("convert a.urdf -o c.urdf --package-out four_bar_description").exit_code, 2);
  for (const char* name : {"Arm", "1arm", "a__b", "../x", "arm_"})
    EXPECT_EQ(Run("convert a.urdf -o c.urdf --package-out " + std::string(name)).exit_code, 2)
        << name;
  EXPECT_EQ(Run("convert a.urdf -o c.sdf --package-out arm").exit_code, 2);
  // Nothing is left of one that came to nothing.
  WriteFile(folder_ / "broken.urdf", "<robot name=\"r\"><link/></robot>");
  EXPECT_EQ(Run("convert broken.urdf -o c.urdf --package-out arm").exit_code, 1);
  EXPECT_FALSE(fs::exists(folder_ / "arm"));
}

TEST_F(SideCars, InABatch) {
  fs::create_directories(folder_ / "in");
  for (const char* name : {"elbow.urdf", "elbow.yml"})
    fs::rename(folder_ / name, folder_ / ("in/" + std::string(name)));
  const CommandResult batch =
      Run("batch in -o out --to urdf --sidecar hyrodyn --verify --report r.jsonl");
  EXPECT_EQ(batch.exit_code, 0) << batch.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/elbow.yml"));
  const CommandResult same = Run("verify in/elbow.urdf out/elbow.urdf");
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  const std::string before = FileText(folder_ / "r.jsonl");
  EXPECT_THAT(before, HasSubstr("elbow.yml"));
  // Another side-car is another source.
  std::string text = FileText(folder_ / "in/elbow.yml");
  WriteFile(folder_ / "in/elbow.yml",
            text.replace(text.find("  - elbow\n  jointnames_sp"), 9, "  - slide"));
  EXPECT_EQ(Run("batch in -o out --to urdf --sidecar hyrodyn --resume --report r.jsonl").exit_code,
            0);
  const std::string after = FileText(folder_ / "out/elbow.yml");
  EXPECT_THAT(after, HasSubstr("jointnames_independent:\n  - slide"));
}

}  // namespace
}  // namespace kinemorph::test
