// The tags of <gazebo> that libsdformat's URDF reader knows: read as it reads them, and written so
// that it reads them back (tests/oracle/libsdformat_gazebo_test.cc asks itself).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kinemorph/formats/formats.h"
#include "native_xml.h"
#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string kBox = R"(<geometry><box size="1 1 1"/></geometry>)";

// Link "arm" with a visual, a collision without a name and collision "q"; blocks from line 3 on.
std::string Arm(const std::string& blocks) {
  return Hinge("<axis xyz=\"0 0 1\"/><limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>")
             .replace(std::string("<link name=\"base\"/><link name=\"arm\"/>")
                          .find("<link name=\"arm\""),
                      std::string("<link name=\"arm\"/>").size(),
                      "<link name=\"arm\"><visual>" + kBox +
                          "<material name=\"blue\"><color rgba=\"0 0 1 1\"/></material></visual>"
                          "<collision>" +
                          kBox + "</collision><collision name=\"q\">" + kBox +
                          "</collision></link>") +
         "\n" + blocks;
}
std::string OfArm(const std::string& tags) {
  return "<gazebo reference=\"arm\">" + tags + "</gazebo>";
}
std::string OfHinge(const std::string& tags) {
  return "<gazebo reference=\"hinge\">" + tags + "</gazebo>";
}
Link ArmWith(const std::string& tags) {
  return LinkNamed(*ReadRobot(Arm(OfArm(tags))).model, "arm");
}
std::string Written(const Model& model, std::vector<std::string>* messages = nullptr) {
  Diagnostics diagnostics;
  const std::string text = FindFormat("urdf")->write(model, {}, diagnostics).text;
  for (const Diagnostic& item : diagnostics.items())
    if (messages != nullptr) messages->push_back(Render(item));
  return text;
}
std::string Again(const std::string& blocks) { return Written(*ReadRobot(Arm(blocks)).model); }

// Only these words leave gravity on; every other turns it off, a comment before the word too.
TEST(GazeboTags, TurnGravityOff) {
  for (const char* word : {"true", "1", "yes", "maybe", "", "<!-- c -->false", "2"})
    EXPECT_EQ(ArmWith("<turnGravityOff>" + std::string(word) + "</turnGravityOff>").gravity, false)
        << word;
  for (const char* word : {"false", "no", "0", "False", " 0 "})
    EXPECT_EQ(ArmWith("<turnGravityOff>" + std::string(word) + "</turnGravityOff>").gravity, true)
        << word;
  EXPECT_EQ(ArmWith("<turnGravityOff value=\"false\">true</turnGravityOff>").gravity, true);
  EXPECT_EQ(ArmWith("<gravity>0</gravity>").gravity, false);
  EXPECT_EQ(ArmWith("<gravity>false</gravity><turnGravityOff>0</turnGravityOff>").gravity, true)
      << "libsdformat copies its own elements behind those that tags make, and reads the first";
  EXPECT_EQ(ArmWith("").gravity, std::nullopt);
  EXPECT_THAT(ReadRobot(Arm(OfArm("<turnGravityOff>maybe</turnGravityOff>"))).messages,
              ElementsAre("robot.urdf:3: warning: <turnGravityOff> of 'arm': is 'maybe', which "
                          "libsdformat takes for true; write true or false [gazebo-boolean]"));
}

TEST(GazeboTags, SelfCollide) {
  for (const char* word : {"true", "YES", "1"})
    EXPECT_EQ(ArmWith("<selfCollide>" + std::string(word) + "</selfCollide>").self_collide, true);
  for (const char* word : {"false", "2", "", "on"})
    EXPECT_EQ(ArmWith("<selfCollide>" + std::string(word) + "</selfCollide>").self_collide, false);
}

TEST(GazeboTags, FrictionOfAllCollisionsThatTheyReach) {
  const ReadResult read = ReadRobot(Arm(OfArm("<mu1>0.2</mu1><mu2 value=\"0.3\"/>")));
  const Link& arm = LinkNamed(*read.model, "arm");
  EXPECT_EQ(arm.collisions[0].mu, 0.2);
  EXPECT_EQ(arm.collisions[0].mu2, 0.3);
  EXPECT_THAT(arm.collisions[0].native, IsEmpty());
  EXPECT_EQ(arm.collisions[1].mu, std::nullopt) << "its name does not begin with the link's";
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:3: warning: <mu1> of 'arm': does not reach collision 'q', "
                          "whose name does not begin with the link's, in libsdformat, nor here; "
                          "name it 'arm_q' or leave its name out [gazebo-part-missed]"));
}

