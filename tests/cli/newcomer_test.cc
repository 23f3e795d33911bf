// What somebody types who does not know kinemorph: names of files that ask for something else, near
// words, a pipe that is closed, robots to try, and what a team leaves out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kRobot =
    "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
    "ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\n<joint name='j' type='revolute'>"
    "<parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit effort='1' velocity='1'/>"
    "</joint>\n</robot>\n";  // without lower and upper: lint-limits-absent, on line 2

class Newcomer : public testing::Test {
 protected:
  CommandResult Kinemorph(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path());
  }
  TemporaryFolder folder_;
};

TEST_F(Newcomer, NoFileHoldsSomethingElseThanItsNameSays) {
  WriteFile(folder_ / "r.urdf", kRobot);
  const struct {
    const char *arguments, *file, *words;
  } uses[] = {
      {"simulate r.urdf --time 0.1 -o t.csv --plot x.png", "x.png", "does not end in .svg"},
      {"simulate r.urdf --time 0.1 -o t.csv --animate x.gif", "x.gif", "does not end in .svg"},
      {"simulate r.urdf --time 0.1 -o t.csv --strip x.pdf", "x.pdf", "does not end in .svg"},
      {"simulate r.urdf --time 0.1 -o t.xlsx", "t.xlsx", "does not end in .csv"},
      {"convert r.urdf o.sdf --to mjcf", "o.sdf", "ends as sdf does, and --to asks for mjcf"},
      {"convert r.urdf o.urdf --to sdf", "o.urdf", "name a file that ends in .sdf"},
      {"convert r.urdf o.usd", "o.usd", "did you mean '.usda'?"}};
  for (const auto& use : uses) {
    const CommandResult result = Kinemorph(use.arguments);
    EXPECT_EQ(result.exit_code, 2) << use.arguments;
    EXPECT_THAT(result.err, HasSubstr(use.words));
    EXPECT_FALSE(fs::exists(folder_ / use.file)) << use.arguments;
  }
  // .xml may be anything, .urdf is URDF+ too, and a name without an ending says nothing.
  for (const char* arguments : {"convert r.urdf o.xml --to sdf", "convert r.urdf p.urdf --to urdf+",
                                "convert r.urdf out --to mjcf"})
    EXPECT_EQ(Kinemorph(arguments).exit_code, 0) << arguments;
}

TEST_F(Newcomer, AProgramIsNoTemplate) {
  WriteFile(folder_ / "program", std::string("\x7f"
                                             "ELF\0\0<%= x %>",
                                             14));
  const CommandResult result = Kinemorph("convert program a.urdf");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("is a binary file of no known format"));
  EXPECT_THAT(result.err, Not(HasSubstr("ERB")));
}

TEST_F(Newcomer, NearWordsAreProposed) {
  WriteFile(folder_ / "r.urdf", kRobot);
  EXPECT_THAT(Kinemorph("convert r.urdf a.sdf --drop velocity").err,
              HasSubstr("did you mean 'velocity-limit'?"));
  const CommandResult version = Kinemorph("--verison");
  EXPECT_EQ(version.exit_code, 2);
  EXPECT_THAT(version.err, HasSubstr("'--verison' is not an option; did you mean '--version'?"));
}

TEST_F(Newcomer, AGraphIsOfLinksAndJoints) {
  WriteFile(folder_ / "r.urdf", kRobot);
  EXPECT_EQ(Kinemorph("graph r.urdf").out, Kinemorph("graph r.urdf --what cg").out);
  EXPECT_THAT(Kinemorph("graph r.urdf").out, HasSubstr("graph"));
}

TEST_F(Newcomer, AReaderThatGoesAwayIsNotToldOf) {
  WriteFile(folder_ / "r.urdf", kRobot);
  for (const char* arguments : {"explain --all", "simulate r.urdf --time 9 --rows 0.0001"})
    EXPECT_EQ(Kinemorph(std::string(arguments) + " | head -c 1").err, "") << arguments;
}

TEST_F(Newcomer, QuietIsQuiet) {
  WriteFile(folder_ / "r.urdf", kRobot);
  const CommandResult check = Kinemorph("check r.urdf --to mjcf -q");
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_EQ(check.out + check.err, "");
  EXPECT_THAT(Kinemorph("check r.urdf --to mjcf").out, HasSubstr("[loss-velocity-limit]"));
}

TEST_F(Newcomer, VerifyShowsWhatDiffersAndCountsTheRest) {
  std::string heavy = kRobot;
  heavy.replace(heavy.find("mass value='1'"), 14, "mass value='2'");
  WriteFile(folder_ / "r.urdf", kRobot);
  WriteFile(folder_ / "heavy.urdf", heavy);
  const std::string same = Kinemorph("verify r.urdf r.urdf").out;
  EXPECT_THAT(same,
              testing::MatchesRegex(
                  "same    ([0-9]+) of [0-9]+ checks \\(--verbose lists them\\)\nequivalent\n"));
  EXPECT_THAT(Kinemorph("verify r.urdf r.urdf --verbose").out, HasSubstr("same    link masses "));
  EXPECT_EQ(Kinemorph("verify r.urdf r.urdf -q").out, "");
  const CommandResult differs = Kinemorph("verify r.urdf heavy.urdf");
  EXPECT_THAT(differs.out, HasSubstr("DIFFERS link masses "));
  EXPECT_THAT(differs.out, Not(HasSubstr("same    links")));
  const CommandResult quiet = Kinemorph("verify r.urdf heavy.urdf -q");
  EXPECT_EQ(quiet.exit_code, 1);
  EXPECT_THAT(quiet.out, testing::StartsWith("NOT equivalent: link masses ('b')"));
  EXPECT_EQ(std::count(quiet.out.begin(), quiet.out.end(), '\n'), 1);
}

TEST_F(Newcomer, AProfileIsExplainedOnce) {
  const std::string help = Kinemorph("convert --help").out;
  EXPECT_THAT(help, HasSubstr("drake: URDF as"));
  EXPECT_EQ(help.find("drake: "), help.rfind("drake: "));
}

TEST_F(Newcomer, AFileThatDeclaresNothingHasNoFaultOfThat) {
  const std::string file = SourceDir() + "/fixtures/features/urdf-acdc4robot/urdf-acdc4robot.urdf";
  const CommandResult result = Kinemorph("inspect '" + file + "'");
  EXPECT_THAT(result.out, HasSubstr("independent coordinates: none declared"));
  EXPECT_THAT(result.out, Not(HasSubstr("WRONG")));
}

TEST_F(Newcomer, AFileThatDeclaresEachJointIsToldWhenThatIsWrong) {
  std::string text = FileText(SourceDir() + "/fixtures/mechanisms/four_bar/four_bar.urdf");
  for (std::size_t at = 0; (at = text.find("independent=\"false\"", at)) != std::string::npos;)
    text.replace(at, 19, "independent=\"true\"");
  WriteFile(folder_ / "r.urdf", text);
  const CommandResult result = Kinemorph("inspect r.urdf");
  EXPECT_THAT(result.out, HasSubstr("3 declared, which is WRONG: 1 are needed"));
}

TEST_F(Newcomer, ExamplesAreLaidOutAndNothingIsOverwritten) {
  WriteFile(folder_ / "robot.urdf", "mine");
  const CommandResult result = Kinemorph("examples");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kept  robot.urdf, which is there\n"));
  EXPECT_THAT(result.out, HasSubstr("next: kinemorph inspect robot.urdf\n"));
  EXPECT_EQ(FileText(folder_ / "robot.urdf"), "mine");
  EXPECT_EQ(FileText(folder_ / "robot.sdf"),
            FileText(SourceDir() + "/fixtures/mechanisms/four_bar/four_bar.sdf"));
  EXPECT_EQ(FileText(folder_ / "src/wrist.sdf"),
            FileText(SourceDir() + "/fixtures/mechanisms/wrist/wrist.sdf"));
  EXPECT_EQ(Kinemorph("examples new").exit_code, 0);
  EXPECT_EQ(Kinemorph("inspect new/robot.urdf").exit_code, 0);
  EXPECT_THAT(Kinemorph("examples new").out, Not(HasSubstr("wrote")));
}

