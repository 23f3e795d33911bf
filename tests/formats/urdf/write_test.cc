// The canonical text, literally, and what the writer refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "native_xml.h"
#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Written {
  std::string text;
  std::vector<std::string> messages;
};

Written Write(const Model& model, const std::string& format = "urdf",
              const WriteOptions& options = {}) {
  Diagnostics diagnostics;
  Written written;
  written.text = FindFormat(format)->write(model, options, diagnostics).text;
  for (const Diagnostic& item : diagnostics.items()) written.messages.push_back(Render(item));
  return written;
}

WriteOptions Paper() {
  WriteOptions options;
  options.profile = "paper";
  return options;
}

Model Read(const std::string& body, const std::string& attributes = "") {
  ReadResult read = ReadRobot(body, attributes);
  EXPECT_FALSE(read.errors) << read.messages.back();
  return std::move(*read.model);
}

TEST(WriteUrdf, APlainRobot) {
  const Model model = Read(R"(
    <link name="base"><inertial><mass value="1.5"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.025"/></inertial></link>
    <link name="arm"><visual name="shell"><origin xyz="0 0 0.1"/><geometry><box size="1 2 3"/></geometry><material name="red"><color rgba="1 0 0 0.5"/></material></visual>
      <collision><geometry><mesh filename="package://r/a.stl" scale="2 2 2"/></geometry></collision></link>
    <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0.1 0 0"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="10" velocity="2"/><dynamics damping="0.5"/></joint>)");
  EXPECT_EQ(Write(model).text, R"(<?xml version="1.0" encoding="UTF-8"?>
<robot name="r">
  <link name="base">
    <inertial>
      <mass value="1.5"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.025"/>
    </inertial>
  </link>
  <link name="arm">
    <visual name="shell">
      <origin xyz="0 0 0.1" rpy="0 0 0"/>
      <geometry>
        <box size="1 2 3"/>
      </geometry>
      <material name="red">
        <color rgba="1 0 0 0.5"/>
      </material>
    </visual>
    <collision>
      <geometry>
        <mesh filename="package://r/a.stl" scale="2 2 2"/>
      </geometry>
    </collision>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <origin xyz="0 0 1" rpy="0.1 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
    <dynamics damping="0.5"/>
  </joint>
</robot>
)");
}

const std::string kLoopAndGear = R"(
  <loop name="pin" type="continuous"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor><successor link="rocker"><origin xyz="0 0 0.3"/></successor><axis xyz="0 1 0"/></loop>
  <coupling name="gear"><predecessor link="crank"/><successor link="rocker"/><ratio value="4"/></coupling>)";

