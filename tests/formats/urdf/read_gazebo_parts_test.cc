// Links, frames, joints of every kind and plugins in <gazebo> without reference: parts of the robot,
// as libsdformat has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinemorph/formats/gazebo_blocks.h"
#include "native_xml.h"
#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kRod =
    R"(<gazebo><link name="rod"><pose relative_to="coupler">0.1 0 0 0 0 0</pose><inertial><mass>0.5</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>
  <collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision></link></gazebo>)";

Model ReadClean(const std::string& body) {
  const ReadResult read = ReadRobot(body);
  EXPECT_THAT(read.messages, IsEmpty());
  return *read.model;
}

TEST(ReadGazeboParts, ALinkThatNothingHoldsFloats) {
  const Model model = ReadClean(FourBar(kRod));
  const Link& rod = LinkNamed(model, "rod");
  EXPECT_EQ(rod.inertial->mass, 0.5);
  EXPECT_EQ(rod.inertial->I_I(0, 0), 0.1);
  EXPECT_EQ(std::get<Box>(rod.collisions.at(0).shape).size, Vector3(1, 2, 3));
  const JointId free = *model.FindJoint("world_to_rod");
  EXPECT_TRUE(std::holds_alternative<Free>(model.joint(free).kind));
  EXPECT_TRUE(model.joint(free).implicit);
  EXPECT_NEAR((model.joint(free).X_PF.p - Vector3(0.1, 0, 0.2)).norm(), 0, 1e-15);
  EXPECT_THAT(model.native, IsEmpty());
}

TEST(ReadGazeboParts, AJointHoldsALinkOfALaterBlock) {
  const Model model = ReadClean(FourBar(
      R"(<gazebo><joint name="hold" type="ball"><parent>coupler</parent><child>rod</child></joint></gazebo>)" +
      kRod));
  EXPECT_FALSE(model.FindJoint("world_to_rod"));
  const Joint& hold = JointNamed(model, "hold");
  EXPECT_EQ(hold.role, JointRole::kUndecided) << "nothing says which joints close loops";
  EXPECT_NEAR((hold.X_PF.p - Vector3(0.1, 0, 0)).norm(), 0, 1e-15);
}

TEST(ReadGazeboParts, FramesPlaceJointsAndAreKept) {
  const Model model = ReadClean(FourBar(
      R"(<gazebo><frame name="tip" attached_to="coupler"><pose>0.4 0 0 0 0 0</pose></frame>
    <joint name="pin" type="revolute"><pose relative_to="tip"/><parent>tip</parent><child>rocker</child>
    <axis><xyz>0 1 0</xyz></axis></joint></gazebo>)"));
  EXPECT_THAT(Loops(model),
              ElementsAre("revolute coupler -> rocker at 0.4 0 0 / 0 0 0.3 axis 0 1 0"));
  ASSERT_THAT(model.frames, SizeIs(1));
  EXPECT_EQ(model.frames[0].X_LF.p, Vector3(0.4, 0, 0));
}

// As SDFormat has it, a joint is a frame too: the pin is on the rod, whatever order they come in.
TEST(ReadGazeboParts, AJointEndsOnAnotherJoint) {
  const Model model = ReadClean(FourBar(
      R"(<gazebo><joint name="weld" type="fixed"><parent>pin</parent><child>rocker_joint</child></joint>
    <joint name="pin" type="revolute"><parent>coupler</parent><child>rod</child><axis><xyz>0 1 0</xyz></axis></joint></gazebo>)" +
      kRod));
  const JointId weld = *model.FindJoint("weld");
  EXPECT_EQ(model.link(model.predecessor(weld)).name, "rod");
  EXPECT_EQ(model.link(model.successor(weld)).name, "rocker");
  EXPECT_TRUE(model.FindJoint("pin"));
}

TEST(ReadGazeboParts, AJointThatIsNotTakenIsNoFrame) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo><joint name="weld" type="fixed"><parent>pin</parent><child>rocker</child></joint>
    <joint name="pin" type="hinge2"><parent>coupler</parent><child>rocker</child></joint></gazebo>)"));
  EXPECT_FALSE(read.errors);
  EXPECT_THAT(read.messages, ElementsAre(HasSubstr("joins 'pin' and 'rocker', which are not two"),
                                         HasSubstr("is of type 'hinge2'")));
}

TEST(ReadGazeboParts, AReferenceToAPartIsIgnored) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo reference="pin"><springStiffness>3</springStiffness></gazebo>
<gazebo reference="rod"><selfCollide>true</selfCollide></gazebo>
<gazebo><joint name="pin" type="revolute"><parent>coupler</parent><child>rod</child></joint></gazebo>)" +
      kRod));
  EXPECT_FALSE(JointNamed(*read.model, "pin").axes[0].spring_stiffness);
  EXPECT_FALSE(LinkNamed(*read.model, "rod").self_collide);
  EXPECT_THAT(read.model->native, IsEmpty()) << "it would count where the part stands elsewhere";
  EXPECT_THAT(
      read.messages,
      testing::Contains(
          "robot.urdf:5: note: gazebo 'pin': a <gazebo> block defines this link or joint, and "
          "libsdformat ignores a reference to it, as kinemorph does; write the content into that "
          "<link> or <joint> [gazebo-reference-part]"));
}

