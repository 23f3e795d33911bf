// Joints of the tree: kinds, axes, frames, limits of each URDF version, dynamics, mimic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kLimit = R"(<limit lower="-1" upper="2" effort="3" velocity="4"/>)";

TEST(ReadJoint, KindsAndTheDefaultAxis) {
  const auto kind = [](const std::string& type, const std::string& content = kLimit) {
    const ReadResult read = ReadRobot(Hinge(content, type));
    EXPECT_THAT(read.messages, IsEmpty()) << type;
    return JointNamed(*read.model, "hinge").kind;
  };
  EXPECT_EQ(std::get<Revolute>(kind("revolute")).axis, Vector3::UnitX());
  EXPECT_EQ(std::get<Revolute>(kind("continuous", "")).axis, Vector3::UnitX());
  EXPECT_EQ(std::get<Prismatic>(kind("prismatic", kLimit + R"(<axis xyz="0 0 -1"/>)")).axis,
            Vector3(0, 0, -1));
  EXPECT_EQ(std::get<Planar>(kind("planar", R"(<axis xyz="0 1 0"/>)")).normal, Vector3::UnitY());
  EXPECT_TRUE(std::holds_alternative<Fixed>(kind("fixed")));
  EXPECT_TRUE(std::holds_alternative<Free>(kind("floating", "")));
}

TEST(ReadJoint, TheTypeKeepsItsWord) {
  const Model model = *ReadRobot(Hinge("", "continuous")).model;
  EXPECT_EQ(JointNamed(model, "hinge").native_type, "continuous");
  EXPECT_EQ(JointNamed(model, "hinge").role, JointRole::kTree);
  EXPECT_EQ(model.format, "urdf");
}

TEST(ReadJoint, FixedJointsMayCarryNoise) {
  // What the SolidWorks exporter writes on every fixed joint.
  EXPECT_THAT(
      ReadRobot(
          Hinge(
              R"(<axis xyz="0 0 0"/><limit lower="0" upper="0" effort="0" velocity="0"/><dynamics damping="0"/>)",
              "fixed"))
          .messages,
      IsEmpty());
}

TEST(ReadJoint, OriginIsTheJointFrameAndTheChildsFrame) {
  const Model model =
      *ReadRobot(Hinge(R"(<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>)" + kLimit)).model;
  const Joint& joint = JointNamed(model, "hinge");
  EXPECT_EQ(joint.X_PF.p, Vector3(1, 2, 3));
  EXPECT_EQ(joint.X_PF.R * Vector3::UnitX(), Vector3::UnitY());
  EXPECT_TRUE(joint.X_SM.IsExactlyIdentity());
}

TEST(ReadJoint, RollPitchYawAreAboutFixedAxes) {
  const Matrix3 R =
      JointNamed(*ReadRobot(Hinge(R"(<origin rpy="0.1 0.2 0.3"/>)" + kLimit)).model, "hinge")
          .X_PF.R;
  const Matrix3 expected =
      (Eigen::AngleAxisd(0.3, Vector3::UnitZ()) * Eigen::AngleAxisd(0.2, Vector3::UnitY()) *
       Eigen::AngleAxisd(0.1, Vector3::UnitX()))
          .toRotationMatrix();
  EXPECT_NEAR((R - expected).norm(), 0, 1e-15);
}

TEST(ReadJoint, QuaternionOfUrdf11) {
  const std::string joint = Hinge(R"(<origin quat_xyzw="0 0 0.6 0.8"/>)" + kLimit);
  const ReadResult read = ReadRobot(joint, " version=\"1.1\"");
  EXPECT_THAT(read.messages, IsEmpty());
  const Matrix3 expected =
      Eigen::AngleAxisd(2 * std::atan2(0.6, 0.8), Vector3::UnitZ()).toRotationMatrix();
  EXPECT_NEAR((JointNamed(*read.model, "hinge").X_PF.R - expected).norm(), 0, 1e-15);
  EXPECT_THAT(
      ReadRobot(joint).messages,
      ElementsAre("robot.urdf:2: warning: origin 'robot[r]/joint[hinge]/origin': quat_xyzw is of "
                  "URDF 1.1; kinemorph reads it, but write <robot version=\"1.1\"> so that other "
                  "readers do too [dialect]"));
}

