// Drives that two formats have words for cross between them, and what one of them lacks is lost by
// name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/formats/drive_law.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/field_text.h"

namespace kinemorph::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Two hinges and a slide. A hinge at the origin moves 0.5 kg m^2 alone; 0.1 of armature with it.
std::string MjcfWith(const std::string& actuators) {
  return R"(<mujoco model="m"><compiler angle="radian"/><worldbody><body name="a">
    <inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/>
    <joint name="i" axis="0 0 1" range="-1 2" armature="0.1" ref="0.3"/>
    <body name="b" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <joint name="j" axis="1 0 0"/>
      <body name="c" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <joint name="k" type="slide" axis="0 0 1"/></body></body></body></worldbody><actuator>)" +
         actuators + "</actuator></mujoco>";
}
Model Read(const std::string& text, const std::string& file) {
  Diagnostics unsaid;
  const std::optional<Model> model = ReadText(text, file, unsaid);
  EXPECT_TRUE(model) << Rendered(unsaid);
  return model.value_or(Model());
}

// "i position k=10 d=2 effort=-3..4 range=-1..1"; of a motor its efforts at the joint.
std::vector<std::string> DrivesOf(const Model& model) {
  std::vector<std::string> all;
  const auto add = [](std::string& text, const char* word, std::optional<double> value) {
    if (value) text += std::string(" ") + word + "=" + FormatNumber(std::round(*value * 1e9) / 1e9);
  };
  for (const Actuator& each : model.actuators) {
    const Actuator drive = AtJoint(each);
    std::string text = (drive.joint == kNoJoint ? "none" : model.joint(drive.joint).name) + " " +
                       ValueText(drive.kind);
    add(text, "k", drive.stiffness), add(text, "d", drive.damping);
    add(text, "from", drive.effort_lower), add(text, "to", drive.effort_upper);
    add(text, "least", drive.control_lower), add(text, "most", drive.control_upper);
    all.push_back(std::move(text));
  }
  return all;
}

TEST(Drives, OfMujocoAreSeenFromTheirJoint) {
  // A gear g makes g^2 of a gain; commands are those of the joint.
  EXPECT_THAT(DrivesOf(Read(MjcfWith(R"(
        <position name="p" joint="i" kp="100" kv="3" gear="2" ctrlrange="-1 3" forcerange="-4 5"/>
        <general name="g" joint="j" gear="-1" gainprm="40" biastype="affine" biasprm="2 -20 -4" ctrlrange="0 1"/>
        <velocity name="v" joint="k" kv="7" gear="2"/>
        <motor name="m" joint="j" gear="-3" ctrlrange="-1 2"/>
        <general name="n" joint="j" gainprm="5" ctrlrange="-1 1" forcerange="-2 9"/>)"),
                            "m.xml")),
              ElementsAre("i position k=400 d=12 from=-8 to=10 least=-0.5 most=1.5",
                          "j position k=20 d=4 least=-2.1 most=-0.1", "k velocity d=28",
                          "j effort from=-6 to=3", "j effort from=-2 to=5"));
  // What is no law of a moment, or no such law, stays with its format.
  EXPECT_THAT(DrivesOf(Read(MjcfWith(R"(
        <position joint="i" kp="1" timeconst="0.1"/> <intvelocity joint="i" kp="1" actrange="-1 1"/>
        <damper joint="j" kv="1" ctrlrange="0 1"/> <general joint="j" gainprm="1" biastype="affine" biasprm="0 4 0"/>)"),
                            "m.xml")),
              ElementsAre("i other", "i other", "j other", "j other"));
}

TEST(Drives, ADampingRatioIsOfWhatTheJointMovesAlone) {
  // M = 0.5 + 1 + 1 + 0.1 kg m^2 about z at qpos0; d = 2 r sqrt(k M).
  const Model model =
      Read(MjcfWith(R"(<position joint="i" kp="10" gear="2" dampratio="0.5"/>)"), "m.xml");
  ASSERT_EQ(model.actuators.size(), 1u);
  EXPECT_NEAR(*model.actuators[0].damping, std::sqrt(40 * 2.6), 1e-12);
}

struct Crossed {
  std::string text;
  std::vector<std::string> losses;
  Model again;
  VerifyResult proof;
};

Crossed Cross(const std::string& text, const std::string& file, ConvertOptions options) {
  Diagnostics unsaid;
  const Model model = Read(text, file);
  const std::optional<Converted> converted = Convert(model, options, unsaid);
  EXPECT_TRUE(converted) << Rendered(unsaid);
  if (!converted) return {};
  Crossed crossed{converted->text, {}, {}, {}};
  for (const Loss& loss : converted->lowered.report.losses)
    if (loss.feature != Feature::kPositionOffset && loss.feature != Feature::kArmature)
      crossed.losses.push_back(std::string(Name(loss.weight)) + ": " + loss.what);
  crossed.again = Read(converted->text, "out" + Extension(options.target.format->name));
  crossed.proof = VerifyEquivalent(model, crossed.again);
  return crossed;
}
Crossed Cross(const std::string& text, const std::string& file, const std::string& target) {
  ConvertOptions options;
  options.target = TargetNamed(target);
  return Cross(text, file, options);
}

