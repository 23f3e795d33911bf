// Loops towards plain URDF: those that say "this joint follows that one" stay, as mimics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "conversion.h"
#include "convert_text.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "lower/line_fit.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ConversionResult ToUrdf(const std::string& text, MimicChoice mimic, const std::string& to = "urdf",
                        std::optional<LoopChoice> loops = LoopChoice::kNone) {
  ConversionRequest request;
  request.to = to;
  if (to == "urdf") request.options.target.options.loops = loops;
  request.out = "out.urdf";
  request.verify = true;
  request.options.mimic = mimic;
  return ConvertText(text, request);
}

std::string Mechanism(const std::string& name) {
  return ReadAll(Fixtures() + "/mechanisms/" + name + "/" + name + ".urdf");
}

bool LosesLoop(const ConversionResult& result) {
  return std::any_of(result.report.losses.begin(), result.report.losses.end(), [](const Loss& l) {
    return l.feature == Feature::kLoopRevolute || l.feature == Feature::kLoopBall;
  });
}

TEST(Mimics, AParallelogramIsExact) {
  const ConversionResult result = ToUrdf(Mechanism("four_bar"), MimicChoice::kExact);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_FALSE(LosesLoop(result)) << LossReportText(result.report);
  ASSERT_TRUE(result.proof);
  EXPECT_NE(result.proof->verdict, Verdict::kDifferent);
  EXPECT_THAT(result.proof->line, Not(HasSubstr("loop")));
  Diagnostics diagnostics;
  const std::optional<Model> back = ReadText(result.files.text, "out.urdf", diagnostics);
  ASSERT_TRUE(back) << Rendered(diagnostics);
  ASSERT_EQ(back->couplings.size(), 2u);  // G = [1, -1, 1]
  std::vector<double> slopes;
  for (const Coupling& c : back->couplings) {
    slopes.push_back(-c.terms[1].coefficients[0]);
    EXPECT_EQ(c.constant, 0);
  }
  std::sort(slopes.begin(), slopes.end());
  EXPECT_EQ(slopes, (std::vector<double>{-1, 1}));
  EXPECT_EQ(AnalyseCoordinates(Compile(*back)).mobility, 1);
}

TEST(Mimics, OtherLoopsAreLostUnlessALineIsAskedFor) {
  for (const char* name : {"four_bar_general", "slider_crank", "elbow"}) {
    const ConversionResult exact = ToUrdf(Mechanism(name), MimicChoice::kExact);
    ASSERT_EQ(exact.end, ConversionEnd::kDone) << Rendered(exact.diagnostics, Severity::kNote);
    EXPECT_TRUE(LosesLoop(exact)) << name;
    EXPECT_THAT(exact.files.text, Not(HasSubstr("<mimic"))) << name;
    const ConversionResult fit = ToUrdf(Mechanism(name), MimicChoice::kFit);
    ASSERT_EQ(fit.end, ConversionEnd::kDone) << Rendered(fit.diagnostics, Severity::kNote);
    EXPECT_TRUE(LosesLoop(fit)) << name;
    EXPECT_THAT(fit.files.text, HasSubstr("<mimic")) << name;
    EXPECT_THAT(LossReportJson(fit.report), HasSubstr(" at most")) << name;
    ASSERT_TRUE(fit.proof);
    EXPECT_EQ(fit.proof->verdict, Verdict::kExcept) << name;
    EXPECT_THAT(fit.proof->line, HasSubstr("loop")) << name;
  }
}

// The error that the report names is the largest one there is: against the closed form of a crank
// and slider with the slide in line with the crank, x = cos q + sqrt(l^2 - sin^2 q).
TEST(Mimics, TheErrorIsThatOfTheLoop) {
  const double l = 3, reach = 0.5;
  const std::string text = R"(<robot name="r"><link name="base"/><link name="crank"/>
    <link name="rod"/><link name="slide"/>
    <joint name="q" type="revolute" independent="true"><parent link="base"/><child link="crank"/>
      <axis xyz="0 0 1"/><limit lower="0.25" upper="0.75" effort="1" velocity="1"/></joint>
    <joint name="p" type="continuous" independent="false"><parent link="crank"/><child link="rod"/>
      <origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>
    <joint name="x" type="prismatic" independent="false"><parent link="base"/><child link="slide"/>
      <axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
    <loop name="pin" type="revolute"><predecessor link="rod"><origin xyz="3 0 0"/></predecessor>
      <successor link="slide"><origin xyz="4 0 0"/></successor><axis xyz="0 0 1"/></loop>
    </robot>)";
  std::vector<double> q, x;
  for (int i = 0; i <= 20000; ++i) {
    q.push_back(0.25 + reach * i / 20000);
    x.push_back(std::cos(q.back()) + std::sqrt(l * l - std::pow(std::sin(q.back()), 2)) - 4);
  }
  const Line line = FitLine(q, x);
  const ConversionResult fit = ToUrdf(text, MimicChoice::kFit);
  ASSERT_EQ(fit.end, ConversionEnd::kDone) << Rendered(fit.diagnostics, Severity::kNote);
  const auto found = std::find_if(fit.report.fitted.begin(), fit.report.fitted.end(),
                                  [](const FittedMimic& fitted) { return fitted.follower == "x"; });
  ASSERT_NE(found, fit.report.fitted.end());
  EXPECT_NEAR(found->multiplier, line.slope, 1e-4);
  EXPECT_NEAR(found->offset, line.offset, 1e-4);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g m at most", line.error);
  EXPECT_THAT(LossReportText(fit.report), HasSubstr(digits));
}