TEST_F(Newcomer, PatternsAreThoseOfGitignore) {
  for (const char* path : {"robots/a.urdf", "robots/vendor/b.urdf", "robots/deep/vendor/c.urdf",
                           "robots/vendored.urdf"})
    WriteFile(folder_ / path, kRobot);
  const auto left = [&](const std::string& words) {
    return Kinemorph("lint " + words + " --diagnostics json").out;
  };
  EXPECT_THAT(left("robots"), HasSubstr("4 files: "));
  for (const char* all : {"vendor", "vendor/", "'**/vendor/**'", "'*/vendor/*'"})
    EXPECT_THAT(left(std::string("robots --exclude ") + all), HasSubstr("2 files: ")) << all;
  for (const char* one : {"robots/vendor", "/robots/vendor", "vendor/b.urdf", "b.urdf", "'b.*'"})
    EXPECT_THAT(left(std::string("robots --exclude ") + one), HasSubstr("3 files: ")) << one;
  EXPECT_THAT(left("robots --include vendor"), HasSubstr("2 files: "));
  EXPECT_THAT(left(". --exclude 'robots/**/c.urdf'"), HasSubstr("3 files: "));
  // A folder that is named is read.
  EXPECT_THAT(left("robots/vendor --exclude vendor"), HasSubstr("robots/vendor/b.urdf: "));
}

TEST_F(Newcomer, WarningsFailWhereTheyAreAskedTo) {
  WriteFile(folder_ / "r.urdf", kRobot);
  EXPECT_EQ(Kinemorph("lint r.urdf").exit_code, 0);
  EXPECT_EQ(Kinemorph("lint r.urdf --fail-on warning").exit_code, 1);
  EXPECT_EQ(Kinemorph("check r.urdf --to mjcf --fail-on warning").exit_code, 1);
  const CommandResult none = Kinemorph("lint r.urdf --ignore lint-limit-absent");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("did you mean 'lint-limits-absent'?"));
}

TEST_F(Newcomer, ExceptionsAreOfALineAFileOrARun) {
  const std::string code = "lint-limits-absent";
  const auto said = [&](const std::string& options = "") {
    return Kinemorph("lint r.urdf" + options).err;
  };
  const auto with = [&](const std::string& comment, std::size_t at) {
    std::string text = kRobot;
    text.insert(at, comment);
    WriteFile(folder_ / "r.urdf", text);
  };
  const std::size_t joint = kRobot.find("<joint"), end = kRobot.find("</robot>");
  with("", 0);
  EXPECT_THAT(said(), HasSubstr(code));
  EXPECT_THAT(said(" --ignore " + code), Not(HasSubstr(code)));
  EXPECT_THAT(said(" --ignore base-fixed," + code), Not(HasSubstr(code)));
  with("<!-- kinemorph: ignore " + code + " -->\n", joint);
  EXPECT_THAT(said(), Not(HasSubstr(code)));
  with("<!-- kinemorph: ignore " + code + " -->\n", end);  // behind the joint
  EXPECT_THAT(said(), HasSubstr(code));
  with("<!-- kinemorph: ignore-file axis-zero, " + code + " -->\n", end);
  EXPECT_THAT(said(), Not(HasSubstr(code)));
  EXPECT_THAT(said(), Not(HasSubstr("ignore-unknown")));
  with("<!-- kinemorph: ignore-file lint-limit-absent -->\n", 0);
  for (const char* command : {"lint r.urdf", "check r.urdf --to mjcf"})
    EXPECT_THAT(Kinemorph(command).err + Kinemorph(command).out,
                AllOf(HasSubstr("r.urdf:1"),
                      HasSubstr("ignores 'lint-limit-absent', which is the code of no message"),
                      HasSubstr("did you mean 'lint-limits-absent'?")))
        << command;
  // An error is none that can be ignored.
  WriteFile(folder_ / "r.urdf", "<!-- kinemorph: ignore-file xml-malformed --><robot");
  EXPECT_EQ(Kinemorph("lint r.urdf").exit_code, 1);
}

TEST_F(Newcomer, ATeamWritesItsOptionsOnce) {
  WriteFile(folder_ / "robots/a.urdf", kRobot);
  WriteFile(folder_ / "robots/vendor/b.urdf", kRobot);
  WriteFile(
      folder_ / "kinemorph.toml",
      "# of the team\nexclude = [\n  'vendor',  # theirs\n]\nfail-on = \"warning\"\n\n[check]\n"
      "to = \"mjcf\"\ndrop = ['velocity-limit', \"position-limit\"]\nfail-on = 'error'\n");
  const CommandResult lint = Kinemorph("lint robots");
  EXPECT_EQ(lint.exit_code, 1) << lint.err;
  EXPECT_THAT(lint.out, HasSubstr("robots/a.urdf: "));
  EXPECT_EQ(Kinemorph("check robots").exit_code, 0);
  // What is typed counts.
  EXPECT_EQ(Kinemorph("lint robots --fail-on error").exit_code, 0);
  EXPECT_THAT(Kinemorph("lint robots --exclude a.urdf").out, HasSubstr("vendor/b.urdf: "));
  EXPECT_EQ(Kinemorph("inspect robots/a.urdf").exit_code, 0);
  const struct {
    const char *text, *words;
  } wrong[] = {{"output = 'x'\n", "kinemorph.toml:1: 'output' is none of include, exclude"},
               {"\n[lint]\nto = 'sdf'\n", "kinemorph.toml:3: 'to' is none of"},
               {"[convert]\n", "'convert' is not a section"},
               {"exclude = vendor\n", "a text in quotes is missing"},
               {"fail-on = 'warn'\n", "kinemorph.toml sets --fail-on=warn"}};
  for (const auto& each : wrong) {
    WriteFile(folder_ / "kinemorph.toml", each.text);
    const CommandResult result = Kinemorph("lint robots");
    EXPECT_EQ(result.exit_code, 2) << each.text;
    EXPECT_THAT(result.err, HasSubstr(each.words));
  }
}

// What one asks for is "as asked", also of joints that the source leaves unsaid beside declared ones.
TEST_F(Newcomer, CoordinatesThatAreAskedForAreProved) {
  std::string robot =
      FileText(fs::path(SourceDir()) / "fixtures/mechanisms/four_bar/four_bar.urdf");
  const std::string denial = " independent=\"false\"";
  for (std::size_t at; (at = robot.find(denial)) != std::string::npos;)
    robot.erase(at, denial.size());
  WriteFile(folder_ / "r.urdf", robot);
  for (const char* out : {"o.mbs", "o.urdf"}) {
    const CommandResult result =
        Kinemorph("convert r.urdf " + std::string(out) + " --independent joint1 --verify");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("as asked: "));
  }
}

// A rod between two balls spins on its own, which nobody can ask for by the name of its joint.
TEST_F(Newcomer, InspectChoosesWhatIsNotAskedFor) {
  const auto joint = [](const std::string& name, const std::string& type, const std::string& ends,
                        const std::string& axis) {
    return "<joint name='" + name + "' type='" + type + "'><parent>" + ends.substr(0, 1) +
           "</parent><child>" + ends.substr(1) + "</child>" +
           (axis.empty() ? "" : "<axis><xyz>" + axis + "</xyz></axis>") + "</joint>";
  };
  WriteFile(
      folder_ / "r.sdf",
      "<sdf version='1.9'><model name='m'><joint name='f' type='fixed'><parent>world</parent>"
      "<child>b</child></joint><link name='b'/><link name='c'/><link name='r'><pose>0 0 0.1 0 "
      "0 0</pose></link><link name='s'><pose>0.3 0 0.1 0 0 0</pose></link>" +
          joint("crank", "revolute", "bc", "0 1 0") + joint("slide", "prismatic", "bs", "1 0 0") +
          joint("b1", "ball", "cr", "") + joint("b2", "ball", "rs", "") + "</model></sdf>");
  const CommandResult result = Kinemorph("inspect r.sdf --independent crank");
  EXPECT_THAT(result.out, AllOf(HasSubstr("2 declared, which determine the rest"),
                                HasSubstr("independent: crank, b1[0];")));
}

