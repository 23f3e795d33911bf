// Bodies, frames, replicates, includes, default classes and orientations.
#include <numbers>

#include "mjcf_text.h"

namespace kinemorph {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(MjcfTree, ABodyWithoutJointIsWeldedToItsParent) {
  const Model model = Quiet(World(
      R"(<body name="base" pos="0 0 1"><body name="arm" pos="1 0 0"><joint name="hinge"/></body></body>)"));
  ASSERT_EQ(model.num_joints(), 2u);
  EXPECT_TRUE(model.joint(JointId{0}).implicit);
  EXPECT_EQ(model.joint(JointId{0}).name, "base_fixed");
  EXPECT_TRUE(std::holds_alternative<Fixed>(model.joint(JointId{0}).kind));
  EXPECT_EQ(model.predecessor(JointId{0}), kWorld);
  EXPECT_EQ(model.link(model.predecessor(*model.FindJoint("hinge"))).name, "base");
  EXPECT_EQ(JointNamed(model, "hinge").X_PF.p, Vector3(1, 0, 0));
}

TEST(MjcfTree, AnonymousBodiesAndJointsGetNamesByTheirPlace) {
  const Model model = Quiet(World(R"(<body name="body_2"/><body><joint/></body>)"));
  EXPECT_EQ(model.link(LinkId{2}).name, "body_2_2");
  EXPECT_EQ(model.joint(JointId{1}).name, "body_2_2_joint");
}

TEST(MjcfTree, FramesMoveWhatStandsInThem) {
  const Model model = Quiet(World(R"(
    <frame pos="0 0 1" axisangle="0 0 1 1.5707963267948966">
      <body name="a" pos="1 0 0">
        <frame pos="0 0 2" quat="0 1 0 0"><joint name="j" pos="0 1 0" axis="0 0 1"/><geom name="g" size="1" pos="0 0 1"/></frame>
      </body>
    </frame>)"));
  const Joint& joint = JointNamed(model, "j");
  // The frame turns the axis over; the anchor goes with it.
  EXPECT_NEAR_MATRIX(AxesOf(joint.kind).front(), Vector3(0, 0, -1));
  EXPECT_NEAR_MATRIX(joint.X_SM.p, Vector3(0, -1, 2));
  EXPECT_NEAR_MATRIX(LinkNamed(model, "a").collisions.at(0).X_LG.p, Vector3(0, 0, 1));
  EXPECT_NEAR_MATRIX((joint.X_PF * joint.X_SM.inverse()).p, Vector3(0, 1, 1));
}

TEST(MjcfTree, ReplicateRepeatsWithPaddedNumbersAndAccumulatedTurns) {
  const Model model = Quiet(World(
      R"(<replicate count="10" sep="-" offset="1 0 0" euler="0 0 1.5707963267948966"><body name="b"/></replicate>)"));
  EXPECT_EQ(model.num_links(), 11u);
  EXPECT_EQ(model.link(LinkId{1}).name, "b-00");
  EXPECT_EQ(model.link(LinkId{10}).name, "b-09");
  // Each copy stands one step further in the axes of the one before.
  EXPECT_NEAR_MATRIX(model.joint(JointId{2}).X_PF.p, Vector3(1, 1, 0));
}

TEST(MjcfTree, AReplicateBombIsRefused) {
  const MjcfRead read = ReadMjcfText(World(
      R"(<replicate count="1000"><replicate count="1000"><replicate count="1000"><geom size="1"/></replicate></replicate></replicate>)"));
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_NE(read.errors[0].find("[too-many-elements]"), std::string::npos);
}

std::string Repeated(const std::string& text, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

// None of these is large as a text. What they would become is counted before it is made.
TEST(MjcfTree, ReplicatesAreBoundedInElementsAndInText) {
  const auto refused = [](const std::string& world) {
    const MjcfRead read = ReadMjcfText(World(world));
    return read.errors.size() == 1 &&
           read.errors[0].find("[too-many-elements]") != std::string::npos;
  };
  const std::string deep =
      R"(<replicate count="200000"><frame>)" + Repeated("<site/>", 10) + "</frame></replicate>";
  EXPECT_TRUE(refused(deep));
  EXPECT_TRUE(refused(Repeated(R"(<replicate count="150000"><site/></replicate>)", 2)));
  EXPECT_TRUE(refused(R"(<replicate count="100000"><body name=")" + std::string(100000, 'n') +
                      R"("/></replicate>)"));
  EXPECT_TRUE(refused(R"(<replicate count="100000" sep=")" + std::string(100000, 's') +
                      R"("><body/></replicate>)"));
  EXPECT_TRUE(refused(R"(<replicate count="200000"><replicate count="1">)" +
                      Repeated("<site/>", 5000) + "</replicate></replicate>"));
}

TEST(MjcfTree, EmptyReplicatesCostNothing) {
  Quiet(World(Repeated(R"(<replicate count="200000"></replicate>)", 1000)));
}

TEST(MjcfTree, ElementsThatTheAuthorWroteAreNotLimited) {
  const Model model = Quiet(World(Repeated(R"(<site name="" pos="0.25 0.5 0.75"/>)", 210000)));
  EXPECT_EQ(model.link(kWorld).native.size(), 210000u);
}

TEST(MjcfDefaults, ClassesShareWhatTheyInherit) {
  std::string classes;
  for (int i = 0; i < 8000; ++i) classes += "<default class='c" + std::to_string(i) + "'/>";
  const std::string body =
      "<worldbody><body name='b'><geom class='c7' size='0.5'/></body></worldbody>";
  const auto many = [&](int n) {
    return "<mujoco><default>" + Repeated("<geom density='2'/>", n) + classes + "</default>" +
           body + "</mujoco>";
  };
  Quiet(many(200));
  const MjcfRead read = ReadMjcfText(many(8000));
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_NE(read.errors[0].find("more than 200 defaults of this kind"), std::string::npos)
      << read.errors[0];
}

TEST(MjcfDefaults, TextThatTheyCopyIsBounded) {
  const std::string text = "<mujoco><default><site user='" + std::string(1 << 20, '1') +
                           "'/></default><worldbody>" +
                           Repeated("<site name='' pos='0 0 0'/>\n", 40) + "</worldbody></mujoco>";
  const MjcfRead read = ReadMjcfText(text);
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_NE(read.errors[0].find("[default-too-large]"), std::string::npos) << read.errors[0];
  EXPECT_NE(read.errors[0].find("robot.xml:32: error"), std::string::npos) << read.errors[0];
  // What a geom keeps of its own counts, too.
  const MjcfRead geoms =
      ReadMjcfText("<mujoco><default><geom user='" + std::string(1 << 20, '1') +
                   "'/></default><worldbody><body name='b'>" + Repeated("<geom size='1'/>\n", 40) +
                   "</body></worldbody></mujoco>");
  ASSERT_EQ(geoms.errors.size(), 1u);
  EXPECT_NE(geoms.errors[0].find("[default-too-large]"), std::string::npos) << geoms.errors[0];
  // Short attributes cost more than their text.
  std::string many;
  for (const char* name :
       {"active", "ambient", "attenuation", "bulbradius", "castshadow", "cutoff", "diffuse",
        "directional", "exponent", "intensity", "mode", "range", "softness", "specular", "type"})
    many += std::string(" ") + name + "='1'";
  const MjcfRead small = ReadMjcfText("<mujoco><default><light" + many + "/></default><worldbody>" +
                                      Repeated("<light/>\n", 60'000) + "</worldbody></mujoco>");
  ASSERT_EQ(small.errors.size(), 1u);
  EXPECT_NE(small.errors[0].find("[default-too-large]"), std::string::npos) << small.errors[0];
}

TEST(MjcfTree, IncludesKeepTheirOwnFileAndLine) {
  const Model model =
      Quiet(R"(<mujoco><include file="parts/arm.xml"/></mujoco>)",
            {{"parts/arm.xml",
              "<mujocoinclude>\n<worldbody>\n<body name='arm'/>\n</worldbody></mujocoinclude>"}});
  ASSERT_EQ(model.files.size(), 2u);
  EXPECT_EQ(model.files[1], "parts/arm.xml");
  EXPECT_EQ(LinkNamed(model, "arm").where, (SourceLocation{1, 3, 3}));
}

// MuJoCo opens neither.
TEST(MjcfTree, FragmentsNameTheRemedy) {
  for (const std::string root : {"mujocoinclude", "worldbody", "default", "actuator", "body"}) {
    const MjcfRead read = ReadMjcfText("\n<" + root + "><body name='arm'/></" + root + ">");
    ASSERT_EQ(read.errors.size(), 1u) << root;
    EXPECT_EQ(read.errors[0], "robot.xml:2: error: '" + root +
                                  "': the file is a fragment, no model; convert the file that "
                                  "includes it [mjcf-fragment]");
  }
  EXPECT_NE(ReadMjcfText("<muyoco/>").errors.at(0).find("[not-mjcf]"), std::string::npos);
}

TEST(MjcfTree, IncludeCyclesAreErrors) {
  const MjcfRead read = ReadMjcfText(R"(<mujoco><include file="b.xml"/></mujoco>)",
                                     {{"b.xml", "<mujoco>\n<include file='robot.xml'/></mujoco>"}});
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_EQ(read.errors[0],
            "b.xml:2: error: include 'robot.xml': this file is included already (a cycle, or "
            "twice), which MuJoCo refuses too "
            "[include-repeated]");
}

TEST(MjcfDefaults, AClassReplacesTheChildclassAndInheritsFromItsParentOnly) {
  const Model model = Quiet(R"(<mujoco><compiler angle="radian"/>
    <default><joint damping="1"/>
      <default class="a"><joint damping="2" armature="3"/></default>
      <default class="b"><joint stiffness="4"/></default>
    </default>
    <worldbody><body childclass="a"><joint name="child"/><body><joint name="replaced" class="b"/></body><body childclass="b"><joint name="own" damping="9"/></body></body></worldbody></mujoco>)");
  EXPECT_EQ(JointNamed(model, "child").axes[0].damping, 2);
  EXPECT_EQ(JointNamed(model, "child").axes[0].armature, 3);
  // Not stacked on the childclass a: damping is that of main, and no armature.
  EXPECT_EQ(JointNamed(model, "replaced").axes[0].damping, 1);
  EXPECT_FALSE(JointNamed(model, "replaced").axes[0].armature);
  EXPECT_EQ(JointNamed(model, "replaced").axes[0].spring_stiffness, 4);
  EXPECT_EQ(JointNamed(model, "own").axes[0].damping, 9);
}

TEST(MjcfDefaults, AShortListReplacesTheFirstNumbersOfTheDefault) {
  const Model model = Quiet(
      R"(<mujoco><default><geom type="box" size="1 2 3"/></default><worldbody><geom size="5"/></worldbody></mujoco>)");
  EXPECT_EQ(std::get<Box>(model.link(kWorld).collisions.at(0).shape).size, Vector3(10, 4, 6));
}

TEST(MjcfDefaults, ClassCyclesAndUnknownClassesAreErrors) {
  const MjcfRead cycle = ReadMjcfText(
      R"(<mujoco><default><default class="x"><default class="x"/></default></default></mujoco>)");
  ASSERT_EQ(cycle.errors.size(), 1u);
  EXPECT_EQ(cycle.errors[0],
            "robot.xml:1: error: default class 'x' is defined twice (or inside itself) "
            "[default-class-repeated]");
  const MjcfRead unknown = ReadMjcfText(
      R"(<mujoco><default><default class="leg"/></default><worldbody><body childclass="legs"/></worldbody></mujoco>)");
  ASSERT_EQ(unknown.errors.size(), 1u);
  EXPECT_EQ(unknown.errors[0],
            "robot.xml:1: error: default class 'legs' is not defined [default-class-unknown]\n    "
            "did you mean 'leg'?");
}

// The rotation of one body.
Matrix3 Turn(const std::string& attribute, const std::string& compiler = "") {
  const Model model = Quiet("<mujoco><compiler " + compiler + "/><worldbody><body name='b' " +
                            attribute + "/></worldbody></mujoco>");
  return model.joint(JointId{0}).X_PF.R;
}

TEST(MjcfOrientation, LowerCaseEulerLettersTurnAboutMovingAxesUpperCaseAboutFixedOnes) {
  const Matrix3 x = RotationFromAxisAngle(Vector3::UnitX(), 0.3),
                y = RotationFromAxisAngle(Vector3::UnitY(), 0.4),
                z = RotationFromAxisAngle(Vector3::UnitZ(), 0.5);
  EXPECT_NEAR_MATRIX(Turn("euler='0.3 0.4 0.5'", "angle='radian'"), Matrix3(x * y * z));
  EXPECT_NEAR_MATRIX(Turn("euler='0.3 0.4 0.5'", "angle='radian' eulerseq='XYZ'"),
                     Matrix3(z * y * x));
  EXPECT_NEAR_MATRIX(Turn("euler='0.5 0.4 0.3'", "angle='radian' eulerseq='zyx'"),
                     Matrix3(z * y * x));
}

TEST(MjcfOrientation, DegreesAreTheDefault) {
  EXPECT_NEAR_MATRIX(Turn("euler='90 0 0'"), RotationFromAxisAngle(Vector3::UnitX(), kPi / 2));
  EXPECT_NEAR_MATRIX(Turn("axisangle='0 0 2 90'"),
                     RotationFromAxisAngle(Vector3::UnitZ(), kPi / 2));
}

TEST(MjcfOrientation, AxesAndQuaternions) {
  Matrix3 R;
  R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_NEAR_MATRIX(Turn("xyaxes='0 2 0 -1 5 0'"), R);  // y is made perpendicular to x
  EXPECT_NEAR_MATRIX(Turn("quat='2 0 0 2'"), R);         // w first, normalised
  EXPECT_NEAR_MATRIX(Vector3(Turn("zaxis='1 0 0'").col(2)), Vector3(1, 0, 0));
}

TEST(MjcfOrientation, TwoOfThemOrNoneAreErrors) {
  EXPECT_EQ(ReadMjcfText(World("<body quat='1 0 0 0' euler='0 0 0'/>")).errors.size(), 1u);
  const MjcfRead zero = ReadMjcfText(World("<body name='b' quat='0 0 0 0'/>"));
  ASSERT_EQ(zero.errors.size(), 1u);
  EXPECT_NE(zero.errors[0].find("[zero-quaternion]"), std::string::npos);
}

TEST(MjcfTree, GlobalCoordinatesAreRefusedWithAWayOut) {
  const MjcfRead read = ReadMjcfText("<mujoco><compiler coordinate='global'/></mujoco>");
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_NE(read.errors[0].find("2.3.3"), std::string::npos);
}

TEST(MjcfTree, WhatIsNotReadIsSaidWithTheLine) {
  const MjcfRead read = ReadMjcfText(
      "<mujoco>\n<worldbody>\n<composite type='rope' prefix='rope'/>\n</worldbody></mujoco>");
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_EQ(read.warnings[0],
            "robot.xml:3: warning: composite 'rope': the bodies of type 'rope' are not read; "
            "MuJoCo makes "
            "cables alone since 3.0 [mjcf-composite]");
}

TEST(MjcfTree, SitesAreFrames) {
  const Model model =
      Quiet(World(R"(<body name="b"><site name="tip" pos="1 2 3" size="0.1"/></body>)"));
  ASSERT_EQ(model.frames.size(), 1u);
  EXPECT_EQ(model.frames[0].name, "tip");
  EXPECT_EQ(model.frames[0].native_type, "site");
  EXPECT_EQ(model.frames[0].X_LF.p, Vector3(1, 2, 3));
}

TEST(MjcfTree, ATopDefaultClassOfAnotherNameIsReadWithAWarning) {
  const MjcfRead read =
      ReadMjcfText(R"(<mujoco><default class="mother"><joint damping="2"/></default>
    <worldbody><body name="b" childclass="mother"><joint name="j"/></body></worldbody></mujoco>)");
  EXPECT_TRUE(read.errors.empty());
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_NE(read.warnings[0].find("[default-class-top]"), std::string::npos);
  EXPECT_EQ(JointNamed(read.model, "j").axes[0].damping, 2);
}

// MuJoCo: "invalid qpos size, expected length 9".
TEST(MjcfKeys, AListOfAnotherLengthThanTheModelNeedsIsTold) {
  const std::string robot =
      "<worldbody><body mocap='true'/><body><freejoint/><geom size='0.1'/>"
      "<body><joint name='a'/><geom size='0.1'/></body><body><joint type='slide'/>"
      "<geom size='0.1'/></body></body></worldbody><actuator><motor joint='a'/></actuator>";
  const auto read = [](const std::string& bodies, const std::string& key) {
    return ReadMjcfText("<mujoco>" + bodies + "<keyframe>\n<key name='home' " + key +
                        "/></keyframe></mujoco>");
  };
  const auto said = [&](const std::string& key) { return read(robot, key).warnings; };
  EXPECT_TRUE(said("qpos='0 0 0 1 0 0 0 0 0' qvel='0 0 0 0 0 0 0 0' ctrl='1' mpos='0 0 0' "
                   "mquat='1 0 0 0' time='1'")
                  .empty());
  EXPECT_TRUE(said("").empty());
  const std::pair<const char*, const char*> wrong[] = {
      {"qpos='0 0 0 1 0 0 0 0'", "its qpos has 8 numbers, the model needs 9"},
      {"qvel='0 0 0 1 0 0 0'", "its qvel has 7 numbers, the model needs 8"},
      {"mpos='0 0'", "its mpos has 2 numbers, the model needs 3"},
      {"mquat='0 0'", "its mquat has 2 numbers, the model needs 4"}};
  for (const auto& [key, what] : wrong) {
    const std::vector<std::string> words = said(key);
    ASSERT_EQ(words.size(), 1u) << key;
    EXPECT_EQ(words[0], "robot.xml:2: warning: key 'home': " + std::string(what) +
                            "; MuJoCo before 4.0 refuses the file [key-size]");
  }
  // Numbers for what other files have.
  const MjcfRead more = read(robot, "ctrl='0 0'");
  EXPECT_TRUE(more.warnings.empty());
  ASSERT_EQ(more.notes.size(), 1u);
  EXPECT_EQ(more.notes[0],
            "robot.xml:2: note: key 'home': its ctrl has 2 numbers, the model needs 1; MuJoCo "
            "refuses the file, unless a larger one includes it [key-size]");
  const MjcfRead part = read("", "qpos='0 0' ctrl='0'");
  EXPECT_TRUE(part.warnings.empty());
  EXPECT_TRUE(part.notes.empty());
}

}  // namespace
}  // namespace kinemorph
