// gravcomp="1" is a body without gravity, where that is what MuJoCo makes of it; any other share,
// and what bounds it, stays MuJoCo's own.
#include <gmock/gmock.h>

#include "mjcf_text.h"

namespace kinemorph {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Arm(const std::string& gravcomp, const std::string& joint = "",
                const std::string& option = "", const std::string& rest = "") {
  return "<mujoco><compiler angle=\"radian\"/>" + option + "<worldbody><body name=\"arm\" " +
         gravcomp + "><joint name=\"hinge\" " + joint +
         "/><geom size=\"0.1\"/></body></worldbody>" + rest + "</mujoco>";
}

TEST(MjcfGravcomp, OneIsNoGravityAndZeroSaysNothing) {
  Model model = Quiet(Arm("gravcomp=\"1\""));
  EXPECT_EQ(LinkNamed(model, "arm").gravity, false);
  EXPECT_TRUE(LinkNamed(model, "arm").native.empty());
  EXPECT_THAT(WriteMjcfText(model), HasSubstr("<body name=\"arm\" gravcomp=\"1\">"));
  model = Quiet(Arm("gravcomp=\"0\" user=\"3\""));
  EXPECT_EQ(LinkNamed(model, "arm").gravity, std::nullopt);
  EXPECT_THAT(WriteMjcfText(model), Not(HasSubstr("gravcomp")));
  EXPECT_THAT(WriteMjcfText(model), HasSubstr("user=\"3\""));
}

TEST(MjcfGravcomp, OtherSharesAreKeptAsTheyAre) {
  for (const char* share : {"0.5", "2", "-1"}) {
    const Model model = Quiet(Arm("gravcomp=\"" + std::string(share) + "\""));
    EXPECT_EQ(LinkNamed(model, "arm").gravity, std::nullopt);
    EXPECT_THAT(WriteMjcfText(model), HasSubstr("gravcomp=\"" + std::string(share) + "\""));
  }
}

TEST(MjcfGravcomp, AsAForceOfActuatorsItCountsWhereNothingBoundsIt) {
  const std::string motor = "<actuator><motor joint=\"hinge\"/></actuator>";
  const std::string as_actuator = "actuatorgravcomp=\"true\"";
  EXPECT_EQ(LinkNamed(Quiet(Arm("gravcomp=\"1\"", as_actuator, "", motor)), "arm").gravity, false);
  const std::string off = "<option><flag actuation=\"disable\"/></option>";
  for (const std::string& text :
       {Arm("gravcomp=\"1\"", as_actuator), Arm("gravcomp=\"1\"", as_actuator, off, motor),
        Arm("gravcomp=\"1\"", as_actuator + " actuatorfrcrange=\"-1 1\"", "", motor)}) {
    const MjcfRead read = ReadMjcfText(text);
    EXPECT_EQ(LinkNamed(read.model, "arm").gravity, std::nullopt) << text;
    ASSERT_EQ(read.warnings.size(), 1u) << text;
    EXPECT_THAT(read.warnings[0], HasSubstr("[gravcomp-actuator]"));
    EXPECT_THAT(WriteMjcfText(read.model), HasSubstr("gravcomp=\"1\""));
  }
}

TEST(MjcfGravcomp, GoesWithThePassiveForces) {
  const std::string both = "<option><flag spring=\"disable\" damper=\"disable\"/></option>";
  const std::string one = "<option><flag spring=\"disable\"/></option>";
  EXPECT_EQ(LinkNamed(ReadMjcfText(Arm("gravcomp=\"1\"", "", both)).model, "arm").gravity,
            std::nullopt);
  EXPECT_EQ(LinkNamed(ReadMjcfText(Arm("gravcomp=\"1\"", "", one)).model, "arm").gravity, false);
}

TEST(MjcfGravcomp, IsNotInherited) {
  const Model model = Quiet(
      World("<body name=\"a\" gravcomp=\"1\"><joint/><geom size=\"1\"/><body name=\"b\"><joint/>"
            "<geom size=\"1\"/></body></body>"));
  EXPECT_EQ(LinkNamed(model, "a").gravity, false);
  EXPECT_EQ(LinkNamed(model, "b").gravity, std::nullopt);
}

}  // namespace
}  // namespace kinemorph