TEST(GazeboTags, SurfaceIsKeptWholeWhereItSaysMore) {
  const Link arm = ArmWith(
      "<kp>1e6</kp><mu1>0.2</mu1><fdir1>1 0 0</fdir1><maxContacts>2.7</"
      "maxContacts><laserRetro>3</laserRetro>");
  EXPECT_EQ(arm.collisions[0].mu, 0.2);
  ASSERT_THAT(arm.collisions[0].native, SizeIs(3));
  const NativeData& surface = arm.collisions[0].native[0];
  EXPECT_EQ(surface.format + " " + surface.element, "sdf surface");
  EXPECT_THAT(Xml(surface), AllOf(HasSubstr("<kp>1000000</kp>"), HasSubstr("<mu>0.2</mu>"),
                                  HasSubstr("<fdir1>1 0 0</fdir1>")));
  EXPECT_EQ(Xml(arm.collisions[0].native[1]), "<max_contacts>2</max_contacts>");
  EXPECT_EQ(Xml(arm.collisions[0].native[2]), "<laser_retro>3</laser_retro>");
}

TEST(GazeboTags, ChildrenOfCollisionComeFirst) {
  const Link arm = ArmWith(
      "<mu1>0.4</mu1><collision><surface><friction><ode><mu>0.9</mu><mu2>0.8</"
      "mu2></ode></friction></surface></collision>");
  EXPECT_EQ(arm.collisions[0].mu, 0.4);
  EXPECT_EQ(arm.collisions[0].mu2, 0.8);
}

TEST(GazeboTags, TheLastWordCounts) {
  const ReadResult read = ReadRobot(Arm(OfArm("<mu1>0.2</mu1>") + "\n" + OfArm("<mu1>0.7</mu1>")));
  EXPECT_EQ(LinkNamed(*read.model, "arm").collisions[0].mu, 0.7);
  EXPECT_THAT(read.messages,
              testing::Contains("robot.urdf:4: warning: <mu1> of 'arm': is '0.7' here and '0.2' in "
                                "line 3; the last counts, as libsdformat reads it "
                                "[gazebo-tag-twice]"));
}

// std::stod reads what it can; where it can read nothing, libsdformat ends the program.
TEST(GazeboTags, NumbersAsTheyAreReadThere) {
  const Link arm = ArmWith("<mu1>0,5</mu1><mu2>5N</mu2>");
  EXPECT_EQ(arm.collisions[0].mu, 0);
  EXPECT_EQ(arm.collisions[0].mu2, 5);
  for (const char* word : {"x", "", "<!-- c -->0.2", "1e400"}) {
    const ReadResult read =
        ReadRobot(Arm(OfArm("<mu1>" + std::string(word) + "</mu1><mu2>0.3</mu2>")));
    const Link& link = LinkNamed(*read.model, "arm");
    EXPECT_EQ(link.collisions[0].mu, std::nullopt) << word;
    EXPECT_EQ(link.collisions[0].mu2, 0.3) << word;
    ASSERT_THAT(link.native, SizeIs(1)) << word;
    EXPECT_FALSE(link.native[0].idle);
    EXPECT_THAT(
        read.messages,
        testing::Contains(AllOf(HasSubstr("robot.urdf:3: warning: <mu1> of 'arm': is '"),
                                HasSubstr("which is not a number; libsdformat stops the program"),
                                HasSubstr("[gazebo-number]"))));
  }
  EXPECT_THAT(Xml(ArmWith("<mu1>inf</mu1>").collisions[0].native[0]), HasSubstr("<mu>inf</mu>"));
}

TEST(GazeboTags, WhatReachesNothingHasNoEffect) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<gazebo reference="crank"><mu1>0.2</mu1><material>Gazebo/Red</material><stopCfm>1</stopCfm></gazebo>)"));
  const std::vector<NativeData>& native = LinkNamed(*read.model, "crank").native;
  for (const NativeData& data : native) EXPECT_TRUE(data.idle) << Xml(data);
  std::string all;
  for (const NativeData& data : native) all += Xml(data);
  EXPECT_THAT(all, AllOf(HasSubstr("<mu1>0.2</mu1>"), HasSubstr("Gazebo/Red"),
                         HasSubstr("<stopCfm>1</stopCfm>")));
}

TEST(GazeboTags, SpringOfAJoint) {
  const Model model = *ReadRobot(Arm(OfHinge("<springStiffness>3</springStiffness>"
                                             "<springReference>0.5</springReference>")))
                           .model;
  EXPECT_EQ(JointNamed(model, "hinge").axes[0].spring_stiffness, 3);
  EXPECT_EQ(JointNamed(model, "hinge").axes[0].spring_reference, 0.5);
  EXPECT_THAT(JointNamed(model, "hinge").native, IsEmpty());
}