TEST(ReadJoint, AxesAreNormalisedWithAWarning) {
  const ReadResult read = ReadRobot(Hinge(R"(<axis xyz="0 3 4"/>)" + kLimit));
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:2: warning: joint 'hinge': its axis '0 3 4' is not a unit "
                          "vector; kinemorph normalised it [axis-not-unit]"));
  EXPECT_NEAR(
      (std::get<Revolute>(JointNamed(*read.model, "hinge").kind).axis - Vector3(0, 0.6, 0.8))
          .norm(),
      0, 1e-15);
}

TEST(ReadJoint, AxesRoundedByAnExporterAreNormalisedQuietly) {
  const ReadResult read = ReadRobot(Hinge(R"(<axis xyz="0 0.70710678 0.70710678"/>)" + kLimit));
  EXPECT_THAT(read.messages, IsEmpty());
  EXPECT_NEAR(std::get<Revolute>(JointNamed(*read.model, "hinge").kind).axis.norm(), 1, 1e-15);
}

TEST(ReadLimit, LimitsAndDynamics) {
  const ReadResult read = ReadRobot(Hinge(kLimit + R"(<dynamics damping="0.5" friction="0.25"/>)"));
  const JointAxis& axis = JointNamed(*read.model, "hinge").axes[0];
  EXPECT_EQ(axis.lower, -1);
  EXPECT_EQ(axis.upper, 2);
  EXPECT_EQ(axis.effort, 3);
  EXPECT_EQ(axis.velocity, 4);
  EXPECT_EQ(axis.damping, 0.5);
  EXPECT_EQ(axis.friction, 0.25);
  EXPECT_EQ(axis.acceleration, std::nullopt);
}

TEST(ReadLimit, WhatIsNotWrittenStaysAbsent) {
  const JointAxis axis = JointNamed(*ReadRobot(Hinge("", "continuous")).model, "hinge").axes[0];
  EXPECT_EQ(axis.lower, std::nullopt);
  EXPECT_EQ(axis.effort, std::nullopt);
  EXPECT_EQ(axis.damping, std::nullopt);
}

TEST(ReadLimit, Urdf12AddsAccelerationDecelerationAndJerk) {
  const ReadResult read = ReadRobot(
      Hinge(
          R"(<limit lower="-1" upper="1" effort="1" velocity="1" acceleration="20" deceleration="30" jerk="500"/>)"),
      " version=\"1.2\"");
  EXPECT_THAT(read.messages, IsEmpty());
  const JointAxis& axis = JointNamed(*read.model, "hinge").axes[0];
  EXPECT_EQ(axis.acceleration, 20);
  EXPECT_EQ(axis.deceleration, 30);
  EXPECT_EQ(axis.jerk, 500);
  EXPECT_EQ(read.model->format_version, "1.2");
}

TEST(ReadLimit, MissingBoundsAreZeroInUrdf10) {
  const ReadResult read = ReadRobot(Hinge(R"(<limit effort="1" velocity="1"/>)"));
  EXPECT_THAT(
      read.messages,
      ElementsAre("robot.urdf:2: warning: joint 'hinge': its <limit> lacks lower and "
                  "upper, which means 0 in URDF 1.0: the joint is locked [limit-default-zero]"));
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].lower, 0);
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].upper, 0);
}

TEST(ReadLimit, MissingBoundsAreInfiniteInUrdf12) {
  const ReadResult read =
      ReadRobot(Hinge(R"(<limit upper="1" effort="1" velocity="1"/>)"), " version=\"1.2\"");
  EXPECT_THAT(read.messages, IsEmpty());
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].lower, std::nullopt);
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].upper, 1);
}