TEST_F(Newcomer, WhatWasAskedForAndNotDoneStandsAtTheEnd) {
  std::string robot = kRobot;  // many remarks, as of a real file
  for (int i = 0; i < 30; ++i) {
    const std::string n = std::to_string(i);
    robot.insert(robot.find("</robot>"), "<thing" + n + "/>");
  }
  const std::string limit = "<limit effort='1' velocity='1'/>";
  robot.replace(robot.find(limit), limit.size(), "<limit effort='0' velocity='1'/>");
  WriteFile(folder_ / "r.urdf", robot);
  EXPECT_THAT(Kinemorph("convert r.urdf r.xml --actuators motor").err,
              HasSubstr("\nwarning: model 'r': --actuators motor adds no motor"));
}

TEST_F(Newcomer, AnArgumentThatNobodyAsksForIsTold) {
  WriteFile(folder_ / "r.urdf.xacro",
            "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><xacro:arg name='length' "
            "default='1'/><link name='l_$(arg length)'/></robot>");
  const CommandResult misspelt = Kinemorph("inspect r.urdf.xacro --xacro-arg lenght:=2");
  EXPECT_EQ(misspelt.exit_code, 0);
  EXPECT_THAT(misspelt.err, AllOf(HasSubstr("argument 'lenght': the file does not ask"),
                                  HasSubstr("did you mean 'length'?")));
  EXPECT_THAT(Kinemorph("inspect r.urdf.xacro --xacro-arg length:=2").err,
              Not(HasSubstr("xacro-arg-unknown")));
}

TEST_F(Newcomer, ABaseThatIsFreeBySilenceIsTold) {
  WriteFile(folder_ / "r.urdf", kRobot);
  EXPECT_THAT(Kinemorph("convert r.urdf r.sdf").err, HasSubstr("[base-free]"));
  for (const char* base : {"", " --base floating", " --base fixed"}) {
    const std::string said =
        Kinemorph("convert r.urdf d.urdf --profile drake" + std::string(base)).err;
    EXPECT_EQ(said.find("[base-free]") != std::string::npos, *base == '\0') << said;
  }
  for (const char* base : {"fixed", "floating"})
    EXPECT_THAT(Kinemorph("convert r.urdf r.sdf --base " + std::string(base)).err,
                Not(HasSubstr("[base-free]")));
}

// As MuJoCo saves a file: fewer digits, and `general` for a motor.
TEST_F(Newcomer, AFileOfFewerDigitsPassesWithATolerance) {
  const auto robot = [](const char* inertia, const char* place, const char* drive) {
    return "<mujoco><worldbody><body name='b'><joint name='j' axis='0 0 1'/><inertial pos='0 0 0' "
           "mass='1' fullinertia='0.01 0.01 0.01 " +
           std::string(inertia) + " 0 0'/><geom name='g' type='sphere' size='.1' pos='0.3 " +
           place + " 0'/></body></worldbody><actuator><" + drive +
           " name='m' joint='j' gear='3'/></actuator></mujoco>";
  };
  WriteFile(folder_ / "a.xml", robot("1e-9", "1e-5", "motor"));
  WriteFile(folder_ / "b.xml", robot("2e-9", "1.05e-5", "general"));
  EXPECT_EQ(Kinemorph("verify a.xml b.xml --tolerance 1e-3").exit_code, 0);
  EXPECT_EQ(Kinemorph("verify a.xml b.xml").exit_code, 1);
  WriteFile(folder_ / "c.xml", robot("2e-5", "1e-5", "motor"));
  EXPECT_EQ(Kinemorph("verify a.xml c.xml --tolerance 1e-3").exit_code, 1);
}

// Three hinges at a point come near the posture in which two of them are one: the proof starts
// where the file counts from, else it lands on the other of two ways.
TEST_F(Newcomer, ThreeHingesAtAPointStayOnTheirBranch) {
  const std::string mass =
      "<inertial><mass value='1'/><origin xyz='0 0 0.1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' "
      "ixy='0' ixz='0' iyz='0'/></inertial>";
  std::string robot = "<robot name='r'>";
  for (const char* link : {"base", "crank", "rodA", "rocker", "rodB"})
    robot += "<link name='" + std::string(link) + "'>" + mass + "</link>";
  for (const char* link : {"a1", "a2", "b1", "b2"})
    robot += "<link name='" + std::string(link) + "'/>";
  const auto joint = [&](const std::string& name, const std::string& parent,
                         const std::string& child, const std::string& origin,
                         const std::string& axis) {
    robot += "<joint name='" + name + "' type='continuous'><parent link='" + parent +
             "'/><child link='" + child + "'/><origin " + origin + "/><axis xyz='" + axis +
             "'/></joint>";
  };
  joint("crank_j", "base", "crank", "xyz='0 0 0'", "0 1 0");
  joint("a_0", "crank", "a1", "xyz='0 0 0.1'", "1 0 0");
  joint("a_1", "a1", "a2", "xyz='0 0 0'", "0 1 0");
  joint("a_2", "a2", "rodA", "xyz='0 0 0'", "0 0 1");
  joint("rocker_j", "base", "rocker", "xyz='0.3 -0.07 0.07' rpy='0.53 -0.49 0'", "0 0 1");
  joint("b_0", "rocker", "b1", "xyz='0 0.2 0' rpy='-0.03 -0.3 0.91'", "1 0 0");
  joint("b_1", "b1", "b2", "xyz='0 0 0'", "0 1 0");
  joint("b_2", "b2", "rodB", "xyz='0 0 0'", "0 0 1");
  WriteFile(
      folder_ / "r.urdf",
      robot +
          "<loop name='loop' type='fixed'><predecessor link='rodA'><origin xyz='0 0 0.3'/>"
          "</predecessor><successor link='rodB'><origin xyz='0 0 0'/></successor></loop></robot>");
  EXPECT_THAT(Kinemorph("convert r.urdf r.xml --verify").err, HasSubstr("note: equivalent"));
  // And where the target counts from a zero of its own.
  WriteFile(folder_ / "m.xml",
            "<mujoco><worldbody><body name='b'><inertial pos='0 0 0' mass='1' diaginertia='.01 .02 "
            ".02'/><joint name='x' axis='1 0 0' ref='90'/><joint name='y' axis='0 1 0' ref='95'/>"
            "<joint name='z' axis='0 0 1'/></body></worldbody></mujoco>");
  for (const char* out : {"m.urdf", "m.sdf", "m.usda"})
    EXPECT_EQ(Kinemorph("convert m.xml " + std::string(out) + " --verify").exit_code, 0) << out;
}

// Pinocchio makes frames of links and joints, and a pair of frames names one.
TEST_F(Newcomer, FramesOfAPairHaveNamesOfTheirOwn) {
  std::string robot =
      FileText(fs::path(SourceDir()) / "fixtures/mechanisms/four_bar/four_bar.urdf");
  for (std::size_t at; (at = robot.find("\"joint1\"")) != std::string::npos;)
    robot.replace(at, 8, "\"closedloop1_A\"");
  WriteFile(folder_ / "r.urdf", robot);
  EXPECT_EQ(Kinemorph("convert r.urdf o.urdf --sidecar gepetto").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "o.urdf"), AllOf(HasSubstr("<link name=\"closedloop1_A_2\""),
                                                  Not(HasSubstr("<link name=\"closedloop1_A\""))));
}

