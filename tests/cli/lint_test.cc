// `lint`, `inspect --lint`: exit codes, forms of messages, folders, fixes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CliLint : public testing::Test {
 protected:
  CommandResult Kinemorph(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path());
  }
  void WriteRobot(const std::string& path, const std::string& limit = "lower='-1' upper='1' ",
                  const std::string& type = "revolute") {
    const std::string inertial =
        "<inertial><mass value='1'/><inertia ixx='1e-3' ixy='0' ixz='0' iyy='2e-3' iyz='0' "
        "izz='2e-3'/></inertial>";
    WriteFile(folder_ / path, "<robot name='r'>\n<link name='a'>" + inertial +
                                  "</link>\n<link name='b'>" + inertial +
                                  "</link>\n<joint name='j' type='" + type +
                                  "'><parent link='a'/><child link='b'/><axis xyz='0 0 2'/>"
                                  "<limit " +
                                  limit + "effort='1' velocity='1'/></joint>\n</robot>\n");
  }
  TemporaryFolder folder_;
};

TEST_F(CliLint, AWordHasCodeLineAndRemedyInEveryForm) {
  WriteRobot("r.urdf", "");
  const CommandResult text = Kinemorph("lint r.urdf");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.err, HasSubstr("r.urdf:4: warning: joint 'j': its <limit> has neither lower nor "
                                  "upper; URDF reads 0 and 0, so the joint is locked "
                                  "[lint-limits-absent]\n  help: type=\"continuous\""));
  EXPECT_THAT(text.err, Not(HasSubstr("[limit-default-zero]")));  // the word says more
  EXPECT_EQ(text.out, "r.urdf: 0 errors, 2 warnings, 0 notes\n");
  const CommandResult lines = Kinemorph("lint r.urdf --diagnostics json -q");
  EXPECT_EQ(lines.err, "");  // errors only
  const CommandResult all = Kinemorph("lint r.urdf --diagnostics json");
  const json word = json::parse(all.err.substr(all.err.find('\n') + 1));
  EXPECT_EQ(word["code"], "lint-limits-absent");
  EXPECT_EQ(word["line"], 4);
  const json sarif = json::parse(Kinemorph("lint r.urdf r.urdf --diagnostics sarif").err);
  EXPECT_EQ(sarif["runs"][0]["results"].size(), 4u);
  EXPECT_THAT(Kinemorph("lint r.urdf --diagnostics github").err,
              HasSubstr("::warning file=r.urdf,line=4"));
}

TEST_F(CliLint, ErrorsExitWithOne) {
  WriteRobot("r.urdf", "lower='-1' upper='1' ", "revolut");
  EXPECT_EQ(Kinemorph("lint r.urdf").exit_code, 1);
  EXPECT_EQ(Kinemorph("lint none.urdf").exit_code, 1);
  EXPECT_EQ(Kinemorph("lint").exit_code, 2);
}

TEST_F(CliLint, FoldersAndGlobs) {
  WriteRobot("in/a.urdf", "");
  WriteRobot("in/deep/b.urdf");
  WriteFile(folder_ / "in/readme.txt", "no robot");
  EXPECT_THAT(Kinemorph("lint in").out, HasSubstr("2 files: 0 errors, 3 warnings, 0 notes"));
  EXPECT_THAT(Kinemorph("lint in --include 'deep/*'").out, HasSubstr("in/deep/b.urdf: 0 errors"));
  EXPECT_THAT(Kinemorph("lint in --exclude b.urdf").out, HasSubstr("in/a.urdf: 0 errors"));
}

TEST_F(CliLint, LossesOnRequest) {
  WriteRobot("r.urdf");
  EXPECT_THAT(Kinemorph("lint r.urdf").err, Not(HasSubstr("[loss-velocity-limit]")));
  EXPECT_THAT(Kinemorph("lint r.urdf --to mjcf").err, HasSubstr("[loss-velocity-limit]"));
  EXPECT_EQ(Kinemorph("lint r.urdf --to mjfc").exit_code, 2);
}

TEST_F(CliLint, FixesGoToAnotherFile) {
  WriteRobot("r.urdf", "");
  const std::string before = FileText(folder_ / "r.urdf");
  const CommandResult certain = Kinemorph("lint --fix r.urdf -o s.urdf");
  EXPECT_EQ(certain.exit_code, 0) << certain.err;
  EXPECT_THAT(certain.out, HasSubstr("fixed r.urdf:4: '0 0 2' became '0 0 1'"));
  EXPECT_THAT(FileText(folder_ / "s.urdf"), HasSubstr("type='revolute'"));
  const CommandResult asked = Kinemorph("lint --fix=lint-limits-absent r.urdf -o s.urdf");
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_THAT(FileText(folder_ / "s.urdf"), HasSubstr("type='continuous'"));
  EXPECT_EQ(Kinemorph("lint s.urdf").out, "s.urdf: 0 errors, 0 warnings, 0 notes\n");
  EXPECT_EQ(FileText(folder_ / "r.urdf"), before);
  for (const char* wrong :
       {"lint --fix r.urdf", "lint --fix r.urdf -o r.urdf", "lint r.urdf -o s.urdf",
        "lint --fix=lint-mass-unit r.urdf -o s.urdf", "lint --fix r.urdf s.urdf -o t.urdf"})
    EXPECT_EQ(Kinemorph(wrong).exit_code, 2) << wrong;
}

TEST_F(CliLint, InspectSaysItTooOnRequest) {
  WriteRobot("r.urdf", "");
  EXPECT_THAT(Kinemorph("inspect r.urdf").err, Not(HasSubstr("lint-")));
  const CommandResult run = Kinemorph("inspect r.urdf --lint --json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const json all = json::parse(run.out);
  EXPECT_EQ(all["diagnostics"].back()["code"], "lint-limits-absent");
}

// Words about a xacro file stand where it was written.
TEST_F(CliLint, OfXacroTheLineThatWasWritten) {
  WriteFile(folder_ / "r.urdf.xacro",
            "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n"
            "<xacro:property name='kg' value='${5 * 4000}'/>\n<link name='a'/>\n"
            "<xacro:macro name='body'><link name='b'>\n<inertial><mass value='${kg}'/>"
            "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
            "</xacro:macro>\n<xacro:body/>\n"
            "<link name='c'/><joint name='i' type='continuous'><parent link='a'/><child link='b'/>"
            "<origin xyz='0 0 1'/><axis xyz='0 0 1'/></joint>"
            "<joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint></robot>\n");
  const CommandResult run = Kinemorph("lint r.urdf.xacro");
  EXPECT_THAT(run.err, HasSubstr("r.urdf.xacro:5: warning: link 'b' weighs 20000 kg"));
  EXPECT_THAT(run.err, HasSubstr("in macro 'body', called at r.urdf.xacro:6"));
  EXPECT_EQ(Kinemorph("lint --fix r.urdf.xacro -o s.urdf").exit_code, 2);
}

}  // namespace
}  // namespace kinemorph::test