constexpr const char* kServos = R"(
  <position name="p" joint="i" kp="100" kv="3" forcerange="-5 5"/>
  <velocity name="v" joint="k" kv="7" gear="2"/>)";

TEST(Drives, AServoCrossesWithItsGains) {
  for (const char* target : {"sdf", "urdf", "urdf+", "usda"}) {
    SCOPED_TRACE(target);
    const Crossed there = Cross(MjcfWith(kServos), "m.xml", target);
    const bool usd = std::string(target) == "usda";  // whose limit is the joint's
    EXPECT_THAT(DrivesOf(there.again),
                ElementsAre(usd ? "i position k=100 d=3" : "i position k=100 d=3 from=-5 to=5",
                            "k velocity d=28"));
    if (usd) { EXPECT_EQ(there.again.joint(there.again.actuators[0].joint).axes[0].effort, 5.0); }
    for (const std::string& loss : there.losses)
      EXPECT_THAT(loss, Not(HasSubstr("motion: actuator")));
    EXPECT_NE(there.proof.verdict, Verdict::kDifferent) << there.proof.line;
    EXPECT_THAT(there.proof.line, Not(HasSubstr("servo")));
    // And back: MuJoCo's words again.
    const Crossed back = Cross(there.text, "out" + Extension(target), "mjcf");
    EXPECT_THAT(back.text, HasSubstr("<position name=\"i\" joint=\"i\" kp=\"100\" kv=\"3\""));
    EXPECT_THAT(back.text, HasSubstr("<velocity name=\"k\" joint=\"k\" kv=\"28\""));
  }
}

TEST(Drives, MotorsAreControllersOfGazeboAndTransmissionsOfUrdf) {
  const std::string motor = MjcfWith(R"(<motor name="m" joint="j" gear="3" ctrlrange="-2 2"/>)");
  const Crossed sdf = Cross(motor, "m.xml", "sdf");
  EXPECT_THAT(sdf.text, HasSubstr("gz::sim::systems::ApplyJointForce"));
  EXPECT_THAT(DrivesOf(sdf.again), ElementsAre("j effort"));
  EXPECT_EQ(sdf.again.joint(sdf.again.actuators[0].joint).axes[0].effort, 6.0);
  const Crossed urdf = Cross(motor, "m.xml", "urdf");
  EXPECT_THAT(urdf.text, HasSubstr("<mechanicalReduction>3</mechanicalReduction>"));
  for (const Crossed* each : {&sdf, &urdf})
    for (const std::string& loss : each->losses)
      EXPECT_THAT(loss, Not(HasSubstr("actuator"))) << loss;
}

TEST(Drives, WhatATargetHasNoWordForIsLostByName) {
  const Crossed ranged = Cross(
      MjcfWith(R"(<position name="p" joint="j" kp="9" ctrlrange="-1 1" delay="0.1" nsample="2"/>)"),
      "m.xml", "sdf");
  EXPECT_THAT(ranged.losses, ElementsAre(HasSubstr("actuator of type 'position' is not written")));
  const Crossed narrow =
      Cross(MjcfWith(R"(<position name="p" joint="j" kp="9" ctrlrange="-1 1"/>)"), "m.xml", "sdf");
  EXPECT_THAT(narrow.losses, ElementsAre("interface: the range of commands is not written"));
  // A coordinate of USD has one drive.
  const Crossed two = Cross(
      MjcfWith(R"(<position name="p" joint="j" kp="9"/><velocity name="v" joint="j" kv="2"/>)"),
      "m.xml", "usda");
  EXPECT_THAT(two.losses, ElementsAre("motion: actuator of type 'velocity' is not written"));
}

