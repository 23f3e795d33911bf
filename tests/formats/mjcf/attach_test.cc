// <attach>: a body of another model, with what belongs to it, under a prefix.
#include <gmock/gmock.h>

#include "mjcf_text.h"
#include "native_xml.h"

namespace kinemorph {
namespace {

using test::Xml;

using testing::HasSubstr;

const std::string kHand = R"(<mujoco model="hand"><compiler angle="degree" meshdir="stl"/>
  <asset><mesh name="tip" file="tip.stl"/><material name="steel" rgba="1 0 0 1" specular="0.9"/></asset>
  <worldbody><body name="stand" pos="9 9 9"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    <body name="palm" pos="0 0 0.5"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><joint name="turn" range="-90 90"/><joint name="lift" type="slide"/>
      <geom type="mesh" mesh="tip" material="steel" contype="0" conaffinity="0"/><site name="grip" pos="0 0 0.1"/>
      <body name="finger"><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><joint name="bend"/></body></body></body></worldbody>
  <equality><joint joint1="bend" joint2="turn"/><connect body1="finger" body2="palm" anchor="0 0 0"/></equality>
  <actuator><motor name="drive" joint="bend"/></actuator><sensor><jointpos name="angle" joint="bend"/></sensor></mujoco>)";

std::string Arm(const std::string& attach) {
  return R"(<mujoco><compiler angle="radian"/><asset><model name="hand" file="hands/hand.xml"/></asset><worldbody>
<body name="arm" pos="1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><frame pos="0 2 0">)" +
         attach + "</frame></body></worldbody></mujoco>";
}

TEST(MjcfAttach, ABodyComesWithItsSubtreeUnderAPrefix) {
  const MjcfRead read =
      ReadMjcfText(Arm(R"(<attach model="hand" body="palm" prefix="left_"/>)"),
                   {{"hands/hand.xml", kHand}, {"hands/stl/tip.stl", ""}, {"stl/tip.stl", ""}});
  ASSERT_TRUE(read.errors.empty()) << read.errors.front();
  const Model& m = read.model;
  EXPECT_TRUE(m.FindLink("left_palm") && m.FindLink("left_finger"));
  EXPECT_FALSE(m.FindLink("left_stand") || m.FindLink("palm"));
  const Joint& turn = m.joint(m.FindJoint("left_turn").value());
  EXPECT_EQ(turn.X_PF.p, Vector3(0, 2, 0.5));
  EXPECT_NEAR(turn.axes[0].upper.value(), std::acos(0.0), 1e-15);  // its own file counts in degrees
  EXPECT_EQ(m.link(m.predecessor(m.FindJoint("left_turn").value())).name, "arm");
  EXPECT_EQ(m.joint(m.FindJoint("left_bend").value()).role, JointRole::kTree);
  ASSERT_EQ(m.couplings.size(), 1u);
  EXPECT_EQ(m.joint(m.couplings[0].terms[0].coordinate.joint).name, "left_bend");
  ASSERT_EQ(m.actuators.size(), 1u);
  EXPECT_EQ(m.actuators[0].name, "left_drive");
  ASSERT_EQ(m.sensors.size(), 1u);
  EXPECT_THAT(Xml(m.sensors[0].native), HasSubstr("joint=\"left_bend\""));
  ASSERT_EQ(m.frames.size(), 1u);
  EXPECT_EQ(m.frames[0].name, "left_grip");
  const Visual& visual = m.link(m.FindLink("left_palm").value()).visuals.at(0);
  EXPECT_EQ(std::get<Mesh>(visual.shape).uri, "hands/stl/tip.stl");
  EXPECT_EQ(visual.material->name, "left_steel");
  std::size_t loops = 0;
  for (const JointId id : Joints(m)) loops += m.joint(id).role == JointRole::kLoop ? 1 : 0;
  EXPECT_EQ(loops, 1u);
  EXPECT_EQ(m.FileName(turn.where), "hands/hand.xml");
}

// What MuJoCo 3.14 makes of the same files was looked up: names, places, loops with the world.
const std::string kBench = R"(<mujoco model="Bench"><compiler angle="degree"/><worldbody>
  <geom name="ground" type="box" size="1 2 3" pos="0 0 -1"/><site name="mark" pos="0 1 0"/>
  <camera name="eye" pos="1 0 0"/>
  <frame name="outer" pos="1 2 3" euler="0 90 0"><frame name="inner" pos="0 0 1">
    <body name="boxed" pos="0 0 2"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
    <geom name="inside" size=".2" pos="0 0 .1"/><site name="insite" pos="1 1 1"/></frame></frame>
  <body name="tied" pos="0 0 4"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/></body>
  </worldbody><equality><connect name="c" body1="tied" anchor="1 0 0"/></equality></mujoco>)";

