// What stands beside a converted robot: a scene around it, meshes in a format that it opens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <tuple>

#include "command.h"
#include "paths.h"
#include "tetrahedron.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const fs::path kFixtures = fs::path(kinemorph::test::SourceDir()) / "fixtures";
const std::string kFourBar = (kFixtures / "mechanisms/four_bar/four_bar.urdf").string();

class Scene : public testing::Test {
 protected:
  CommandResult Kinemorph(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path());
  }
  TemporaryFolder folder_;
};

TEST_F(Scene, StandsBesideTheRobotAndIncludesIt) {
  const CommandResult result = Kinemorph("convert " + kFourBar + " -o out.xml --scene --verbose");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string scene = FileText(folder_ / "out_scene.xml");
  for (const char* part : {"<include file=\"out.xml\"/>", "name=\"home\"", "type=\"plane\"",
                           "<light", "<camera", "type=\"skybox\""})
    EXPECT_THAT(scene, HasSubstr(part));
  EXPECT_THAT(result.err, HasSubstr("shows 'out.xml' in a scene"));
  EXPECT_THAT(FileText(folder_ / "out.xml"), Not(HasSubstr("home")));
}

// A second run replaces it; what somebody else wrote there stays.
TEST_F(Scene, IsReplacedAndNeverReplacesWhatIsRead) {
  WriteFile(folder_ / "out_scene.xml", "old");
  EXPECT_EQ(Kinemorph("convert " + kFourBar + " -o out.xml --scene").exit_code, 2);
  EXPECT_EQ(FileText(folder_ / "out_scene.xml"), "old");
  EXPECT_FALSE(fs::exists(folder_ / "out.xml"));
  WriteFile(folder_ / "out_scene.xml", "<mujoco><!-- written by kinemorph --></mujoco>");
  ASSERT_EQ(Kinemorph("convert " + kFourBar + " -o out.xml --scene").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "out_scene.xml"), HasSubstr("<include"));
  fs::copy_file(kFourBar, folder_ / "arm_scene.xml");
  const CommandResult over = Kinemorph("convert arm_scene.xml -o arm.xml --scene");
  EXPECT_EQ(over.exit_code, 2) << over.err;
  EXPECT_EQ(FileText(folder_ / "arm_scene.xml"), FileText(kFourBar));
  EXPECT_FALSE(fs::exists(folder_ / "arm.xml"));
}

TEST_F(Scene, IsWrongUseWhereThereIsNone) {
  const CommandResult urdf = Kinemorph("convert " + kFourBar + " -o out.urdf --scene");
  EXPECT_EQ(urdf.exit_code, 2);
  EXPECT_THAT(urdf.err, HasSubstr("urdf has no scenes"));
  EXPECT_EQ(Kinemorph("convert " + kFourBar + " -o - --to mjcf --scene").exit_code, 2);
}

TEST_F(Scene, IsWhatTheNextStepOpens) {
  EXPECT_THAT(Kinemorph("convert " + kFourBar + " -o out.xml --scene --verify").err,
              HasSubstr("next: python3 -m mujoco.viewer --mjcf=out_scene.xml"));
}

TEST_F(Scene, OfABatchStandsBesideEachRobot) {
  fs::create_directories(folder_ / "in/sub");
  fs::copy_file(kFourBar, folder_ / "in/a.urdf");
  fs::copy_file(kFourBar, folder_ / "in/sub/b.urdf");
  ASSERT_EQ(Kinemorph("batch in -o out --to mjcf --scene --report r.jsonl").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "out/a_scene.xml"), HasSubstr("file=\"a.xml\""));
  EXPECT_THAT(FileText(folder_ / "out/sub/b_scene.xml"), HasSubstr("file=\"b.xml\""));
  EXPECT_THAT(FileText(folder_ / "r.jsonl"), HasSubstr("a_scene.xml"));
  EXPECT_THAT(Kinemorph("batch in -o out --to mjcf --scene --report r.jsonl --resume").out,
              HasSubstr("skipped 2"));
  // Gone again with the robot, and never the target of another.
  fs::remove(folder_ / "in/a.urdf");
  ASSERT_EQ(Kinemorph("batch in -o out --to mjcf --scene --report r.jsonl --prune").exit_code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "out/a_scene.xml"));
  fs::copy_file(kFourBar, folder_ / "in/sub/b_scene.urdf");
  const CommandResult clash = Kinemorph("batch in -o out2 --to mjcf --scene");
  EXPECT_EQ(clash.exit_code, 2);
  EXPECT_THAT(clash.err, HasSubstr("would be the scene of"));
  EXPECT_FALSE(fs::exists(folder_ / "out2"));
}