TEST(ReadLimit, HugeNumbersAreNoLimits) {
  const JointAxis axis =
      JointNamed(
          *ReadRobot(Hinge(R"(<limit lower="-1e16" upper="1e+20" effort="1e16" velocity="1e16"/>)"))
               .model,
          "hinge")
          .axes[0];
  EXPECT_EQ(axis.lower, std::nullopt);
  EXPECT_EQ(axis.upper, std::nullopt);
  EXPECT_EQ(axis.effort, std::nullopt);
  EXPECT_EQ(axis.velocity, std::nullopt);
}

TEST(ReadLimit, ZeroIsALimitAndMinusOneIsNot) {
  const ReadResult read =
      ReadRobot(Hinge(R"(<limit lower="0" upper="0" effort="0" velocity="-1"/>)"));
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:2: warning: joint 'hinge': its velocity limit is -1, which "
                          "limits nothing; taken as unlimited [limit-negative]"));
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].effort, 0);
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].velocity, std::nullopt);
}

TEST(ReadLimit, ContinuousJointsHaveNoBounds) {
  const ReadResult read =
      ReadRobot(Hinge(R"(<limit lower="-1" upper="1" effort="5" velocity="6"/>)", "continuous"));
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:2: warning: joint 'hinge': type 'continuous' has no position "
                          "limits, lower and upper are not used; "
                          "write type=\"revolute\" to keep them [limit-on-continuous]"));
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].lower, std::nullopt);
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].effort, 5);
}

// libsdformat 12 does so with a warning; in SDFormat itself they stay as they are.
TEST(ReadLimit, ALowerLimitAboveTheUpperOneIsExchanged) {
  for (const char* type : {"revolute", "prismatic"}) {
    const ReadResult read =
        ReadRobot(Hinge(R"(<limit lower="1" upper="-0.5" effort="5" velocity="6"/>)", type));
    EXPECT_THAT(read.messages,
                ElementsAre("robot.urdf:2: warning: joint 'hinge': its lower limit 1 is above its "
                            "upper limit -0.5; read as if they were exchanged, as Gazebo does "
                            "[limits-exchanged]"));
    EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].lower, -0.5);
    EXPECT_EQ(JointNamed(*read.model, "hinge").axes[0].upper, 1);
  }
  // An absent upper limit is 0.
  const ReadResult absent = ReadRobot(Hinge(R"(<limit lower="1" effort="5" velocity="6"/>)"));
  EXPECT_EQ(JointNamed(*absent.model, "hinge").axes[0].lower, 0);
  EXPECT_EQ(JointNamed(*absent.model, "hinge").axes[0].upper, 1);
  EXPECT_EQ(absent.messages.size(), 2u);
}

TEST(ReadLimit, RevoluteWithoutLimitIsUnlimited) {
  EXPECT_THAT(ReadRobot(Hinge("")).messages,
              ElementsAre("robot.urdf:2: warning: joint 'hinge': type 'revolute' demands a "
                          "<limit>; taken as unlimited "
                          "(write type=\"continuous\" for that) [limit-missing]"));
}

TEST(ReadLimit, SafetyAndCalibration) {
  const ReadResult read = ReadRobot(Hinge(
      kLimit +
      R"(<safety_controller soft_lower_limit="-0.9" soft_upper_limit="0.8" k_position="15" k_velocity="8"/><calibration rising="0.4"/>)"));
  const JointAxis& axis = JointNamed(*read.model, "hinge").axes[0];
  EXPECT_EQ(axis.safety->soft_lower, -0.9);
  EXPECT_EQ(axis.safety->soft_upper, 0.8);
  EXPECT_EQ(axis.safety->k_position, 15);
  EXPECT_EQ(axis.safety->k_velocity, 8);
  EXPECT_EQ(axis.calibration->rising, 0.4);
  EXPECT_EQ(axis.calibration->falling, std::nullopt);
}