MjcfRead OnTheShelf(const std::string& attach, const std::string& inertial = "") {
  return ReadMjcfText(
      R"(<mujoco><asset><model file="bench.xml"/></asset><worldbody><body name="shelf" pos="0 5 0">)" +
          inertial + R"(<frame pos="3 0 0">)" + attach + "</frame></body></worldbody></mujoco>",
      {{"bench.xml", kBench}});
}
const std::string kWeight = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)";

TEST(MjcfAttach, AWholeWorldComesWithAllThatStandsInIt) {
  const MjcfRead read = OnTheShelf(R"(<attach model="Bench" prefix="a_"/>)", kWeight);
  ASSERT_TRUE(read.errors.empty()) << read.errors.front();
  const Model& m = read.model;
  const Link& shelf = m.link(m.FindLink("shelf").value());
  ASSERT_EQ(shelf.collisions.size(), 2u);
  EXPECT_EQ(shelf.collisions[0].name, "a_ground");
  EXPECT_EQ(shelf.collisions[0].X_LG.p, Vector3(3, 0, -1));
  ASSERT_EQ(m.frames.size(), 2u);
  EXPECT_EQ(m.frames[0].name, "a_mark");
  EXPECT_EQ(m.frames[0].X_LF.p, Vector3(3, 1, 0));
  EXPECT_TRUE(shelf.native.empty());
  ASSERT_EQ(m.sensors.size(), 1u);
  EXPECT_EQ(m.sensors[0].name, "a_eye");
  EXPECT_EQ(m.sensors[0].X_LS.p, Vector3(4, 0, 0));
  for (const char* body : {"a_boxed", "a_tied"})
    EXPECT_EQ(m.link(m.predecessor(JointId{m.FindLink(body).value() == LinkId{2} ? 1u : 2u})).name,
              "shelf");
  std::size_t loops = 0;
  for (const JointId id : Joints(m)) {
    if (m.joint(id).role != JointRole::kLoop) continue;
    ++loops;
    const bool forward = m.predecessor(id) == kWorld;
    EXPECT_TRUE(forward || m.successor(id) == kWorld);
    EXPECT_TRUE((forward ? m.joint(id).X_PF : m.joint(id).X_SM).p.isApprox(Vector3(4, 5, 4)));
  }
  EXPECT_EQ(loops, 1u);
}

