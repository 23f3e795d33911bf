// kinemorph export, as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "command.h"
#include "kinemorph/gateway.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;

const std::string kFourBar = SourceDir() + "/fixtures/mechanisms/four_bar/four_bar.urdf";

class Export : public testing::Test {
 protected:
  CommandResult Run(const std::string& arguments) const {
    return Shell(std::string(KINEMORPH_COMMAND) + " export " + arguments, folder_.path());
  }
  [[nodiscard]] std::set<std::string> Files(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / folder))
      names.insert(entry.path().filename().string());
    return names;
  }
  TemporaryFolder folder_;
};

TEST_F(Export, WritesCThatCompilesAsTheReadMeSays) {
  const CommandResult result = Run(kFourBar + " -o deep/out/ --language c -q");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Files("deep/out"), (std::set<std::string>{"README.txt", "four_bar.c", "four_bar.h"}));
  EXPECT_EQ(Files("deep").size(), 1u) << "something was left beside it";
  const std::string readme = FileText(folder_ / "deep/out/README.txt");
  const std::size_t start = readme.find("  cc -std");
  ASSERT_NE(start, std::string::npos);
  const CommandResult compiled =
      Shell(readme.substr(start, readme.find('\n', start) - start), folder_ / "deep/out");
  EXPECT_EQ(compiled.exit_code, 0) << compiled.err;
  EXPECT_THAT(readme, HasSubstr("q[0]  joint1  rad"));
  EXPECT_THAT(FileText(folder_ / "deep/out/four_bar.h"), HasSubstr("FOUR_BAR_Q_joint1 = 0"));
}

// A ball that falls on its centre stops, and takes what it had of m v.
TEST_F(Export, ImpactStopsAFootThatMeetsTheGround) {
  WriteFile(folder_ / "ball.xml", R"(<mujoco model="ball"><worldbody><body name="ball" pos="0 0 1">
    <freejoint/><inertial pos="0 0 0" mass="2" diaginertia="0.1 0.2 0.3"/></body></worldbody></mujoco>)");
  WriteFile(folder_ / "main.c", R"(#include <stdio.h>
#include "c/ball.h"
int main(void) {
  const double v_q[6] = {0.5, 0, 0, 0.1, 0, -3}, stands = 1, flies = 0;
  double p[3], v[6], impulse[3];
  if (ball_feet(ball_q0, p) != 0 || ball_impact(ball_q0, v_q, &stands, v, impulse) != 0) return 1;
  printf("%.9f %.9f %.9f %.6f %.6f\n", p[2], v[0], v[5], impulse[0], impulse[2]);
  if (ball_impact(ball_q0, v_q, &flies, v, impulse) != 0) return 1;
  printf("%.9f %.6f\n", v[5], impulse[2]);
  return 0;
}
)");
  const CommandResult made = Run("ball.xml -o c --language c --contact ball:0,0,0 -q");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(FileText(folder_ / "c/README.txt"), HasSubstr("0  ball  0 0 0"));
  const CommandResult ran =
      Shell("cc -std=c99 -Wall -Wextra -Werror main.c c/ball.c -lm && ./a.out", folder_.path());
  EXPECT_EQ(ran.out,
            "1.000000000 0.500000000 0.000000000 -0.200000 6.000000\n-3.000000000 0.000000\n")
      << ran.err;
  const CommandResult wrong = Run("ball.xml -o d --language c --contact bal:0,0,0");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("there is no link 'bal'; did you mean 'ball'?"));
  const CommandResult fmu = Run("ball.xml -o d --language fmu --contact ball:0,0,0");
  EXPECT_EQ(fmu.exit_code, 2);
  EXPECT_THAT(fmu.err, HasSubstr("--contact is not of --language fmu"));
}

// The last positions that the node publishes, by joint.
std::map<std::string, double> LastOf(const std::string& out) {
  std::map<std::string, double> last;
  std::istringstream lines(out);
  std::string name;
  double value = 0;
  while (lines >> name >> value) last[name] = value;
  return last;
}

