// <gazebo> blocks: text that stays with what it refers to, and SDFormat joints that close loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "native_xml.h"
#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ReadGazebo, BlocksStayWithTheirLinkJointOrRobot) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo reference="crank"><mu1>0.2</mu1></gazebo><gazebo reference="crank_joint"><stopCfm>0</stopCfm></gazebo>
    <gazebo><static>false</static></gazebo>)"));
  EXPECT_THAT(read.messages, IsEmpty());
  EXPECT_THAT(LinkNamed(*read.model, "crank").native, SizeIs(1));
  EXPECT_THAT(JointNamed(*read.model, "crank_joint").native, SizeIs(1));
  ASSERT_THAT(read.model->native, SizeIs(1));
  EXPECT_EQ(read.model->native[0].format, "urdf");
  EXPECT_EQ(read.model->native[0].element, "gazebo");
}

TEST(ReadGazebo, WhatSdformatHasByTheSameNameIsKeptAsSdformat) {
  const ReadResult read =
      ReadRobot(FourBar(R"(<gazebo reference="crank"><mu1>0.2</mu1><light name="l"/>
    <sensor name="imu" type="imu"><pose>0 0 0.1 0 0 0</pose></sensor></gazebo>
    <gazebo><plugin name="p" filename="p.so"/></gazebo>)"));
  EXPECT_THAT(read.messages, IsEmpty());
  ASSERT_THAT(read.model->sensors, SizeIs(1));
  const Sensor& sensor = read.model->sensors[0];
  EXPECT_EQ(sensor.name, "imu");
  EXPECT_EQ(sensor.type, "imu");
  EXPECT_EQ(sensor.link, read.model->FindLink("crank"));
  EXPECT_EQ(sensor.X_LS.p, Vector3(0, 0, 0.1));
  EXPECT_EQ(sensor.native.format, "sdf");
  const std::vector<NativeData>& crank = LinkNamed(*read.model, "crank").native;
  ASSERT_THAT(crank, SizeIs(2));
  EXPECT_EQ(crank[0].format + " " + Xml(crank[0]), "sdf <light name=\"l\"/>");
  EXPECT_EQ(crank[1].format + " " + Xml(crank[1]),
            "urdf <gazebo reference=\"crank\">\n    <mu1>0.2</mu1>\n</gazebo>");
  ASSERT_THAT(read.model->scopes[0].native, SizeIs(1));
  EXPECT_EQ(Xml(read.model->scopes[0].native[0]), "<plugin name=\"p\" filename=\"p.so\"/>");
}

// Gazebo copies settings of SDFormat as they are; tags of its converter, and of Gazebo before
// SDFormat, it does not.
TEST(ReadGazebo, SettingsOfSdformatAreSdformat) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo reference="crank"><selfCollide>1</selfCollide><gravity>false</gravity><kinematic>true</kinematic></gazebo>
    <gazebo><enable_wind>true</enable_wind><controller:bumper name="b"/><gz:note/></gazebo>)"));
  const Link& crank = LinkNamed(*read.model, "crank");
  EXPECT_EQ(crank.gravity, false);
  EXPECT_EQ(crank.self_collide, true);
  ASSERT_THAT(crank.native, SizeIs(1));
  EXPECT_EQ(crank.native[0].format + " " + crank.native[0].element, "sdf kinematic");
  const std::vector<NativeData>& model = read.model->scopes[0].native;
  ASSERT_THAT(model, SizeIs(2));
  EXPECT_EQ(model[0].format + " " + model[0].element, "sdf enable_wind");
  EXPECT_EQ(model[1].format + " " + model[1].element, "sdf gz:note");
  ASSERT_THAT(read.model->native, SizeIs(1));
  EXPECT_EQ(read.model->native[0].format, "urdf");
  EXPECT_THAT(Xml(read.model->native[0]), ::testing::HasSubstr("controller:bumper"));
}

TEST(ReadGazebo, AReferenceToNothingIsReported) {
  const ReadResult read =
      ReadRobot(FourBar(R"(<gazebo reference="cranc"><mu1>0.2</mu1></gazebo>)"));
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:5: warning: gazebo 'cranc': no link or joint has this name; "
                          "kinemorph keeps the block as text [gazebo-reference-unknown]\n"
                          "    did you mean 'crank'?"));
  EXPECT_THAT(read.model->native, SizeIs(1));
}

// The coupler's frame is at 0 0 0.2, the rocker's at 0.4 0 -0.1 (world axes): the pin at 0 0 0.3 of
// the rocker is at 0.4 0 0 of the coupler.
const std::string kPin =
    R"(<gazebo><joint name="pin" type="revolute"><parent>coupler</parent><child>rocker</child>
  <pose>0 0 0.3 0 0 0</pose><axis><xyz>0 1 0</xyz><dynamics><damping>0.2</damping></dynamics></axis></joint><static>false</static></gazebo>)";