TEST(ReadGazeboParts, ALinkThatCarriesTheRootFloatsWhereItIs) {
  const Model model = ReadClean(FourBar(
      kRod +
      R"(<gazebo><joint name="lift" type="prismatic"><parent>rod</parent><child>base</child><axis><xyz>0 0 1</xyz></axis></joint></gazebo>)"));
  const Joint& free = JointNamed(model, "world_to_rod");
  EXPECT_TRUE(free.implicit);
  EXPECT_NEAR((free.X_PF.p - Vector3(0.1, 0, 0.2)).norm(), 0, 1e-15);
  EXPECT_FALSE(model.FindJoint("world_to_base"));
}

TEST(ReadGazeboParts, AGearboxCouplesAndRevolute2IsUniversal) {
  const Model model = ReadClean(FourBar(
      R"(<gazebo><joint name="gear" type="gearbox"><parent>crank</parent><child>rocker</child>
    <gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>base</gearbox_reference_body>
    <axis><xyz>0 1 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
    <joint name="wheel" type="revolute2"><parent>coupler</parent><child>rocker</child>
    <axis><xyz>0 1 0</xyz></axis><axis2><xyz>1 0 0</xyz></axis2></joint></gazebo>)"));
  ASSERT_THAT(model.couplings, SizeIs(1));
  EXPECT_EQ(model.couplings[0].form, CouplingForm::kGearbox);
  EXPECT_EQ(model.couplings[0].ratio, 2);
  EXPECT_THAT(
      Loops(model),
      ElementsAre("universal coupler -> rocker at 0.4 0 -0.3 / 0 0 0 axis 0 1 0 axis 1 0 0"));
}

TEST(ReadGazeboParts, ANameThatIsTakenLeavesText) {
  const ReadResult read = ReadRobot(FourBar(R"(<gazebo><link name="crank"/></gazebo>)"));
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:5: warning: link 'crank': in <gazebo>, has no name of its "
                          "own; kinemorph keeps the link as text [gazebo-joint-kept]"));
  EXPECT_THAT(read.model->native, SizeIs(1));
}

TEST(ReadGazeboParts, AnEndThatLibsdformatMergesIsTold) {
  const auto messages = [](const std::string& rest) {
    return ReadRobot(FourBar(
                         R"(<link name="tip"><inertial><mass value="1"/></inertial></link>
<joint name="weld" type="fixed"><parent link="coupler"/><child link="tip"/></joint>
<gazebo><joint name="pin" type="ball"><parent>tip</parent><child>rocker</child></joint></gazebo>)" +
                         rest))
        .messages;
  };
  const std::string told =
      "robot.urdf:7: warning: joint 'pin': in <gazebo>, names link 'tip', which libsdformat merges "
      "with 'coupler' before it reads the joint: versions before 12.6 lose the joint (write "
      "preserveFixedJoint for 'weld') [gazebo-joint-merged]";
  EXPECT_THAT(messages(""), testing::Contains(told));
}

TEST(ReadGazeboWeld, AnEndThatLibsdformatMergesIsTold) {
  const std::string robot = FourBar(
      R"(<link name="tip"><inertial><mass value="1"/></inertial></link><gazebo><plugin filename="gz-sim-detachable-joint-system" name="gz::sim::systems::DetachableJoint">
<parent_link>rocker</parent_link><child_model>__model__</child_model><child_link>tip</child_link></plugin></gazebo>
<joint name="weld" type="fixed"><parent link="coupler"/><child link="tip"/></joint>)");
  EXPECT_THAT(ReadRobot(robot).messages,
              testing::Contains("robot.urdf:5: warning: weld 'tip_weld': names link 'tip', which "
                                "libsdformat merges with 'coupler', and gz sim then finds no such "
                                "link: the weld is lost there (write preserveFixedJoint for "
                                "'weld') [gazebo-weld-merged]"));
}

std::string Weld(const std::string& model, const std::string& rest = "",
                 const std::string& child = "rocker") {
  return R"(<gazebo><plugin filename="libgz-sim-detachable-joint-system.so" name="gz::sim::systems::DetachableJoint">
    <parent_link>coupler</parent_link><child_model>)" +
         model + "</child_model><child_link>" + child + "</child_link>" + rest +
         "</plugin></gazebo>";
}

