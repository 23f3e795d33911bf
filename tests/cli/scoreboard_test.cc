// The scoreboard, on two models: what it says of them is what the command says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "conversion.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(Scoreboard, SaysVerdictLossesAndTheLibrarysWordOfEveryTarget) {
  const TemporaryFolder folder;
  const fs::path corpus = folder / "corpus";
  fs::create_directories(corpus / "four_bar");
  fs::create_directories(corpus / "a1.arm");
  fs::copy_file(Fixtures() + "/mechanisms/four_bar/four_bar.sdf", corpus / "four_bar/robot.sdf");
  WriteFile(corpus / "a1.arm/arm.urdf",
            "<robot name=\"arm\"><link name=\"base\"/><link name=\"hand\"/><joint name=\"j\" "
            "type=\"continuous\"><parent link=\"base\"/><child link=\"hand\"/></joint></robot>");
  WriteFile(corpus / "manifest.csv",
            "path,role,links,has_loop,valid_xml\nfour_bar/robot.sdf,main,4,1,1\n"
            "a1.arm/arm.urdf,main,2,0,1\n");
  const std::string command = KINEMORPH_COMMAND;
  const CommandResult done = Shell(
      "python3 " + SourceDir() + "/tools/dev/scoreboard " + command + " . page.md", folder.path());
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.err, "") << "no conversion is another mechanism";
  const std::string page = FileText(folder / "page.md");
  EXPECT_THAT(page, HasSubstr("2 public robot descriptions to every target: 1 with loops or "
                              "couplings, and 1 well-known"));
  EXPECT_THAT(page, HasSubstr("| urdf+ | 2 of 2 (100 %) | 2 of 2 (100 %)"));
  const bool judged = fs::exists(fs::path(command).parent_path() / "kinemorph-judge");
  EXPECT_THAT(page,
              HasSubstr(judged ? "| *a1.arm/arm.urdf* | = ✓ |" : "| *a1.arm/arm.urdf* | = |"));
  EXPECT_THAT(page, HasSubstr("| four\\_bar/robot.sdf | "));
  // One that loses motion is told apart from one that is lost.
  EXPECT_EQ(Shell("python3 " + SourceDir() + "/tools/dev/scoreboard false . page.md", folder.path())
                .exit_code,
            1);
}

}  // namespace
}  // namespace kinemorph::test