TEST(ReadGazeboJoint, IsALoopAssembledAtZero) {
  const ReadResult read = ReadRobot(FourBar(kPin));
  EXPECT_THAT(Loops(*read.model),
              ElementsAre("revolute coupler -> rocker at 0.4 0 0 / 0 0 0.3 axis 0 1 0"));
  EXPECT_EQ(JointNamed(*read.model, "pin").axes[0].damping, 0.2);
  EXPECT_EQ(read.model->format, "urdf") << "it declares no independent coordinates";
  EXPECT_THAT(read.messages, IsEmpty());
}

TEST(ReadGazeboJoint, TheRestOfItsBlockIsKept) {
  const Model model = *ReadRobot(FourBar(kPin)).model;
  ASSERT_THAT(model.native, SizeIs(1));
  EXPECT_EQ(Xml(model.native[0]), "<gazebo>\n    <static>false</static>\n</gazebo>");
}

TEST(ReadGazeboJoint, PoseRelativeToAnotherFrameAndAxisInTheModel) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><joint name="pin" type="prismatic"><parent>coupler</parent><child>rocker</child>
    <pose relative_to="coupler">0.4 0 0 0 0 1.5707963267948966</pose><axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint></gazebo>)"));
  const Joint& pin = JointNamed(*read.model, "pin");
  EXPECT_NEAR((pin.X_PF.p - Vector3(0.4, 0, 0)).norm(), 0, 1e-15);
  EXPECT_NEAR((pin.X_SM.p - Vector3(0, 0, 0.3)).norm(), 0, 1e-15);
  EXPECT_NEAR((std::get<Prismatic>(pin.kind).axis - Vector3::UnitX()).norm(), 0, 1e-15);
}

// libsdformat reads the blocks as SDFormat 1.7, where older words mean nothing.
TEST(ReadGazeboJoint, OldWordsAreIgnored) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><joint name="pin" type="revolute"><parent>coupler</parent><child>rocker</child>
    <pose frame="base">0 0 0.3 0 0 1.5707963267948966</pose><axis><xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis></joint></gazebo>)"));
  const Joint& pin = JointNamed(*read.model, "pin");
  EXPECT_EQ(std::get<Revolute>(pin.kind).axis, Vector3::UnitY());
  EXPECT_EQ(pin.X_SM.p, Vector3(0, 0, 0.3));
  EXPECT_THAT(
      read.messages,
      ElementsAre(
          "robot.urdf:6: warning: joint 'pin': frame=\"base\" at <pose> is of SDFormat 1.6 (write "
          "relative_to=\"base\"); libsdformat 9 and later ignore it in <gazebo>, which they read "
          "as "
          "SDFormat 1.7, and so does kinemorph [gazebo-old-word]",
          "robot.urdf:6: warning: joint 'pin': <use_parent_model_frame> is of SDFormat 1.6; its "
          "numbers are read in the joint's frame (for the model's write expressed_in=\"__model__\" "
          "at "
          "<xyz>); libsdformat 9 and later ignore it in <gazebo>, which they read as SDFormat 1.7, "
          "and so does kinemorph [gazebo-old-word]"));
}

TEST(ReadGazeboJoint, OldWordsThatChangeNothingAreNotTold) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><joint name="pin" type="revolute"><parent>coupler</parent><child>rocker</child>
    <pose frame="">0 0 0.3 0 0 0</pose><axis><xyz>0 1 0</xyz><use_parent_model_frame>0</use_parent_model_frame></axis></joint></gazebo>)"));
  EXPECT_THAT(read.messages, IsEmpty());
}