TEST(Drives, AControllerOfGazeboWithAnIntegralStaysText) {
  const auto with = [](const std::string& controller) {
    return R"(<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>1</mass><inertia><ixx>1</ixx>
      <iyy>1</iyy><izz>1</izz></inertia></inertial></link><joint name="j" type="revolute"><parent>world</parent>
      <child>a</child><axis><xyz>0 0 1</xyz></axis></joint><plugin filename="gz-sim-joint-position-controller-system"
      name="gz::sim::systems::JointPositionController"><joint_name>j</joint_name>)" +
           controller + "</plugin></model></sdf>";
  };
  // The plugin's own defaults are p 1, i 0.1, d 0.01, at most 1000 N m.
  EXPECT_THAT(DrivesOf(Read(with(""), "m.sdf")), IsEmpty());
  EXPECT_THAT(DrivesOf(Read(with("<i_gain>0</i_gain>"), "m.sdf")),
              ElementsAre("j position k=1 d=0.01 from=-1000 to=1000"));
  const std::string own = with(
      "<topic>/j</topic><p_gain>20</p_gain><i_gain>0</i_gain><d_gain>0</d_gain>"
      "<cmd_max>-1</cmd_max><cmd_min>0</cmd_min>");
  EXPECT_THAT(DrivesOf(Read(own, "m.sdf")), ElementsAre("j position k=20"));
  // Its own format keeps it as it is; another one loses the topic by name.
  const Crossed same = Cross(own, "m.sdf", "sdf");
  EXPECT_THAT(same.losses, IsEmpty());
  EXPECT_THAT(same.text, HasSubstr("<topic>/j</topic>"));
  EXPECT_EQ(same.proof.verdict, Verdict::kEquivalent);
  EXPECT_THAT(Cross(own, "m.sdf", "mjcf").losses, ElementsAre(HasSubstr("topic")));
}

TEST(Drives, TheProofSeesEachNumberOfALaw) {
  const std::string source = MjcfWith(kServos);
  const Crossed usd = Cross(source, "m.xml", "usda");
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"stiffness = 1.745", "stiffness = 1.845"},
        {"damping = 0.0523", "damping = 0.0623"},
        {"maxForce = 5", "maxForce = 6"}}) {
    std::string changed = usd.text;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from << usd.text;
    changed.replace(at, from.size(), to);
    EXPECT_EQ(VerifyEquivalent(Read(source, "m.xml"), Read(changed, "out.usda")).verdict,
              Verdict::kDifferent)
        << to;
  }
}

TEST(Drives, GainsAreGivenWhereTheSourceHasMotors) {
  ConvertOptions options;
  options.target = TargetNamed("usda");
  options.gains = {"100,5", "k:7,0"};
  const std::string motors = MjcfWith(R"(<motor name="m" joint="i" gear="3" ctrlrange="-2 2"/>
    <velocity name="v" joint="j" kv="2"/>)");
  const Crossed given = Cross(motors, "m.xml", options);
  EXPECT_THAT(DrivesOf(given.again),
              UnorderedElementsAre("i position k=100 d=5", "j velocity d=2", "k position k=7"));
  EXPECT_EQ(given.again.joint(*given.again.FindJoint("i")).axes[0].effort, 6.0);
  // Bad ones are errors, and nothing is made of them.
  for (const char* bad : {"100", "-1,5", "x:1,2", "1,2,3", "nan,1"}) {
    options.gains = {bad};
    Diagnostics messages;
    EXPECT_FALSE(Convert(Read(motors, "m.xml"), options, messages)) << bad;
    EXPECT_THAT(Rendered(messages), HasSubstr("--gains")) << bad;
  }
}

TEST(Drives, ADriveOfUsdHasACommandOfItsOwn) {
  const auto stage = [](const std::string& drive) {
    return R"(#usda 1.0
(
    defaultPrim = "r"
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "r" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
  def Xform "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
    float physics:mass = 1
    float3 physics:diagonalInertia = (1, 1, 1)
  }
  def PhysicsRevoluteJoint "j" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) {
    rel physics:body1 = </r/a>
)" + drive +
           "  }\n}\n";
  };
  const std::string degree = "float drive:angular:physics:";
  const std::string servo = degree + "maxForce = 8\n" + degree + "stiffness = 1.7453292519943295\n";
  EXPECT_THAT(DrivesOf(Read(stage(servo), "s.usda")), ElementsAre("j position k=100"));
  const Model held = Read(stage(servo + degree + "targetPosition = 90\n"), "s.usda");
  ASSERT_EQ(held.actuators.size(), 1u);
  EXPECT_NEAR(held.actuators[0].target.value_or(0), std::acos(0.0), 1e-7);
  EXPECT_THAT(Cross(stage(servo + degree + "targetPosition = 90\n"), "s.usda", "sdf").text,
              HasSubstr("<initial_position>1.57"));
  // A drive of accelerations has no such law, and stays in its own format.
  const std::string acceleration =
      stage("uniform token drive:angular:physics:type = \"acceleration\"\n" + servo);
  EXPECT_THAT(DrivesOf(Read(acceleration, "s.usda")), ElementsAre("j other"));
  EXPECT_THAT(Cross(acceleration, "s.usda", "usda").losses, IsEmpty());
  EXPECT_THAT(Cross(acceleration, "s.usda", "sdf").losses,
              ElementsAre(HasSubstr("motion: actuator of type 'drive' is not written")));
}

}  // namespace
}  // namespace kinemorph::test
