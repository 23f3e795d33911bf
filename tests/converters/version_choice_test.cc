// Which version of SDFormat is written where nobody names one: the lowest, from the default on,
// that loses the least of what moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "convert_text.h"

namespace kinemorph::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kEquality = R"(<equality><joint name="both" joint1="right" joint2="left"/>
  </equality>)";

// Two fingers on slides.
std::string Hand(const std::string& more, const std::string& of_joint = "") {
  const auto finger = [&](const std::string& name, const std::string& axis) {
    return "<body name='" + name +
           "_finger'><inertial pos='0 0 0' mass='0.1' diaginertia='1e-4 "
           "1e-4 1e-4'/><joint name='" +
           name + "' type='slide' axis='" + axis + "' range='0 0.04' " + of_joint + "/></body>";
  };
  return "<mujoco model='hand'><compiler autolimits='true'/><worldbody><body name='palm'>"
         "<inertial pos='0 0 0' mass='1' diaginertia='0.01 0.01 0.01'/>" +
         finger("left", "0 1 0") + finger("right", "0 -1 0") + "</body></worldbody>" + more +
         "</mujoco>";
}

ConversionResult To(const std::string& to, const std::string& text,
                    const std::vector<Feature>& drop = {}) {
  ConversionRequest request;
  request.in = text.starts_with("<mujoco") ? "in.xml" : "in.urdf";
  request.to = to;
  request.out = "out.sdf";
  request.verify = true;
  request.options.drop = drop;
  ConversionResult result = ConvertText(text, request);
  EXPECT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  return result;
}

std::string Notes(const ConversionResult& result) {
  return Rendered(result.diagnostics, Severity::kNote);
}

TEST(VersionChoice, AMimicNeedsANewerVersion) {
  for (const char* to : {"sdf", "sdformat", ""}) {
    const ConversionResult result = To(to, Hand(kEquality));
    EXPECT_EQ(result.target.format, "sdf@1.11") << to;
    EXPECT_THAT(result.files.text, AllOf(HasSubstr("<sdf version=\"1.11\">"), HasSubstr("<mimic")));
    EXPECT_TRUE(result.report.losses.empty()) << LossReportText(result.report);
    EXPECT_THAT(Notes(result),
                AllOf(HasSubstr("'hand': sdf@1.11 is written"), HasSubstr("coupling 'both'"),
                      HasSubstr("[version-chosen]"), HasSubstr("--to sdf@1.9 insists")));
    ASSERT_TRUE(result.proof);
    EXPECT_EQ(result.proof->line, "equivalent");
  }
}

// Each version loses one thing: the coupling weighs more than how soft it is.
TEST(VersionChoice, ACouplingIsMoreThanItsDetails) {
  std::string soft = kEquality;
  soft.replace(soft.find("<joint "), 7, "<joint solref='0.005 1' ");
  const ConversionResult result = To("sdf", Hand(soft));
  EXPECT_EQ(result.target.format, "sdf@1.11");
  EXPECT_THAT(result.files.text, HasSubstr("<mimic"));
  ASSERT_EQ(result.report.losses.size(), 1u) << LossReportText(result.report);
  EXPECT_EQ(result.report.losses[0].feature, Feature::kNativeData);
}

TEST(VersionChoice, WhoNamesAVersionGetsIt) {
  const ConversionResult result = To("sdf@1.9", Hand(kEquality));
  EXPECT_EQ(result.target.format, "sdf@1.9");
  EXPECT_THAT(result.files.text, Not(HasSubstr("<mimic")));
  EXPECT_THAT(Notes(result), Not(HasSubstr("version-chosen")));
  ASSERT_EQ(result.report.losses.size(), 1u) << LossReportText(result.report);
  EXPECT_EQ(result.report.losses[0].feature, Feature::kCouplingLinear);
  EXPECT_THAT(LossReportText(result.report), Not(HasSubstr("polynomial")));
}

// What no version holds is no reason for a newer one, nor does it keep from one.
TEST(VersionChoice, WhatIsLostEverywhereDoesNotCount) {
  EXPECT_EQ(To("sdf", Hand("", "armature='0.1'")).target.format, "sdf@1.9");
  const ConversionResult both = To("sdf", Hand(kEquality, "armature='0.1'"));
  EXPECT_EQ(both.target.format, "sdf@1.11");
  EXPECT_THAT(Notes(both), Not(HasSubstr("'left'")));
  const std::string curved =
      "<equality><joint joint1='right' joint2='left' polycoef='0 1 2 0 0'/>"
      "</equality>";
  const ConversionResult lost = To("sdf", Hand(curved));
  EXPECT_EQ(lost.target.format, "sdf@1.9");
  EXPECT_THAT(LossReportText(lost.report), HasSubstr("coupling-polynomial"));
}