// Where `<gazebo>` holds loops, a mimic still says what it says exactly, and a line is written where
// one is asked for.
TEST(Mimics, BesideLoopsInGazebo) {
  const ConversionResult four = ToUrdf(Mechanism("four_bar"), MimicChoice::kExact, "urdf", {});
  EXPECT_THAT(four.files.text, HasSubstr("<mimic"));
  EXPECT_THAT(four.files.text, Not(HasSubstr("<gazebo>")));
  const ConversionResult crank = ToUrdf(Mechanism("slider_crank"), MimicChoice::kExact, "urdf", {});
  ASSERT_EQ(crank.end, ConversionEnd::kDone) << Rendered(crank.diagnostics, Severity::kNote);
  EXPECT_FALSE(LosesLoop(crank)) << LossReportText(crank.report);
  EXPECT_THAT(crank.files.text, Not(HasSubstr("<mimic")));
  EXPECT_THAT(crank.files.text, HasSubstr("<gazebo>"));
  const ConversionResult fit = ToUrdf(Mechanism("slider_crank"), MimicChoice::kFit, "urdf", {});
  EXPECT_TRUE(LosesLoop(fit));
  EXPECT_THAT(fit.files.text, HasSubstr("<mimic"));
}

TEST(Mimics, NotWhereTheTargetHasLoops) {
  for (const char* to : {"urdf+", "mjcf", "sdf"}) {
    const ConversionResult result = ToUrdf(Mechanism("four_bar"), MimicChoice::kFit, to);
    ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
    EXPECT_TRUE(result.report.fitted.empty());
    EXPECT_FALSE(LosesLoop(result));
  }
}

TEST(Mimics, WhatDependsOnSeveralJointsStaysALoss) {
  const ConversionResult result = ToUrdf(Mechanism("torso"), MimicChoice::kFit);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_TRUE(LosesLoop(result));
  EXPECT_THAT(result.files.text, Not(HasSubstr("<mimic")));
}

// MuJoCo holds a joint by an equality of it alone.
TEST(Mimics, AJointThatIsHeldFollowsAnotherWithTheFactorZero) {
  const std::string text =
      "<mujoco model='m'><worldbody><body name='cart'>"
      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint name='x' type='slide'/>"
      "<body name='arm'><inertial pos='0 0 .1' mass='1' diaginertia='1 1 1'/>"
      "<joint name='h' axis='0 1 0'/></body></body></worldbody>"
      "<equality><joint joint1='x' polycoef='0.25 1 0 0 0'/></equality></mujoco>";
  for (const char* to : {"urdf", "urdf+", "sdf", "usda"}) {
    const ConversionResult result = ToUrdf(text, MimicChoice::kExact, to, {});
    ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
    EXPECT_FALSE(std::any_of(result.report.losses.begin(), result.report.losses.end(),
                             [](const Loss& l) { return l.feature == Feature::kCouplingLinear; }))
        << to;
    Diagnostics said;
    const std::optional<Model> read =
        ReadText(result.files.text, std::string("o") + Extension(to), said);
    ASSERT_TRUE(read) << Rendered(said);
    EXPECT_EQ(AnalyseCoordinates(Compile(*read)).mobility, 1) << to;
    ASSERT_EQ(read->couplings.size(), 1U) << to;
    EXPECT_EQ(read->couplings[0].constant, 0.25) << to;
  }
}

TEST(LineFit, IsTheBestOfAllLines) {
  // y = x^2 on [0, 1]: slope 1, offset -1/8, error 1/8 (Chebyshev).
  std::vector<double> x, y;
  for (int i = 0; i <= 1000; ++i) x.push_back(i / 1000.0), y.push_back(x.back() * x.back());
  const Line line = FitLine(x, y);
  EXPECT_NEAR(line.slope, 1, 1e-12);
  EXPECT_NEAR(line.offset, -0.125, 1e-12);
  EXPECT_NEAR(line.error, 0.125, 1e-12);
  for (double& value : y) value = -value;
  EXPECT_NEAR(FitLine(x, y).error, 0.125, 1e-12);
  EXPECT_EQ(FitLine({2}, {3}).error, 0);
  EXPECT_NEAR(FitLine({0, 1, 2}, {1, 3, 5}).error, 0, 1e-15);
  EXPECT_NEAR(FitLine({0, 1, 2}, {1, 3, 5}).slope, 2, 1e-15);
}

}  // namespace
}  // namespace kinemorph::test