TEST(ReadGazeboWeld, IsALoopWhateverItTells) {
  for (const std::string model : {"r", "__model__"}) {
    const Model read =
        ReadClean(FourBar(Weld(model,
                               "<output_topic>t</output_topic><attach_topic>a</attach_topic>"
                               "<detach_topic>d</detach_topic><topic>e</topic>"
                               "<suppress_child_warning>true</suppress_child_warning>")));
    EXPECT_THAT(Loops(read), ElementsAre("fixed coupler -> rocker at 0.4 0 -0.3 / 0 0 0"));
    const NativeData* const text = WeldPluginOf(JointNamed(read, "rocker_weld"));
    ASSERT_NE(text, nullptr);
    EXPECT_FALSE(SaysOnlyWeld(*text));
    EXPECT_THAT(read.scopes[0].native, IsEmpty());
  }
}

TEST(ReadGazeboWeld, WhatIsNotTakenIsToldWithItsReason) {
  const auto message = [](const std::string& weld) {
    const ReadResult read = ReadRobot(FourBar(weld));
    EXPECT_THAT(Loops(*read.model), IsEmpty());
    EXPECT_THAT(read.model->scopes[0].native, SizeIs(1)) << "the text stays";
    return read.messages.empty() ? "" : read.messages.front();
  };
  EXPECT_EQ(
      message(Weld("box")),
      "robot.urdf:5: note: plugin 'gz::sim::systems::DetachableJoint': does not weld link "
      "'coupler' to link 'rocker' here, because model 'box' is not 'r', the one that holds the "
      "plugin; kinemorph keeps the plugin as text [weld-not-read]");
  EXPECT_THAT(message(Weld("r", "", "stub")), HasSubstr("the model has no link 'stub' of its own"));
  EXPECT_THAT(message(Weld("r", "", "coupler")), HasSubstr("because both are one link"));
  EXPECT_THAT(message(Weld("")), HasSubstr("it names no <child_model>"));
  EXPECT_THAT(message(Weld("r", "<initial_attach>false</initial_attach>")),
              HasSubstr("<initial_attach> says that it starts detached"));
}

TEST(ReadGazeboWeld, ThePluginHasSeveralNames) {
  const auto loops = [](const std::string& attributes) {
    return Loops(*ReadRobot(FourBar("<gazebo><plugin " + attributes +
                                    "><parent_link>coupler</parent_link><child_model>r"
                                    "</child_model><child_link>rocker</child_link></plugin>"
                                    "</gazebo>"))
                      .model);
  };
  EXPECT_THAT(loops("filename='ignition-gazebo-detachable-joint-system' "
                    "name='ignition::gazebo::systems::DetachableJoint'"),
              SizeIs(1));
  EXPECT_THAT(loops("filename='libignition-gazebo6-detachable-joint-system.so' name=''"),
              SizeIs(1));
  for (const std::string name :
       {"gz::sim::v8::systems::DetachableJoint", "ignition::gazebo::v6::systems::DetachableJoint"})
    EXPECT_THAT(loops("filename='gz-sim8-detachable-joint-system' name='" + name + "'"), SizeIs(1));
  EXPECT_THAT(loops("filename='gz-sim-detachable-joint-system' name='Other'"), IsEmpty());
}

TEST(ReadGazeboWeld, OfAnotherClassOrAtALinkIsTold) {
  const auto messages = [](const std::string& reference, const std::string& name) {
    return ReadRobot(FourBar("<gazebo" + reference +
                             "><plugin filename='gz-sim-detachable-joint-system' name='" + name +
                             "'><parent_link>coupler</parent_link><child_model>r</child_model>"
                             "<child_link>rocker</child_link></plugin></gazebo>"))
        .messages;
  };
  EXPECT_THAT(
      messages("", "Other"),
      ElementsAre("robot.urdf:5: note: plugin 'Other': does not weld link 'coupler' to link "
                  "'rocker' here, because its class is not in that library, and gz sim "
                  "does not load it; kinemorph keeps the plugin as text [weld-not-read]"));
  for (const std::string at : {"coupler", "coupler_joint"})
    EXPECT_THAT(messages(" reference='" + at + "'", "gz::sim::systems::DetachableJoint"),
                ElementsAre(HasSubstr("because it stands at '" + at +
                                      "', and gz sim welds for a model only")));
}

std::string Plugin(const std::string& file, const std::string& inside) {
  return "<gazebo><plugin name='p' filename='" + file + "'>" + inside + "</plugin></gazebo>";
}

// The sum of the first coupling, in words.
std::vector<std::string> Couplings(const Model& model) {
  std::vector<std::string> all;
  for (const Coupling& coupling : model.couplings) {
    std::ostringstream out;
    out << model.joint(coupling.terms[0].coordinate.joint).name << " = "
        << -coupling.terms[1].coefficients[0] << " "
        << model.joint(coupling.terms[1].coordinate.joint).name << " + " << coupling.constant;
    all.push_back(out.str());
  }
  return all;
}