TEST(ReadJoint, ExtensionsOfBulletAndDrake) {
  const ReadResult ball = ReadRobot(Hinge("", "spherical"));
  EXPECT_TRUE(std::holds_alternative<Ball>(JointNamed(*ball.model, "hinge").kind));
  EXPECT_THAT(ball.messages,
              ElementsAre("robot.urdf:2: warning: joint 'hinge': type 'spherical' is an extension "
                          "that most URDF readers refuse [dialect]"));
  const ReadResult screw = ReadText(
      R"(<robot name="r" xmlns:drake="http://drake.mit.edu"><link name="base"/><link name="nut"/>
<drake:joint name="thread" type="screw"><parent link="base"/><child link="nut"/><axis xyz="0 0 1"/><drake:screw_thread_pitch screw_thread_pitch="0.01"/></drake:joint></robot>)");
  EXPECT_NEAR(std::get<Screw>(JointNamed(*screw.model, "thread").kind).pitch, 0.01 / (2 * M_PI),
              1e-18);
}

TEST(ReadJoint, UniversalIsAnExtensionOfUrdfPlus) {
  const ReadResult read =
      ReadRobot(Hinge(R"(<axis xyz="0 0 1"/>)", "universal", " independent=\"true\""));
  const Universal& universal = std::get<Universal>(JointNamed(*read.model, "hinge").kind);
  EXPECT_EQ(universal.axis1, Vector3::UnitZ());
  EXPECT_EQ(universal.axis2, Vector3::UnitY());
  EXPECT_EQ(JointNamed(*read.model, "hinge").axes.size(), 2u);
}

TEST(ReadJoint, UndeclaredLinkWorldIsTheWorld) {
  const ReadResult read = ReadRobot(R"(<link name="base"/>
<joint name="weld" type="fixed"><parent link="world"/><child link="base"/></joint>)");
  EXPECT_THAT(
      read.messages,
      ElementsAre("robot.urdf:2: warning: link 'world': is not defined; taken as the world, to "
                  "which the robot is fixed "
                  "(other readers refuse this: write <link name=\"world\"/>) [world-undeclared]"));
  EXPECT_EQ(read.model->predecessor(JointId{0}), kWorld);
}

TEST(ReadJoint, ADeclaredLinkWorldIsALinkLikeOthers) {
  const Model model =
      *ReadRobot(
           R"(<link name="world"/><link name="base"/><joint name="weld" type="fixed"><parent link="world"/><child link="base"/></joint>)")
           .model;
  EXPECT_NE(model.predecessor(JointId{0}), kWorld);
  EXPECT_EQ(model.num_links(), 3u);
}

TEST(ReadMimic, IsACouplingOfTwoCoordinates) {
  const ReadResult read = ReadRobot(
      FourBar("<link name=\"f\"/><joint name=\"finger\" type=\"continuous\"><parent "
              "link=\"base\"/><child link=\"f\"/>"
              "<mimic joint=\"crank_joint\" multiplier=\"-1.5\" offset=\"0.1\"/></joint>"));
  ASSERT_EQ(read.model->couplings.size(), 1u);
  const Coupling& mimic = read.model->couplings[0];
  EXPECT_EQ(mimic.form, CouplingForm::kMimic);
  EXPECT_EQ(mimic.name, "finger");
  // q_finger + 1.5 q_crank = 0.1
  EXPECT_EQ(read.model->joint(mimic.terms[0].coordinate.joint).name, "finger");
  EXPECT_EQ(mimic.terms[0].coefficients[0], 1);
  EXPECT_EQ(read.model->joint(mimic.terms[1].coordinate.joint).name, "crank_joint");
  EXPECT_EQ(mimic.terms[1].coefficients[0], 1.5);
  EXPECT_EQ(mimic.constant, 0.1);
  EXPECT_EQ(read.model->format, "urdf");
}

