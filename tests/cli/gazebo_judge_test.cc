// A URDF with blocks for Gazebo has a second judge: libsdformat, through which Gazebo reads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

CommandResult Converted(const TemporaryFolder& folder, const std::string& in) {
  return Shell(std::string(KINEMORPH_COMMAND) + " convert " + in + " out.urdf --to urdf --verify",
               folder.path());
}

TEST(GazeboJudge, ReadsTheLoopsOfAUrdf) {
  const TemporaryFolder folder;
  fs::copy_file(fs::path(SourceDir()) / "fixtures/mechanisms/four_bar_general/four_bar_general.sdf",
                folder / "in.sdf");
  const CommandResult result = Converted(folder, "in.sdf");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("urdfdom accepts the file"));
  EXPECT_THAT(result.err, HasSubstr("[verify-accepted]\nout.urdf: note: libsdformat"));
}

std::string Mjcf(const std::string& body) {
  return "<mujoco><worldbody><camera name='c' pos='0 0 2'/>" + body + "</worldbody></mujoco>";
}
constexpr const char* kBall = "<geom type='sphere' size='.1' mass='1'/>";

// libsdformat places a floating link in the frame of its joint, which it has left out.
TEST(GazeboJudge, AcceptsAFreeBaseWithoutALoop) {
  const TemporaryFolder folder;
  WriteFile(folder / "in.xml", Mjcf("<body name='b' pos='0 0 1'><freejoint name='f'/>" +
                                    std::string(kBall) + "</body>"));
  const CommandResult result = Converted(folder, "in.xml");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("[verify-not-for-gazebo]"))) << result.err;
  EXPECT_THAT(FileText(folder / "out.urdf"), HasSubstr("<frame name=\"f\">"));
}

// What URDF allows and libsdformat does not is said, and the file stays.
TEST(GazeboJudge, IsHeardWhereItRefuses) {
  const TemporaryFolder folder;
  WriteFile(folder / "in.xml", Mjcf("<body name='b'><joint name='x' type='slide' axis='1 0 0'/>"
                                    "<joint name='z' type='slide' axis='0 0 1'/>" +
                                    std::string(kBall) + "</body>"));
  const CommandResult result = Converted(folder, "in.xml");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("out.urdf: warning: Gazebo cannot load the file: libsdformat"));
  EXPECT_TRUE(fs::exists(folder / "out.urdf"));
}

}  // namespace
}  // namespace kinemorph::test