// A free body: its keyframe counts the height from the floor to its lowest shape.
TEST_F(Scene, HomeStandsOnTheFloor) {
  WriteFile(folder_ / "ball.urdf", R"(<robot name="ball">
  <link name="ball">
    <inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 -0.5"/><geometry><sphere radius="0.25"/></geometry></collision>
  </link>
</robot>
)");
  ASSERT_EQ(Kinemorph("convert ball.urdf -o ball.xml --base floating --scene").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "ball_scene.xml"), HasSubstr("qpos=\"0 0 0.751 1 0 0 0\""));
  EXPECT_THAT(
      FileText(folder_ / "ball_scene.xml"),
      testing::AllOf(HasSubstr("dir=\"0 0 -1\""), HasSubstr("xyaxes=\"1 1 0 -0.35 0.35 1\"")));
}

// Commands of zero would pull the servos away from the posture; by a gear the command counts in
// another unit, and a motor is commanded an effort.
TEST_F(Scene, HomeCommandsServosToStayThere) {
  WriteFile(folder_ / "arm.xml", R"(<mujoco><compiler angle="radian"/><worldbody>
  <body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="a" range="0.5 1" limited="true"/>
  <body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="b" range="0.2 1" limited="true"/>
  <geom size="0.1"/></body></body></worldbody>
  <actuator><motor joint="a"/><position joint="a" kp="5"/><position joint="b" kp="5" gear="2"/></actuator>
</mujoco>)");
  ASSERT_EQ(Kinemorph("convert arm.xml -o o.xml --scene").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "o_scene.xml"), HasSubstr("qpos=\"0.5 0.2\" ctrl=\"0 0.5 0.4\""));
}

constexpr const char* kDae = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 200 0 0 0 300</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3">
        <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
      </accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
      <p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
)";
constexpr const char* kArm = R"(<robot name="arm">
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="arm.dae"/></geometry></visual>
  </link>
</robot>
)";