TEST(VersionChoice, WhatTheDefaultHoldsStaysThere) {
  EXPECT_EQ(To("sdf", Hand("")).target.format, "sdf@1.9");
  const ConversionResult dropped = To("sdf", Hand(kEquality), {Feature::kCouplingLinear});
  EXPECT_EQ(dropped.target.format, "sdf@1.9");
}

// Two wheels; the second follows the first where `more` says so.
std::string Wheels(const std::string& more, const std::string& axis = "0 0 1") {
  const auto wheel = [](const std::string& name, const std::string& at, const std::string& of_axis,
                        const std::string& rest) {
    return "<link name='" + name +
           "_wheel'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
           "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='" +
           name + "' type='continuous'><parent link='base'/><child link='" + name +
           "_wheel'/><origin xyz='" + at + "'/><axis xyz='" + of_axis + "'/>" + rest + "</joint>";
  };
  return "<robot name='gears'><link name='base'><inertial><mass value='1'/>"
         "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>" +
         wheel("a", "0 0 0", "0 0 1", "") + wheel("b", "1 0 0", axis, more) + "</robot>";
}
constexpr const char* kFollows = "<mimic joint='a' multiplier='-2'/>";

// No engine of gz sim simulates a gearbox, some obey a mimic: hinges go where slides go.
TEST(VersionChoice, AMimicOfHingesIsNoGearbox) {
  for (const char* axis : {"0 0 1", "0 0 -1", "0 1 0"}) {
    const ConversionResult result = To("sdf", Wheels(kFollows, axis));
    EXPECT_EQ(result.target.format, "sdf@1.11") << axis;
    EXPECT_THAT(result.files.text,
                AllOf(HasSubstr("<mimic joint=\"a\">"), HasSubstr("<multiplier>-2</multiplier>"),
                      HasSubstr("<reference>0</reference>")));
    EXPECT_TRUE(result.report.losses.empty()) << LossReportText(result.report);
    ASSERT_TRUE(result.proof);
    EXPECT_EQ(result.proof->line, "equivalent");
  }
  EXPECT_THAT(Notes(To("sdf", Wheels(kFollows))),
              HasSubstr("'gears': sdf@1.11 is written, because sdf@1.9, the default, holds "
                        "coupling 'b' as a gearbox [version-chosen]"));
}

TEST(VersionChoice, AGearboxIsWrittenWhereItIsAskedFor) {
  const ConversionResult asked = To("sdf@1.9", Wheels(kFollows));
  EXPECT_THAT(asked.files.text, HasSubstr("type=\"gearbox\""));
  EXPECT_TRUE(asked.report.losses.empty());
  EXPECT_THAT(
      Notes(asked),
      HasSubstr("gearbox 'b_coupling': gz sim leaves a gearbox out, Gazebo Classic simulates it "
                "[gazebo-drops-gearboxes]\n    --to sdf@1.11 writes a mimic instead"));
  EXPECT_EQ(To("sdf", Wheels("")).target.format, "sdf@1.9");
  // What an author of SDFormat wrote as a gearbox stays one.
  Diagnostics said;
  ConversionRequest request;
  request.in = "in.sdf", request.to = "sdf", request.out = "out.sdf";
  const ConversionResult again = ConvertText(asked.files.text, request);
  EXPECT_EQ(again.target.format, "sdf@1.9");
  EXPECT_THAT(again.files.text, HasSubstr("type=\"gearbox\""));
}

// Check and Convert choose alike.
TEST(VersionChoice, EveryDoorChooses) {
  Diagnostics reading, said;
  const std::optional<Model> model = ReadText(Hand(kEquality), "hand.xml", reading);
  ASSERT_TRUE(model) << Rendered(reading);
  ConvertOptions options;
  options.target = TargetNamed("sdf");
  const std::optional<LossReport> predicted = Check(*model, options, said);
  ASSERT_TRUE(predicted) << Rendered(said);
  EXPECT_TRUE(predicted->losses.empty());
  EXPECT_THAT(Rendered(said, Severity::kNote), HasSubstr("[version-chosen]"));
  const std::optional<Converted> converted = Convert(*model, options, said);
  ASSERT_TRUE(converted) << Rendered(said);
  EXPECT_EQ(converted->lowered.version, "1.11");
  EXPECT_THAT(converted->text, HasSubstr("<mimic"));
}

}  // namespace
}  // namespace kinemorph::test
