// Joints: units, limits, reference positions, several in one body.
#include <numbers>

#include "mjcf_text.h"

namespace kinemorph {
namespace {

constexpr double kPi = std::numbers::pi;

// One joint in the default units (degrees).
Joint InDegrees(const std::string& attributes) {
  return JointNamed(Quiet("<mujoco><worldbody><body><joint name='j' " + attributes +
                          "/></body></worldbody></mujoco>"),
                    "j");
}

TEST(MjcfJoint, DegreesApplyToHingesAndBallsAndToNothingElse) {
  const Joint hinge = InDegrees(
      "range='-90 180' damping='2' stiffness='3' springref='90' armature='4' frictionloss='5'");
  EXPECT_DOUBLE_EQ(*hinge.axes[0].lower, -kPi / 2);
  EXPECT_DOUBLE_EQ(*hinge.axes[0].upper, kPi);
  EXPECT_DOUBLE_EQ(*hinge.axes[0].spring_reference, kPi / 2);
  EXPECT_EQ(hinge.axes[0].damping, 2);
  EXPECT_EQ(hinge.axes[0].spring_stiffness, 3);
  EXPECT_EQ(hinge.axes[0].armature, 4);
  EXPECT_EQ(hinge.axes[0].friction, 5);
  const Joint slide = InDegrees("type='slide' range='-10 20' ref='3'");
  EXPECT_EQ(slide.axes[0].lower, -13);
  EXPECT_EQ(slide.axes[0].upper, 17);
  const Joint ball = InDegrees("type='ball' range='0 90'");
  EXPECT_FALSE(ball.axes[0].lower);
  EXPECT_DOUBLE_EQ(*ball.axes[0].upper, kPi / 2);
}

TEST(MjcfJoint, RefShiftsLimitsAndSpringReference) {
  const Model model = Quiet(World(
      "<body><joint name='j' ref='0.5' range='-1 2' stiffness='1' springref='0.75'/></body>"));
  const JointAxis& axis = JointNamed(model, "j").axes[0];
  EXPECT_EQ(axis.position_offset, 0.5);
  EXPECT_EQ(axis.lower, -1.5);
  EXPECT_EQ(axis.upper, 1.5);
  EXPECT_EQ(axis.spring_reference, 0.25);
}

TEST(MjcfJoint, AFreeJointThatSaysItHasNoLimitsSaysNothing) {
  const Model m = Quiet(World("<body><joint name='f' type='free' limited='false'/></body>"));
  EXPECT_TRUE(JointNamed(m, "f").native.empty());
}

TEST(MjcfJoint, ARangeLimitsByItselfUnlessItIsEmptyOrSwitchedOff) {
  EXPECT_TRUE(InDegrees("range='0 1'").axes[0].upper);
  EXPECT_FALSE(InDegrees("range='0 0'").axes[0].upper);
  EXPECT_FALSE(InDegrees("range='0 1' limited='false'").axes[0].upper);
  const MjcfRead read = ReadMjcfText(
      "<mujoco><compiler autolimits='false'/><worldbody><body><joint range='0 "
      "1'/></body></worldbody></mujoco>");
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_NE(read.errors[0].find("[limited-missing]"), std::string::npos);
}

TEST(MjcfJoint, HugeLimitsAreNone) {
  const Joint joint = InDegrees("type='slide' range='-1e16 2'");
  EXPECT_FALSE(joint.axes[0].lower);
  EXPECT_EQ(joint.axes[0].upper, 2);
}

TEST(MjcfJoint, EffortFromActuatorForceRange) {
  const JointAxis symmetric = InDegrees("actuatorfrcrange='-30 30'").axes[0];
  EXPECT_EQ(symmetric.effort, 30);
  EXPECT_FALSE(symmetric.effort_lower);
  const JointAxis lopsided = InDegrees("actuatorfrcrange='-10 30'").axes[0];
  EXPECT_EQ(lopsided.effort, 30);
  EXPECT_EQ(lopsided.effort_lower, -10);
  EXPECT_EQ(InDegrees("actuatorfrcrange='5 30'").axes[0].effort_lower, 5);
  for (const char* reversed : {"30 -30", "30 30"}) {
    const MjcfRead read =
        ReadMjcfText(World("<body><joint actuatorfrclimited='true' actuatorfrcrange='" +
                           std::string(reversed) + "'/></body>"));
    ASSERT_EQ(read.errors.size(), 1u) << reversed;
    EXPECT_NE(read.errors[0].find("[limits-reversed]"), std::string::npos) << read.errors[0];
  }
}

TEST(MjcfJoint, TheDefaultAxisIsZAndAxesAreNormalised) {
  EXPECT_EQ(AxesOf(InDegrees("").kind).front(), Vector3(0, 0, 1));
  EXPECT_EQ(AxesOf(InDegrees("axis='0 2 0'").kind).front(), Vector3(0, 1, 0));
  EXPECT_EQ(ReadMjcfText(World("<body><joint axis='0 0 0'/></body>")).errors.size(), 1u);
}

TEST(MjcfJoint, SeveralJointsOfABodyAreAChainInDeclarationOrder) {
  const Model model = Quiet(World(
      R"(<body name="b" pos="0 0 5"><joint name="first" axis="1 0 0" pos="0 0 1"/><joint name="second" type="slide" axis="0 1 0"/></body>)"));
  ASSERT_EQ(model.num_links(), 3u);
  const JointId first = *model.FindJoint("first"), second = *model.FindJoint("second");
  EXPECT_EQ(model.predecessor(first), kWorld);  // the first is nearest the parent
  EXPECT_EQ(model.successor(first), model.predecessor(second));
  const Link& between = model.link(model.successor(first));
  EXPECT_TRUE(between.synthetic);
  EXPECT_FALSE(between.inertial);
  EXPECT_EQ(between.name, "b_link");
  EXPECT_EQ(model.link(model.successor(second)).name, "b");
  // At zero the link in between lies on the body.
  EXPECT_EQ(model.joint(first).X_PF.p, Vector3(0, 0, 6));
  EXPECT_EQ(model.joint(first).X_SM.p, Vector3(0, 0, 1));
  EXPECT_TRUE(model.joint(second).X_PF.IsExactlyIdentity());
}

TEST(MjcfJoint, FreeJointsStandAtTheTopOnly) {
  const Model model = Quiet(World(R"(<body name="b" pos="1 0 0"><freejoint name="root"/></body>)"));
  EXPECT_TRUE(std::holds_alternative<Free>(JointNamed(model, "root").kind));
  EXPECT_EQ(JointNamed(model, "root").X_PF.p, Vector3(1, 0, 0));
  const MjcfRead nested =
      ReadMjcfText(World("<body name='a'><body name='b'><freejoint/></body></body>"));
  ASSERT_EQ(nested.errors.size(), 1u);
  EXPECT_EQ(nested.errors[0],
            "robot.xml:1: error: free joint of body 'b': only a body of the world can have one "
            "[freejoint-nested]");
}

TEST(MjcfJoint, FreejointTakesNoDefaults) {
  const Model model = Quiet(
      "<mujoco><default><joint damping='7'/></default><worldbody><body><freejoint "
      "name='f'/></body><body><joint name='t' "
      "type='free'/></body></worldbody></mujoco>");
  EXPECT_FALSE(JointNamed(model, "f").axes[0].damping);
  EXPECT_EQ(JointNamed(model, "t").axes[0].damping, 7);
}

TEST(MjcfJoint, MuJoCosOwnRulesAreKept) {
  EXPECT_EQ(ReadMjcfText(World("<joint name='j'/>")).errors.size(), 1u);
  EXPECT_EQ(ReadMjcfText(World("<body><joint type='ball'/><joint/></body>")).errors.size(), 1u);
  EXPECT_EQ(ReadMjcfText(World("<body><freejoint/><joint type='slide'/></body>")).errors.size(),
            1u);
  EXPECT_EQ(ReadMjcfText(World("<body><joint limited='true' range='2 1'/></body>")).errors.size(),
            1u);
  EXPECT_EQ(ReadMjcfText(World("<body><joint name='a'/></body><body><joint name='a'/></body>"))
                .errors.size(),
            1u);
}

TEST(MjcfActuator, JointGearAndForceRange) {
  const Model model = Quiet(
      R"(<mujoco><default><motor gear="5" forcerange="-2 3"/></default><worldbody><body><joint name="j"/></body></worldbody>
    <actuator><motor name="m" joint="j"/></actuator></mujoco>)");
  ASSERT_EQ(model.actuators.size(), 1u);
  EXPECT_EQ(model.actuators[0].joint, *model.FindJoint("j"));
  EXPECT_EQ(model.actuators[0].gear, 5);
  EXPECT_EQ(model.actuators[0].effort_lower, -2);
  EXPECT_EQ(model.actuators[0].effort_upper, 3);
}

}  // namespace
}  // namespace kinemorph