TEST_F(Scene, ConvertsCollada) {
  if (std::system("command -v assimp >/dev/null") != 0) GTEST_SKIP() << "assimp is not installed";
  WriteFile(folder_ / "arm.dae", kDae);
  WriteFile(folder_ / "arm.urdf", kArm);
  // Beside OUT, and nothing that is not ours is replaced there.
  const CommandResult beside = Kinemorph("convert arm.urdf -o out.xml --verify");
  ASSERT_EQ(beside.exit_code, 0) << beside.err;
  EXPECT_THAT(FileText(folder_ / "out.xml"), HasSubstr("file=\"out_meshes/arm.obj\""));
  EXPECT_THAT(FileText(folder_ / "out_meshes/arm.obj"),
              testing::AllOf(testing::StartsWith("# an OBJ file, written by kinemorph\n"),
                             HasSubstr("\nv 0 0 3\n")));
  EXPECT_THAT(beside.err, HasSubstr("mesh 'arm.dae' is converted, without colours"));
  WriteFile(folder_ / "out_meshes/arm.obj", "v 9 9 9\n");
  EXPECT_NE(Kinemorph("convert arm.urdf -o out.xml").exit_code, 0);
  EXPECT_EQ(FileText(folder_ / "out_meshes/arm.obj"), "v 9 9 9\n");
  // Nor what another output of this name has.
  fs::create_directory(folder_ / "one");
  WriteFile(folder_ / "arm.obj", "v 0 0 0\nv 7 0 0\nv 0 7 0\nv 0 0 7\nf 1 2 3\nf 1 2 4\n");
  std::string solid = kArm;
  WriteFile(folder_ / "solid.urdf", solid.replace(solid.find(".dae"), 4, ".obj"));
  EXPECT_EQ(Kinemorph("convert arm.urdf -o one/out.xml").exit_code, 0);
  EXPECT_EQ(Kinemorph("convert solid.urdf -o stage.usda").exit_code, 0);
  const std::string ours = FileText(folder_ / "one/out_meshes/arm.obj");
  const CommandResult stage = Kinemorph("convert stage.usda -o one/out.urdf");
  EXPECT_EQ(stage.exit_code, 2);
  EXPECT_THAT(stage.err, HasSubstr("is a mesh of another output and stays as it is"));
  // A mesh of that name that is made gets another name, the same one again.
  fs::create_directory(folder_ / "more");
  WriteFile(folder_ / "more/arm.dae", std::regex_replace(kDae, std::regex(" 300<"), " 500<"));
  WriteFile(folder_ / "more/arm.urdf", std::regex_replace(kArm, std::regex("visual"), "collision"));
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(Kinemorph("convert more/arm.urdf -o one/out.sdf --profile drake").exit_code, 0);
    EXPECT_THAT(FileText(folder_ / "one/out.sdf"), HasSubstr("out_meshes/arm_2.obj"));
    EXPECT_THAT(FileText(folder_ / "one/out_meshes/arm_2.obj"), HasSubstr("\nv 0 0 5\n"));
    EXPECT_FALSE(fs::exists(folder_ / "one/out_meshes/arm_3.obj"));
  }
  EXPECT_EQ(FileText(folder_ / "one/out_meshes/arm.obj"), ours);
  EXPECT_EQ(Kinemorph("convert solid.urdf -o one/out.xml").exit_code, 0);
  // Nor does anything go through a link.
  fs::create_directory(folder_ / "theirs");
  fs::create_directory_symlink(folder_ / "theirs", folder_ / "link_meshes");
  EXPECT_EQ(Kinemorph("convert arm.urdf -o link.xml").exit_code, 2);
  EXPECT_TRUE(fs::is_empty(folder_ / "theirs"));
  EXPECT_FALSE(fs::exists(folder_ / "link.xml"));
  // Where there is no room beside it, or copies are asked for, it is lost.
  for (const char* none : {"arm.urdf -o - --to mjcf", "arm.urdf -o lost.xml --copy-assets m"}) {
    const CommandResult lost = Kinemorph("convert " + std::string(none));
    EXPECT_THAT(lost.err, HasSubstr("[loss-shape-mesh]"));
    EXPECT_THAT(lost.out, Not(HasSubstr("arm.obj")));
  }
  EXPECT_FALSE(fs::exists(folder_ / "m/arm.obj"));
  // Of many robots nothing is converted that is not asked for.
  fs::create_directory(folder_ / "many");
  for (const char* file : {"arm.dae", "arm.urdf"}) fs::copy(folder_ / file, folder_ / "many");
  for (const char* to : {"mjcf", "usda"})
    EXPECT_EQ(Kinemorph("batch many -o made --to " + std::string(to)).exit_code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "made/arm_meshes"));
  EXPECT_THAT(FileText(folder_ / "made/arm.usda"), Not(HasSubstr("point3f[] points")));
  const CommandResult result = Kinemorph(
      "convert arm.urdf -o arm.xml --copy-assets meshes --convert-meshes --scene --verify");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(FileText(folder_ / "arm.xml"), HasSubstr("file=\"meshes/arm.obj\""));
  EXPECT_FALSE(fs::exists(folder_ / "meshes/arm.dae"));
  // In metres, and z stays up.
  const std::string obj = FileText(folder_ / "meshes/arm.obj");
  for (const char* vertex : {"\nv 1 0 0\n", "\nv 0 2 0\n", "\nv 0 0 3\n"})
    EXPECT_THAT(obj, HasSubstr(vertex)) << obj;
  EXPECT_THAT(result.err, HasSubstr("mesh 'arm.dae' is converted, without colours"));
}

// A red and a blue tetrahedron.
std::string TwoColours() {
  std::string effects, materials, geometries, nodes;
  for (const auto& [name, colour, x] :
       {std::tuple{"red", "1 0 0 1", "0"}, std::tuple{"blue", "0 0 1 1", "5"}}) {
    const std::string n = name, at = x;
    effects += "<effect id='" + n +
               "_e'><profile_COMMON><technique sid='c'><lambert><diffuse><color>" + colour +
               "</color></diffuse></lambert></technique></profile_COMMON></effect>";
    materials += "<material id='" + n + "'><instance_effect url='#" + n + "_e'/></material>";
    geometries += "<geometry id='" + n + "_g'><mesh><source id='" + n + "_p'><float_array id='" +
                  n + "_a' count='12'>" + at + " 0 0 " + at + ".5 0 0 " + at + " 2 0 " + at +
                  " 0 3</float_array><technique_common><accessor source='#" + n +
                  "_a' count='4' stride='3'><param name='X' type='float'/><param name='Y' "
                  "type='float'/><param name='Z' type='float'/></accessor></technique_common>"
                  "</source><vertices id='" +
                  n + "_v'><input semantic='POSITION' source='#" + n +
                  "_p'/></vertices><triangles count='4' material='m'><input semantic='VERTEX' "
                  "source='#" +
                  n +
                  "_v' offset='0'/><p>0 2 1 0 1 3 1 2 3 0 3 2</p></triangles>"
                  "</mesh></geometry>";
    nodes += "<node id='" + n + "_n'><instance_geometry url='#" + n +
             "_g'><bind_material><technique_common><instance_material symbol='m' target='#" + n +
             "'/></technique_common></bind_material></instance_geometry></node>";
  }
  return "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset>"
         "<unit name='meter' meter='1'/><up_axis>Z_UP</up_axis></asset><library_effects>" +
         effects + "</library_effects><library_materials>" + materials +
         "</library_materials><library_geometries>" + geometries +
         "</library_geometries><library_visual_scenes><visual_scene id='s'>" + nodes +
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene>"
         "</COLLADA>";
}