TEST(ReadMimic, MayNameAJointThatComesLater) {
  const ReadResult read = ReadRobot(R"(<link name="b"/><link name="l"/><link name="m"/>
    <joint name="j" type="continuous"><parent link="b"/><child link="l"/><mimic joint="k"/></joint><joint name="k" type="continuous"><parent link="b"/><child link="m"/></joint>)");
  EXPECT_THAT(read.messages, IsEmpty());
  EXPECT_EQ(read.model->couplings[0].terms[1].coefficients[0], -1);
}

TEST(ReadMimic, OnAFixedJointMeansNothing) {
  const ReadResult read =
      ReadRobot(FourBar("<link name=\"f\"/><joint name=\"finger\" type=\"fixed\"><parent "
                        "link=\"base\"/><child link=\"f\"/><mimic "
                        "joint=\"crank_joint\"/></joint>"));
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:5: warning: joint 'finger': mimics joint "
                          "'crank_joint', but is fixed and does not move; the <mimic> has no "
                          "effect, and kinemorph keeps it as text [mimic-on-fixed]"));
  EXPECT_THAT(read.model->couplings, IsEmpty());
}

TEST(ReadRobot, GivesTheFilesNameToANamelessRobot) {
  const ReadResult read =
      ReadText("<robot><link name=\"base\"/></robot>", nullptr, "robots/arm.v2.urdf");
  EXPECT_EQ(read.model->name, "arm.v2");
  EXPECT_THAT(read.messages,
              ElementsAre("robots/arm.v2.urdf:1: warning: robot 'arm.v2': the file gives no name; "
                          "kinemorph uses the name of the file [robot-name-missing]"));
}

TEST(ReadRobot, AnUnknownVersionIsReadAsTheNewest) {
  EXPECT_THAT(ReadRobot("<link name=\"base\"/>", " version=\"9.9\"").messages,
              ElementsAre("robot.urdf:1: warning: robot 'r': version '9.9' is not known; read as "
                          "URDF 1.2 [version-unknown]"));
}

TEST(ReadRobot, TransmissionsDriveAJoint) {
  const ReadResult read =
      ReadRobot(Hinge(kLimit) +
                R"(<transmission name="drive"><type>transmission_interface/SimpleTransmission</type>
    <joint name="hinge"><hardwareInterface>EffortJointInterface</hardwareInterface></joint><actuator name="motor"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>)");
  ASSERT_EQ(read.model->actuators.size(), 1u);
  EXPECT_EQ(read.model->actuators[0].name, "drive");
  EXPECT_EQ(read.model->actuators[0].type, "transmission_interface/SimpleTransmission");
  EXPECT_EQ(read.model->joint(read.model->actuators[0].joint).name, "hinge");
  EXPECT_EQ(read.model->actuators[0].gear, 50);
  EXPECT_THAT(read.messages, IsEmpty());
}

TEST(ReadRobot, SensorsSitOnTheirParent) {
  const ReadResult read = ReadRobot(
      Hinge(kLimit) +
      R"(<sensor name="imu" type="imu"><parent link="arm"/><origin xyz="0 0 1"/></sensor>)");
  ASSERT_EQ(read.model->sensors.size(), 1u);
  EXPECT_EQ(read.model->link(read.model->sensors[0].link).name, "arm");
  EXPECT_EQ(read.model->sensors[0].X_LS.p, Vector3::UnitZ());
}

// Other readers do not look for the leader at all.
TEST(ReadMimic, OfAJointThatIsNotThereIsLeftOutWithAWarning) {
  const ReadResult read = ReadRobot(Hinge("<mimic joint=\"hing\"/>", "continuous"));
  EXPECT_FALSE(read.errors);
  ASSERT_EQ(read.messages.size(), 1u);
  EXPECT_EQ(read.messages[0],
            "robot.urdf:2: warning: joint 'hinge': mimics joint 'hing', which is not defined; "
            "kinemorph leaves the <mimic> out, and the joint moves by itself [mimic-undefined]\n"
            "    did you mean 'hinge'?");
  EXPECT_TRUE(read.model->couplings.empty());
}

}  // namespace
}  // namespace kinemorph::test