TEST_F(Newcomer, WhatDrakeStopsAtIsNamed) {
  std::string robot = kRobot;
  robot.insert(robot.find("</link>"),
               "<visual><geometry><mesh filename='package://p/a.obj'/></geometry></visual>");
  WriteFile(folder_ / "r.urdf", robot);
  const std::string drop = "--drop shape-mesh";
  EXPECT_THAT(Kinemorph("convert r.urdf r.sdf --profile drake").err, HasSubstr(drop));
  const CommandResult left_out = Kinemorph("convert r.urdf r.sdf --profile drake " + drop);
  EXPECT_THAT(FileText(folder_ / "r.sdf"), Not(HasSubstr("package://")));
  EXPECT_THAT(left_out.err, Not(HasSubstr(drop)));
  EXPECT_THAT(Kinemorph("convert r.urdf r.xml").err, HasSubstr("MuJoCo stops at missing meshes"));
}

// A finger that mimics the other one stands beside the loop, and is no reason to keep that.
TEST_F(Newcomer, AMimicBesideALoopLetsItBeFitted) {
  const auto joint = [](const std::string& name, const std::string& ends, const std::string& origin,
                        const std::string& mimic) {
    return "<joint name='" + name + "' type='revolute'><parent link='" + ends.substr(0, 1) +
           "'/><child link='" + ends.substr(1) + "'/><origin xyz='" + origin +
           "'/><axis xyz='1 0 0'/><limit lower='-0.6' upper='0.6' velocity='1' effort='" +
           (name == "ja" ? "1" : "0") + "'/>" + mimic + "</joint>";
  };
  std::string links = "<robot name='f'>";
  for (const char* link : {"g", "a", "b", "c", "d"})
    links += "<link name='" + std::string(link) +
             "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
             "ixy='0' ixz='0' iyz='0'/></inertial></link>";
  WriteFile(folder_ / "r.urdf", links + joint("ja", "ga", "0 0 0", "") +
                                    joint("jb", "ab", "0 0 0.05", "") +
                                    joint("jc", "gc", "0 0.03 0", "") +
                                    joint("jd", "gd", "0 -0.03 0", "<mimic joint='ja'/>") +
                                    "<loop name='l' type='revolute'><predecessor link='c'><origin "
                                    "xyz='0 0 0.06'/></predecessor>"
                                    "<successor link='b'><origin xyz='0 0.03 "
                                    "0.01'/></successor><axis xyz='1 0 0'/></loop></robot>");
  const CommandResult result = Kinemorph("convert r.urdf o.urdf --to urdf --mimic fit --verify");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("written as couplings, off: joint 'jb' by 0.03 rad"));
  EXPECT_THAT(FileText(folder_ / "o.urdf"), HasSubstr("<mimic joint=\"ja\" multiplier=\"1\""));
}

// A side-car that names a motor too few says nothing of the other joints.
TEST_F(Newcomer, OnlyWhatIsNamedCountsAsDeclared) {
  const std::string arm =
      FileText(fs::path(SourceDir()) / "fixtures/mechanisms/four_bar/four_bar.urdf");
  std::string robot = arm;
  for (const char* word : {" independent=\"true\"", " independent=\"false\""})
    for (std::size_t at; (at = robot.find(word)) != std::string::npos;)
      robot.erase(at, std::string(word).size());
  WriteFile(folder_ / "r.urdf", robot);
  EXPECT_EQ(Kinemorph("convert r.urdf o.urdf --sidecar gepetto").exit_code, 0);
  std::string yaml = FileText(folder_ / "o.yaml");
  const auto named = [&](const std::string& motors) {
    std::string text = yaml;
    for (const char* key : {"name_mot:", "independent:", "dependent:"})
      if (const std::size_t at = text.find(std::string("\n") + key); at != std::string::npos)
        text.erase(at, text.find('\n', at + 1) - at);
    WriteFile(folder_ / "o.yaml", text + "\nname_mot: [" + motors + "]\n");
    return Kinemorph("inspect o.urdf --with o.yaml").out;
  };
  EXPECT_THAT(named("joint1"), HasSubstr("1 declared, which determine the rest"));
  EXPECT_THAT(named("joint1, joint2"),
              HasSubstr("2 declared, which is WRONG: 1 are needed; at fault: joint2"));
}

TEST_F(Newcomer, ALoopThatNothingClosesIsShown) {
  std::string robot =
      FileText(fs::path(SourceDir()) / "fixtures/mechanisms/four_bar/four_bar.urdf");
  const std::string end = "xyz=\"0.12 0 0.16\"";
  robot.replace(robot.find(end), end.size(), "xyz=\"9 0 0.16\"");
  WriteFile(folder_ / "r.urdf", robot);
  EXPECT_THAT(Kinemorph("convert r.urdf r.xml").err,
              AllOf(HasSubstr("[mjcf-open-loop]"), HasSubstr("`kinemorph lint` says why")));
}

TEST_F(Newcomer, BothEquationsOfAMimicAndBothAxesAreSaid) {
  const auto robot = [](const std::string& mimic, const std::string& axis) {
    const std::string body =
        "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
        "iyz='0'/></inertial></link>";
    return "<robot name='r'><link name='a'>" + body + "<link name='b'>" + body + "<link name='c'>" +
           body +
           "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><axis xyz='" +
           axis +
           "'/></joint><joint name='k' type='continuous'><parent link='a'/><child link='c'/>"
           "<axis xyz='0 0 1'/><mimic joint='j' " +
           mimic + "/></joint></robot>";
  };
  WriteFile(folder_ / "a.urdf", robot("multiplier='2'", "0 0 1"));
  WriteFile(folder_ / "b.urdf", robot("multiplier='3' offset='0.1'", "0 0.6 0.8"));
  EXPECT_THAT(Kinemorph("diff a.urdf b.urdf").out,
              AllOf(HasSubstr("'k': loop closure differs: q('k') - 2 q('j') = 0 against q('k') - 3 "
                              "q('j') = 0.1\n"),
                    HasSubstr("'j': joint frames differ: 'b' in 'a' at zero, axis 0 0 1 against 0 "
                              "0.6 0.8\n")));
}

// A row that stands for several says so where the others have other numbers.
TEST_F(Newcomer, OtherValuesOfARowAreNotThoseOfTheFirst) {
  const auto robot = [](const std::string& velocity) {
    std::string text = "<robot name='r'><link name='a'/>";
    for (const char* name : {"b", "c", "d"})
      text += "<link name='" + std::string(name) +
              "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
              "iyz='0'/></inertial></link><joint name='j" +
              name + "' type='continuous'><parent link='a'/><child link='" + name +
              "'/><axis xyz='0 0 1'/><limit effort='1' velocity='" +
              (*name == 'd' ? velocity : "5") + "'/></joint>";
    return text + "</robot>";
  };
  WriteFile(folder_ / "r.urdf", robot("5"));
  EXPECT_THAT(Kinemorph("convert r.urdf r.xml").err,
              HasSubstr("joint 'jb' (and 'jc', 'jd'): velocity limit 5 is not written"));
  WriteFile(folder_ / "s.urdf", robot("7"));
  EXPECT_THAT(
      Kinemorph("convert s.urdf s.xml").err,
      HasSubstr("joint 'jb' (and 'jc', 'jd' with other values): velocity limit 5 is not written"));
}