TEST(ReadGazeboJoint, OtherTypes) {
  const auto loop = [](const std::string& type, const std::string& axes) {
    return Loops(*ReadRobot(FourBar("<gazebo><joint name=\"pin\" type=\"" + type +
                                    "\"><parent>coupler</parent><child>rocker</child>" + axes +
                                    "</joint></gazebo>"))
                      .model);
  };
  EXPECT_THAT(loop("ball", ""), ElementsAre("ball coupler -> rocker at 0.4 0 -0.3 / 0 0 0"));
  EXPECT_THAT(loop("fixed", ""), ElementsAre("fixed coupler -> rocker at 0.4 0 -0.3 / 0 0 0"));
  EXPECT_THAT(loop("revolute", ""),
              ElementsAre("revolute coupler -> rocker at 0.4 0 -0.3 / 0 0 0 axis 0 0 1"));
  EXPECT_THAT(
      loop("universal", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>"),
      ElementsAre("universal coupler -> rocker at 0.4 0 -0.3 / 0 0 0 axis 1 0 0 axis 0 0 1"));
}

// thread_pitch is radians per metre and left-handed, screw_thread_pitch metres per turn.
TEST(ReadGazeboJoint, AScrewHasAPitch) {
  const auto pitch = [](const std::string& word) {
    const ReadResult read =
        ReadRobot(FourBar("<gazebo><joint name=\"pin\" type=\"screw\"><parent>coupler</parent>"
                          "<child>rocker</child><axis><xyz>0 1 0</xyz></axis>" +
                          word + "</joint></gazebo>"));
    EXPECT_THAT(read.messages, SizeIs(word.empty() ? 1 : 0));
    return std::get<Screw>(JointNamed(*read.model, "pin").kind).pitch;
  };
  EXPECT_EQ(pitch("<thread_pitch>-4</thread_pitch>"), 0.25);
  EXPECT_NEAR(pitch("<screw_thread_pitch>1</screw_thread_pitch>"), 0.15915494309189535, 1e-15);
  EXPECT_EQ(pitch(""), -1);
  const ReadResult zero =
      ReadRobot(FourBar("<gazebo><joint name=\"pin\" type=\"screw\"><parent>coupler</parent>"
                        "<child>rocker</child><axis><xyz>0 1 0</xyz></axis>"
                        "<thread_pitch>0</thread_pitch></joint></gazebo>"));
  EXPECT_THAT(zero.messages,
              ElementsAre("robot.urdf:5: error: joint 'pin': thread_pitch is 0; its unit is "
                          "radians per metre, so zero is impossible [screw-pitch]"));
}

// What is said of the joint stays with it.
TEST(ReadGazeboJoint, KeepsPhysicsAndSensors) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><joint name="pin" type="revolute"><parent>coupler</parent><child>rocker</child>
      <axis><xyz>0 1 0</xyz></axis><physics><ode><erp>0.2</erp></ode></physics>
      <sensor name="wrench" type="force_torque"><pose>0 0 0.1 0 0 0</pose></sensor></joint></gazebo>)"));
  EXPECT_THAT(read.messages, IsEmpty());
  const Joint& pin = JointNamed(*read.model, "pin");
  ASSERT_THAT(pin.native, SizeIs(1));
  EXPECT_EQ(pin.native[0].format + " " + pin.native[0].element, "sdf physics");
  ASSERT_THAT(read.model->sensors, SizeIs(1));
  EXPECT_EQ(read.model->sensors[0].joint, *read.model->FindJoint("pin"));
  EXPECT_EQ(read.model->sensors[0].X_LS.p.z(), 0.1);
}

TEST(ReadGazeboJoint, BehindAReferenceIsNone) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo reference="crank"><joint name="pin" type="ball"><parent>coupler</parent><child>rocker</child></joint></gazebo>)"));
  EXPECT_THAT(Loops(*read.model), IsEmpty());
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:5: warning: joint 'pin': in <gazebo reference=\"crank\">, "
                          "where libsdformat ignores it; remove the reference "
                          "[gazebo-joint-reference]"));
}

TEST(ReadGazeboJoint, ToTheWorldFixesTheBase) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><joint name="mount" type="fixed"><parent>world</parent><child>base</child></joint></gazebo>)"));
  const JointId mount = *read.model->FindJoint("mount");
  EXPECT_EQ(read.model->predecessor(mount), kWorld);
  EXPECT_EQ(read.model->joint(mount).role, JointRole::kTree);
  EXPECT_EQ(read.model->format, "urdf");
}

// Which joint closes the loop is not said; and where nothing else holds the robot, none does.
TEST(ReadGazeboJoint, ToTheWorldMayHoldTheRobotAnywhere) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><joint name="mount" type="fixed"><parent>world</parent><child>rocker</child></joint></gazebo>)"));
  EXPECT_THAT(read.messages, IsEmpty());
  EXPECT_EQ(JointNamed(*read.model, "mount").role, JointRole::kUndecided);
}

TEST(ReadGazeboJoint, OfASensorModelIsNoLoop) {
  // The same syntax places sensor models that are no part of this robot.
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><model name="camera"/><joint name="mount" type="fixed"><parent>base</parent><child>camera::link</child></joint></gazebo>)"));
  EXPECT_THAT(Loops(*read.model), IsEmpty());
  EXPECT_THAT(read.model->native, SizeIs(1)) << "the block as it stands";
  EXPECT_THAT(read.messages, ElementsAre("robot.urdf:5: warning: model 'camera': in <gazebo>, is a "
                                         "model within the robot; kinemorph does not read it and "
                                         "keeps it as text [gazebo-model-kept]",
                                         "robot.urdf:5: warning: joint 'mount': in <gazebo>, joins "
                                         "'base' and 'camera::link', which are not two links of "
                                         "this robot; kinemorph keeps the joint as text "
                                         "[gazebo-joint-foreign]"));
}

TEST(ReadGazeboJoint, OfATypeWeDoNotReadIsKept) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><joint name="thread" type="hinge2"><parent>coupler</parent><child>rocker</child></joint></gazebo>)"));
  EXPECT_THAT(read.messages, ElementsAre("robot.urdf:5: warning: joint 'thread': in <gazebo>, is "
                                         "of type 'hinge2', which kinemorph does not read here "
                                         "and keeps as text [gazebo-joint-kept]"));
  EXPECT_THAT(read.model->native, SizeIs(1));
}

}  // namespace
}  // namespace kinemorph::test
