// The page that `kinemorph view` writes: what is in it, whom it replaces, when it is written again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr const char* kRobot =
    "<robot name=\"r\"><link name=\"a\"><visual><geometry><mesh filename=\"package://r/m.stl\"/>"
    "</geometry></visual></link></robot>\n";

class View : public testing::Test {
 protected:
  View() {
    WriteFile(folder_ / "empty.html", "<html><!-- kinemorph: the robot stands here --></html>");
    WriteFile(folder_ / "r/robot.urdf", kRobot);
    WriteFile(folder_ / "r/m.stl", "solid m\nendsolid m\n");
    WriteFile(folder_ / "r/package.xml", "<package><name>r</name></package>");
  }
  CommandResult Run(const std::string& arguments, const std::string& before = "") {
    return Shell("export KINEMORPH_PAGE=empty.html; unset DISPLAY WAYLAND_DISPLAY; " + before +
                     " " KINEMORPH_COMMAND " view " + arguments,
                 folder_.path());
  }
  // What the page carries.
  Json Given(const std::string& file) {
    const std::string page = FileText(folder_ / file);
    const std::size_t from = page.find('{'), end = page.find("</script>");
    return from < end ? Json::parse(page.substr(from, end - from), nullptr, false) : Json();
  }
  TemporaryFolder folder_;
};

TEST_F(View, CarriesTheRobotItsMeshesAndTheManifest) {
  const CommandResult seen = Run("r/robot.urdf");
  EXPECT_EQ(seen.exit_code, 0) << seen.err;
  EXPECT_EQ(seen.out, "robot.html\n");
  const Json given = Given("robot.html");
  EXPECT_EQ(given["name"], "robot.urdf");
  EXPECT_EQ(given["files"]["m.stl"], "c29saWQgbQplbmRzb2xpZCBtCg==");
  EXPECT_TRUE(given["files"].contains("package.xml"));
  EXPECT_EQ(given["files"].size(), 3U);
  EXPECT_EQ(Run("r/robot.urdf").exit_code, 0) << "a page of its own is written again";
}

TEST_F(View, OfPackagesItHasTheNameAlone) {
  WriteFile(folder_ / "r/package.xml",
            "<package><name>r</name><maintainer email=\"a@b\"/></package>");
  // Base64 of <package><name>r</name></package> and an end of line.
  const std::string name_alone = "PHBhY2thZ2U+PG5hbWU+cjwvbmFtZT48L3BhY2thZ2U+Cg==";
  EXPECT_EQ(Run("r/robot.urdf").exit_code, 0);
  EXPECT_EQ(Given("robot.html")["files"]["package.xml"], name_alone);
  // A folder that is called otherwise than its package, or has no manifest.
  WriteFile(folder_ / "elsewhere/m.stl", "solid m\nendsolid m\n");
  fs::remove(folder_ / "r/package.xml");
  EXPECT_EQ(Run("r/robot.urdf --package r=elsewhere").exit_code, 0);
  const Json given = Given("robot.html")["files"];
  EXPECT_EQ(given["elsewhere/package.xml"], name_alone);
  EXPECT_EQ(given.size(), 3U);
}

TEST_F(View, NothingAboveTheRobotGoesIn) {
  WriteFile(folder_ / "secret", "<name>secret</name>");
  fs::remove(folder_ / "r/package.xml");
  for (const char* manifest : {"package.xml", "model.config"}) {
    fs::create_symlink(folder_ / "secret", folder_ / "r" / manifest);
    fs::create_symlink("/etc/passwd", folder_ / manifest);
  }
  EXPECT_EQ(Run("r/robot.urdf").exit_code, 0);
  const Json given = Given("robot.html")["files"];
  EXPECT_EQ(given.size(), 3U) << given.dump();
  EXPECT_EQ(given["package.xml"], "PHBhY2thZ2U+PG5hbWU+cjwvbmFtZT48L3BhY2thZ2U+Cg==");
}

TEST_F(View, ReplacesNoFileOfOthers) {
  WriteFile(folder_ / "robot.html", "<html>mine</html>");
  const CommandResult seen = Run("r/robot.urdf");
  EXPECT_EQ(seen.exit_code, 2);
  EXPECT_THAT(seen.err, HasSubstr("'robot.html' is there already"));
  EXPECT_EQ(FileText(folder_ / "robot.html"), "<html>mine</html>");
  WriteFile(folder_ / "out.html.js", "mine()");
  EXPECT_EQ(Run("r/robot.urdf --watch -o out.html").exit_code, 2);
  EXPECT_EQ(FileText(folder_ / "out.html.js"), "mine()");
  EXPECT_EQ(Run("r/robot.urdf -o r/robot.urdf").exit_code, 2);
  EXPECT_EQ(FileText(folder_ / "r/robot.urdf"), kRobot);
}