TEST_F(Newcomer, AsManyLinksAreCountedAsAreWritten) {
  WriteFile(folder_ / "r.xml",
            "<mujoco><worldbody><body name='a'><joint type='ball'/><geom size='.1'/><body "
            "name='b' pos='1 0 0'><joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0'/>"
            "<geom size='.1'/></body></body></worldbody></mujoco>");
  const std::string said = Kinemorph("convert r.xml r.urdf").err;
  EXPECT_THAT(said, HasSubstr("read  r.xml: mjcf, 2 links, 3 joints\n"));
  const std::string urdf = FileText(folder_ / "r.urdf");
  std::size_t links = 0;
  for (std::size_t at = 0; (at = urdf.find("<link ", at)) != std::string::npos; ++at) ++links;
  EXPECT_GT(links, 3u);
  EXPECT_THAT(said, HasSubstr("wrote r.urdf: urdf, " + std::to_string(links) + " links, "));
}

TEST_F(Newcomer, WhyMeshesAreNotFoundIsShown) {
  std::filesystem::create_directories(folder_ / "meshes");
  std::string robot = "<robot name='r'><link name='a'>";
  for (const char* mesh : {"a", "b"})
    robot += "<visual><geometry><mesh filename='package://arm/" + std::string(mesh) +
             ".stl'/></geometry></visual>";
  WriteFile(folder_ / "r.urdf", robot + "</link></robot>");
  EXPECT_THAT(Kinemorph("convert r.urdf r.xml --package arm=meshes --verify").err,
              HasSubstr("2 files are not found: not found in the folder of its package, "));
  const CommandResult nowhere = Kinemorph("convert r.urdf r.xml --package arm=nowhere");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--package: 'nowhere' is not a folder"));
}

TEST_F(Newcomer, WhatFailsIsShownQuietlyToo) {
  WriteFile(folder_ / "r.urdf",
            "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='revolute'>"
            "<parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>");
  const CommandResult quiet = Kinemorph("lint r.urdf -q"),
                      failing = Kinemorph("lint r.urdf -q --fail-on warning");
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(failing.exit_code, 1);
  EXPECT_THAT(failing.err, AllOf(HasSubstr("[limit-missing]"), Not(HasSubstr("note: "))));
}

// A slider-crank that is drawn stretched, where the slide says nothing of the crank's motion, and
// whose limits leave that posture out.
TEST_F(Newcomer, WhatIsADeadCentreOnlyAsDrawnMayBeIndependent) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
           "iyz='0'/></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& ends,
                        const std::string& limit) {
    return "<joint name='" + name + "' " + ends + "<limit " + limit + " velocity='9'/></joint>";
  };
  WriteFile(folder_ / "r.urdf",
            "<robot name='r'>" + link("base") + link("crank") + link("rod") + link("piston") +
                joint("turn",
                      "type='revolute'><parent link='base'/><child link='crank'/>"
                      "<axis xyz='0 0 1'/>",
                      "lower='0.1' upper='1.4' effort='0'") +
                joint("pin",
                      "type='revolute'><parent link='crank'/><child link='rod'/>"
                      "<origin xyz='.2 0 0'/><axis xyz='0 0 1'/>",
                      "lower='-3' upper='0' effort='0'") +
                joint("slide",
                      "type='prismatic'><parent link='base'/><child link='piston'/>"
                      "<origin xyz='.6 0 0'/><axis xyz='1 0 0'/>",
                      "lower='-.3' upper='-.01' effort='9'") +
                "<loop name='l' type='revolute'><link1 link='rod' xyz='.4 0 0'/>"
                "<link2 link='piston'/><axis xyz='0 0 1'/></loop></robot>");
  EXPECT_EQ(Kinemorph("convert r.urdf o.urdf --independent slide --verify").exit_code, 0);
  EXPECT_THAT(Kinemorph("inspect o.urdf").out,
              HasSubstr("independent: slide; dependent: turn, pin"));
  const CommandResult two =
      Kinemorph("convert r.urdf p.urdf --independent slide --independent turn");
  EXPECT_EQ(two.exit_code, 1);
  EXPECT_THAT(two.err, HasSubstr("[independent-impossible]"));
}

TEST_F(Newcomer, WhatFollowsFromADifferenceStandsBelowIt) {
  WriteFile(folder_ / "r.urdf", kRobot);
  std::string other = kRobot;
  other.replace(other.find("xyz='0 0 1'"), 11, "xyz='0.6 0 0.8'");
  WriteFile(folder_ / "s.urdf", other);
  const std::string said = Kinemorph("diff r.urdf s.urdf").out;
  EXPECT_THAT(said, HasSubstr(" against 0.6 0 0.8"));
  EXPECT_THAT(said, HasSubstr("what may follow from that: "));
  EXPECT_THAT(said, Not(HasSubstr("link motions differ\n")));
}

TEST_F(Newcomer, AFolderThatIsNotThereIsSaid) {
  WriteFile(folder_ / "r.urdf", "<robot name='r'><link name='a'/></robot>");
  const CommandResult result = Kinemorph("convert r.urdf sub/o.urdf --verify");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("folder does not exist"));
}

// A program that would not load the file is no next step, and ours is none beside losses.
TEST_F(Newcomer, TheNextStepIsOneThatWorks) {
  WriteFile(folder_ / "mesh.urdf",
            "<robot name='r'><link name='a'><visual><geometry><mesh filename='no.stl'/></geometry>"
            "</visual></link></robot>");
  EXPECT_THAT(Kinemorph("convert mesh.urdf o.xml --verify").err,
              AllOf(HasSubstr("MuJoCo stops at missing meshes"), Not(HasSubstr("next:"))));
  WriteFile(folder_ / "lossy.xml",
            "<mujoco><worldbody><body><joint armature='1'/><geom size='.1' mass='1'/></body>"
            "</worldbody></mujoco>");
  EXPECT_THAT(Kinemorph("convert lossy.xml o.urdf --verify").err,
              AllOf(HasSubstr("of motion"), Not(HasSubstr("next:"))));
  WriteFile(folder_ / "driven.sdf",
            "<sdf version='1.9'><model name='m'><link name='a'/><link name='b'/><joint name='j' "
            "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz><limit>"
            "<effort>5</effort></limit></axis></joint></model></sdf>");
  EXPECT_THAT(Kinemorph("convert driven.sdf o.urdf --profile drake").err,
              HasSubstr("hint: no actuators, so nothing drives the robot: add --actuators motor"));
}

// What nothing holds falls, in a simulation too.
TEST_F(Newcomer, ASimulationSaysThatItsBaseFalls) {
  WriteFile(folder_ / "r.sdf",
            "<sdf version='1.9'><model name='m'><link name='a'/><link name='b'/><joint name='j' "
            "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis>"
            "</joint></model></sdf>");
  const std::string run = "simulate r.sdf -o r.csv --time 0.01";
  EXPECT_THAT(Kinemorph(run).err, HasSubstr("link 'a' is the base, which nothing holds: it is free "
                                            "here, and falls (--base fixed holds it) [base-free]"));
  for (const char* held : {" --base fixed", " --base floating", " --gravity 0,0,0"})
    EXPECT_THAT(Kinemorph(run + held).err, Not(HasSubstr("base-free"))) << held;
}

TEST_F(Newcomer, ABatchSaysWhereMeshesAreMissed) {
  WriteFile(folder_ / "in/r.urdf",
            "<robot name='r'><link name='a'><collision><geometry><mesh filename='a.stl'/>"
            "</geometry></collision></link></robot>");
  const std::string hint = "MuJoCo stops at missing meshes";
  EXPECT_THAT(Kinemorph("batch in -o x --to mjcf").err, HasSubstr(hint));
  EXPECT_THAT(Kinemorph("batch in -o y --to mjcf --drop shape-mesh").err, Not(HasSubstr(hint)));
  EXPECT_THAT(Kinemorph("batch in -o z --to sdf").err, Not(HasSubstr(hint)));
}

