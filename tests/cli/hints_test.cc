// What a user of a new file needs next: at most one hint, then the next command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Hints : public testing::Test {
 protected:
  Hints() {
    fs::copy_file(SourceDir() + "/fixtures/mechanisms/four_bar_general/four_bar_general.urdf",
                  folder_ / "loop.urdf");
    WriteFile(folder_ / "m.stl", "solid m\nendsolid m\n");
    Arm("bare.urdf", "m.stl");
    Arm("gazebo.urdf", "model://arm/m.stl");
    Arm("ros.urdf", "package://arm/m.stl");
  }
  void Arm(const std::string& name, const std::string& mesh) const {
    WriteFile(
        folder_ / name,
        "<robot name='arm'><link name='a'/><link name='b'><visual><geometry><mesh filename='" +
            mesh +
            "'/></geometry></visual><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
            "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' "
            "type='revolute'><parent link='a'/><child link='b'/><limit lower='-1' upper='1' "
            "effort='3' velocity='2'/></joint></robot>");
  }
  // Standard error of a conversion.
  std::string Said(const std::string& arguments) const {
    const std::string command = KINEMORPH_COMMAND;
    return Shell(command + " convert " + arguments, folder_.path()).err;
  }
  TemporaryFolder folder_;
};

TEST_F(Hints, MeshesThatRosDoesNotOpen) {
  for (const char* in : {"bare.urdf", "gazebo.urdf"})
    EXPECT_THAT(Said(std::string(in) + " out.urdf"),
                HasSubstr("hint: ROS does not open meshes such as"));
  EXPECT_THAT(Said("bare.urdf out.urdf"), HasSubstr("--mesh-uri package://NAME/meshes"));
  EXPECT_THAT(Said("ros.urdf out.urdf"), Not(HasSubstr("hint:")));
  EXPECT_THAT(Said("bare.urdf out.sdf"), Not(HasSubstr("hint:")));
  EXPECT_THAT(Said("bare.urdf out.urdf --copy-assets meshes --mesh-uri package://arm/meshes"),
              Not(HasSubstr("hint:")));
  const std::string copied = Said("bare.urdf out.urdf --copy-assets meshes");
  EXPECT_THAT(copied, HasSubstr("add --mesh-uri package://NAME/meshes\n"));
  EXPECT_THAT(copied, Not(HasSubstr("add --copy-assets")));
}

TEST_F(Hints, MeshesThatMuJoCoDoesNotOpen) {
  WriteFile(folder_ / "collada.urdf",
            "<robot name='arm'><link name='a'><visual><geometry><mesh filename='meshes/arm.dae'/>"
            "</geometry></visual></link></robot>");
  const std::string hint = "hint: MuJoCo does not open meshes such as 'meshes/arm.dae': add ";
  EXPECT_THAT(Said("collada.urdf out.xml --copy-assets m"), HasSubstr(hint + "--convert-meshes\n"));
  for (const char* no : {"collada.urdf out.xml --copy-assets m --convert-meshes",
                         "collada.urdf out.xml", "collada.urdf out.sdf", "bare.urdf out.xml"})
    EXPECT_THAT(Said(no), Not(HasSubstr("hint: MuJoCo"))) << no;
  // Where no file can stand, or nothing is written.
  const std::string command = KINEMORPH_COMMAND;
  EXPECT_THAT(Said("collada.urdf - --to mjcf"),
              HasSubstr("such as 'meshes/arm.dae': convert to a file"));
  EXPECT_THAT(Shell(command + " check collada.urdf --to mjcf", folder_.path()).out,
              HasSubstr("such as 'meshes/arm.dae': convert makes OBJ files"));
  fs::create_directory(folder_ / "in");
  fs::copy(folder_ / "collada.urdf", folder_ / "in");
  EXPECT_THAT(Shell(command + " batch in -o out --to mjcf", folder_.path()).err,
              HasSubstr("hint: --copy-assets DIR --convert-meshes makes OBJ files"));
}

TEST_F(Hints, NextStepsOpenTheFile) {
  const std::string drake = Said("bare.urdf out.sdf --profile drake --verify");
  EXPECT_THAT(drake, HasSubstr("next: python3 -m pydrake.visualization.model_visualizer out.sdf"));
  EXPECT_THAT(Said("bare.urdf out.urdf --profile drake"), Not(HasSubstr("hint: ROS")));
  const std::string loop = SourceDir() + "/fixtures/mechanisms/four_bar/four_bar.sdf ";
  EXPECT_THAT(Said(loop + "out.sdf --to sdf"), HasSubstr("or --to sdf@1.7 for Gazebo Classic"));
  EXPECT_THAT(Said(loop + "out.sdf --to sdf@1.7"), Not(HasSubstr("--to sdf@1.7")));
}

