// What a conversion to MBS does to a model beyond the shape of its file: natures, names, colours,
// drives, couplings.
#include <gtest/gtest.h>

#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "small_model.h"

namespace kinemorph::test {
namespace {

// A four-bar in the x-z plane with one loop joint; mobility 1.
struct FourBar : SmallModel {
  JointId crank, coupler, rocker;
  FourBar() {
    model.name = "four_bar";
    model.gravity = Vector3(0, 0, -9.81);
    const Revolute about_y{Vector3::UnitY()};
    const LinkId a = AddLink("a"), b = AddLink("b"), c = AddLink("c");
    crank = AddJoint("crank", kWorld, a, about_y);
    coupler = AddJoint("coupler", a, b, about_y, Vector3(0, 0, 0.5));
    rocker = AddJoint("rocker", kWorld, c, about_y, Vector3(1, 0, 0));
    AddJoint("loop", c, b, about_y, Vector3(0, 0, 0.5), JointRole::kLoop,
             RigidTransform::Translation(Vector3(1, 0, 0)));
  }
};

struct Written {
  std::string text;
  Model model;  ///< read again
  LossReport report;
};

Written ToMbs(const Model& source) {
  ConvertOptions options;
  options.target = TargetNamed("mbs");
  Diagnostics diagnostics;
  const std::optional<Converted> converted = Convert(source, options, diagnostics);
  EXPECT_TRUE(converted) << Rendered(diagnostics);
  if (!converted) return {};
  Written out{converted->text, {}, converted->lowered.report};
  if (const std::optional<Model> again = ReadText(out.text, "out.mbs", diagnostics))
    out.model = *again;
  EXPECT_EQ(Rendered(diagnostics), "");
  return out;
}

std::string Losses(const LossReport& report, const std::string& feature) {
  std::string out;
  for (const Loss& loss : report.losses)
    if (FeatureName(loss.feature) == feature) out += Text(loss.subject) + ": " + loss.what + "\n";
  return out;
}

std::optional<bool> Independent(const Model& model, const std::string& joint) {
  return model.joint(*model.FindJoint(joint)).independent;
}

TEST(MbsNatures, WithoutADeclarationTheBestConditionedCoordinatesAreChosen) {
  FourBar source;
  const Written mbs = ToMbs(source.model);
  int independent = 0;
  for (const char* name : {"crank", "coupler", "rocker"})
    independent += Independent(mbs.model, name) == true ? 1 : 0;
  EXPECT_EQ(independent, 1);
  EXPECT_EQ(Losses(mbs.report, "independent"), "");
}

// Whichever joint stands before or behind them in the file.
TEST(MbsNatures, JointsOutsideOfLoopsAreIndependentWhereverTheyHang) {
  FourBar source;
  std::vector<std::string> holders;
  for (const LinkId link : {kWorld, LinkId{1}, LinkId{2}, LinkId{3}}) {
    const std::string tool = "tool" + std::to_string(holders.size());
    holders.push_back("hold_" + tool);
    source.AddJoint(holders.back(), link, source.AddLink(tool), Revolute{Vector3::UnitX()});
  }
  const Written mbs = ToMbs(source.model);
  for (const std::string& holder : holders)
    EXPECT_EQ(Independent(mbs.model, holder), true) << holder;
  int independent = 0;
  for (const char* name : {"crank", "coupler", "rocker"})
    independent += Independent(mbs.model, name) == true ? 1 : 0;
  EXPECT_EQ(independent, 1);
}

TEST(MbsNatures, AValidDeclarationStands) {
  FourBar source;
  source.model.joint(source.rocker).independent = true;
  const Written mbs = ToMbs(source.model);
  EXPECT_EQ(Independent(mbs.model, "crank"), false);
  EXPECT_EQ(Independent(mbs.model, "coupler"), false);
  EXPECT_EQ(Independent(mbs.model, "rocker"), true);
}

// In a source with user code too few are right: Robotran promotes what is left over. Where nobody
// else can constrain the rest, it is put right by name.
class TooFew : public testing::TestWithParam<bool> {};
TEST_P(TooFew, IndependentJointsStandWhereUserCodeMayBe) {
  const bool user_code = GetParam();
  FourBar source;
  if (user_code) source.model.unsaid = UnsaidIndependence::kNothing;
  const LinkId arm = source.AddLink("arm");
  source.AddJoint("arm_joint", *source.model.FindLink("b"), arm, Revolute{}, Vector3(0.5, 0, 0));
  static_cast<void>(
      source.model.RemoveJoints([&](JointId id) { return source.model.joint(id).name == "loop"; }));
  source.model.joint(source.crank).independent = true;
  source.model.joint(source.coupler).independent = false;
  source.model.joint(source.rocker).independent = false;
  source.Couple("gear", CouplingForm::kTendon,
                {{source.crank, 2}, {source.coupler, 1}, {source.rocker, 1}});
  const Written mbs = ToMbs(source.model);  // two of the three are free
  EXPECT_EQ(Independent(mbs.model, "crank"), true);
  int independent = 0;
  for (const char* name : {"crank", "coupler", "rocker"})
    independent += Independent(mbs.model, name) == true ? 1 : 0;
  EXPECT_EQ(independent, user_code ? 1 : 2);
  const std::string losses = Losses(mbs.report, "independent");
  EXPECT_EQ(losses.find("declared dependent, written as independent") == std::string::npos,
            user_code)
      << losses;
}
INSTANTIATE_TEST_SUITE_P(MbsNatures, TooFew, testing::Bool(), [](const auto& each) {
  return std::string(each.param ? "WithUserCode" : "Without");
});

// A rod between a crank and a slider: the crank turns, and the rod about itself, which is one of
// three coordinates of its ball. As a free body it has six, of which two are left.
TEST(PartlyIndependent, WhatIsDeclaredIsTheMobility) {
  for (const bool free : {false, true}) {
    SmallModel source;
    source.model.name = "rod";
    source.model.gravity = Vector3(0, 0, -9.81);
    const LinkId crank = source.AddLink("crank"), rod = source.AddLink("rod"),
                 slider = source.AddLink("slider");
    source.AddJoint("turn", kWorld, crank, Revolute{Vector3::UnitZ()});
    source.AddJoint("slide", kWorld, slider, Prismatic{Vector3::UnitX()}, Vector3(1.1, 0, 0));
    if (free) {
      source.AddJoint("float", kWorld, rod, Free{}, Vector3(0.1, 0, 0));
      source.AddJoint("near", crank, rod, Ball{}, Vector3(0.1, 0, 0), JointRole::kLoop);
    } else {
      source.AddJoint("near", crank, rod, Ball{}, Vector3(0.1, 0, 0));
    }
    source.AddJoint("far", slider, rod, Ball{}, Vector3(0, 0, 0), JointRole::kLoop,
                    RigidTransform::Translation(Vector3(1, 0, 0)));
    for (const char* target : {"urdf+", "urdf+ paper", "mbs"}) {
      SCOPED_TRACE(std::string(target) + (free ? " free" : ""));
      ConvertOptions options;
      options.target = TargetNamed(target);
      Diagnostics messages;
      const std::optional<Converted> converted = Convert(source.model, options, messages);
      ASSERT_TRUE(converted) << Rendered(messages);
      const std::optional<Model> again =
          ReadText(converted->text, "out" + Extension(options.target.format->name), messages);
      ASSERT_TRUE(again) << Rendered(messages);
      const Coordinates c = AnalyseCoordinates(Compile(*again));
      EXPECT_EQ(c.mobility, 2);
      EXPECT_EQ(c.independent_declared, 2) << converted->text;
      EXPECT_TRUE(c.independent_ok) << converted->text;
      for (const AggregateCoordinates& part : c.aggregates) EXPECT_GT(part.conditioning, 0.02);
      EXPECT_EQ(Losses(converted->lowered.report, "independent"), "");
      VerifyOptions verify;
      verify.report = &converted->lowered.report;
      EXPECT_TRUE(VerifyEquivalent(source.model, *again, verify).equivalent) << converted->text;
    }
  }
}

TEST(MbsNatures, TooManyIndependentJointsAreALoss) {
  FourBar source;
  source.model.joint(source.crank).independent = true;
  source.model.joint(source.rocker).independent = true;
  const Written mbs = ToMbs(source.model);
  int independent = 0;
  for (const char* name : {"crank", "coupler", "rocker"})
    independent += Independent(mbs.model, name) == true ? 1 : 0;
  EXPECT_EQ(independent, 1);
  EXPECT_NE(Losses(mbs.report, "independent").find("declared independent, written as dependent"),
            std::string::npos);
}

// The equation of a dependent joint that nothing in the file constrains is in somebody's user code.
TEST(MbsNatures, ADependentJointBesideAllLoopsStays) {
  FourBar source;
  const JointId arm = source.AddJoint("arm_joint", kWorld, source.AddLink("arm"), Revolute{});
  source.model.joint(arm).independent = false;
  const Written mbs = ToMbs(source.model);
  EXPECT_EQ(Independent(mbs.model, "arm_joint"), false);
  EXPECT_EQ(Losses(mbs.report, "independent"), "");
}

TEST(MbsNames, AChainOfSeveralCoordinatesTakesOnlyFreeNames) {
  SmallModel source;
  const LinkId a = source.AddLink("a"), b = source.AddLink("b"), c = source.AddLink("c"),
               d = source.AddLink("d");
  source.AddJoint("wrist_1", kWorld, a, Revolute{});
  source.AddJoint("wrist", a, b, Universal{Vector3::UnitX(), Vector3::UnitY()});
  source.AddJoint("float_R2", kWorld, c, Revolute{});
  source.AddJoint("float", kWorld, d, Free{});
  const Written mbs = ToMbs(source.model);
  EXPECT_TRUE(mbs.model.FindJoint("wrist_1"));
  EXPECT_TRUE(mbs.model.FindJoint("wrist_2"));  // the universal joint: wrist_2_1, wrist_2_2
  EXPECT_TRUE(
      std::holds_alternative<Universal>(mbs.model.joint(*mbs.model.FindJoint("wrist_2")).kind));
  EXPECT_TRUE(std::holds_alternative<Free>(mbs.model.joint(*mbs.model.FindJoint("float_2")).kind));
}

// Every class has its own name space in the editor: a file of its own keeps what it calls alike.
TEST(MbsNames, AnMbsFileKeepsABodyAndAJointOfOneName) {
  SmallModel source;
  source.model.name = "arm";
  source.AddJoint("elbow", kWorld, source.AddLink("elbow"), Revolute{});
  source.model.format = "mbs";
  EXPECT_EQ(ToMbs(source.model).report.names.size(), 0u);
  source.model.format = "urdf";
  const Written mbs = ToMbs(source.model);
  ASSERT_EQ(mbs.report.names.size(), 1u);
  EXPECT_EQ(mbs.report.names[0].to, "elbow_joint");
}

Visual Painted(const Rgba& diffuse) {
  Visual visual;
  visual.name = "look";
  visual.shape = Sphere{0.1};
  visual.material.emplace();
  visual.material->diffuse = diffuse;
  return visual;
}

TEST(MbsColours, AreWholeStepsOf255AndALossOnlyWhereThatChangesThem) {
  SmallModel source;
  const LinkId a = source.AddLink("a");
  source.AddJoint("j", kWorld, a, Revolute{});
  source.model.link(a).visuals = {Painted(Rgba(0.2, 0.4, 1, 1))};  // 51, 102, 255
  EXPECT_EQ(Losses(ToMbs(source.model).report, "material-color"), "");
  source.model.link(a).visuals = {Painted(Rgba(0.7, 0.4, 1, 1))};
  const Written mbs = ToMbs(source.model);
  EXPECT_EQ(Losses(mbs.report, "material-color"),
            "visual 'look' of link 'a': colour 0.7 0.4 1 is written as 179 102 255 of 255\n");
  EXPECT_NE(mbs.text.find("<color R=\"179\" G=\"102\" B=\"255\""), std::string::npos);
}

TEST(MbsColours, TheSpecularColourStaysAndTheOthersAreALoss) {
  SmallModel source;
  const LinkId a = source.AddLink("a");
  source.AddJoint("j", kWorld, a, Revolute{});
  Visual visual = Painted(Rgba(1, 0, 0, 1));
  visual.material->specular = Rgba(0, 1, 0, 1);
  source.model.link(a).visuals = {visual};
  Written mbs = ToMbs(source.model);
  EXPECT_EQ(Losses(mbs.report, "material-lighting"), "");
  EXPECT_EQ(mbs.model.link(*mbs.model.FindLink("a")).visuals[0].material->specular,
            Rgba(0, 1, 0, 1));
  source.model.link(a).visuals[0].material->emissive = Rgba(0, 0, 1, 1);
  mbs = ToMbs(source.model);
  EXPECT_EQ(Losses(mbs.report, "material-lighting"),
            "visual 'look' of link 'a': ambient and emissive colours are not written\n");
}

TEST(MbsDrives, ADriveIsAFlagOnItsJointAndItsGearANumber) {
  SmallModel source;
  const JointId j = source.AddJoint("j", kWorld, source.AddLink("a"), Revolute{});
  Actuator motor;
  motor.name = "motor";
  motor.type = "motor";
  motor.joint = j;
  motor.gear = 50;
  motor.native = {
      "mjcf", "motor", {.name = "motor", .attributes = {{"joint", "j"}, {"gear", "50"}}}, {}};
  source.model.actuators.push_back(motor);
  const Written mbs = ToMbs(source.model);
  EXPECT_EQ(Losses(mbs.report, "actuator"),
            "actuator 'motor': actuator of type 'motor': its control law is not written, but the "
            "drive and its gear are\n");
  EXPECT_NE(mbs.text.find("<actuated/>"), std::string::npos);
  ASSERT_EQ(mbs.model.actuators.size(), 1u);
  EXPECT_EQ(mbs.model.actuators[0].gear, 50);
  EXPECT_EQ(mbs.model.joint(mbs.model.actuators[0].joint).name, "j");
}

// Of several drives of a joint a motor stays before a servo, of which more would be lost.
TEST(MbsDrives, AJointHasOne) {
  for (const bool motor_first : {true, false}) {
    SmallModel source;
    const JointId j = source.AddJoint("j", kWorld, source.AddLink("a"), Revolute{});
    for (const bool motor : {motor_first, !motor_first}) {
      Actuator drive;
      drive.name = drive.type = motor ? "motor" : "position";
      drive.kind = motor ? DriveKind::kEffort : DriveKind::kPosition;
      drive.joint = j;
      drive.gear = motor ? 50 : 1;
      drive.native.format = "mjcf";
      source.model.actuators.push_back(drive);
    }
    const Written mbs = ToMbs(source.model);
    EXPECT_EQ(Losses(mbs.report, "servo"),
              "actuator 'position': actuator of type 'position' is not written\n");
    EXPECT_EQ(Losses(mbs.report, "motor"), "");
    ASSERT_EQ(mbs.model.actuators.size(), 1u);
    EXPECT_EQ(mbs.model.actuators[0].gear, 50);
    VerifyOptions options;
    options.report = &mbs.report;
    EXPECT_TRUE(VerifyEquivalent(source.model, mbs.model, options).equivalent);
  }
}

TEST(MbsJointData, OfAFreeJointComesBack) {
  SmallModel source;
  const JointId free = source.AddJoint("base", kWorld, source.AddLink("a"), Free{});
  source.model.joint(free).axes.assign(1, JointAxis());
  source.model.joint(free).axes[0].armature = 0.5;
  const Written mbs = ToMbs(source.model);
  const std::optional<JointId> again =
      mbs.model.FindJoint("base_joint");  // 'base' is the ground's name
  ASSERT_TRUE(again);
  EXPECT_EQ(mbs.model.joint(*again).axes[0].armature, 0.5);
}

// Six joints with data of their own are not one free joint.
TEST(MbsJointData, KeepsSixSlidesAndHingesApart) {
  SmallModel source;
  LinkId at = kWorld;
  for (int i = 0; i < 6; ++i) {
    const LinkId next = source.AddLink("l" + std::to_string(i), i == 5 ? 1 : 0);
    source.model.link(next).synthetic = i < 5;
    const Vector3 axis = Vector3::Unit(i % 3);
    const JointId id =
        source.AddJoint("j" + std::to_string(i), at, next,
                        i < 3 ? JointKind(Prismatic{axis}) : JointKind(Revolute{axis}));
    source.model.joint(id).axes.assign(1, JointAxis());
    source.model.joint(id).axes[0].armature = 0.1 * (i + 1);
    at = next;
  }
  const Written mbs = ToMbs(source.model);
  EXPECT_EQ(mbs.model.num_joints(), 6u);
  VerifyOptions options;
  options.report = &mbs.report;
  EXPECT_TRUE(VerifyEquivalent(source.model, mbs.model, options).equivalent);
}

TEST(MbsCouplings, TheReportHasTheEquationAndItsCode) {
  SmallModel source;
  const JointId a = source.AddJoint("motor", kWorld, source.AddLink("a"), Revolute{});
  const JointId b = source.AddJoint("knee", kWorld, source.AddLink("b"), Revolute{});
  source.Couple("belt", CouplingForm::kTendon, {{b, 1}, {a, -2}}, 0.5);
  const Written mbs = ToMbs(source.model);
  EXPECT_EQ(Losses(mbs.report, "coupling-linear"),
            "coupling 'belt': q('knee') - 2 q('motor') = 0.5 is not enforced by the file alone\n");
  EXPECT_NE(
      mbs.report.user_code.find("  h[1] = 1.0 * s->q[knee_id] - 2.0 * s->q[motor_id] - 0.5;\n"),
      std::string::npos)
      << mbs.report.user_code;
  EXPECT_NE(LossReportJson(mbs.report).find("\"user_code\": \"/* 1 user constraint(s)"),
            std::string::npos);
  EXPECT_NE(LossReportMarkdown(mbs.report).find("```c\n/* 1 user constraint(s)"),
            std::string::npos);
}

}  // namespace
}  // namespace kinemorph::test