TEST(WriteUrdfPlus, LoopsAndCouplingsAsTheReferenceParserWantsThem) {
  const std::string text = Write(Read(FourBar(kLoopAndGear)), "urdf+").text;
  EXPECT_THAT(text, HasSubstr("<!-- URDF+, profile reference (ratio = successor motion / "
                              "predecessor motion) -->\n<robot name=\"r\">"));
  EXPECT_THAT(text, HasSubstr(R"(  <loop name="pin" type="revolute">
    <predecessor link="coupler">
      <origin xyz="0.4 0 0" rpy="0 0 0"/>
    </predecessor>
    <successor link="rocker">
      <origin xyz="0 0 0.3" rpy="0 0 0"/>
    </successor>
    <axis xyz="0 1 0"/>
  </loop>
  <coupling name="gear">
    <predecessor link="crank"/>
    <successor link="rocker"/>
    <ratio value="4"/>
  </coupling>
</robot>)"));
}

TEST(WriteUrdfPlus, ThePaperProfileSaysSoAndTurnsTheRatio) {
  const std::string text = Write(Read(FourBar(kLoopAndGear)), "urdf+", Paper()).text;
  EXPECT_THAT(text, HasSubstr("<!-- URDF+, profile paper"));
  EXPECT_THAT(text, HasSubstr("<ratio value=\"0.25\" of=\"predecessor/successor\"/>"));
  EXPECT_EQ(ReadText(text).model->couplings[0].ratio, 4);
}

TEST(WriteUrdfPlus, UniversalAndSphericalBelongToThePaperProfile) {
  const Model model = Read(FourBar(
      R"(<loop name="u" type="universal"><predecessor link="coupler"/><successor link="rocker"/><axis xyz="0 0 1"/><axis2 xyz="1 0 0"/></loop>
<loop name="s" type="ball"><predecessor link="coupler"/><successor link="rocker"/></loop>)"));
  const std::string text = Write(model, "urdf+", Paper()).text;
  EXPECT_THAT(text, HasSubstr("<loop name=\"u\" type=\"universal\">"));
  EXPECT_THAT(text, HasSubstr("<axis xyz=\"0 0 1\"/>\n    <axis2 xyz=\"1 0 0\"/>"));
  EXPECT_THAT(text, HasSubstr("<loop name=\"s\" type=\"spherical\">"));
  const Written reference = Write(model, "urdf+");
  EXPECT_EQ(reference.text, "");
  EXPECT_THAT(reference.messages,
              ElementsAre("robot.urdf:5: error: loop 'u': URDF+ (reference) has no loop of kind "
                          "'universal' [loop-type-not-lowered]",
                          "robot.urdf:6: error: loop 's': URDF+ (reference) has no loop of kind "
                          "'ball' [loop-type-not-lowered]"));
}

TEST(WriteUrdfPlus, NeverJoinsALinkToItsOwnAncestorForTheReferenceParser) {
  const Model model = Read(FourBar(
      R"(<loop name="pin" type="fixed"><predecessor link="base"/><successor link="coupler"/></loop>)"));
  EXPECT_THAT(Write(model, "urdf+").messages,
              ElementsAre("robot.urdf:5: error: loop 'pin': link 'base' is an ancestor of link "
                          "'coupler', which the reference parser cannot read; "
                          "cut another joint of the loop [loop-ancestor-not-lowered]"));
  EXPECT_THAT(Write(model, "urdf+", Paper()).text, HasSubstr("<predecessor link=\"base\">"));
}

TEST(WriteUrdfPlus, RefusesLimitsOfALoop) {
  Model model = Read(FourBar(kLoopAndGear));
  model.joint(*model.FindJoint("pin")).axes[0].damping = 0;
  EXPECT_THAT(Write(model, "urdf+").messages, ElementsAre());
  model.joint(*model.FindJoint("pin")).axes[0].damping = 0.1;
  EXPECT_THAT(Write(model, "urdf+").messages,
              ElementsAre("robot.urdf:6: error: loop 'pin': a loop has no limits, "
                          "damping, friction or springs [loop-axis-data-not-lowered]"));
}

TEST(WriteUrdfPlus, WritesIndependentWhereItIsDeclared) {
  const std::string text = Write(Read(FourBar("<link name=\"x\"/><joint name=\"jx\" "
                                              "type=\"continuous\" independent=\"False\"><parent "
                                              "link=\"base\"/><child link=\"x\"/></joint>")),
                                 "urdf+")
                               .text;
  EXPECT_THAT(text, HasSubstr("<joint name=\"jx\" type=\"continuous\" independent=\"false\">"));
  EXPECT_THAT(text, HasSubstr("<joint name=\"crank_joint\" type=\"continuous\">"));
}

TEST(WriteUrdf, RefusesWhatOnlyUrdfPlusHas) {
  WriteOptions tree;
  tree.loops = LoopChoice::kNone;
  EXPECT_THAT(Write(Read(FourBar(kLoopAndGear)), "urdf", tree).messages,
              ElementsAre("robot.urdf:6: error: loop 'pin': plain URDF has no loops; write URDF+ "
                          "[loop-not-lowered]",
                          "robot.urdf:7: error: coupling 'gear': plain URDF has no coupling of "
                          "this form [coupling-not-lowered]"));
  EXPECT_THAT(Write(Read(Hinge("", "continuous", " independent=\"true\""))).messages,
              ElementsAre("robot.urdf:2: error: joint 'hinge': plain URDF cannot say which joints "
                          "are independent [independent-not-lowered]"));
}

TEST(WriteUrdf, RefusesAJointFrameThatIsNotTheChilds) {
  Model model = Read(Hinge("", "continuous"));
  model.joint(JointId{0}).X_SM.p = Vector3(0, 0, 1);
  EXPECT_THAT(Write(model).messages,
              ElementsAre("robot.urdf:2: error: joint 'hinge': its frame is not the frame of link "
                          "'arm', as URDF demands [joint-frame-not-lowered]"));
}

TEST(WriteUrdf, RefusesKindsShapesAndStructureItDoesNotHave) {
  Model model = Read(Hinge("", "continuous"));
  model.joint(JointId{0}).kind = Screw{};
  model.format = "mjcf";  // a frame of URDF's own stands in <gazebo>
  model.frames.push_back({"tool", LinkId{2}, {}, "frame", kNoScope, {}, {}});
  model.contact_exclusions.push_back({LinkId{1}, LinkId{2}, {}});
  EXPECT_THAT(
      Write(model).messages,
      ElementsAre("robot.urdf:2: error: joint 'hinge': URDF has no joint of kind 'screw' "
                  "[joint-type-not-lowered]",
                  "error: frame 'tool': URDF has no frames beside links [frame-not-lowered]",
                  "error: links 'base' and 'arm': URDF cannot say that two links do not collide "
                  "[contact-exclusion-not-lowered]"));
  Model cone = Read("<link name=\"base\"/>");
  cone.link(LinkId{1}).visuals.push_back({"", {}, Cone{1, 2}, {}, {}, {}, {}});
  EXPECT_THAT(Write(cone).messages,
              ElementsAre("error: link 'base': URDF has no cone [shape-not-lowered]"));
}

TEST(WriteUrdf, RefusesACouplingRowThatItsLinksDoNotMean) {
  Model model = Read(FourBar(kLoopAndGear));
  model.couplings[0].terms[0].coefficients[0] = -1;
  EXPECT_THAT(Write(model, "urdf+").messages,
              ElementsAre("robot.urdf:7: error: coupling 'gear': its row is not the one between "
                          "links 'crank' and 'rocker' in this tree "
                          "[coupling-not-expressible]"));
}

TEST(WriteLimit, DemandedNumbersStandForNoLimit) {
  Model model = Read(Hinge("<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>"));
  JointAxis& axis = model.joint(JointId{0}).axes[0];
  axis.upper.reset();
  axis.effort.reset();
  const std::string text = Write(model).text;
  EXPECT_THAT(text,
              HasSubstr("<limit lower=\"-1\" upper=\"1e+16\" effort=\"1e+16\" velocity=\"1\"/>"));
  const JointAxis again = ReadText(text).model->joint(JointId{0}).axes[0];
  EXPECT_EQ(again.upper, std::nullopt);
  EXPECT_EQ(again.effort, std::nullopt);
}

TEST(WriteLimit, RevoluteWithoutBoundsIsContinuousAndKeepsEffort) {
  const std::string text =
      Write(Read(Hinge("<limit effort=\"5\" velocity=\"6\"/>", "continuous"))).text;
  EXPECT_THAT(text, HasSubstr("type=\"continuous\""));
  EXPECT_THAT(text, HasSubstr("<limit effort=\"5\" velocity=\"6\"/>"));
}

TEST(WriteVersion, RisesOnlyWhenNeeded) {
  const Model jerk =
      Read(Hinge("<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\" jerk=\"9\"/>"),
           " version=\"1.2\"");
  EXPECT_THAT(Write(jerk).text, HasSubstr("<robot name=\"r\" version=\"1.2\">"));
  const Model capsule = Read(
      "<link name=\"base\"><collision><geometry><capsule radius=\"1\" "
      "length=\"2\"/></geometry></collision></link>",
      " version=\"1.1\"");
  EXPECT_THAT(Write(capsule).text, HasSubstr("<robot name=\"r\" version=\"1.1\">"));
  WriteOptions old;
  old.version = "1.0";
  EXPECT_THAT(Write(jerk, "urdf", old).messages,
              ElementsAre("error: robot 'r': acceleration, deceleration and jerk limits need URDF "
                          "1.2, but version 1.0 was asked for [version-too-old]"));
  EXPECT_THAT(Write(Read("<link name=\"base\"/>", " version=\"1.2\"")).text,
              HasSubstr("<robot name=\"r\">"));
}

TEST(WriteWorld, BecomesALinkOnlyWhenAJointHangsOnIt) {
  Model model = Read(Hinge("", "continuous"));
  EXPECT_THAT(Write(model).text, Not(HasSubstr("world")));
  Joint mount;
  mount.name = "mount";
  mount.role = JointRole::kTree;
  model.AddJoint(kWorld, LinkId{1}, mount);
  EXPECT_THAT(Write(model).text, HasSubstr("<link name=\"world\"/>\n  <link name=\"base\"/>"));
  EXPECT_THAT(Write(model).text, HasSubstr("<parent link=\"world\"/>"));
}

TEST(WriteWorld, TheImplicitFreeJointOfTheBaseIsNotWritten) {
  Model model = Read(Hinge("", "continuous"));
  Joint free;
  free.kind = Free{};
  free.implicit = true;
  free.role = JointRole::kTree;
  model.AddJoint(kWorld, LinkId{1}, free);
  const Written written = Write(model);
  EXPECT_THAT(written.messages, ElementsAre());
  EXPECT_THAT(written.text, Not(HasSubstr("floating")));
}

TEST(WriteMaterial, OneDefinitionEachAndNamesAreUnique) {
  Model model = Read("<link name=\"base\"/>");
  const auto visual = [](const std::string& name, double red) {
    Visual v;
    v.shape = Sphere{1};
    v.material = Material{name, Rgba(red, 0, 0, 1), {}, {}, {}, {}, {}, {}};
    return v;
  };
  model.link(LinkId{1}).visuals = {visual("paint", 1), visual("paint", 1), visual("paint", 0.5),
                                   visual("", 0.25), visual("", 0.25)};
  const std::string text = Write(model).text;
  std::vector<std::string> materials;
  for (std::size_t at = text.find("<material"); at != std::string::npos;
       at = text.find("<material", at + 1))
    materials.push_back(text.substr(at, text.find('>', at) - at + 1));
  EXPECT_THAT(materials,
              ElementsAre("<material name=\"paint\">", "<material name=\"material_1\">",
                          "<material name=\"paint\"/>", "<material name=\"paint\"/>",
                          "<material name=\"paint_1\">", "<material name=\"material_1\"/>",
                          "<material name=\"material_1\"/>"));
}

TEST(WriteMimic, MultiplierAndOffset) {
  const Model model =
      Read(FourBar("<link name=\"x\"/><joint name=\"jx\" type=\"continuous\"><parent "
                   "link=\"base\"/><child link=\"x\"/><mimic "
                   "joint=\"crank_joint\" multiplier=\"-2\" offset=\"0.5\"/></joint>"));
  EXPECT_THAT(Write(model).text,
              HasSubstr("<mimic joint=\"crank_joint\" multiplier=\"-2\" offset=\"0.5\"/>"));
}

TEST(WriteNative, GazeboBlocksFollowRenamedLinksAndJoints) {
  Model model = Read(FourBar(
      R"(<gazebo reference="crank"><mu1>0.2</mu1></gazebo><gazebo><static>true</static></gazebo>
    <transmission name="t"><joint name="crank_joint"/><actuator name="m"/></transmission>)"));
  model.link(*model.FindLink("crank")).name = "crank_2";
  model.joint(*model.FindJoint("crank_joint")).name = "shaft";
  const std::string text = Write(model).text;
  EXPECT_THAT(text, HasSubstr("<gazebo reference=\"crank_2\">"));
  EXPECT_THAT(text, HasSubstr("<mu1>0.2</mu1>"));
  EXPECT_THAT(text, HasSubstr("<static>true</static>"));
  EXPECT_THAT(text, HasSubstr("<joint name=\"shaft\"/>"));
  EXPECT_THAT(text, Not(HasSubstr("crank_joint")));
}

TEST(WriteNative, SdfContentRidesInsideGazebo) {
  Model model = Read("<link name=\"base\"/>");
  model.link(LinkId{1}).native.push_back(
      {"sdf", "kinematic", Tree("<kinematic>true</kinematic>"), {}});
  model.native.push_back({"sdf", "plugin", Tree("<plugin name=\"p\" filename=\"p.so\"/>"), {}});
  const std::string text = Write(model).text;
  EXPECT_THAT(
      text,
      HasSubstr("  <gazebo reference=\"base\">\n    <kinematic>true</kinematic>\n  </gazebo>"));
  EXPECT_THAT(text,
              HasSubstr("  <gazebo>\n    <plugin name=\"p\" filename=\"p.so\"/>\n  </gazebo>"));
  model.native[0].format = "mjcf";
  EXPECT_THAT(Write(model).messages,
              ElementsAre("error: robot 'r': <plugin> of format 'mjcf' cannot be written in URDF "
                          "[native-data-foreign]"));
}

TEST(WriteActuator, OfAnotherFormatBecomesASimpleTransmission) {
  Model model = Read(Hinge("", "continuous"));
  Actuator motor;
  motor.name = "m";
  motor.joint = JointId{0};
  motor.gear = 50;
  model.actuators.push_back(motor);
  EXPECT_THAT(Write(model).text, HasSubstr(R"(  <transmission name="m_transmission">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="hinge">
      <hardwareInterface>hardware_interface/EffortJointInterface</hardwareInterface>
    </joint>
    <actuator name="m">
      <mechanicalReduction>50</mechanicalReduction>
    </actuator>
  </transmission>)"));
}

// PyBullet and DART take a link without <inertial> for 1 kg.
TEST(WriteUrdf, ALinkThatStandsForAFrameSaysThatItWeighsNothing) {
  const std::string mass =
      "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
      "</inertial>";
  const std::string text = Write(Read(R"(
    <link name="root"/><link name="frame"/><link name="on_frame"/><link name="between"/><link name="end"/>
    <link name="shape"><visual><geometry><sphere radius="1"/></geometry></visual></link>
    <link name="body">)" + mass + R"(</link><link name="far">)" +
                                      mass + R"(</link>
    <joint name="a" type="fixed"><parent link="root"/><child link="body"/></joint>
    <joint name="b" type="fixed"><parent link="body"/><child link="frame"/></joint>
    <joint name="g" type="fixed"><parent link="frame"/><child link="on_frame"/></joint>
    <joint name="c" type="continuous"><parent link="body"/><child link="between"/></joint>
    <joint name="d" type="continuous"><parent link="between"/><child link="far"/></joint>
    <joint name="e" type="continuous"><parent link="far"/><child link="end"/></joint>
    <joint name="f" type="continuous"><parent link="far"/><child link="shape"/></joint>)"))
                               .text;
  for (const char* name : {"frame", "between"})
    EXPECT_THAT(text, HasSubstr("  <link name=\"" + std::string(name) +
                                "\">\n    <inertial>\n      <mass value=\"0\"/>\n"
                                "      <inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" "
                                "izz=\"0\"/>\n    </inertial>\n  </link>\n"));
  // KDL warns of the inertia of a root; what moves at an end with no mass at all is worse there.
  // Two links of zeros on a fixed joint would be a pose of nan to libsdformat.
  EXPECT_THAT(text, HasSubstr("  <link name=\"on_frame\"/>\n"));
  EXPECT_THAT(text, HasSubstr("  <link name=\"root\"/>\n"));
  EXPECT_THAT(text, HasSubstr("  <link name=\"end\"/>\n"));
  EXPECT_THAT(text, HasSubstr("  <link name=\"shape\">\n    <visual>"));
  EXPECT_EQ(Write(*ReadText(text).model).text, text);
}

// iDynTree leaves out all visuals where one names what another one defines.
TEST(WriteUrdf, WhatSeveralVisualsShareIsDefinedAtTheTop) {
  const auto visual = [](const std::string& material) {
    return "<visual><geometry><sphere radius='1'/></geometry>" + material + "</visual>";
  };
  const std::string steel = "<material name='steel'><color rgba='0.5 0.5 0.6 1'/></material>",
                    red = "<material name='red'><color rgba='1 0 0 1'/></material>";
  const std::string text =
      Write(Read("<link name='base'>" + visual(steel) + visual(red) + "</link><link name='arm'>" +
                 visual("<material name='steel'/>") +
                 "</link><joint name='j' type='fixed'><parent link='base'/><child link='arm'/>"
                 "</joint>"))
          .text;
  EXPECT_THAT(text, HasSubstr("<robot name=\"r\">\n  <material name=\"steel\">\n"
                              "    <color rgba=\"0.5 0.5 0.6 1\"/>\n  </material>\n"
                              "  <link name=\"base\">"));
  EXPECT_THAT(text, HasSubstr("<material name=\"red\">\n        <color rgba=\"1 0 0 1\"/>"));
  EXPECT_EQ(text.find("<color", text.find("<link")), text.find("<color rgba=\"1 0 0 1\"/>"));
  EXPECT_EQ(Write(*ReadText(text).model).text, text);
}

// A launch file of ROS 2 reads the output of a command as YAML.
TEST(WriteUrdf, NoCommentOfOursIsMoreThanTextToYaml) {
  WriteOptions drake;
  drake.profile = "drake";
  for (const std::string& text : {Write(Read(FourBar(kLoopAndGear)), "urdf+").text,
                                  Write(Read(FourBar(kLoopAndGear)), "urdf+", Paper()).text,
                                  Write(Read(Hinge("", "continuous")), "urdf", drake).text}) {
    const std::string head = text.substr(0, text.find("<robot"));
    EXPECT_THAT(head, HasSubstr("profile"));
    EXPECT_THAT(head, Not(HasSubstr(": ")));
    EXPECT_THAT(head, Not(HasSubstr(" #")));
  }
}

// What is kept of the author's is as safe, and reads back as it was.
TEST(WriteUrdf, NothingThatIsKeptIsMoreThanTextToYaml) {
  const std::string kept =
      "<gazebo><plugin name=\"a: b #c\"><!-- rates: 1 #2\n mean:\n --><x>d: e\n f:\n #g</x>"
      "</plugin></gazebo>";
  const std::string text = Write(Read("<link name=\"base\"/>" + kept)).text;
  for (const char* sign : {": ", ":\n", " #", "\n#"}) EXPECT_THAT(text, Not(HasSubstr(sign)));
  EXPECT_THAT(text, HasSubstr("name=\"a&#58; b &#35;c\""));
  EXPECT_THAT(text, HasSubstr("<!-- rates:\u00A01\u00A0#2\n mean:\u00A0\n -->"));
  EXPECT_THAT(text, HasSubstr("<x>d&#58; e\n f&#58;\n &#35;g</x>"));
  EXPECT_EQ(Write(*ReadText(text).model).text, text);
}

TEST(WriteUrdf, NumbersReadBackExactly) {
  Model model = Read(
      "<link name=\"base\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
      "iyy=\"1\" iyz=\"0\" "
      "izz=\"1\"/></inertial></link>");
  model.link(LinkId{1}).inertial->mass = 0.1 + 0.2;
  EXPECT_EQ(ReadText(Write(model).text).model->link(LinkId{1}).inertial->mass, 0.1 + 0.2);
}

}  // namespace
}  // namespace kinemorph::test
