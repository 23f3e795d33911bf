// Profiles as a user meets them: a word of the command for every row of the formats' data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "conversion.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Profiles : public testing::Test {
 protected:
  Profiles() {
    fs::copy_file(Fixtures() + "/mechanisms/four_bar/four_bar.urdf", folder_ / "four_bar.urdf");
  }
  CommandResult Run(const std::string& arguments) const {
    const std::string command = KINEMORPH_COMMAND;
    return Shell(command + " " + arguments, folder_.path());
  }
  TemporaryFolder folder_;
};

TEST_F(Profiles, StandInTheHelpWithWhomTheyAreFor) {
  const std::string help = Run("convert --help").out;
  EXPECT_THAT(help, HasSubstr("--profile reference|drake|paper|grbda|portable\n"));
  EXPECT_THAT(help, HasSubstr("drake: URDF as Drake reads it"));
}

TEST_F(Profiles, PortableMjcfIsWrittenAndProved) {
  const CommandResult done = Run("convert four_bar.urdf -o robot.xml --profile portable --verify");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(FileText(folder_ / "robot.xml"), HasSubstr("<!-- MJCF profile: portable"));
}

TEST_F(Profiles, DrakesUrdfIsWrittenProvedAndStays) {
  const CommandResult done = Run("convert four_bar.urdf -o robot.urdf --profile drake --verify");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const std::string text = FileText(folder_ / "robot.urdf");
  EXPECT_THAT(text, HasSubstr("<drake:ball_constraint name=\"loop1\">"));
  EXPECT_THAT(text, Not(HasSubstr("<loop")));
  ASSERT_EQ(Run("convert robot.urdf -o again.urdf").exit_code, 0);
  EXPECT_EQ(FileText(folder_ / "again.urdf"), text);
  ASSERT_EQ(Run("convert robot.urdf -o plus.urdf --to urdf+").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "plus.urdf"), HasSubstr("<loop name=\"loop1\""));
}

TEST_F(Profiles, DrakesSdfIsWrittenProvedAndStays) {
  const CommandResult done = Run("convert four_bar.urdf -o robot.sdf --profile drake --verify");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  const std::string text = FileText(folder_ / "robot.sdf");
  EXPECT_THAT(text, HasSubstr("<drake:ball_constraint name=\"loop1\">"));
  EXPECT_THAT(text, Not(HasSubstr("must_be_loop_joint")));
  const CommandResult again = Run("convert robot.sdf -o again.sdf --verify");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, Not(HasSubstr("is not written")));
  EXPECT_EQ(FileText(folder_ / "again.sdf"), text);
  // A version of SDFormat that is asked for is Gazebo's.
  ASSERT_EQ(Run("convert robot.sdf -o gazebo.sdf --to sdf@1.9").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "gazebo.sdf"), HasSubstr("<joint name=\"loop1\""));
  EXPECT_THAT(FileText(folder_ / "gazebo.sdf"), Not(HasSubstr("drake")));
}

TEST_F(Profiles, CheckPredictsThem) {
  const CommandResult done = Run("check four_bar.urdf --to urdf --profile drake");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err + done.out, Not(HasSubstr("loss-loop-revolute")));
}

TEST_F(Profiles, OneThatTheFormatHasNotIsWrongUse) {
  const CommandResult done = Run("convert four_bar.urdf -o robot.sdf --profile portable");
  EXPECT_EQ(done.exit_code, 2);
  EXPECT_THAT(done.err, HasSubstr("sdf has no profile 'portable'; with it: mjcf"));
  EXPECT_EQ(Run("convert four_bar.urdf -o robot.xml --profile nonsense").exit_code, 2);
}

}  // namespace
}  // namespace kinemorph::test