TEST_F(View, WithoutThePageSaysHowToMakeIt) {
  const CommandResult named = Run("r/robot.urdf", "KINEMORPH_PAGE=none.html");
  EXPECT_EQ(named.exit_code, 1);
  EXPECT_THAT(named.err, HasSubstr("KINEMORPH_PAGE: there is no 'none.html'"));
  const CommandResult other = Run("r/robot.urdf", "KINEMORPH_PAGE=r/robot.urdf");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("is not a page of this kinemorph"));
  const CommandResult absent = Shell(
      "cp " KINEMORPH_COMMAND " ./alone && ./alone view r/robot.urdf --no-open", folder_.path());
  EXPECT_EQ(absent.exit_code, 1);
  EXPECT_THAT(absent.err, HasSubstr("tools/web/build"));
}

TEST_F(View, RobotWithErrorsIsNoPage) {
  WriteFile(folder_ / "bad.urdf", "<robot name=\"bad\"><link/></robot>");
  const CommandResult seen = Run("bad.urdf");
  EXPECT_EQ(seen.exit_code, 1);
  EXPECT_THAT(seen.err, HasSubstr("bad.urdf:1"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bad.html"));
}

TEST_F(View, StandardInputGoesIn) {
  const CommandResult seen = Run("- -o piped.html < r/robot.urdf");
  EXPECT_EQ(seen.exit_code, 0) << seen.err;
  EXPECT_EQ(Given("piped.html")["name"], "robot.xml");
  EXPECT_TRUE(Given("piped.html")["files"].contains("m.stl")) << "found below this folder";
  EXPECT_EQ(Run("- --watch < r/robot.urdf").exit_code, 2);
}

TEST_F(View, NothingInARobotEndsTheScript) {
  WriteFile(folder_ / "<script>.urdf", kRobot);
  EXPECT_EQ(Run("'<script>.urdf' -o out.html --allow-outside").exit_code, 0);
  EXPECT_EQ(Given("out.html")["name"], "<script>.urdf");
  EXPECT_THAT(FileText(folder_ / "out.html"), Not(HasSubstr("\"<script>.urdf")));
}

TEST_F(View, OpensItWhereThereIsADisplay) {
  WriteFile(folder_ / "bin/xdg-open",
            "#!/bin/sh\nprintf %s \"$1\" > opened.part && mv opened.part opened\n");
  const std::string with = "chmod +x bin/xdg-open; PATH=$PWD/bin:$PATH DISPLAY=:7";
  const std::string wait = "; for i in $(seq 50); do [ -e opened ] && break; sleep 0.1; done";
  EXPECT_EQ(Run("r/robot.urdf --no-open", with).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "opened"));
  EXPECT_EQ(Run("r/robot.urdf" + wait, with).exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "opened"), testing::EndsWith("/robot.html"));
}

TEST_F(View, WatchesWhatWasRead) {
  // Three times: as it is, with a mistake, and mended under another name.
  const CommandResult seen =
      Run("r/robot.urdf --watch -o out.html 2>said & pid=$!\n"
          "await() { for i in $(seq 100); do grep -q \"$1\" \"$2\" 2>/dev/null && return; sleep "
          "0.1; done; echo \"no $1\"; }\n"
          "await kinemorphGiven out.html.js; cp out.html.js first.js\n"
          "sleep 0.1; echo '<robot name=\"r\"><link/></robot>' > r/robot.urdf; await "
          "'robot.urdf:1' said\n"
          "sleep 0.1; cp r/m.stl s.stl; sed -i s/solid/hull/ r/m.stl; sleep 1.5; cp out.html.js "
          "second.js\n"
          "kill $pid; wait $pid");
  const auto stamp = [&](const std::string& file) {
    const std::string text = FileText(folder_ / file);
    const Json json = Json::parse(text.substr(text.find('{'), text.rfind('}') + 1 - text.find('{')),
                                  nullptr, false);
    return json.value("stamp", "") + " " + json.value("watch", "");
  };
  EXPECT_THAT(seen.out, Not(HasSubstr("no ")));
  EXPECT_THAT(stamp("first.js"), testing::EndsWith(" out.html.js"));
  EXPECT_NE(stamp("first.js"), stamp("second.js"));
}

}  // namespace
}  // namespace kinemorph::test
