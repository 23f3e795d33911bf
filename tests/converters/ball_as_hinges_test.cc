// On request ball joints of trees are three hinges in every target, and stay them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "convert_text.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ConversionResult WithHinges(const std::string& text, const std::string& to) {
  ConversionRequest request;
  request.to = to;
  request.out = "out." + to;
  request.verify = true;
  request.options.balls_as_hinges = true;
  return ConvertText(text, request);
}

std::string Ball(const std::string& said) {
  return R"(<mujoco><worldbody><body name="base"><geom size="0.1"/><body name="arm"><joint name="b" type="ball" )" +
         said + R"(/><geom size="0.1" pos="0 0 0.3"/></body></body></worldbody></mujoco>)";
}

TEST(BallAsHinges, ThreeHingesTurnAboutXYAndZ) {
  for (const char* to : {"mjcf", "sdf", "usda"}) {
    const ConversionResult result = WithHinges(Ball(""), to);
    ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
    Diagnostics diagnostics;
    const std::string file = std::string(to) == "mjcf" ? "out.xml" : "out." + std::string(to);
    const std::optional<Model> back = ReadText(result.files.text, file, diagnostics);
    ASSERT_TRUE(back) << Rendered(diagnostics);
    std::vector<Vector3> axes;
    for (const JointId id : Joints(*back))
      if (const auto* hinge = std::get_if<Revolute>(&back->joint(id).kind))
        axes.push_back(back->joint(id).X_PF.R * hinge->axis);
    ASSERT_EQ(axes.size(), 3u) << to << "\n" << result.files.text;
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(axes[static_cast<std::size_t>(i)], Vector3::Unit(i)) << to;
    ASSERT_TRUE(result.proof);
    EXPECT_NE(result.proof->verdict, Verdict::kDifferent) << result.proof->line;
    EXPECT_THAT(LossReportText(result.report),
                HasSubstr("as asked, the angles turn about x, y and z in this order"));
  }
}

// A limit of the whole rotation belongs to none of the three: as asked, so that --strict lets it pass.
TEST(BallAsHinges, WhatWasSaidOfTheWholeIsLostAsAsked) {
  const ConversionResult result = WithHinges(Ball(R"(range="0 60" damping="0.1")"), "mjcf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  ASSERT_EQ(result.report.losses.size(), 1u) << LossReportText(result.report);
  EXPECT_TRUE(result.report.losses[0].asked);
  ASSERT_TRUE(result.proof);
  EXPECT_THAT(result.proof->line, HasSubstr("equivalent except: as asked: ball joint of 1 joint"));
}

// A motor about the z axis of the arm is none about x of the chain.
TEST(BallAsHinges, ADriveOfTheBallIsLost) {
  std::string text = Ball("");
  text.insert(text.find("</mujoco>"), R"(<actuator><motor joint="b" gear="0 0 5"/></actuator>)");
  const ConversionResult result = WithHinges(text, "mjcf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  ASSERT_EQ(result.report.losses.size(), 1u) << LossReportText(result.report);
  EXPECT_EQ(result.report.losses[0].weight, Weight::kMotion);
  EXPECT_FALSE(result.report.losses[0].asked);
  EXPECT_THAT(result.files.text, Not(HasSubstr("<motor")));
}

// Elsewhere three hinges through one point are written as a ball, or two of them as a universal joint.
TEST(BallAsHinges, HingesOfTheSourceBecomeNoBall) {
  const std::string urdf = WithHinges(Ball(""), "urdf").files.text;
  const ConversionResult hinges = WithHinges(urdf, "sdf");
  ASSERT_EQ(hinges.end, ConversionEnd::kDone) << Rendered(hinges.diagnostics, Severity::kNote);
  for (const char* kind : {"type=\"ball\"", "type=\"universal\""})
    EXPECT_THAT(hinges.files.text, Not(HasSubstr(kind)));
  ConversionRequest plain;
  plain.to = "sdf", plain.out = "out.sdf";
  EXPECT_THAT(ConvertText(urdf, plain).files.text, HasSubstr("type=\"ball\""));
}

}  // namespace
}  // namespace kinemorph::test