TEST(GazeboTags, PhysicsOfAJoint) {
  const Model model =
      *ReadRobot(Arm(OfHinge("<stopCfm>0.1</stopCfm><stopErp>0.2</stopErp><provideFeedback>true</"
                             "provideFeedback><fudgeFactor>0.3</fudgeFactor>")))
           .model;
  const Joint& hinge = JointNamed(model, "hinge");
  ASSERT_THAT(hinge.native, SizeIs(1));
  EXPECT_EQ(hinge.native[0].format + " " + hinge.native[0].element, "sdf physics");
  EXPECT_THAT(Xml(hinge.native[0]), AllOf(HasSubstr("<cfm>0.1</cfm>"), HasSubstr("<erp>0.2</erp>"),
                                          HasSubstr("<provide_feedback>true</provide_feedback>"),
                                          HasSubstr("<fudge_factor>0.3</fudge_factor>")));
}

TEST(GazeboTags, WhatLibsdformatPassesOverIsKeptAndIdle) {
  for (const char* tag :
       {"<physics><ode><max_force>1</max_force></ode></physics>", "<axis/>", "<stopKp>1</stopKp>",
        "<damping>3</damping>", "<preserveFixedJoint>true</preserveFixedJoint>", "<mu1>1</mu1>"}) {
    const Joint hinge = JointNamed(*ReadRobot(Arm(OfHinge(tag))).model, "hinge");
    ASSERT_THAT(hinge.native, SizeIs(1)) << tag;
    EXPECT_TRUE(hinge.native[0].idle) << tag;
    EXPECT_EQ(hinge.native[0].format, "urdf");
  }
}

TEST(GazeboTags, StaticAndSelfCollideOfTheModel) {
  const Model model =
      *ReadRobot(Arm("<gazebo><static>Yes</static><self_collide>true</self_collide></gazebo>"))
           .model;
  EXPECT_TRUE(model.scopes[0].is_static);
  EXPECT_EQ(model.scopes[0].self_collide, true);
  EXPECT_THAT(model.native, IsEmpty());
  const ReadResult read =
      ReadRobot(Arm("<gazebo><static>1</static></gazebo>\n<gazebo><plugin name=\"p\" "
                    "filename=\"p\"/></gazebo>\n<gazebo><mu1>1</mu1></gazebo>"));
  EXPECT_TRUE(read.model->scopes[0].is_static);
  EXPECT_THAT(read.messages, testing::Contains(AllOf(HasSubstr("robot.urdf:3: warning: <static>"),
                                                     HasSubstr("[gazebo-static-forgotten]"))));
  EXPECT_THAT(read.messages, testing::Contains(AllOf(HasSubstr("robot.urdf:5: warning: <mu1>"),
                                                     HasSubstr("[gazebo-tag-idle]"))));
}

// A root link `world` stands as the others do, wherever it is in the file.
TEST(GazeboTags, AStaticRobotThatIsFixedToTheWorldAlready) {
  const std::string links[] = {"<link name='world'/><link name='a'/>",
                               "<link name='a'/><link name='world'/>"};
  for (const std::string& two : links) {
    const ReadResult read = ReadRobot(
        two +
        "<link name='b'/><joint name='root' type='fixed'><parent link='world'/><child link='a'/>"
        "<origin xyz='.3 0 .1'/></joint><joint name='j' type='continuous'><parent link='a'/>"
        "<child link='b'/></joint><gazebo><static>true</static></gazebo>");
    ASSERT_TRUE(read.model) << testing::PrintToString(read.messages);
    const Joint& foot = JointNamed(*read.model, "world_to_world");
    EXPECT_TRUE(std::holds_alternative<Fixed>(foot.kind) && foot.role == JointRole::kTree);
    EXPECT_EQ(JointNamed(*read.model, "world_to_b").role, JointRole::kLoop);
    EXPECT_FALSE(read.model->FindJoint("world_to_a")) << "rigid with the root";
  }
}

TEST(GazeboTags, OneNameForALinkAndAJoint) {
  const Model model =
      *ReadRobot(R"(<link name="base"/><link name="arm"/><joint name="arm" type="continuous">
    <parent link="base"/><child link="arm"/></joint><gazebo reference="arm"><springStiffness>2</springStiffness>
    <turnGravityOff>1</turnGravityOff></gazebo>)")
           .model;
  EXPECT_EQ(LinkNamed(model, "arm").gravity, false);
  EXPECT_EQ(JointNamed(model, "arm").axes[0].spring_stiffness, 2);
}

TEST(GazeboTags, GravityOfALinkThatLibsdformatMergesIsTold) {
  const std::string fixed = Hinge("", "fixed") + "\n" + OfArm("<turnGravityOff>1</turnGravityOff>");
  EXPECT_THAT(ReadRobot(fixed).messages, testing::Contains(HasSubstr("[gazebo-lumped]")));
  EXPECT_THAT(ReadRobot(fixed + OfHinge("<preserveFixedJoint>true</preserveFixedJoint>")).messages,
              Not(testing::Contains(HasSubstr("[gazebo-lumped]"))));
}