TEST(MjcfAttach, NamesInsideASectionGetThePrefix) {
  const std::map<std::string, std::string> files = {
      {"hands/hand.xml", R"(<mujoco model="hand"><worldbody>
    <body name="palm"><joint name="turn"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody>
    <deformable><flex name="skin" dim="1" body="palm palm"/></deformable>
    <tendon><fixed name="cord"><joint joint="turn" coef="2"/></fixed></tendon>
    <sensor><contact name="hit" subtree1="palm"/></sensor></mujoco>)"}};
  std::string arm = Arm(R"(<attach model="hand" prefix="a_"/>)");
  arm.insert(arm.find("</mujoco>"),
             R"(<equality><tendon name="hold" tendon1="a_cord"/></equality>)");
  const MjcfRead read = ReadMjcfText(arm, files);
  ASSERT_TRUE(read.errors.empty()) << read.errors.front();
  const std::string text = WriteMjcfText(read.model);
  EXPECT_THAT(text, HasSubstr(R"(body="a_palm a_palm")"));
  EXPECT_THAT(text, HasSubstr(R"(subtree1="a_palm")"));
  ASSERT_EQ(read.model.couplings.size(), 1u);  // over the tendon that came along
  EXPECT_EQ(read.model.couplings[0].terms.at(0).coefficients[0], 2);
}

// Its pose is in the keys of the file.
TEST(MjcfAttach, ABodyThatIsMovedByHandStaysOne) {
  const MjcfRead read = ReadMjcfText(
      R"(<mujoco><asset><model name="hand" file="hand.xml"/></asset><worldbody><frame><attach model="hand" body="grip" prefix="a_"/></frame></worldbody>
<keyframe><key mpos="1 2 3" mquat="1 0 0 0"/></keyframe></mujoco>)",
      {{"hand.xml",
        R"(<mujoco model="hand"><worldbody><body name="grip" mocap="true"/></worldbody></mujoco>)"}});
  EXPECT_TRUE(read.errors.empty());
  EXPECT_TRUE(read.notes.empty()) << read.notes.front();
}

TEST(MjcfAttach, AFrameComesWithoutTheFramesAroundIt) {
  const MjcfRead read = OnTheShelf(R"(<attach model="Bench" frame="inner" prefix="a_"/>)", kWeight);
  ASSERT_TRUE(read.errors.empty()) << read.errors.front();
  const Model& m = read.model;
  EXPECT_FALSE(m.FindLink("a_tied"));
  const Joint& joint = m.joint(JointId{1});
  EXPECT_EQ(m.link(m.successor(JointId{1})).name, "a_boxed");
  EXPECT_TRUE(joint.X_PF.p.isApprox(Vector3(3, 0, 3)));
  EXPECT_TRUE(joint.X_PF.R.isApprox(Matrix3::Identity()));
  const Link& shelf = m.link(m.FindLink("shelf").value());
  ASSERT_EQ(shelf.collisions.size(), 1u);
  EXPECT_EQ(shelf.collisions[0].name, "a_inside");
  ASSERT_EQ(m.frames.size(), 1u);
  EXPECT_TRUE(m.frames[0].X_LF.p.isApprox(Vector3(4, 1, 2)));
}

TEST(MjcfAttach, GeomsThatWouldWeighInTheirNewBodyAreRefused) {
  const MjcfRead read = OnTheShelf(R"(<attach model="Bench" prefix="a_"/>)");
  ASSERT_FALSE(read.errors.empty());
  EXPECT_THAT(read.errors.front(), HasSubstr("would add to the inertia"));
}

