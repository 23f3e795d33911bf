// What is written, literally, and what is refused.
#include "kinemorph/formats/native_weight.h"
#include "mjcf_text.h"

namespace kinemorph {
namespace {

std::string Rewritten(const std::string& text) { return WriteMjcfText(Quiet(text)); }
bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What equalities say that hold loops of other formats.
const std::string kHard = R"( solref="0.004 1" solimp="0.99 0.999")";

// Link 'tip' on joint 'j' of a kind, from another format.
Model OneJoint(JointKind kind, JointAxis axis = {}) {
  Model model;
  model.name = "one";
  model.format = "urdf";
  Link tip;
  tip.name = "tip";
  const LinkId id = model.AddLink(tip);
  Joint joint;
  joint.name = "j";
  joint.kind = kind;
  joint.axes.assign(static_cast<std::size_t>(NumAxes(kind)), axis);
  model.AddJoint(kWorld, id, joint);
  return model;
}

TEST(MjcfWriter, TheSettingsLeaveNothingToDefaults) {
  EXPECT_EQ(
      Rewritten(World(
          R"(<body name="arm" pos="0 0 1"><inertial pos="0 0 0.5" mass="2" diaginertia="1 1 0.5"/>
    <joint name="lift" pos="0 0 0.1" axis="0 1 0" range="-1 2" damping="0.5" ref="0.25"/>
    <geom type="box" size="1 2 3" rgba="1 0 0 1" contype="0" conaffinity="0" group="2"/></body>)")),
      R"(<?xml version="1.0" encoding="UTF-8"?>
<mujoco model="MuJoCo Model">
  <compiler angle="radian" autolimits="true" inertiafromgeom="false" balanceinertia="false" boundmass="0" boundinertia="0"/>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <inertial pos="0 0 0.5" mass="2" diaginertia="1 1 0.5"/>
      <joint name="lift" type="hinge" pos="0 0 0.1" axis="0 1 0" ref="0.25" limited="true" range="-1 2" damping="0.5"/>
      <geom type="box" size="1 2 3" rgba="1 0 0 1" contype="0" conaffinity="0" group="2" mass="0"/>
    </body>
  </worldbody>
</mujoco>
)");
}

// Drake, Pinocchio and MuJoCo 2.2 refuse to weigh a body whose geoms weigh nothing.
TEST(MjcfWriter, ABodyOfShapesThatWeighNothingSaysSo) {
  const std::string wall = World(
      R"(<body name="wall"><geom type="box" size="1 1 1" mass="0"/><body name="mark"/></body>)");
  const std::string text = Rewritten(wall);
  EXPECT_TRUE(Has(text, R"(<inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>)")) << text;
  EXPECT_TRUE(Has(text, R"(<body name="mark"/>)")) << text;
  const Model again = ReadMjcfText(text).model;
  EXPECT_FALSE(again.link(*again.FindLink("wall")).inertial) << "zeros say what none says";
}

TEST(MjcfWriter, AChainOfLinksBetweenJointsIsOneBodyAgain) {
  const std::string text = Rewritten(World(
      R"(<body name="b" pos="0 0 5" quat="0 1 0 0"><joint name="first" axis="1 0 0" pos="0 0 1"/><joint name="second" type="slide" axis="0 1 0"/><joint name="third" type="ball"/></body>)"));
  EXPECT_TRUE(Has(text, R"(<body name="b" pos="0 0 5" quat="0 1 0 0">
      <joint name="first" type="hinge" pos="0 0 1" axis="1 0 0" limited="false"/>
      <joint name="second" type="slide" axis="0 1 0" limited="false"/>
      <joint name="third" type="ball" limited="false"/>
    </body>)"))
      << text;
}

TEST(MjcfWriter, AGeomThatIsSeenAndFeltIsOneGeom) {
  const std::string text = Rewritten(World(
      R"(<body name="b"><geom name="g" size="0.5" rgba="0 1 0 1" friction="0.7 0.1 0.2"/></body>)"));
  EXPECT_TRUE(Has(
      text,
      R"(<geom name="g" type="sphere" size="0.5" rgba="0 1 0 1" friction="0.7 0.1 0.2" mass="0"/>)"))
      << text;
  EXPECT_EQ(text.find("<geom"), text.rfind("<geom"));
}

TEST(MjcfWriter, GeomsKeepTheirOrderAndHiddenOnesTheirLooks) {
  const std::string text = Rewritten(World(
      R"(<body name="b"><geom name="seen" size="1" contype="0" conaffinity="0" rgba="1 0 0 1"/>
    <geom name="both" size="2"/><geom name="clear" size="3" rgba="0 0 1 0"/></body>)"));
  EXPECT_LT(text.find("seen"), text.find("both"));
  EXPECT_LT(text.find("both"), text.find("clear"));
  EXPECT_TRUE(Has(text.substr(text.find("clear")), R"(rgba="0 0 1 0")")) << text;
}

TEST(MjcfWriter, AMaterialThatIsANameOnlyIsNone) {
  Model model = OneJoint(Revolute{});
  Visual visual;
  visual.shape = Sphere{1};
  visual.material.emplace().name = "grey";
  model.link(LinkId{1}).visuals.push_back(visual);
  EXPECT_FALSE(Has(WriteMjcfText(model), "grey"));  // MuJoCo would paint it white
}

TEST(MjcfWriter, ATensorIsWrittenOneWayOnly) {
  Model model = OneJoint(Revolute{});
  Inertial inertial;
  inertial.mass = 1;
  inertial.X_LI.R = RotationFromQuaternion(0, 1, 0, 0);
  inertial.I_I << 2, 0.1, 0, 0.1, 2, 0, 0, 0, 3;
  model.link(LinkId{1}).inertial = inertial;
  // Principal axes, as those that MuJoCo finds from fullinertia are good to 8 digits only: 2 -+ 0.1
  // along the diagonals of x and y.
  const std::string full = WriteMjcfText(model);
  EXPECT_TRUE(Has(full, R"(mass="1" diaginertia="1.9)")) << full;
  EXPECT_FALSE(Has(full, "fullinertia")) << full;
  Model again = Quiet(full);
  const Matrix3 I = LinkNamed(again, "tip").inertial->InLink().I_BBcm;
  Matrix3 expected;
  expected << 2, -0.1, 0, -0.1, 2, 0, 0, 0, 3;
  EXPECT_NEAR_MATRIX(I, expected);
  model.link(LinkId{1}).inertial->I_I = Vector3(1, 2, 2.5).asDiagonal();
  EXPECT_TRUE(Has(WriteMjcfText(model),
                  R"(<inertial pos="0 0 0" quat="0 1 0 0" mass="1" diaginertia="1 2 2.5"/>)"));
}

TEST(MjcfWriter, OneSidedAndEqualLimitsAndEffort) {
  JointAxis axis;
  axis.lower = -1;
  axis.effort = 20;
  EXPECT_TRUE(Has(
      WriteMjcfText(OneJoint(Revolute{}, axis)),
      R"(limited="true" range="-1 1e+16" actuatorfrclimited="true" actuatorfrcrange="-20 20")"));
  // MuJoCo refuses an empty range: one step of single precision is the least there is.
  axis.upper = -1;
  EXPECT_TRUE(Has(WriteMjcfText(OneJoint(Revolute{}, axis)), R"(range="-1 -0.9999999403953552")"));
  axis.lower = axis.upper = 0;
  EXPECT_TRUE(
      Has(WriteMjcfText(OneJoint(Revolute{}, axis)), R"(range="0 1.1754943508222875e-38")"));
  // Newton takes ref away first.
  axis.lower = axis.upper = -0.5, axis.position_offset = 0.5;
  EXPECT_TRUE(
      Has(WriteMjcfText(OneJoint(Revolute{}, axis)), R"(range="0 1.1920928955078125e-07")"));
}

TEST(MjcfWriter, JointsWithoutAnEqualAreRefused) {
  for (const JointKind& kind : {JointKind(Universal{}), JointKind(Screw{}), JointKind(Planar{}),
                                JointKind(Cylindrical{})}) {
    std::vector<std::string> messages;
    EXPECT_EQ(WriteMjcfText(OneJoint(kind), &messages), "");
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_TRUE(Has(messages[0], "[mjcf-joint-kind]")) << messages[0];
  }
}

// Two pendulums side by side with a loop between them.
Model TwoPendulums(JointKind kind, double gap) {
  Model model;
  model.name = "pair";
  model.format = "urdf+";
  model.unsaid = UnsaidIndependence::kEverywhere;
  for (const char* name : {"left", "right"}) {
    Link link;
    link.name = name;
    const LinkId id = model.AddLink(link);
    Joint joint;
    joint.name = std::string(name) + "_joint";
    joint.kind = Revolute{};
    joint.X_PF.p.x() = 2.0 * static_cast<double>(Index(id) - 1);
    model.AddJoint(kWorld, id, joint);
  }
  Joint loop;
  loop.name = "loop";
  loop.kind = kind;
  loop.role = JointRole::kLoop;
  loop.X_PF.p.x() = 1;
  loop.X_SM.p.x() = -1 + gap;
  model.AddJoint(LinkId{1}, LinkId{2}, loop);
  return model;
}

TEST(MjcfWriter, ABallLoopIsOneConnectARevoluteTwoAFixedAWeld) {
  EXPECT_TRUE(Has(WriteMjcfText(TwoPendulums(Ball{}, 0)), R"(<equality>
    <connect name="loop" body1="left" body2="right" anchor="1 0 0")" +
                                                              kHard + R"(/>
  </equality>)"));
  EXPECT_TRUE(Has(WriteMjcfText(TwoPendulums(Revolute{Vector3::UnitZ()}, 0)),
                  R"(<connect name="loop" body1="left" body2="right" anchor="1 0 0")" + kHard +
                      R"(/>
    <connect name="loop_axis" body1="left" body2="right" anchor="1 0 1.5")" +
                      kHard + R"(/>)"));
  EXPECT_TRUE(Has(
      WriteMjcfText(TwoPendulums(Fixed{}, 0)),
      R"(<weld name="loop" body1="left" body2="right" relpose="1 0 0 1 0 0 0" anchor="-1 0 0")" +
          kHard + R"( torquescale="10"/>)"));
}

TEST(MjcfWriter, AnOpenLoopIsHeldBetweenSitesSoThatQpos0DoesNotWeldItWrongly) {
  std::vector<std::string> messages;
  const std::string text = WriteMjcfText(TwoPendulums(Ball{}, 0.5), &messages);
  EXPECT_TRUE(Has(text, R"(<site name="loop_1" pos="1 0 0" group="4"/>)")) << text;
  EXPECT_TRUE(Has(text, R"(<site name="loop_2" pos="-0.5 0 0" group="4"/>)"));
  EXPECT_TRUE(Has(text, R"(<connect name="loop" site1="loop_1" site2="loop_2")" + kHard + R"(/>)"));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(Has(messages[0], "[mjcf-open-loop]"));
  EXPECT_TRUE(Has(messages[1], "[equality-soft]"));
}

// A weld says its pose, so that it needs no sites.
TEST(MjcfWriter, AnOpenFixedLoopIsAWeldAndSaysThatItIsOpen) {
  std::vector<std::string> messages;
  const std::string text = WriteMjcfText(TwoPendulums(Fixed{}, 0.5), &messages);
  EXPECT_TRUE(
      Has(text, R"(relpose="1 0 0 1 0 0 0" anchor="-0.5 0 0")" + kHard + R"( torquescale="10"/>)"))
      << text;
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_TRUE(Has(messages[0], "(by 0.5 m or rad); MuJoCo pulls at it")) << messages[0];
}

// Whoever wrote MJCF knows what its equalities are.
TEST(MjcfWriter, SaysThatEqualitiesAreSoftToWhoComesFromElsewhere) {
  std::vector<std::string> messages;
  Model model = TwoPendulums(Ball{}, 0);
  WriteMjcfText(model, &messages);
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(Has(messages[0], "[equality-soft]"));
  model.format = "mjcf";
  messages.clear();
  EXPECT_TRUE(Has(WriteMjcfText(model, &messages), R"(body2="right" anchor="1 0 0"/>)"));
  EXPECT_TRUE(messages.empty());
}

// Each kind of equality that stands for what another format holds exactly stays so when it is read
// and written again.
TEST(MjcfWriter, HardEqualitiesStayHard) {
  Model model = TwoPendulums(Fixed{}, 0);
  Coupling mimic;
  mimic.name = "mimic";
  mimic.terms = {{{JointId{1}, 0}, {2, 0, 0, 0}}, {{JointId{0}, 0}, {-3, 0, 0, 0}}};
  model.couplings.push_back(mimic);
  for (const JointKind& kind : {JointKind{Fixed{}}, JointKind{Ball{}}}) {
    model.joint(JointId{2}).kind = kind;
    const std::string text = WriteMjcfText(model);
    EXPECT_EQ(Rewritten(text), text);
    EXPECT_TRUE(Has(text, kHard));
  }
}

// A frame of the model may have the name that a site of the loop would like.
TEST(MjcfWriter, TheSitesOfAnOpenLoopAreItsOwn) {
  Model model = TwoPendulums(Ball{}, 0.5);
  Frame frame;
  frame.name = "loop_1";
  frame.link = LinkId{1};
  model.frames.push_back(frame);
  std::vector<std::string> messages;
  const std::string text = WriteMjcfText(model, &messages);
  EXPECT_TRUE(Has(text, R"(<site name="loop_1" group="3"/>)")) << text;
  EXPECT_TRUE(Has(text, R"(<site name="loop_1_2" pos="1 0 0" group="4"/>)")) << text;
  EXPECT_TRUE(
      Has(text, R"(<connect name="loop" site1="loop_1_2" site2="loop_2")" + kHard + R"(/>)"));
}

// Else there would be four more in each generation.
TEST(MjcfWriter, AnOpenLoopOfSitesStaysOnThem) {
  std::vector<std::string> messages;
  const std::string text = WriteMjcfText(
      Quiet(
          R"(<mujoco><worldbody><body name="l"><joint/><geom size="1"/><site name="sl" pos="0 0 1"/></body>
<body name="r" pos="2 0 0"><joint/><geom size="1"/><site name="sr" pos="0 0 1"/></body></worldbody>
<equality><connect name="tip" site1="sl" site2="sr"/></equality></mujoco>)"),
      &messages);
  EXPECT_TRUE(Has(text, R"(<connect name="tip" site1="sl" site2="sr"/>)")) << text;
  EXPECT_FALSE(Has(text, "tip_1"));
}

TEST(MjcfWriter, TheSecondConnectOfAHingeKeepsItsNameAndSoftness) {
  const auto again = [](const std::string& first, const std::string& second) {
    const std::string text = Rewritten(
        R"(<mujoco><worldbody><body name="l"><joint/><geom size="1"/></body><body name="r" pos="2 0 0"><joint/><geom size="1"/></body></worldbody><equality>
    <connect )" +
        first + R"( body1="l" body2="r" anchor="1 0 0"/><connect )" + second +
        R"( body1="l" body2="r" anchor="1 0 1.5"/></equality></mujoco>)");
    return text.substr(text.find("<equality>"));
  };
  const std::string named = again(R"(name="a")", R"(name="b")");
  EXPECT_TRUE(Has(named, R"(<connect name="a" )")) << named;
  EXPECT_TRUE(Has(named, R"(<connect name="b" )")) << named;
  const std::string soft = again(R"(name="a" solref="0.01 1")", R"(name="a_axis")");
  EXPECT_TRUE(Has(soft, R"(anchor="1 0 0" solref="0.01 1"/>)")) << soft;
  EXPECT_TRUE(Has(soft, R"(<connect name="a_axis" )")) << soft;
  EXPECT_EQ(soft.find("solref"), soft.rfind("solref")) << soft;
}

// How far apart they are is part of how soft the hinge is.
TEST(MjcfWriter, TheConnectsOfAHingeStayAsFarApartAsTheirAuthorSetThem) {
  const std::string text = Rewritten(
      R"(<mujoco><worldbody><body name="a"><joint name="ja" axis="0 1 0"/><geom size="1"/></body>
         <body name="b" pos="2 0 0"><joint name="jb" axis="0 1 0"/><geom size="1"/></body></worldbody>
         <equality><connect name="p" body1="a" body2="b" anchor="1 -0.02 0" solref="0.01 1"/>
         <connect name="p_axis" body1="a" body2="b" anchor="1 0.02 0" solref="0.01 1"/></equality>
         </mujoco>)");
  EXPECT_TRUE(
      Has(text, R"(<connect name="p" body1="a" body2="b" anchor="1 -0.02 0" solref="0.01 1"/>)"))
      << text;
  EXPECT_TRUE(Has(
      text, R"(<connect name="p_axis" body1="a" body2="b" anchor="1 0.02 0" solref="0.01 1"/>)"))
      << text;
  EXPECT_EQ(Rewritten(text), text);
}

TEST(MjcfWriter, TwoJointsCoupleByPolynomialMoreByAFixedTendon) {
  Model model = TwoPendulums(Ball{}, 0);
  Coupling mimic;
  mimic.name = "mimic";
  mimic.form = CouplingForm::kMimic;
  mimic.terms = {{{JointId{1}, 0}, {2, 0, 0, 0}}, {{JointId{0}, 0}, {-3, 0, 0, 0}}};
  mimic.constant = 1;
  model.couplings.push_back(mimic);
  EXPECT_TRUE(Has(
      WriteMjcfText(model),
      R"(<joint name="mimic" joint1="right_joint" joint2="left_joint" polycoef="0.5 1.5 0 0 0")" +
          kHard + R"(/>)"));
  Link third;
  third.name = "third";
  Joint joint;
  joint.name = "third_joint";
  joint.kind = Prismatic{};
  const JointId id = model.AddJoint(kWorld, model.AddLink(third), joint);
  model.couplings[0].terms.push_back({{id, 0}, {4, 0, 0, 0}});
  const std::string text = WriteMjcfText(model);
  EXPECT_TRUE(Has(text, R"(<fixed name="mimic">
      <joint joint="right_joint" coef="2"/>
      <joint joint="left_joint" coef="-3"/>
      <joint joint="third_joint" coef="4"/>
    </fixed>)"))
      << text;
  EXPECT_TRUE(
      Has(text, R"(<tendon name="mimic" tendon1="mimic" polycoef="1 0 0 0 0")" + kHard + R"(/>)"));
}

TEST(MjcfWriter, ACouplingHangsOnTheNamedTendonThatIsThere) {
  const std::string fixed =
      R"(<joint joint="a"/><joint joint="b" coef="2"/><joint joint="c"/></fixed>)";
  const std::string text = Rewritten(
      R"(<mujoco><worldbody><body><joint name="a"/></body><body><joint name="b"/></body><body><joint name="c"/></body></worldbody>
<tendon><fixed>)" +
      fixed + R"(<fixed name="t">)" + fixed +
      R"(</tendon><equality><tendon name="sum" tendon1="t"/></equality></mujoco>)");
  EXPECT_TRUE(Has(text, R"(<tendon name="sum" tendon1="t" )")) << text;
}

// MuJoCo holds joints, one tendon and two tendons with three different weights.
TEST(MjcfWriter, AnEqualityOfTendonsStaysOne) {
  const auto text = [](const std::string& equality) {
    return R"(<mujoco><worldbody><body><joint name="a"/></body><body><joint name="b"/></body><body><joint name="c"/></body></worldbody>
<tendon><fixed name="s"><joint joint="a" coef="1.5"/></fixed><fixed name="t"><joint joint="b" coef="-0.5"/></fixed>
<fixed name="u"><joint joint="a"/><joint joint="c" coef="0.4"/></fixed></tendon><equality>)" +
           equality + "</equality></mujoco>";
  };
  for (const char* kept :
       {R"(<tendon name="e" tendon1="s" polycoef="0.5 0 0 0 0"/>)",
        R"(<tendon name="e" tendon1="u" polycoef="0 0 0 0 0"/>)",
        R"(<tendon name="e" tendon1="s" tendon2="t" polycoef="0.1 2 0.3 0 0"/>)",
        R"(<tendon name="e" tendon1="t" tendon2="u" polycoef="0.1 2 0 0 0"/>)"}) {
    const std::string written = Rewritten(text(kept));
    EXPECT_TRUE(Has(written, kept)) << written;
  }
  // Where the tendons no longer say it, the coupling does.
  Model other = Quiet(text(R"(<tendon name="e" tendon1="s" tendon2="t" polycoef="0 2 0 0 0"/>)"));
  other.couplings[0].terms[1].coefficients[0] *= 2;
  EXPECT_TRUE(Has(WriteMjcfText(other), R"(tendon1="e" polycoef="0 0 0 0 0")"));
}

TEST(MjcfWriter, OneMeshAssetPerFileAndScale) {
  Model model = OneJoint(Revolute{});
  for (const double scale : {1.0, -1.0, 1.0}) {
    Visual visual;
    Mesh mesh;
    mesh.uri = "meshes/hand.stl";
    mesh.scale.x() = scale;
    visual.shape = mesh;
    model.link(LinkId{1}).visuals.push_back(visual);
  }
  const std::string text = WriteMjcfText(model);
  EXPECT_TRUE(Has(text, R"(  <asset>
    <mesh name="hand" file="meshes/hand.stl"/>
    <mesh name="hand_2" file="meshes/hand.stl" scale="-1 1 1"/>
  </asset>)"))
      << text;
  EXPECT_TRUE(Has(
      text, R"(<geom type="mesh" mesh="hand_2" group="2" contype="0" conaffinity="0" mass="0"/>)"));
}

TEST(MjcfWriter, WhatOnlyMujocoReadsSurvives) {
  const std::string text = Rewritten(
      R"(<mujoco><option timestep="0.001" gravity="0 0 -1"><flag contact="disable"/></option><default><geom solref="0.01 1"/><general ctrlrange="-1 1"/></default>
    <worldbody><body name="b" gravcomp="1"><joint name="j" solreflimit="0.1 1"/><geom name="g" size="1"/><camera name="eye" euler="90 0 0"/></body></worldbody>
    <actuator><motor name="m" joint="j"/></actuator><sensor><jointpos name="s" joint="j"/></sensor><keyframe><key name="home" qpos="0.5"/></keyframe></mujoco>)");
  for (const char* part :
       {R"(<option gravity="0 0 -1" timestep="0.001">)", R"(<flag contact="disable"/>)",
        R"(gravcomp="1")", R"(solreflimit="0.1 1")", R"(solref="0.01 1")",
        R"(<motor name="m" joint="j" ctrlrange="-1 1"/>)", R"(<jointpos name="s" joint="j"/>)",
        R"(<key name="home" qpos="0.5"/>)", R"(<camera name="eye" pos="0 0 0" quat="0.7)"}) {
    EXPECT_TRUE(Has(text, part)) << part << "\n" << text;
  }
}

TEST(MjcfWriter, ATextureNeedsAMaterialAlsoWithoutAName) {
  Model model = OneJoint(Revolute{});
  Visual visual;
  visual.shape = Sphere{1};
  visual.material.emplace().texture = "maps/tag.png";
  model.link(LinkId{1}).visuals.push_back(visual);
  const std::string text = WriteMjcfText(model);
  EXPECT_TRUE(Has(text, R"(<texture name="tag" type="2d" file="maps/tag.png"/>)")) << text;
  EXPECT_TRUE(Has(text, R"(<material name="tag" texture="tag"/>)")) << text;
  EXPECT_TRUE(Has(text, R"(material="tag")")) << text;
}

// One file may be the mesh of several names, each treated in its own way.
TEST(MjcfWriter, SectionsJoinAndMeshesOfOneFileKeepTheirNames) {
  const std::map<std::string, std::string> files = {{"a.stl", ""}};
  const auto rewritten = [&](const std::string& in) { return WriteMjcfText(Quiet(in, files)); };
  const std::string text = rewritten(
      R"(<mujoco><option timestep="0.01" solver="CG"><flag contact="disable"/></option><option timestep="0.005"><flag energy="enable" contact="enable"/></option>
    <asset><mesh name="m1" file="a.stl" inertia="shell"/><mesh name="m2" file="a.stl" inertia="exact"/></asset>
    <worldbody><geom type="mesh" mesh="m1"/><geom type="mesh" mesh="m2"/></worldbody></mujoco>)");
  EXPECT_TRUE(Has(text, R"(<option timestep="0.005" solver="CG">)")) << text;
  EXPECT_TRUE(Has(text, R"(<flag contact="enable" energy="enable"/>)")) << text;
  EXPECT_TRUE(Has(text, R"(<mesh name="m1" file="a.stl" inertia="shell"/>)")) << text;
  EXPECT_TRUE(Has(text, R"(<mesh name="m2" file="a.stl" inertia="exact"/>)")) << text;
  EXPECT_EQ(rewritten(text), text);
}

TEST(MjcfWriter, DeepNestingThatNobodyReadsIsRefused) {
  Model model;
  model.name = "snake";
  LinkId parent = kWorld;
  for (int i = 0; i < 100; ++i) {
    Link link;
    link.name = "l" + std::to_string(i);
    const LinkId id = model.AddLink(link);
    Joint joint;
    joint.name = "j" + std::to_string(i);
    joint.kind = Revolute{};
    model.AddJoint(parent, id, joint);
    parent = id;
  }
  std::vector<std::string> messages;
  EXPECT_TRUE(WriteMjcfText(model, &messages).empty());
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(Has(messages[0], "error: link 'l96': more than 96 bodies inside each other"));
  EXPECT_TRUE(Has(messages[0], "[mjcf-nesting]"));
}

TEST(MjcfWriter, ReadingBackGivesTheSameText) {
  const std::string once = Rewritten(
      R"(<mujoco><asset><material name="m" rgba="1 1 0 1"/></asset><worldbody><body name="a" pos="0.1 0.2 0.3"><freejoint name="f"/><geom size="1" material="m" rgba="1 0 0 1"/>
    <body name="b"><joint name="j" range="-10 20"/><joint name="k" type="slide"/><inertial pos="0 0 0" mass="1" diaginertia="2 2 3" quat="0 0 0 1"/></body></body></worldbody>
    <equality><weld body1="a" body2="b"/></equality></mujoco>)");
  EXPECT_EQ(Rewritten(once), once);
}

// The material goes on as it stands in the file, whose colour the visual repeats.
TEST(MjcfWriter, AGeomMayRepeatTheColourOfItsMaterial) {
  const auto read = [](const std::string& own) {
    return Quiet(
        "<mujoco><asset><material name='m' rgba='1 1 0 1' specular='0.2'/></asset>"
        "<worldbody><geom size='1' material='m'" +
        own + "/></worldbody></mujoco>");
  };
  const Model plain = read(""), repeated = read(" rgba='1 1 0 1'"), other = read(" rgba='1 0 0 1'");
  ASSERT_EQ(plain.native.size(), 1u);
  EXPECT_EQ(plain.native[0].element, "asset/material");
  ASSERT_EQ(repeated.native.size(), 1u);
  EXPECT_EQ(repeated.native[0].element, "asset/material");
  EXPECT_EQ(repeated.native[0].content.Attribute("rgba"), nullptr);
  ASSERT_EQ(other.native.size(), 1u);
  EXPECT_EQ(other.native[0].element, "material") << "one geom shows another colour";
  EXPECT_EQ(WeightOfContent(other.native[0], SubjectKind::kModel), Weight::kLooks);
}

}  // namespace
}  // namespace kinemorph