TEST(GazeboTags, AreWrittenBack) {
  EXPECT_THAT(Again(OfArm("<turnGravityOff>true</turnGravityOff><selfCollide>false</selfCollide>"
                          "<mu1>0.2</mu1><kp>1e6</kp><maxContacts>3</maxContacts>"
                          "<dampingFactor>0.1</dampingFactor><material>Gazebo/Red</material>")),
              HasSubstr(R"(  <gazebo reference="arm">
    <turnGravityOff>true</turnGravityOff>
    <selfCollide>false</selfCollide>
    <dampingFactor>0.1</dampingFactor>
    <mu1>0.2</mu1>
    <kp>1000000</kp>
    <maxContacts>3</maxContacts>
    <material>Gazebo/Red</material>
  </gazebo>)"));
  EXPECT_THAT(Again(OfHinge("<springStiffness>3</springStiffness><stopCfm>0.1</stopCfm>"
                            "<provideFeedback>true</provideFeedback>")),
              HasSubstr(R"(  <gazebo reference="hinge">
    <springStiffness>3</springStiffness>
    <stopCfm>0.1</stopCfm>
    <provideFeedback>true</provideFeedback>
  </gazebo>)"));
  EXPECT_THAT(Again("<gazebo><static>true</static></gazebo>"),
              HasSubstr("  <gazebo>\n    <static>true</static>\n  </gazebo>"));
}

// RViz shows the one, Gazebo the other: both stay.
TEST(GazeboTags, AMaterialBesideUrdfsOwn) {
  const std::string block = OfArm(
      "<visual><material><ambient>1 0 0 1</ambient><diffuse>0 1 0 1</"
      "diffuse></material></visual>");
  const Model model = *ReadRobot(Arm(block)).model;
  EXPECT_EQ(*LinkNamed(model, "arm").visuals[0].material->diffuse, Rgba(0, 1, 0, 1));
  const std::string text = Written(model);
  EXPECT_THAT(text,
              AllOf(HasSubstr("rgba=\"0 0 1 1\""), HasSubstr("<diffuse>0 1 0 1</diffuse>"),
                    HasSubstr("<ambient>1 0 0 1</ambient>"), Not(HasSubstr("rgba=\"0 1 0 1\""))));
}

TEST(GazeboTags, PartsThatDifferAreRefused) {
  Model model = *ReadRobot(Arm(OfArm("<mu1>0.2</mu1>"))).model;
  model.link(*model.FindLink("arm")).collisions[1].mu = 0.3;
  std::vector<std::string> messages;
  EXPECT_EQ(Written(model, &messages), "");
  EXPECT_THAT(messages, ElementsAre(HasSubstr("[gazebo-parts-differ]")));
}

// A joint that does not move has no use for them; they are kept, and said to be idle.
TEST(FixedJoint, WhatItHasNoUseForIsKept) {
  const std::string noise =
      "<axis xyz=\"0 0 0\"/><limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>"
      "<dynamics damping=\"1\"/><safety_controller k_velocity=\"1\"/><calibration rising=\"0\"/>";
  const Model model = *ReadRobot(Hinge(noise, "fixed")).model;
  ASSERT_THAT(JointNamed(model, "hinge").native, SizeIs(5));
  const std::string text = Written(model);
  for (const NativeData& data : JointNamed(model, "hinge").native) {
    EXPECT_TRUE(data.idle) << Xml(data);
    EXPECT_THAT(text, HasSubstr(Xml(data)));
  }
}

TEST(GazeboTags, FrictionIsANumberOfSdformatOrStaysText) {
  EXPECT_THAT(Again(OfArm("<mu1>inf</mu1><mu2>0.5</mu2>")),
              AllOf(HasSubstr("<mu1>inf</mu1>"), HasSubstr("<mu2>0.5</mu2>")));
  EXPECT_THAT(ReadRobot(Arm(OfArm("<mu1>-inf</mu1>"))).messages,
              Contains(AllOf(HasSubstr("which SDFormat does not know as a number"),
                             HasSubstr("[gazebo-number]"))));
  const auto block = [](const std::string& mu) {
    return OfArm("<collision><surface><friction><ode><mu>" + mu +
                 "</mu></ode></friction></surface></collision>");
  };
  EXPECT_FALSE(ReadRobot(Arm(block("inf"))).errors);
  for (const char* word : {"-inf", "nan", "many"}) {
    const ReadResult read = ReadRobot(Arm(block(word)));
    EXPECT_TRUE(read.errors) << word;
    EXPECT_THAT(read.messages,
                Contains(AllOf(HasSubstr("robot.urdf:3: error"), HasSubstr("[bad-number]"))))
        << word;
  }
}

}  // namespace
}  // namespace kinemorph::test