// Declared dependent, though nothing determines them; and joints of user code, which stand still.
TEST_F(Newcomer, WrongAndDrivenJointsOfRobotranAreSaid) {
  const auto body = [](const std::string& name, const std::string& nature) {
    return "<body><bodyname>b" + name +
           "</bodyname><parent><bodyname>base</bodyname><pointname>origin</pointname></parent>"
           "<joint><jointname>j" +
           name + "</jointname><type>R2</type><nature>" + nature +
           "</nature></joint><mass>1</mass><inertia><Ixx>1</Ixx><Iyy>1</Iyy><Izz>1</Izz></inertia>"
           "</body>";
  };
  WriteFile(folder_ / "r.mbs",
            "<mbsDescR7><mbsname>r</mbsname><base><baseBodyName>b</baseBodyName></base><bodytree>" +
                body("1", "dependent") + body("2", "driven") + "</bodytree></mbsDescR7>");
  const CommandResult inspected = Kinemorph("inspect r.mbs");
  EXPECT_THAT(inspected.out, HasSubstr("0 declared, which is WRONG: 1 are needed; at fault: j1"))
      << inspected.err;
  EXPECT_THAT(Kinemorph("convert r.mbs r.sdf").err,
              HasSubstr("\nr.mbs:1: warning: 'j2': user code may move"));
}

// Two bars are as long together as the third, on one pivot: the rank says two freedoms, and there is
// one motion.
TEST_F(Newcomer, WhatIsFreeByTheRankAndCannotMoveIsSaid) {
  const auto robot = [](const std::string& rod) {
    const auto link = [](const std::string& name) {
      return "<link name='" + name +
             "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
             "iyz='0'/></inertial></link>";
    };
    const auto joint = [](const std::string& name, const std::string& p, const std::string& s,
                          const std::string& x) {
      return "<joint name='" + name + "' type='continuous'><parent link='" + p +
             "'/><child link='" + s + "'/><origin xyz='" + x + " 0 0'/><axis xyz='0 0 1'/></joint>";
    };
    return "<robot name='r'>" + link("base") + link("a") + link("b") + link("c") +
           joint("ja", "base", "a", "0") + joint("jb", "a", "b", ".1") +
           joint("jc", "base", "c", "0") + "<loop name='l' type='ball'><link1 link='b' xyz='" +
           rod + " 0 0'/><link2 link='c' xyz='.3 0 0'/></loop></robot>";
  };
  WriteFile(folder_ / "r.urdf", robot(".2"));
  EXPECT_THAT(Kinemorph("inspect r.urdf").out,
              HasSubstr("cannot move all the same (a dead centre in every posture): jb\n"));
  EXPECT_THAT(Kinemorph("lint r.urdf").err, HasSubstr("[lint-loop-stuck]"));
  WriteFile(folder_ / "s.urdf", robot(".25"));
  EXPECT_THAT(Kinemorph("inspect s.urdf").out, Not(HasSubstr("cannot move")));
  EXPECT_THAT(Kinemorph("lint s.urdf").err, Not(HasSubstr("[lint-loop-stuck]")));
}

// Each was refused by its own proof, or by a library that is not asked to read it.
TEST_F(Newcomer, WhatOptionsMakeIsProved) {
  const std::string fixtures = SourceDir() + "/fixtures/",
                    mass = "<inertial><mass>1</mass></inertial>";
  // The links of a split joint stand in a nested model.
  WriteFile(folder_ / "nested.sdf",
            "<sdf version='1.9'><model name='m'><link name='base'>" + mass +
                "</link><model name='n'><link name='a'>" + mass +
                "</link></model><joint name='ball' type='ball'><parent>base</parent>"
                "<child>n::a</child></joint></model></sdf>");
  // Links that the world alone holds, and a loop that becomes mimics: half of a parallelogram.
  const auto bar = [&](const std::string& name, const std::string& pose) {
    return "<link name='" + name + "'><pose>" + pose + " 0 0 0 0</pose>" + mass + "</link>";
  };
  const auto hinge = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& pose) {
    return "<joint name='" + name + "' type='revolute'><pose>" + pose + " 0 0 0 0</pose><parent>" +
           parent + "</parent><child>" + child + "</child><axis><xyz>0 0 1</xyz></axis></joint>";
  };
  WriteFile(folder_ / "bars.sdf",
            "<sdf version='1.9'><model name='m'>" + bar("a", "0 0") + bar("b", "0 1") +
                bar("c", "2 0") + hinge("ja", "world", "a", "0 0") + hinge("jb", "a", "b", "0 0") +
                hinge("jc", "world", "c", "0 0") + hinge("loop", "b", "c", "0 1") +
                "</model></sdf>");
  // Links that are merged: without mass into one whose moments no body has, and without gravity.
  const auto link = [](const std::string& name, const std::string& moment) {
    return "<link name='" + name +
           "'><inertial><origin xyz='0.1 0.2 0.3' rpy='0.1 0.2 0.3'/><mass value='1'/><inertia "
           "ixx='0.1' iyy='0.1' izz='" +
           moment + "' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child) {
    return "<joint name='" + name + "' type='" + type + "'><origin xyz='0 0.1 0' rpy='0.3 0 0'/>" +
           "<parent link='" + parent + "'/><child link='" + child +
           "'/><axis xyz='0 1 0'/></joint>";
  };
  WriteFile(folder_ / "merged.urdf",
            "<robot name='r'><link name='world'/>" + link("base", "0.1") + "<link name='palm'/>" +
                link("part", "0.5") + link("arm", "0.1") + joint("w", "fixed", "world", "base") +
                joint("turn", "continuous", "base", "palm") + joint("f", "fixed", "palm", "part") +
                joint("j", "continuous", "palm", "arm") +
                "<gazebo reference='palm'><gravity>0</gravity></gazebo>"
                "<gazebo reference='part'><gravity>0</gravity></gazebo></robot>");
  // What a format says of a material beside its shapes; and a model that stands still by a word.
  WriteFile(folder_ / "looks.xml",
            "<mujoco><asset><material name='red' rgba='1 0 0 1' specular='0.3'/></asset><worldbody>"
            "<geom type='plane' size='1 1 1' material='red' contype='0' conaffinity='0'/>"
            "</worldbody></mujoco>");
  WriteFile(folder_ / "still.sdf", "<sdf version='1.9'><model name='m'><static>true</static>" +
                                       bar("a", "0 0") + "</model></sdf>");
  // What libsdformat 12 does not know, and what it would fetch.
  WriteFile(folder_ / "sensor.sdf", "<sdf version='1.9'><model name='m'><link name='a'>" + mass +
                                        "<sensor name='s' type='air_speed'/></link></model></sdf>");
  WriteFile(folder_ / "world.sdf",
            "<sdf version='1.9'><world name='w'><include><uri>https://fuel.gazebosim.org/1.0/"
            "openrobotics/models/Pallet</uri></include><model name='m'>" +
                bar("a", "0 0") + "</model></world></sdf>");
  // Links that a loop keeps apart beside a side-car, and touch in the source.
  const auto limb = [](const std::string& name, const std::string& pos, const std::string& end,
                       const std::string& more) {
    return "<body name='" + name + "' pos='" + pos + "'><joint name='j" + name +
           "' axis='1 0 0'/><geom type='capsule' size='.02' fromto='0 0 0 " + end + "'/>" + more +
           "</body>";
  };
  WriteFile(folder_ / "touch.xml",
            "<mujoco><worldbody><body name='a'><geom type='capsule' size='.02' "
            "fromto='0 0 0 0 0 1'/>" +
                limb("b", "0.1 0 0", "0 1 0",
                     limb("c", "-0.1 1 0", "0 0 1", limb("d", "0.1 0 1", "0 -1 0", ""))) +
                "</body></worldbody><equality><connect body1='a' body2='d' anchor='0 0 1'/>"
                "</equality></mujoco>");
  // MBS has one drive for a joint.
  WriteFile(folder_ / "drives.xml",
            "<mujoco><worldbody><body><geom size='0.1'/><joint name='j'/></body></worldbody>"
            "<actuator><cylinder name='c' joint='j'/><motor name='m' joint='j'/></actuator>"
            "</mujoco>");
  for (const std::string line :
       {"touch.xml o.urdf --to urdf --sidecar gepetto", "sensor.sdf o.sdf", "world.sdf o.sdf",
        "nested.sdf o.urdf --to urdf+ --profile paper", "drives.xml o.mbs",
        "looks.xml o.xml --drop visual", "still.sdf o.usda --base floating",
        "still.sdf o.sdf --base floating", "bars.sdf o.usda --base fixed",
        "nested.sdf o.sdf --base fixed", "merged.urdf o.sdf --fixed merge",
        "merged.urdf o.mbs --fixed merge", "nested.sdf o.sdf --ball-as hinges",
        "bars.sdf o.urdf --to urdf --base fixed", "km_r.urdf o.urdf --to urdf --mimic fit",
        "urdf-1-2.urdf o.urdf --to urdf --profile drake"}) {
    const std::string file = line.substr(0, line.find(' '));
    const std::string at = file == "km_r.urdf"       ? fixtures + "motion/km_r/"
                           : file == "urdf-1-2.urdf" ? fixtures + "features/urdf-1-2/"
                                                     : "";
    const CommandResult result = Kinemorph("convert " + at + line + " --verify");
    EXPECT_EQ(result.exit_code, 0) << line << '\n' << result.err;
    EXPECT_THAT(result.err, HasSubstr("equivalent")) << line;
    // The library judges the rest, but where it is the one of MBS, USD or a version too old.
    if (file == "sensor.sdf" || file == "world.sdf" || line.ends_with("paper")) {
      EXPECT_THAT(result.err, HasSubstr("accepts the file")) << line;
    }
  }
}