// The node compiles against as much of rclcpp as it uses, and what it publishes are the positions
// of the library's own solver. ROS itself is in no package of Debian 12.
TEST_F(Export, TheRelayOfRos2PublishesClosedLoops) {
  struct Case {
    const char *robot, *joint;
    double position;
  };
  for (const Case& each :
       {Case{"four_bar", "joint1", 0.5}, Case{"four_bar_general", "joint1", 0.4},
        Case{"slider_crank", "crank_joint", 0.8}, Case{"double_pendulum", "joint1", 1}}) {
    const std::string path =
        SourceDir() + "/fixtures/mechanisms/" + each.robot + "/" + each.robot + ".urdf";
    const std::string folder = std::string("ros_") + each.robot;
    const CommandResult made = Run(path + " -o " + folder + " --language ros2 -q");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_TRUE(Files(folder).contains("package.xml"));
    const std::string name = each.robot;
    const CommandResult compiled =
        Shell("cc -std=c99 -Wall -Wextra -Werror -c " + name + ".c " + name + "_relay.c && " +
                  "c++ -std=c++17 -Wall -Wextra -Werror -I" + SourceDir() +
                  "/tests/support/ros -I. relay_node.cpp *.o -lm -o relay",
              folder_ / folder);
    ASSERT_EQ(compiled.exit_code, 0) << compiled.err;
    Loaded loaded = LoadFile(path);
    ASSERT_TRUE(loaded.robot) << path;
    Articulation solver(loaded.robot->model);
    // A joint of another robot, one that is no number, and then what is asked for.
    std::string joint = each.joint, why;
    bool found = false;
    for (const CoordinateInfo& coordinate : solver.coordinates())
      found = found || coordinate.name == joint;
    if (!found) joint = solver.coordinates().front().name;
    ASSERT_TRUE(solver.Set(joint, each.position, why)) << why;
    const CommandResult run =
        Shell("printf 'nobody 1\n" + joint + " " + std::to_string(each.position) + "\n' | ./relay",
              folder_ / folder);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const std::map<std::string, double> published = LastOf(run.out);
    const std::vector<double> values = solver.values();
    ASSERT_EQ(published.size(), values.size()) << run.out;
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(published.at(solver.coordinates()[i].name), values[i], 1e-7)
          << each.robot << " " << solver.coordinates()[i].name;
    // Too far: the last closed posture stands, and the node says so.
    if (name != "four_bar_general") continue;
    const CommandResult far = Shell("printf '" + joint + " 3\n' | ./relay", folder_ / folder);
    for (const auto& [of, position] : LastOf(far.out)) EXPECT_TRUE(std::isfinite(position)) << of;
  }
  // Through the flat posture of a parallelogram, on which step 19 of 22 falls, to its other side.
  const std::string folder = "ros_four_bar";
  const std::string target = "1.0737102524229194";
  const CommandResult through =
      Shell("printf 'joint1 " + target + "\n' | ./relay", folder_ / folder);
  EXPECT_EQ(through.err, "");
  EXPECT_NEAR(LastOf(through.out).at("joint1"), std::stod(target), 1e-12);
  EXPECT_NEAR(LastOf(through.out).at("joint2"), -std::stod(target), 1e-7);
  EXPECT_EQ(Shell("python3 -m py_compile relay.launch.py", folder_ / folder).exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "ros_four_bar/package.xml"),
              HasSubstr("<name>four_bar_relay</name>"));
}

TEST_F(Export, ReplacesFilesAndKeepsOthers) {
  ASSERT_EQ(Run(kFourBar + " -o out --language c -q").exit_code, 0);
  const std::string first = FileText(folder_ / "out/four_bar.c");
  WriteFile(folder_ / "out/mine.txt", "mine");
  WriteFile(folder_ / "out/four_bar.c", "old");
  EXPECT_EQ(Run(kFourBar + " -o out --language c -q").exit_code, 2) << "of somebody else";
  EXPECT_EQ(FileText(folder_ / "out/four_bar.c"), "old");
  WriteFile(folder_ / "out/four_bar.c", "/* Written by kinemorph 0.0 */");
  ASSERT_EQ(Run(kFourBar + " -o out --language c -q").exit_code, 0);
  EXPECT_EQ(FileText(folder_ / "out/four_bar.c"), first);
  EXPECT_EQ(Files("out").size(), 4u);
}

TEST_F(Export, WritesNothingWhereItFails) {
  WriteFile(folder_ / "still.urdf", "<robot name='still'><link name='a'/></robot>");
  const CommandResult still = Run("still.urdf -o out --language c");
  EXPECT_EQ(still.exit_code, 1);
  EXPECT_THAT(still.err, HasSubstr("still.urdf"));
  EXPECT_THAT(still.err,
              HasSubstr("'still' cannot be exported: nothing in it moves [export-impossible]"));
  EXPECT_EQ(Run("nowhere.urdf -o out --language c").exit_code, 1);
  const CommandResult unknown = Run(kFourBar + " -o out --language c --armature jiont1=0.1");
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("[armature-wrong]"));
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'joint1'?"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  WriteFile(folder_ / "file", "mine");
  EXPECT_EQ(Run(kFourBar + " -o file --language c").exit_code, 1);
  EXPECT_EQ(FileText(folder_ / "file"), "mine");
  for (const char* wrong : {" -o out", " --language c", " -o out --language fortran",
                            " -o out --language c --armature"})
    EXPECT_EQ(Run(kFourBar + wrong).exit_code, 2) << wrong;
  for (const char* wrong : {"joint1", "joint1=-1", "joint1=1kg"}) {
    const CommandResult result = Run(kFourBar + " -o out --language c --armature " + wrong);
    EXPECT_EQ(result.exit_code, 1) << wrong;
    EXPECT_THAT(result.err, HasSubstr("[armature-wrong]")) << wrong;
  }
}

