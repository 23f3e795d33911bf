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

}  // namespace
}  // namespace kinemorph::test