// Also of links that a conversion makes, in a tree without loops.
TEST_F(Newcomer, MassesThatAreAskedForGoToEveryMovingLink) {
  WriteFile(folder_ / "cart.xml",
            "<mujoco><worldbody><body name='cart'><joint name='x' type='slide' axis='1 0 0'/>"
            "<joint name='z' type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody>"
            "</mujoco>");
  ASSERT_EQ(Kinemorph("convert cart.xml o.urdf --massless 0.125 --verify").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "o.urdf"), HasSubstr("<mass value=\"0.125\"/>"));
}

// What --cut asked for shows in the file, and what is lost by it is no other difference.
TEST_F(Newcomer, AFileThatIsCutElsewhereIsTheSameRobot) {
  const std::string robot = SourceDir() + "/fixtures/mechanisms/four_bar/four_bar.urdf";
  for (const char* name : {"c.urdf", "c.xml", "c.usda"}) {
    const std::string out(name);
    ASSERT_EQ(
        Kinemorph("convert " + robot + " " + out + " --cut joint2 --loss-report r.json").exit_code,
        0)
        << out;
    const CommandResult strangers = Kinemorph("verify " + robot + " " + out);
    EXPECT_THAT(strangers.out, HasSubstr("\nequivalent except: ")) << out << strangers.err;
    EXPECT_EQ(strangers.exit_code, 1) << out;
    const CommandResult told = Kinemorph("verify " + robot + " " + out + " --report r.json");
    EXPECT_EQ(told.exit_code, 0) << out << told.out << told.err;
  }
}

// Every joint of the triangle is held at zero, where its loop is open; with room for two it closes.
TEST_F(Newcomer, LoopsThatTheLimitsHoldOpenAreNamed) {
  const auto robot = [](const std::string& room) {
    const auto link = [](const std::string& name) {
      return "<link name='" + name +
             "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
             "iyz='0'/></inertial></link>";
    };
    const auto joint = [&](const std::string& name, const std::string& p, const std::string& s,
                           const std::string& at) {
      return "<joint name='" + name + "' type='revolute'><parent link='" + p + "'/><child link='" +
             s + "'/><origin xyz='" + at + " 0'/><axis xyz='0 0 1'/><limit lower='-" + room +
             "' upper='" + room + "' effort='1' velocity='1'/></joint>";
    };
    return "<robot name='r'>" + link("base") + link("a") + link("b") + link("c") +
           joint("ja", "base", "a", "0 0") + joint("jb", "a", "b", "0 1") +
           joint("jc", "base", "c", "1 0") +
           "<loop name='l' type='ball'><link1 link='b' xyz='1.2 0 0'/><link2 link='c' xyz='0 1 "
           "0'/></loop></robot>";
  };
  WriteFile(folder_ / "r.urdf", robot("0.01"));
  EXPECT_THAT(Kinemorph("lint r.urdf").err,
              AllOf(HasSubstr("[lint-loop-limits]"), HasSubstr("its limits are -0.01 and 0.01")));
  EXPECT_THAT(Kinemorph("inspect r.urdf").out, HasSubstr("OUTSIDE of the joints' limits only"));
  WriteFile(folder_ / "s.urdf", robot("1.5"));
  EXPECT_THAT(Kinemorph("lint s.urdf").err, Not(HasSubstr("[lint-loop-limits]")));
  EXPECT_THAT(Kinemorph("inspect s.urdf").out, Not(HasSubstr("OUTSIDE")));
}

TEST_F(Newcomer, TheWorldIsNoFrameOfAModel) {
  WriteFile(folder_ / "m.sdf",
            "<sdf version='1.9'><model name='m'><link name='world_a'><pose relative_to='world'>0 0 "
            "0 0 0 0</pose></link></model></sdf>");
  const std::string said = Kinemorph("convert m.sdf m.xml").err;
  EXPECT_THAT(said, HasSubstr("a model has no frame of the world; its own is called __model__"));
  EXPECT_THAT(said, Not(HasSubstr("did you mean")));
}

// What measures and publishes moves nothing, in whatever version of Gazebo; what pushes does.
TEST_F(Newcomer, OnlyPluginsThatActAreLossesOfMotion) {
  const auto titles = [&](const std::string& file) {
    WriteFile(folder_ / "p.sdf",
              "<sdf version='1.9'><model name='m'><link name='a'/><plugin name='p' filename='" +
                  file + "'><rate>9</rate></plugin></model></sdf>");
    return Kinemorph("convert p.sdf p.xml").err;
  };
  for (const char* file : {"gz-sim-pose-publisher-system", "libgazebo_ros_p3d.so",
                           "/opt/lib/libignition-gazebo6-imu-system.so"})
    EXPECT_THAT(titles(file), AllOf(HasSubstr("1 of interface"), Not(HasSubstr("of motion"))))
        << file;
  for (const char* file : {"gz-sim-lift-drag-system", "libmine.so"})
    EXPECT_THAT(titles(file), HasSubstr("1 of motion")) << file;
}

// A sum of coordinates by name is none that acts; with a spring it is.
TEST_F(Newcomer, AFixedTendonActsByWhatItHas) {
  const auto said = [&](const std::string& spring) {
    WriteFile(folder_ / "t.xml",
              "<mujoco><worldbody><body><joint name='j' axis='0 0 1'/><geom size='.1'/></body>"
              "</worldbody><tendon><fixed name='t' " +
                  spring +
                  "><joint joint='j' coef='1'/></fixed>"
                  "</tendon></mujoco>");
    return Kinemorph("convert t.xml t.sdf").err;
  };
  for (const char* none : {"", "stiffness='0'"})
    EXPECT_THAT(said(none), Not(HasSubstr("of motion"))) << none;
  for (const char* some : {"stiffness='2'", "range='0 1'"})
    EXPECT_THAT(said(some), HasSubstr("1 of motion")) << some;
}

TEST_F(Newcomer, WhoDropsMeshesKeepsNone) {
  WriteFile(
      folder_ / "a.xml",
      "<mujoco><asset><mesh name='used' file='u.stl'/><mesh name='unused' file='v.stl'/></asset>"
      "<worldbody><body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint axis='0 0 1'/>"
      "<geom type='mesh' mesh='used'/></body></worldbody></mujoco>");
  EXPECT_EQ(Kinemorph("convert a.xml b.xml --drop shape-mesh").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "b.xml"), Not(HasSubstr("<mesh")));
  EXPECT_EQ(Kinemorph("convert a.xml c.xml").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "c.xml"), HasSubstr("unused"));
}