TEST_F(Scene, KeepsTheColoursOfCollada) {
  if (std::system("command -v assimp >/dev/null") != 0) GTEST_SKIP() << "assimp is not installed";
  WriteFile(folder_ / "arm.dae", TwoColours());
  WriteFile(folder_ / "arm.urdf", kArm);
  const CommandResult done = Kinemorph("convert arm.urdf -o out.xml --verify");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("mesh 'arm.dae' is converted, in 2 parts, one of each colour"));
  EXPECT_THAT(FileText(folder_ / "out.xml"),
              testing::AllOf(HasSubstr("1 0 0 1"), HasSubstr("0 0 1 1"),
                             HasSubstr("out_meshes/arm_1.obj"), HasSubstr("out_meshes/arm_2.obj")));
  EXPECT_THAT(FileText(folder_ / "out_meshes/arm_2.obj"),
              testing::AllOf(HasSubstr("\nv 5 0 0\n"), Not(HasSubstr("\nv 0 0 0\n"))));
  const CommandResult stage = Kinemorph("convert arm.urdf -o out.usda --verify");
  ASSERT_EQ(stage.exit_code, 0) << stage.err;
  EXPECT_THAT(FileText(folder_ / "out.usda"),
              testing::AllOf(HasSubstr("(1, 0, 0)"), HasSubstr("(0, 0, 1)")));
  for (const char* pair : {"arm.urdf out.usda", "out.usda arm.urdf"})
    EXPECT_EQ(Kinemorph("verify " + std::string(pair)).exit_code, 0) << pair;
  // Again, and from the stage: what an earlier run left is no input.
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(Kinemorph("convert out.usda -o back.urdf --verify").exit_code, 0) << run;
  // Files of one name, and one that is called as a part.
  fs::create_directory(folder_ / "b");
  for (const char* copy : {"b/arm.dae", "arm_1.dae"}) fs::copy(folder_ / "arm.dae", folder_ / copy);
  std::string three = kArm;
  const std::string visual = three.substr(three.find("    <visual>"),
                                          three.find("  </link>") - three.find("    <visual>"));
  for (const char* name : {"b/arm.dae", "arm_1.dae"}) {
    std::string other = visual;
    three.insert(three.find("  </link>"), other.replace(other.find("arm.dae"), 7, name));
  }
  WriteFile(folder_ / "three.urdf", three);
  for (const char* out : {"three.xml", "three.usda"}) {
    const CommandResult same = Kinemorph("convert three.urdf --verify -o " + std::string(out));
    EXPECT_EQ(same.exit_code, 0) << same.err;
  }
  // The author's own colour wins, and a hull is one of the whole.
  std::string own = kArm;
  own.replace(own.find("/></geometry></visual>"), 22,
              "/></geometry><material name='g'><color rgba='0 1 0 1'/></material></visual>"
              "<collision><geometry><mesh filename='arm.dae'/></geometry></collision>");
  WriteFile(folder_ / "own.urdf", own);
  ASSERT_EQ(Kinemorph("convert own.urdf -o own.xml --verify").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "own.xml"),
              testing::AllOf(HasSubstr("0 1 0 1"), Not(HasSubstr("arm_1.obj"))));
}

TEST_F(Scene, SaysWhichMeshCannotBeConverted) {
  if (std::system("command -v assimp >/dev/null") != 0) GTEST_SKIP() << "assimp is not installed";
  WriteFile(folder_ / "arm.dae", "<COLLADA/>");
  WriteFile(folder_ / "arm.urdf", kArm);
  const CommandResult result =
      Kinemorph("convert arm.urdf -o arm.xml --copy-assets meshes --convert-meshes");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("[mesh-not-converted]"));
  EXPECT_THAT(result.err, HasSubstr("[loss-shape-mesh]"));
  EXPECT_EQ(Kinemorph("convert arm.urdf -o b.xml --convert-meshes").exit_code, 2);
}

