// Loops by meaning, couplings from joint and tendon equalities.
#include <gmock/gmock.h>

#include "mjcf_text.h"
#include "native_xml.h"

namespace kinemorph {
namespace {

const std::string kTwoBodies =
    R"(<worldbody><body name="a" pos="0 0 1"><joint name="ja" ref="0.3"/><geom size="1"/></body>
  <body name="b" pos="2 0 1" quat="0 0 0 1"><joint name="jb"/><geom size="1"/></body></worldbody>)";

MjcfRead WithEquality(const std::string& equality) {
  return ReadMjcfText("<mujoco><compiler angle=\"radian\"/>" + kTwoBodies + "<equality>" +
                      equality + "</equality></mujoco>");
}

const Joint& Loop(const MjcfRead& read) {
  EXPECT_TRUE(read.errors.empty()) << read.errors.front();
  EXPECT_EQ(read.model.num_joints(), 3u);
  const Joint& loop = read.model.joint(JointId{2});
  EXPECT_EQ(loop.role, JointRole::kLoop);
  return loop;
}

TEST(MjcfEquality, OneConnectIsABallAndItsSecondAnchorComesFromQpos0) {
  const MjcfRead read = WithEquality(R"(<connect name="c" body1="a" body2="b" anchor="1 0 0"/>)");
  const Joint& loop = Loop(read);
  EXPECT_TRUE(std::holds_alternative<Ball>(loop.kind));
  EXPECT_EQ(loop.name, "c");
  EXPECT_EQ(loop.X_PF.p, Vector3(1, 0, 0));
  EXPECT_NEAR_MATRIX(loop.X_SM.p, Vector3(1, 0, 0));  // b is turned about z by pi
}

TEST(MjcfEquality, TwoConnectsAreARevoluteAboutTheirLine) {
  const MjcfRead read = WithEquality(
      R"(<connect body1="a" body2="b" anchor="1 0 0"/><connect body1="b" body2="a" anchor="1 0 0.5"/>)");
  const Joint& loop = Loop(read);
  ASSERT_TRUE(std::holds_alternative<Revolute>(loop.kind));
  EXPECT_NEAR_MATRIX(Vector3(loop.X_PF.R * AxesOf(loop.kind)[0]), Vector3(0, 0, 1));
  EXPECT_NEAR_MATRIX(Vector3(loop.X_SM.R * AxesOf(loop.kind)[0]), Vector3(0, 0, 1));
}

TEST(MjcfEquality, ThreeConnectsOffALineAreFixedAndOnALineTheyAreNot) {
  const std::string two =
      R"(<connect body1="a" body2="b" anchor="1 0 0"/><connect body1="a" body2="b" anchor="1 0 1"/>)";
  EXPECT_TRUE(std::holds_alternative<Fixed>(
      Loop(WithEquality(two + R"(<connect body1="a" body2="b" anchor="1 1 0"/>)")).kind));
  // What repeats is no silent part of the hinge: it has a name and a softness of its own.
  const Model m =
      WithEquality(two + R"(<connect name="again" body1="a" body2="b" anchor="1 0 2"/>)").model;
  EXPECT_TRUE(std::holds_alternative<Revolute>(m.joint(JointId{2}).kind));
  EXPECT_TRUE(std::holds_alternative<Ball>(JointNamed(m, "again").kind));
}

// A weld has no place for what its second and third connect say for themselves.
TEST(MjcfEquality, WhatConnectsOfAWeldSayForThemselvesIsKeptAsALoss) {
  const auto unread = [](const std::string& names) {
    const Model m = WithEquality(
                        "<connect body1='a' body2='b' anchor='1 0 0'/>"
                        "<connect body1='a' body2='b' anchor='1 0 1'" +
                        names + "/><connect body1='a' body2='b' anchor='1 1 0'/>")
                        .model;
    return m.native.size();
  };
  const std::size_t nothing = unread("");
  EXPECT_EQ(unread(" name='second'"), nothing + 1);
  EXPECT_EQ(unread(" solref='0.1 1'"), nothing + 1);
}

TEST(MjcfEquality, WithoutBody2TheOtherEndIsTheWorld) {
  const MjcfRead read = WithEquality(R"(<connect body1="a" anchor="1 0 0"/>)");
  EXPECT_EQ(read.model.successor(JointId{2}), kWorld);
  EXPECT_EQ(Loop(read).X_SM.p, Vector3(1, 0, 1));
}

TEST(MjcfEquality, WeldTakesItsPoseFromQpos0OrFromRelpose) {
  const Joint at_zero = Loop(WithEquality(R"(<weld body1="a" body2="b"/>)"));
  EXPECT_TRUE(std::holds_alternative<Fixed>(at_zero.kind));
  EXPECT_NEAR_MATRIX((at_zero.X_PF * at_zero.X_SM.inverse()).p, Vector3(2, 0, 0));
  const Joint given =
      Loop(WithEquality(R"(<weld body1="a" body2="b" relpose="5 6 7 0 1 0 0" anchor="0 0 1"/>)"));
  EXPECT_EQ(given.X_PF.p, Vector3(5, 6, 7));
  EXPECT_EQ(given.X_SM.p, Vector3(0, 0, 1));
  EXPECT_NEAR_MATRIX(given.X_PF.R, RotationFromQuaternion(0, 1, 0, 0));
  // A zero quaternion means qpos0, position included.
  const Joint zero = Loop(WithEquality(R"(<weld body1="a" body2="b" relpose="5 6 7 0 0 0 0"/>)"));
  EXPECT_NEAR_MATRIX(zero.X_PF.p, Vector3(2, 0, 0));
}

TEST(MjcfEquality, AWeldWithoutTorqueHoldsOnlyItsAnchor) {
  const Joint loop =
      Loop(WithEquality(R"(<weld body1="a" body2="b" anchor="0 0 1" torquescale="0"/>)"));
  EXPECT_TRUE(std::holds_alternative<Ball>(loop.kind));
  EXPECT_EQ(loop.X_SM.p, Vector3(0, 0, 1));
}

TEST(MjcfEquality, SitesNeedNotMeetAtQpos0) {
  const MjcfRead read = ReadMjcfText(
      R"(<mujoco><worldbody><body name="a"><joint/><site name="s" pos="1 0 0"/></body><body name="b"><joint/><site name="t" pos="0 5 0"/></body></worldbody>
    <equality><connect site1="s" site2="t"/></equality></mujoco>)");
  const Joint& loop = Loop(read);
  EXPECT_EQ(loop.X_PF.p, Vector3(1, 0, 0));
  EXPECT_EQ(loop.X_SM.p, Vector3(0, 5, 0));
}

TEST(MjcfEquality, HandlesAndEmptySlotsAreNoLoops) {
  const MjcfRead read = ReadMjcfText(
      R"(<mujoco><worldbody><body name="hand" mocap="true"/><body name="a"><freejoint/></body></worldbody>
    <equality><weld body1="hand" body2="a"/><connect body1="a" anchor="0 0 0" active="false"/></equality></mujoco>)");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_EQ(read.model.num_joints(), 2u);
  ASSERT_EQ(read.model.native.size(), 2u);
  EXPECT_EQ(read.model.native[0].element, "equality/weld");
}

TEST(MjcfEquality, JointPolynomialsAreInDisplacements) {
  const MjcfRead read = WithEquality(
      R"(<joint joint1="ja" joint2="jb" polycoef="0.1 2 0 -3 0"/><joint joint1="jb" polycoef="0.5"/>)");
  ASSERT_EQ(read.model.couplings.size(), 2u);
  const Coupling& gear = read.model.couplings[0];
  EXPECT_EQ(gear.form, CouplingForm::kPolynomial);
  EXPECT_EQ(gear.constant, 0.1);  // ref plays no part
  EXPECT_EQ(gear.terms[0].coefficients, (std::array<double, 4>{1, 0, 0, 0}));
  EXPECT_EQ(gear.terms[1].coefficients, (std::array<double, 4>{-2, 0, 3, 0}));
  EXPECT_EQ(read.model.couplings[1].terms.size(), 1u);
  EXPECT_EQ(read.model.couplings[1].constant, 0.5);
}

TEST(MjcfEquality, FixedTendonsCoupleTheirJoints) {
  const MjcfRead read = ReadMjcfText(
      "<mujoco>" + kTwoBodies +
      R"(<tendon><fixed name="t"><joint joint="ja" coef="2"/><joint joint="jb" coef="-1"/></fixed></tendon>
    <equality><tendon tendon1="t" polycoef="0.25 0 0 0 0"/></equality></mujoco>)");
  EXPECT_TRUE(read.errors.empty() && read.warnings.empty());
  ASSERT_EQ(read.model.couplings.size(), 1u);
  EXPECT_EQ(read.model.couplings[0].form, CouplingForm::kTendon);
  EXPECT_EQ(read.model.couplings[0].terms[0].coefficients[0], 2);
  EXPECT_EQ(read.model.couplings[0].terms[1].coefficients[0], -1);
  EXPECT_EQ(read.model.couplings[0].constant, 0.25);
}

TEST(MjcfEquality, FixedTendonsTakeTheDefaultsOfTendons) {
  const MjcfRead read = ReadMjcfText(
      "<mujoco><default><tendon stiffness=\"5\"/></default>" + kTwoBodies +
      R"(<tendon><fixed name="t"><joint joint="ja" coef="2"/></fixed></tendon></mujoco>)");
  ASSERT_TRUE(read.errors.empty()) << read.errors.front();
  ASSERT_EQ(read.model.native.size(), 1u);
  EXPECT_THAT(test::Xml(read.model.native[0]), testing::HasSubstr("stiffness=\"5\""));
}

TEST(MjcfEquality, ErrorsNameWhatIsMissing) {
  EXPECT_EQ(WithEquality(R"(<weld body1="a" body2="a"/>)").errors.at(0),
            "robot.xml:2: error: weld equality: both ends are body 'a' [equality-self]");
  EXPECT_EQ(WithEquality(R"(<connect body1="aa" anchor="0 0 0"/>)").errors.at(0),
            "robot.xml:2: error: connect: body 'aa' is not defined [body-undefined]\n    did "
            "you mean 'a'?");
  EXPECT_EQ(WithEquality(R"(<joint joint1="nope"/>)").errors.size(), 1u);
}

TEST(MjcfContact, ExcludesArePairsOfLinks) {
  const MjcfRead read = ReadMjcfText(
      "<mujoco>" + kTwoBodies + R"(<contact><exclude body1="a" body2="b"/></contact></mujoco>)");
  ASSERT_EQ(read.model.contact_exclusions.size(), 1u);
  EXPECT_EQ(read.model.link(read.model.contact_exclusions[0].b).name, "b");
}

}  // namespace
}  // namespace kinemorph