// Two fingers that springs hold follow nobody, and no motor is on them.
TEST_F(Newcomer, OnlyWhatTheSourceDrivesGetsACommand) {
  const auto commands = [&](const std::string& actuator) {
    WriteFile(folder_ / "r.xml",
              "<mujoco><worldbody><body name='a'><joint name='j' axis='0 0 1'/><geom size='.1'/>"
              "<body name='b' pos='1 0 0'><joint name='k' axis='0 0 1' stiffness='1'/>"
              "<geom size='.1'/></body></body></worldbody>" +
                  actuator + "</mujoco>");
    Kinemorph("convert r.xml r.urdf --to urdf --sidecar ros2_control --hardware-plugin p/S -q");
    const std::string urdf = FileText(folder_ / "r.urdf");
    std::string names;
    for (std::size_t at = 0; (at = urdf.find("<command_interface", at)) != std::string::npos; ++at)
      names += urdf.substr(urdf.rfind("<joint name=\"", at) + 13, 1);
    return names;
  };
  EXPECT_EQ(commands("<actuator><motor joint='j'/></actuator>"), "j");
  EXPECT_EQ(commands("<tendon><fixed name='t'><joint joint='k' coef='1'/></fixed></tendon>"
                     "<actuator><motor tendon='t'/></actuator>"),
            "k");
  EXPECT_EQ(commands(""), "jk");
}

TEST_F(Newcomer, VerboseListsNamesAndWhatIsRewritten) {
  WriteFile(folder_ / "r.urdf", kRobot);
  std::string robot =
      FileText(fs::path(SourceDir()) / "fixtures/mechanisms/four_bar/four_bar.urdf");
  for (std::size_t at; (at = robot.find("\"link1\"")) != std::string::npos;)
    robot.replace(at, 7, "\"link 1\"");
  WriteFile(folder_ / "n.urdf", robot);
  EXPECT_THAT(Kinemorph("convert n.urdf o.mbs --verbose").err,
              HasSubstr("renamed: link 'link 1' to 'link_1'"));
  EXPECT_THAT(Kinemorph("convert n.urdf o.urdf --to urdf --verbose").err,
              HasSubstr("rewritten exactly: loop joint 'loop1': says no more than"));
}

TEST_F(Newcomer, WordsOfTheCommandLineLeadOn) {
  WriteFile(folder_ / "r.urdf", kRobot);
  EXPECT_THAT(Kinemorph("convert r.urdf r.sdf --resume").err,
              HasSubstr("'--resume' is not an option of convert, but of batch"));
  EXPECT_THAT(Kinemorph("convert r.urdf r.xml --gains 100:5").err, HasSubstr("such as 100,5"));
  EXPECT_THAT(Kinemorph("lint r.urdf --fix=lint-limits-absent -o f.urdf").out,
              HasSubstr("wrote f.urdf; the messages are of the file as it was\n"));
  // A motor on a tendon drives the robot.
  WriteFile(
      folder_ / "t.xml",
      "<mujoco><worldbody><body><joint name='a' axis='0 0 1' actuatorfrcrange='-5 5'/><geom "
      "type='sphere' size='.1' mass='1'/></body></worldbody><tendon><fixed name='t'><joint "
      "joint='a' coef='1'/></fixed></tendon><actuator><motor tendon='t'/></actuator></mujoco>");
  EXPECT_THAT(Kinemorph("convert t.xml u.xml").err, Not(HasSubstr("no actuators")));
}

// What was asked for is in the report, and weighs what it weighs.
TEST_F(Newcomer, AReportNamesWhatWasAskedFor) {
  const std::string gripper = SourceDir() + "/fixtures/mechanisms/gripper/gripper.urdf";
  ASSERT_EQ(Kinemorph("convert " + gripper + " g.sdf --fixed merge --loss-report g.json").exit_code,
            0);
  EXPECT_EQ(Kinemorph("verify " + gripper + " g.sdf").exit_code, 1);
  EXPECT_EQ(Kinemorph("verify " + gripper + " g.sdf --report g.json").exit_code, 0);
  WriteFile(folder_ / "p.sdf",
            "<sdf version='1.9'><model name='m'><link name='a'/><plugin name='p' "
            "filename='libp.so'><force>1</force></plugin></model></sdf>");
  for (const std::string drop : {"", " --drop native-data"})
    EXPECT_THAT(Kinemorph("convert p.sdf p.xml" + drop).err, HasSubstr(": 1 of motion")) << drop;
}

// What is asked of drives and of coordinates is done, or said.
TEST_F(Newcomer, WhatCannotBeAsAskedIsSaid) {
  const auto limited = [](const std::string& name, const std::string& child,
                          const std::string& mimic) {
    return "<link name='" + child + "'/><joint name='" + name +
           "' type='revolute'><parent link='palm'/><child link='" + child +
           "'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='5' velocity='2'/>" + mimic +
           "</joint>";
  };
  WriteFile(folder_ / "hand.urdf",
            "<robot name='hand'><link name='palm'/>" + limited("knuckle", "a", "") +
                limited("tip", "b", "<mimic joint='knuckle'/>") + "</robot>");
  // Servos work against no mimic, unless they are named.
  for (const std::string out : {"h.xml", "h.sdf", "h.usda"}) {
    ASSERT_EQ(Kinemorph("convert hand.urdf " + out + " --gains 40,2").exit_code, 0);
    const std::string model = Kinemorph("dump " + out).out;
    EXPECT_THAT(model, HasSubstr(" stiffness 40\n")) << out;
    EXPECT_EQ(model.find(" stiffness 40\n"), model.rfind(" stiffness 40\n")) << out;
  }
  EXPECT_EQ(Kinemorph("convert hand.urdf t.xml --gains tip:40,2").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "t.xml"), HasSubstr("tip_servo"));
  EXPECT_THAT(Kinemorph("convert hand.urdf n.xml --gains 40,2 --drop effort-limit").err,
              HasSubstr("--gains makes no servo"));
  // Drake's profile and Robotran have no servos.
  for (const char* to : {"d.urdf --profile drake", "d.mbs"})
    EXPECT_THAT(Kinemorph("convert hand.urdf " + std::string(to) + " --gains 40,2").err,
                HasSubstr("actuator 'knuckle_servo': actuator of type 'position': its control law "
                          "is not written"));
  // A declared joint that becomes a loop joint; a loop joint that becomes one has no declaration.
  const std::string leg =
      SourceDir() + "/fixtures/mechanisms/planar_leg_linkage/planar_leg_linkage.urdf";
  const auto losses_of = [&](const std::string& cut) {
    return Kinemorph("convert " + leg + " c.urdf --cut " + cut).err;
  };
  EXPECT_THAT(losses_of("driver_knee"),
              HasSubstr("declared independent, which is not written: the joint closes a loop"));
  EXPECT_THAT(losses_of("support_knee"), Not(HasSubstr("declared")));
}

// An MBS file that is changed as asked is another text than its source.
TEST_F(Newcomer, MbsToItselfIsProvedWhateverIsAsked) {
  ASSERT_EQ(
      Kinemorph("convert " + SourceDir() + "/fixtures/mechanisms/four_bar/four_bar.urdf a.mbs")
          .exit_code,
      0);
  for (const std::string asked : {"", "--independent joint2", "--base floating", "--cut joint1",
                                  "--drop damping", "--fixed merge"})
    EXPECT_EQ(Kinemorph("convert a.mbs b.mbs --verify " + asked).exit_code, 0) << asked;
}

}  // namespace
}  // namespace kinemorph::test