// A site of the attached world stands on the body now, and so does the end of the loop.
TEST(MjcfAttach, ALoopBetweenSitesFollowsTheSiteOfTheWorld) {
  const std::map<std::string, std::string> files = {{"hands/hand.xml", R"(<mujoco model="hand">
    <worldbody><site name="hook" pos="0 0 1"/>
      <body name="palm" pos="0 0 1"><joint axis="0 1 0"/><site name="eye"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody>
    <equality><connect name="tie" site1="eye" site2="hook"/></equality></mujoco>)"}};
  const MjcfRead read = ReadMjcfText(Arm(R"(<attach model="hand" prefix="a_"/>)"), files);
  ASSERT_TRUE(read.errors.empty()) << read.errors.front();
  const Model& m = read.model;
  const auto tie = m.FindJoint("a_tie");
  ASSERT_TRUE(tie);
  const bool forward = m.link(m.successor(*tie)).name == "a_palm";
  EXPECT_EQ(m.link(forward ? m.predecessor(*tie) : m.successor(*tie)).name, "arm");
  const Joint& joint = m.joint(*tie);
  EXPECT_TRUE((forward ? joint.X_PF : joint.X_SM).p.isApprox(Vector3(0, 2, 1)));
}

TEST(MjcfAttach, ALoopAtASiteOfTheWorldIsRefusedWhereOnlyAFrameComesAlong) {
  const std::map<std::string, std::string> files = {{"hands/hand.xml", R"(<mujoco model="hand">
    <worldbody>
      <frame name="grip"><site name="hook" pos="0 0 1"/><body name="palm" pos="0 0 1"><joint axis="0 1 0"/><site name="eye"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></frame></worldbody>
    <equality><connect name="tie" site1="eye" site2="hook"/></equality></mujoco>)"}};
  const MjcfRead read =
      ReadMjcfText(Arm(R"(<attach model="hand" frame="grip" prefix="a_"/>)"), files);
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_THAT(read.errors[0], HasSubstr("equality 'a_tie' holds a site of its world"));
}

// Names and places as MuJoCo 3.14 has them.
TEST(MjcfAttach, WithoutAModelItIsOfItsOwn) {
  const auto body = [](const std::string& name, const std::string& joint, const std::string& more) {
    return "<body name='" + name + "'" + more +
           "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" + "<joint name='" + joint + "'/>";
  };
  const MjcfRead read = ReadMjcfText(
      "<mujoco><worldbody>" + body("finger", "bend", " pos='2 0 0'>") + "</body>" +
      "<frame name='leg' pos='0 3 0'>" + body("shin", "knee", ">") + "</body></frame>" +
      body("hub", "spin", " pos='0 0 1'>") +
      "<frame pos='.2 0 0'><attach body='finger' prefix='a_'/></frame>"
      "<frame pos='-.2 0 0'><attach body='finger' prefix='b_'/></frame>"
      "<frame pos='0 0 -.1'><attach frame='leg' prefix='c_'/></frame></body></worldbody></mujoco>");
  ASSERT_TRUE(read.errors.empty()) << read.errors.front();
  const Model& m = read.model;
  EXPECT_EQ(m.num_links(), 7u);  // and the world
  for (const auto& [joint, place] :
       {std::pair{"a_bend", Vector3(2.2, 0, 0)}, std::pair{"b_bend", Vector3(1.8, 0, 0)},
        std::pair{"c_knee", Vector3(0, 3, -0.1)}}) {
    const auto id = m.FindJoint(joint);
    ASSERT_TRUE(id) << joint;
    EXPECT_EQ(m.link(m.predecessor(*id)).name, "hub") << joint;
    EXPECT_NEAR((m.joint(*id).X_PF.p - place).norm(), 0, 1e-15) << joint;
  }
}

TEST(MjcfAttach, WhatIsMissingIsAnErrorWithItsLine) {
  const std::map<std::string, std::string> files = {{"hands/hand.xml", kHand}};
  const auto error = [&](const std::string& attach) {
    const MjcfRead read = ReadMjcfText(Arm(attach), files);
    return read.errors.empty() ? "" : read.errors.front();
  };
  EXPECT_THAT(error(R"(<attach model="foot" body="palm" prefix="a_"/>)"),
              HasSubstr("robot.xml:2: error: attach: model 'foot' is not defined"));
  EXPECT_THAT(error(R"(<attach model="hand" body="thumb" prefix="a_"/>)"),
              HasSubstr("body 'thumb' is not defined in model 'hand'"));
  EXPECT_THAT(error(R"(<attach model="hand" frame="thumb" prefix="a_"/>)"),
              HasSubstr("frame 'thumb' is not defined in model 'hand'"));
  EXPECT_THAT(error(R"(<attach model="hand" body="palm" frame="thumb" prefix="a_"/>)"),
              HasSubstr("both a body and a frame"));
  const MjcfRead lost = ReadMjcfText(Arm(R"(<attach model="hand" body="palm" prefix="a_"/>)"));
  ASSERT_FALSE(lost.errors.empty());
  EXPECT_THAT(lost.errors.front(), HasSubstr("file 'hands/hand.xml' cannot be read"));
}

}  // namespace
}  // namespace kinemorph