TEST_F(Scene, SaysThatTheConverterIsMissing) {
  WriteFile(folder_ / "arm.dae", kDae);
  WriteFile(folder_ / "arm.urdf", kArm);
  fs::create_directory(folder_ / "bin");
  const CommandResult result =
      Shell("PATH='" + (folder_ / "bin").string() + "' " + std::string(KINEMORPH_COMMAND) +
                " convert arm.urdf -o arm.xml --copy-assets meshes --convert-meshes",
            folder_.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("the program assimp is not installed"));
  EXPECT_FALSE(fs::exists(folder_ / "meshes/arm.obj"));
}

// MuJoCo reads binary STL files only, and says of a text "perhaps this is an ASCII file?".
TEST_F(Scene, AnStlFileThatIsTextIsLostOrConverted) {
  std::string stl = "solid corner\n";
  for (const char* corners :
       {"0 0 0,0 1 0,1 0 0", "0 0 0,1 0 0,0 0 1", "0 0 0,0 0 1,0 1 0", "1 0 0,0 1 0,0 0 1"}) {
    stl += "facet normal 0 0 0\nouter loop\n";
    std::istringstream list(corners);
    for (std::string corner; std::getline(list, corner, ',');) stl += "vertex " + corner + "\n";
    stl += "endloop\nendfacet\n";
  }
  WriteFile(folder_ / "arm.stl", stl + "endsolid corner\n");
  std::string robot = kArm;
  WriteFile(folder_ / "arm.urdf", robot.replace(robot.find("arm.dae"), 7, "arm.stl"));
  const CommandResult lost = Kinemorph("convert arm.urdf -o - --to mjcf --verify --verbose");
  EXPECT_EQ(lost.exit_code, 0) << lost.err;
  EXPECT_THAT(lost.err, HasSubstr("mesh 'arm.stl' is not written: it is an STL file as text"));
  EXPECT_THAT(lost.err, HasSubstr("(--copy-assets DIR --convert-meshes does it)"));
  EXPECT_THAT(lost.out, testing::Not(HasSubstr("arm.stl")));
  // Nobody else is needed for triangles.
  fs::create_directory(folder_ / "bin");
  const CommandResult result =
      Shell("PATH='" + (folder_ / "bin").string() + "' " + std::string(KINEMORPH_COMMAND) +
                " convert arm.urdf -o arm.xml --copy-assets meshes --convert-meshes --verify",
            folder_.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(FileText(folder_ / "arm.xml"), HasSubstr("file=\"meshes/arm.obj\""));
  EXPECT_THAT(FileText(folder_ / "meshes/arm.obj"), HasSubstr("v 1 0 0\n"));
  // So it is in capitals, behind blanks and the mark of UTF-8.
  std::string loud = stl;
  std::transform(loud.begin(), loud.end(), loud.begin(),
                 [](char c) { return 'a' <= c && c <= 'z' ? static_cast<char>(c - 32) : c; });
  for (const std::string& text : {loud, "\n  " + stl, "\xEF\xBB\xBF" + stl}) {
    WriteFile(folder_ / "arm.stl", text);
    EXPECT_THAT(Kinemorph("convert arm.urdf -o - --to mjcf --verbose").err,
                HasSubstr("mesh 'arm.stl' is not written: it is an STL file as text"));
    const CommandResult again =
        Kinemorph("convert arm.urdf -o arm.xml --copy-assets meshes --convert-meshes");
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_THAT(FileText(folder_ / "meshes/arm.obj"), HasSubstr("v 1 0 0\n"));
    fs::remove(folder_ / "meshes/arm.obj");
  }
  // Other targets read it.
  const CommandResult sdf = Kinemorph("convert arm.urdf -o arm.sdf");
  EXPECT_THAT(FileText(folder_ / "arm.sdf"), HasSubstr("arm.stl"));
  EXPECT_THAT(sdf.err, testing::Not(HasSubstr("loss-shape-mesh")));
}

// A page that says "not found", nothing at all, the first part of a file.
TEST_F(Scene, AnStlFileThatIsNoneIsLost) {
  const std::string whole = Tetrahedron();
  std::string robot = kArm;
  WriteFile(folder_ / "arm.urdf", robot.replace(robot.find("arm.dae"), 7, "arm.stl"));
  const auto lost = [&](const std::string& content) {
    WriteFile(folder_ / "arm.stl", content);
    return Kinemorph("convert arm.urdf -o out.xml --verbose").err;
  };
  for (const std::string& content :
       {std::string(), std::string("<html><h1>not found</h1></html>"), whole.substr(0, 150)})
    EXPECT_THAT(lost(content),
                HasSubstr("mesh 'arm.stl' is not written: it is no STL file, or a part of one"));
  EXPECT_THAT(lost(whole), testing::Not(HasSubstr("is not written")));
}

}  // namespace
}  // namespace kinemorph::test