TEST_F(Hints, CommentsAndDefaultsOfMjcfAreNotWrittenToAnother) {
  const std::string body =
      "<worldbody><body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint/></body>"
      "</worldbody></mujoco>";
  WriteFile(folder_ / "plain.xml", "<mujoco>" + body);
  WriteFile(folder_ / "words.xml", "<!-- mine --><mujoco>" + body);
  WriteFile(folder_ / "class.xml", "<mujoco><default><joint damping='1'/></default>" + body);
  EXPECT_THAT(Said("plain.xml out.xml"), Not(HasSubstr("[words-not-kept]")));
  for (const char* in : {"words.xml", "class.xml"}) {
    EXPECT_THAT(Said(std::string(in) + " out.xml"), HasSubstr("[words-not-kept]"));
    EXPECT_THAT(Said(std::string(in) + " out.urdf"), Not(HasSubstr("[words-not-kept]")));
  }
}

TEST_F(Hints, MjcfWithoutActuators) {
  EXPECT_THAT(Said("bare.urdf out.xml"), HasSubstr("add --actuators motor"));
  EXPECT_THAT(Said("bare.urdf out.xml --actuators motor"), Not(HasSubstr("hint:")));
}

TEST_F(Hints, LoopsThatFewReadersSee) {
  EXPECT_THAT(Said("loop.urdf out.urdf --to urdf"), HasSubstr("--loops detachable"));
  EXPECT_THAT(Said("loop.urdf out.urdf --to urdf+"), HasSubstr("--to urdf for Gazebo"));
  EXPECT_THAT(Said("loop.urdf out.urdf --to urdf --loops none"), Not(HasSubstr("hint:")));
  EXPECT_THAT(
      Said("loop.urdf out.sdf"),
      HasSubstr("hint: gz sim leaves the loops of this file out: add --loops detachable for "
                "gz sim, or --to sdf@1.7 for Gazebo Classic"));
  EXPECT_THAT(Said("loop.urdf out.sdf --loops detachable"), Not(HasSubstr("hint:")));
}

// The next command runs with this file, in this installation.
TEST_F(Hints, GzSimIsNamedForWhatItSimulates) {
  for (const char* arguments :
       {"loop.urdf out.sdf --verify", "loop.urdf out.sdf --to sdf@1.7 --verify"})
    EXPECT_THAT(Said(arguments), Not(HasSubstr("next: gz sim"))) << arguments;
  EXPECT_THAT(Said("loop.urdf out.sdf --loops detachable --verify"),
              HasSubstr("\nnext: gz sim out.sdf\n"));
  const std::string mimic =
      "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><joint name='j' "
      "type='continuous'><parent link='a'/><child link='b'/></joint><joint name='k' "
      "type='continuous'><parent link='a'/><child link='c'/><mimic joint='j'/></joint></robot>";
  WriteFile(folder_ / "mimic.urdf", mimic);
  for (const char* to : {"sdf", "sdf@1.9"})
    EXPECT_THAT(Said(std::string("mimic.urdf out.sdf --verify --to ") + to),
                Not(HasSubstr("next: gz sim")))
        << to;
}

TEST_F(Hints, ThePageIsNamedWhereItIsInstalled) {
  WriteFile(folder_ / "page.html", "");
  const auto next = [&](const std::string& page) {
    const std::string command =
        "KINEMORPH_PAGE=" + page + " " KINEMORPH_COMMAND " convert ros.urdf out.urdf --verify";
    return Shell(command, folder_.path()).err;
  };
  EXPECT_THAT(next("page.html"), HasSubstr("\nnext: kinemorph view out.urdf\n"));
  EXPECT_THAT(next("none.html"), HasSubstr("\nnext: kinemorph inspect out.urdf\n"));
}

TEST_F(Hints, TheNextCommandIsTheLastLine) {
  EXPECT_THAT(Said("loop.urdf out.sdf"),
              HasSubstr("\nnext: add --verify to prove that both files move alike\n"));
  EXPECT_THAT(Said("loop.urdf out.xml --verify"),
              HasSubstr("\nnext: python3 -m mujoco.viewer --mjcf=out.xml\n"));
  EXPECT_THAT(Said("bare.urdf 'o u t.sdf' --verify"), HasSubstr("\nnext: gz sim 'o u t.sdf'\n"));
  EXPECT_THAT(Said("bare.urdf \"o'.sdf\" --verify"), HasSubstr("\nnext: gz sim 'o'\\''.sdf'\n"));
}

TEST_F(Hints, AreNotForThoseWhoAskForNone) {
  for (const char* arguments : {"bare.urdf out.xml -q", "bare.urdf -o - --to mjcf",
                                "bare.urdf out.xml --diagnostics json", "nothing.urdf out.xml"}) {
    const std::string said = Said(arguments);
    EXPECT_THAT(said, Not(HasSubstr("hint:"))) << arguments;
    EXPECT_THAT(said, Not(HasSubstr("next:"))) << arguments;
  }
  const CommandResult batch =
      Shell(std::string(KINEMORPH_COMMAND) + " batch . -o converted --to mjcf", folder_.path());
  EXPECT_THAT(batch.err + batch.out, Not(HasSubstr("next:")));
  EXPECT_THAT(batch.err + batch.out, Not(HasSubstr("hint:")));
}

}  // namespace
}  // namespace kinemorph::test