TEST_F(Export, ArmatureIsPartOfTheEquations) {
  ASSERT_EQ(Run(kFourBar + " -o a --language c -q").exit_code, 0);
  ASSERT_EQ(Run(kFourBar + " -o b --language c -q --armature joint1=0.25").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "b/README.txt"),
              HasSubstr("joint1  rad/s  independent  armature 0.25"));
  EXPECT_NE(FileText(folder_ / "a/four_bar.c"), FileText(folder_ / "b/four_bar.c"));
}

// A universal joint whose child is the fixed base: a conversion turns it round, an export does not.
TEST_F(Export, WhatBecomesOfAReversedUniversalJointIsSaid) {
  WriteFile(folder_ / "u.sdf", R"(<sdf version="1.9"><model name="u"><link name="base"/>
    <joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
    <link name="rod"><inertial><pose>0 0 -1 0 0 0</pose><mass>1</mass><inertia><ixx>0.02</ixx>
      <iyy>0.02</iyy><izz>0.02</izz></inertia></inertial></link>
    <joint name="cross" type="universal"><parent>rod</parent><child>base</child>
      <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint></model></sdf>)");
  ASSERT_EQ(Run("u.sdf -o out --language c -q").exit_code, 0);
  const std::string readme = FileText(folder_ / "out/README.txt");
  EXPECT_THAT(readme, HasSubstr("v[0]  cross[0]  rad/s  independent  against the tree"));
  EXPECT_THAT(readme, HasSubstr("[0] is about the first axis of the model"));
  const CommandResult converted =
      Shell(std::string(KINEMORPH_COMMAND) + " convert u.sdf -o u.xml --loss-report lost.md",
            folder_.path());
  EXPECT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_THAT(FileText(folder_ / "lost.md"),
              HasSubstr("its axes are negated and swapped: the first coordinate (\\_1"));
  // So that _1 is about y, and _2 about x.
  const std::string text = FileText(folder_ / "u.xml");
  const std::size_t first = text.find("name=\"cross_1\""), second = text.find("name=\"cross_2\"");
  ASSERT_LT(first, second);
  ASSERT_NE(second, std::string::npos);
  EXPECT_THAT(text.substr(first, text.find('>', first) - first), HasSubstr("axis=\"0 -1 0\""));
  EXPECT_THAT(text.substr(second, text.find('>', second) - second), HasSubstr("axis=\"-1 0 0\""));
}

TEST_F(Export, WritesMatlabThatOctaveRuns) {
  const CommandResult result = Run(kFourBar + " -o m --language matlab -q");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Files("m").size(), 14u);
  if (std::system("command -v octave-cli >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "octave-cli is not installed";
  const CommandResult octave = Shell(
      "octave-cli --norc --eval \"info = four_bar_info(); v = zeros(numel(info.v_names), 1);"
      " qdd = four_bar_fd(info.q0, v(info.independent), v);"
      " printf('%d %.17g', numel(qdd), norm(four_bar_K(info.q0) * qdd));\"",
      folder_ / "m");
  EXPECT_EQ(octave.exit_code, 0) << octave.err;
  EXPECT_EQ(octave.out.substr(0, 2), "3 ") << octave.out;
  EXPECT_LT(std::stod(octave.out.substr(2)), 1e-12) << octave.out;
}

TEST_F(Export, WritesAnFmuWithoutATopFolderAlwaysTheSame) {
  ASSERT_EQ(Run(kFourBar + " -o a --language fmu -q").exit_code, 0);
  ASSERT_EQ(Shell("TZ=Asia/Tokyo " + std::string(KINEMORPH_COMMAND) + " export " + kFourBar +
                      " -o b --language fmu -q",
                  folder_.path())
                .exit_code,
            0);
  EXPECT_EQ(Files("a"), std::set<std::string>{"four_bar.fmu"});
  EXPECT_TRUE(FileText(folder_ / "a/four_bar.fmu") == FileText(folder_ / "b/four_bar.fmu"));
  const CommandResult unpacked =
      Shell("python3 -m zipfile -e a/four_bar.fmu un && ls un un/sources", folder_.path());
  ASSERT_EQ(unpacked.exit_code, 0) << unpacked.err;
  EXPECT_EQ(unpacked.out,
            "un:\nbinaries\ndocumentation\nmodelDescription.xml\nsources\n\n"
            "un/sources:\nbuildDescription.xml\nequations.c\nfmi2.h\nfmu.c\n");
  const CommandResult built = Shell(
      "cc -std=c99 -Wall -Wextra -Werror -shared -fPIC -o f.so sources/fmu.c sources/equations.c "
      "-lm",
      folder_ / "un");
  EXPECT_EQ(built.exit_code, 0) << built.err;
}

}  // namespace
}  // namespace kinemorph::test