TEST(ReadGazeboPlugin, OfAKnownKindCouples) {
  EXPECT_THAT(Couplings(ReadClean(
                  FourBar(Plugin("libroboticsgroup_upatras_gazebo_mimic_joint_plugin.so",
                                 "<joint>crank_joint</joint><mimicJoint>rocker_joint</mimicJoint>"
                                 "<multiplier>-1.0</multiplier><offset>0.2</offset>")))),
              ElementsAre("rocker_joint = -1 crank_joint + 0.2"));
  EXPECT_THAT(Couplings(ReadClean(FourBar(Plugin(
                  "libmimic_plugin.so",
                  "<mimic joint='crank_joint' multiplier='2' offset='0.1'>rocker_joint</mimic>")))),
              ElementsAre("rocker_joint = 2 crank_joint + 0.1"));
  EXPECT_THAT(
      Couplings(ReadClean(FourBar(Plugin(
          "libgazebo_underactuated_finger.so",
          "<actuatedJoint>crank_joint</actuatedJoint>"
          "<virtualJoint><name>rocker_joint</name><scale_factor>0.5</scale_factor></virtualJoint>"
          "<virtualJoint><name>coupler_joint</name><scale_factor>2</scale_factor>"
          "</virtualJoint>")))),
      ElementsAre("rocker_joint = 0.5 crank_joint + 0", "coupler_joint = 2 crank_joint + 0"));
  EXPECT_THAT(Couplings(ReadClean(FourBar(
                  "<ros2_control name='s' type='system'><joint name='rocker_joint'>"
                  "<param name='mimic'>crank_joint</param><param name='multiplier'>-2</param>"
                  "<command_interface name='position'/></joint></ros2_control>"))),
              ElementsAre("rocker_joint = -2 crank_joint + 0"));
}

// A mimic, in either direction, that says the same.
TEST(ReadGazeboPlugin, ThatRepeatsAMimicSaysNothingNew) {
  const std::string links =
      R"(<link name="base"/><link name="a"/><link name="b"/>
<joint name="p" type="continuous"><parent link="base"/><child link="a"/></joint>
<joint name="q" type="continuous"><parent link="base"/><child link="b"/><mimic joint="p" multiplier="-2" offset="1"/></joint>
)";
  const auto plugin = [](const std::string& leader, const std::string& follower,
                         const std::string& multiplier, const std::string& offset) {
    return Plugin("libgazebo_mimic_joint_plugin.so", "<joint>" + leader + "</joint><mimicJoint>" +
                                                         follower + "</mimicJoint><multiplier>" +
                                                         multiplier + "</multiplier><offset>" +
                                                         offset + "</offset>");
  };
  for (const std::string& said : {plugin("p", "q", "-2", "1"), plugin("q", "p", "-0.5", "0.5")})
    EXPECT_THAT(Couplings(ReadClean(links + said)), ElementsAre("q = -2 p + 1"));
  const ReadResult read = ReadRobot(links + plugin("p", "q", "2", "0"));
  EXPECT_THAT(Couplings(*read.model), ElementsAre("q = -2 p + 1"));
  EXPECT_THAT(
      read.messages,
      ElementsAre("robot.urdf:4: warning: plugin 'p': couples 'q' = 2 'p' + 0, but elsewhere "
                  "the file says 'q' = -2 'p' + 1, which counts [plugin-contradicts]"));
}

TEST(ReadGazeboPlugin, ThatIsNotReadIsTold) {
  const auto messages = [](const std::string& said) { return ReadRobot(FourBar(said)).messages; };
  EXPECT_THAT(
      messages(Plugin("libleo_gz_differential_plugin.so", "<jointA>crank_joint</jointA>")),
      ElementsAre("robot.urdf:5: warning: plugin 'p': library 'leo_gz_differential_plugin' "
                  "couples two joints by a force in Gazebo; kinemorph does not read that and "
                  "keeps the plugin as text, so that the model moves otherwise "
                  "[plugin-not-read]"));
  EXPECT_THAT(messages(Plugin("libmimic_of_somebody.so", "")), SizeIs(1));
  EXPECT_THAT(
      messages(Plugin("libgazebo_mimic_joint_plugin.so",
                      "<joint>crank</joint><mimicJoint>rocker_joint</mimicJoint>")),
      ElementsAre("robot.urdf:5: warning: plugin 'p': couples 'rocker_joint' = 1 'crank' + 0, "
                  "but 'crank' is not a joint of one coordinate here; kinemorph does not read "
                  "this coupling [plugin-not-read]"));
  EXPECT_THAT(messages(Plugin("gz-sim-diff-drive-system", "")), IsEmpty());
}

}  // namespace
}  // namespace kinemorph::test
