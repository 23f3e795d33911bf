// A verdict excuses what was lost or asked for, field by field, and nothing beside it; it is the same
// in either order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "good_model.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Said(const VerifyResult& result) {
  return result.line + "\n" + Rendered(result.diagnostics);
}

// As `convert --verify --strict`.
ConversionResult Convert(const Model& model, const std::string& out,
                         const ConvertOptions& options = {},
                         std::optional<Weight> strict = Weight::kLooks) {
  ConversionRequest request;
  request.options = options;
  request.out = out;
  request.verify = true;
  request.strict = strict;
  ConversionResult result = ConvertModel(model, request);
  EXPECT_EQ(result.end, ConversionEnd::kDone) << out << Rendered(result.diagnostics);
  return result;
}

Model Written(const Model& model, const std::string& out, const ConvertOptions& options = {}) {
  return GoodModel(Convert(model, out, options, std::nullopt).files.text, out);
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

constexpr const char* kBox =
    "<inertial><mass value='1'/><inertia ixx='.1' iyy='.2' izz='.2' ixy='0' ixz='0' iyz='0'/>"
    "</inertial>";

// A fixed robot "base" - j - "arm"; what is said of the arm, and of the robot.
std::string Urdf(const std::string& of_arm, const std::string& more = {}) {
  return std::string("<robot name='m'><link name='world'/><joint name='root' type='fixed'>") +
         "<parent link='world'/><child link='base'/></joint><link name='base'>" + kBox +
         "</link><link name='arm'>" + of_arm +
         "</link><joint name='j' type='continuous'><parent link='base'/><child link='arm'/>"
         "<origin xyz='0 0 .3'/><axis xyz='0 1 0'/></joint>" +
         more + "</robot>";
}

// --- one verdict in both orders ------------------------------------------------------------------

TEST(Verdicts, OrderOfTheTwoFilesMattersNot) {
  const Model a = GoodModel(
      "<mujoco model='m'><worldbody><body name='a'>"
      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><body name='b'>"
      "<inertial pos='0 0 0.1' mass='1' diaginertia='1 1 1'/>"
      "<joint name='j' axis='0 0 1' pos='0.1 0 0'/></body></body></worldbody></mujoco>",
      "a.xml");
  const std::string inertia =
      "<mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>";
  const auto urdf = [&](const std::string& com, const std::string& turn) {
    return GoodModel("<robot name='m'><link name='world'/><link name='a'><inertial>" + inertia +
                         "</inertial></link><link name='b'><inertial><origin xyz='" + com + "'/>" +
                         inertia +
                         "</inertial></link><joint name='root' type='fixed'><parent link='world'/>"
                         "<child link='a'/></joint><joint name='j' type='continuous'>"
                         "<parent link='a'/><child link='b'/><origin xyz='0.1 0 0' rpy='0 0 " +
                         turn + "'/><axis xyz='0 0 1'/></joint></robot>",
                     "b.urdf");
  };
  // A fixed base that is a joint in one file only; a link frame that is turned about its joint.
  for (const Model& b :
       {urdf("-0.1 0 0.1", "0"), urdf("-0.09210609940028852 0.03894183423086506 0.1", "0.4")})
    for (const VerifyResult& result : {VerifyEquivalent(a, b), VerifyEquivalent(b, a)})
      EXPECT_EQ(result.verdict, Verdict::kEquivalent) << Said(result);
  // Mass that stands elsewhere is none of that.
  const Model other = urdf("-0.1 0.001 0.1", "0");
  EXPECT_EQ(VerifyEquivalent(a, other).verdict, Verdict::kDifferent);
  EXPECT_EQ(VerifyEquivalent(other, a).verdict, Verdict::kDifferent);
}

// What only a conversion back would add, or change, is taken for lost where the other file shows it;
// names of nested models have marks there that the text lacks.
TEST(Verdicts, WhatAWayBackWouldChangeIsNoDifference) {
  const std::string thin =
      "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>9</iyy><izz>1</izz></inertia></inertial>";
  const Model a =
      GoodModel("<sdf version='1.9'><model name='m'><model name='in'><link name='a'>" + thin +
                    "</link></model><link name='b'><inertial><mass>1</mass></inertial></link>"
                    "<joint name='j' type='revolute'><parent>in::a</parent><child>b</child><axis>"
                    "<xyz>0 0 1</xyz></axis></joint></model></sdf>",
                "m.sdf");
  const Model b = Written(a, "o.urdf");
  EXPECT_NE(VerifyEquivalent(a, b).verdict, Verdict::kDifferent) << Said(VerifyEquivalent(a, b));
  EXPECT_NE(VerifyEquivalent(b, a).verdict, Verdict::kDifferent) << Said(VerifyEquivalent(b, a));
}

// --- what an option asks for ---------------------------------------------------------------------

// Converts with --verify --strict, and compares the two files as strangers.
void ExpectAsked(const Model& a, const std::string& out, const ConvertOptions& options,
                 const std::string& what) {
  const ConversionResult result = Convert(a, out, options);
  ASSERT_TRUE(result.proof) << out;
  EXPECT_EQ(result.proof->verdict, Verdict::kExcept) << out << result.proof->line;
  EXPECT_THAT(result.proof->line, HasSubstr("except: as asked: " + what)) << out;
  const Model b = GoodModel(result.files.text, out);
  for (const bool turned : {false, true}) {
    VerifyOptions verify;
    const VerifyResult strangers =
        turned ? VerifyEquivalent(b, a, verify) : VerifyEquivalent(a, b, verify);
    EXPECT_EQ(strangers.verdict, Verdict::kExcept) << out << turned << Said(strangers);
    EXPECT_FALSE(strangers.equivalent) << out << turned;
    EXPECT_THAT(strangers.line, HasSubstr("as asked: ")) << out << turned;
    verify.allow_asked = true;
    EXPECT_TRUE(
        (turned ? VerifyEquivalent(b, a, verify) : VerifyEquivalent(a, b, verify)).equivalent)
        << out << turned;
  }
}

TEST(Verdicts, MassThatWasAskedForIsSaid) {
  const Model a = GoodModel(
      Urdf("", std::string("<link name='tip'>") + kBox +
                   "</link><joint name='k' type='continuous'><parent link='arm'/>"
                   "<child link='tip'/><origin xyz='.3 0 .1'/><axis xyz='1 0 0'/></joint>"),
      "arm.urdf");
  ConvertOptions options;
  options.massless = 5;
  for (const char* const out : {"o.sdf", "o.usda"})
    ExpectAsked(a, out, options, "massless link of 1 link (5 kg)");
  // Another mass is nobody's wish.
  Model heavy = Written(a, "o.sdf", options);
  for (const LinkId id : Links(heavy))
    if (heavy.link(id).name == "arm") heavy.link(id).inertial->mass = 6;
  EXPECT_EQ(VerifyEquivalent(a, heavy).verdict, Verdict::kDifferent);
}

TEST(Verdicts, BaseThatWasAskedForIsSaid) {
  const Model a = GoodModel(Urdf(kBox), "arm.urdf");
  ConvertOptions options;
  options.base = BaseChoice::kFloating;
  for (const char* const out : {"o.sdf", "o.xml", "o.urdf", "o.usda"})
    ExpectAsked(a, out, options, "base free in the world of 1 link");
}

TEST(Verdicts, JointsThatWereLeftOutStandStill) {
  const Model a =
      GoodModel(Urdf(kBox, std::string("<link name='tip'>") + kBox +
                               "</link><joint name='slide' type='prismatic'><parent link='arm'/>"
                               "<child link='tip'/><axis xyz='1 0 0'/>"
                               "<limit lower='-1' upper='1' effort='3' velocity='2'/></joint>"),
                "arm.urdf");
  ConvertOptions options;
  options.drop = {Feature::kJointPrismatic};
  for (const char* const out : {"o.sdf", "o.urdf", "o.usda"}) {
    const ConversionResult result = Convert(a, out, options);
    EXPECT_THAT(result.proof->line, HasSubstr("as asked: prismatic joint of 1 joint")) << out;
    // With the report of the conversion it is known what was left out.
    VerifyOptions verify;
    verify.dropped = options.drop;
    verify.accepted = {"joint-prismatic joint 'slide'"};
    const Model b = GoodModel(result.files.text, out);
    EXPECT_TRUE(VerifyEquivalent(a, b, verify).equivalent) << out;
    EXPECT_EQ(VerifyEquivalent(a, b).verdict, Verdict::kDifferent) << out;
  }
}

// --- a loss is of its own field --------------------------------------------------------------------

TEST(Verdicts, MeshThatIsOnlyNamedKeepsPlaceAndScale) {
  for (const char* const part : {"visual", "collision"}) {
    const auto with = [&](const std::string& from, const std::string& to) {
      const std::string shape =
          "<origin xyz='0 0 .1'/><geometry><mesh filename='shell.stl' scale='1 1 1'/></geometry>";
      return GoodModel(Urdf(std::string(kBox) + "<" + part + " name='shell'>" +
                            Replaced(shape, from, to) + "</" + part + ">"),
                       "arm.urdf");
    };
    const Model same = with("shell", "shell");
    const Model stage = Written(same, "o.usda");
    EXPECT_NE(VerifyEquivalent(same, stage).verdict, Verdict::kDifferent) << part;
    for (const Model& moved : {with("0 0 .1", "1 0 .1"), with("1 1 1", "7 7 7")})
      for (const VerifyResult& result :
           {VerifyEquivalent(moved, stage), VerifyEquivalent(stage, moved)})
        EXPECT_EQ(result.verdict, Verdict::kDifferent) << part << Said(result);
  }
}

TEST(Verdicts, LostCoefficientHidesNoOther) {
  const std::string ball =
      std::string(kBox) +
      "<collision name='arm_c'><geometry><sphere radius='.1'/></geometry></collision>";
  const std::string said = "<gazebo reference='arm'><mu1>0.4</mu1><mu2>0.1</mu2></gazebo>";
  const Model a = GoodModel(Urdf(ball, said), "a.urdf"),
              other_second = GoodModel(Urdf(ball, Replaced(said, "0.1", "0.7")), "b.urdf"),
              other_first = GoodModel(Urdf(ball, Replaced(said, "0.4", "0.001")), "c.urdf");
  for (const char* const out : {"o.xml", "o.usda"}) {
    const Model written = Written(a, out);
    EXPECT_EQ(VerifyEquivalent(other_second, written).verdict, Verdict::kExcept) << out;
    for (const VerifyResult& result :
         {VerifyEquivalent(other_first, written), VerifyEquivalent(written, other_first)}) {
      EXPECT_EQ(result.verdict, Verdict::kDifferent) << out << Said(result);
      EXPECT_THAT(Said(result), HasSubstr("0.001")) << out;
    }
  }
}

// A lost transmission says nothing of what Gazebo's engine is told about the joint.
TEST(Verdicts, ContentThatBothFormatsKeepIsComparedBesideALoss) {
  const std::string drive =
      "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>"
      "<joint name='j'><hardwareInterface>x</hardwareInterface></joint><actuator name='m'/>"
      "</transmission>";
  const std::string engine =
      "<gazebo reference='j'><stopCfm>0.1</stopCfm><stopErp>0.3</stopErp>"
      "<implicitSpringDamper>true</implicitSpringDamper><fudgeFactor>0.5</fudgeFactor></gazebo>";
  const Model b = Written(GoodModel(Urdf(kBox, drive + engine), "a.urdf"), "o.sdf");
  for (const auto& [from, to] : {std::pair{"Cfm>0.1", "Cfm>0.2"},
                                 {"Erp>0.3", "Erp>0.4"},
                                 {"Damper>true", "Damper>false"},
                                 {"Factor>0.5", "Factor>0.6"}}) {
    const Model a = GoodModel(Urdf(kBox, drive + Replaced(engine, from, to)), "a.urdf");
    for (const VerifyResult& result : {VerifyEquivalent(a, b), VerifyEquivalent(b, a)})
      EXPECT_EQ(result.verdict, Verdict::kDifferent) << from << Said(result);
  }
}

// SDFormat's cfm_damping is two words in a URDF, which libsdformat writes in another order.
TEST(Verdicts, ContentThatIsSaidInMoreWordsIsNoOther) {
  const std::string link =
      "<link name='%'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz>"
      "</inertia></inertial><collision name='c'><geometry><sphere><radius>.1</radius></sphere>"
      "</geometry><surface><friction><ode/></friction><contact><ode><min_depth>.001</min_depth>"
      "<max_vel>0</max_vel></ode></contact></surface></collision></link>";
  const std::string text =
      "<sdf version='1.9'><model name='m'>" + Replaced(link, "%", "a") + Replaced(link, "%", "b") +
      "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>"
      "</axis><physics><ode><cfm_damping>1</cfm_damping></ode></physics></joint></model></sdf>";
  const Model a = GoodModel(text, "a.sdf");
  const ConversionResult result = Convert(a, "o.urdf", {}, std::nullopt);
  const Model b = GoodModel(result.files.text, "o.urdf");
  const Model other = GoodModel(Replaced(text, "damping>1", "damping>0"), "b.sdf");
  EXPECT_EQ(VerifyEquivalent(other, b).verdict, Verdict::kDifferent);
  EXPECT_EQ(VerifyEquivalent(b, other).verdict, Verdict::kDifferent);
}

// What the drive says goes with the drive, and is told once.
TEST(Verdicts, LostDriveTakesItsContentAlong) {
  const Model a = GoodModel(
      "<mujoco model='m'><worldbody><body name='a'><joint name='h' axis='0 1 0'/>"
      "<geom size='.1'/></body></worldbody><actuator><intvelocity name='d' joint='h' kp='1' "
      "actrange='-1 1'/></actuator>"
      "</mujoco>",
      "a.xml");
  const VerifyResult proof = *Convert(a, "o.urdf", {}, std::nullopt).proof;
  EXPECT_EQ(proof.verdict, Verdict::kExcept) << proof.line;
  for (const VerifyException& exception : proof.exceptions)
    EXPECT_NE(exception.feature, Feature::kNativeData) << proof.line;
}

// --- names that programs look for ------------------------------------------------------------------

TEST(Verdicts, NamesOfPluginsAreClasses) {
  const std::string plugin =
      "<gazebo><plugin name='gz::sim::systems::One' "
      "filename='one.so'><rate>5</rate></plugin></gazebo>";
  const Model a = GoodModel(Urdf(kBox, plugin), "a.urdf"),
              other = GoodModel(Urdf(kBox, Replaced(plugin, "One", "Other")), "b.urdf"),
              written = Written(a, "o.sdf");
  EXPECT_EQ(VerifyEquivalent(a, written).verdict, Verdict::kEquivalent);
  for (const VerifyResult& result :
       {VerifyEquivalent(other, written), VerifyEquivalent(written, other)})
    EXPECT_THAT(Said(result), HasSubstr("systems::Other")) << Said(result);
  EXPECT_EQ(VerifyEquivalent(other, written).verdict, Verdict::kDifferent);
}

TEST(Verdicts, NamesOfShapesAreCompared) {
  const auto robot = [](const std::string& name) {
    return GoodModel(Urdf(std::string(kBox) + "<collision" + name +
                          "><geometry><sphere radius='.1'/></geometry></collision>"),
                     "a.urdf");
  };
  for (const char* const out : {"o.sdf", "o.xml", "o.usda"}) {
    const Model written = Written(robot(" name='pad'"), out);
    EXPECT_NE(VerifyEquivalent(robot(" name='pad'"), written).verdict, Verdict::kDifferent) << out;
    // Whoever has no name gets one.
    EXPECT_NE(VerifyEquivalent(robot(""), written).verdict, Verdict::kDifferent) << out;
    for (const VerifyResult& result : {VerifyEquivalent(robot(" name='foot'"), written),
                                       VerifyEquivalent(written, robot(" name='foot'"))}) {
      EXPECT_EQ(result.verdict, Verdict::kDifferent) << out;
      EXPECT_THAT(Said(result), HasSubstr("is called")) << out;
    }
  }
}

TEST(Verdicts, NamesOfShapesAreTheirPrims) {
  const Model a = GoodModel(
      Urdf(std::string(kBox) + "<collision name='1-pad'><geometry><sphere radius='.1'/></geometry>"
                               "</collision>"),
      "a.urdf");
  const ConversionResult result = Convert(a, "o.usda");
  EXPECT_NE(result.proof->verdict, Verdict::kDifferent) << result.proof->line;
  EXPECT_THAT(result.files.text, HasSubstr("\"_1_pad\""));
}

// --- gravity by silence ------------------------------------------------------------------------------

TEST(Verdicts, GravityOfSilenceIsSaidWhereTheTargetMeansAnother) {
  const std::string link =
      "<link name='a'><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz>"
      "</inertia></inertial></link><joint name='f' type='fixed'><parent>world</parent>"
      "<child>a</child></joint>";
  const std::string model = "<model name='m'>" + link + "</model>";
  const Model world = GoodModel("<sdf version='1.9'><world name='w'>" + model + "</world></sdf>",
                                "w.sdf"),
              alone = GoodModel("<sdf version='1.9'>" + model + "</sdf>", "m.sdf");
  const ConversionResult mjcf = Convert(world, "o.xml"), urdf = Convert(world, "o.urdf");
  EXPECT_THAT(mjcf.files.text, HasSubstr("gravity=\"0 0 -9.8\""));
  EXPECT_EQ(mjcf.proof->verdict, Verdict::kEquivalent) << mjcf.proof->line;
  EXPECT_EQ(urdf.proof->verdict, Verdict::kEquivalent) << urdf.proof->line;
  // Drake has the usual gravity whatever a file says or leaves out.
  ConvertOptions to_drake;
  to_drake.target.options.profile = "drake";
  const Model of_mujoco = GoodModel("<mujoco><worldbody/></mujoco>", "m.xml");
  const ConversionResult drake = Convert(world, "o.sdf", to_drake, std::nullopt),
                         usual = Convert(of_mujoco, "o.sdf", to_drake);
  ASSERT_EQ(drake.report.losses.size(), 1U);
  EXPECT_EQ(drake.report.losses[0].source, "0 0 -9.8 m/s^2");
  EXPECT_THAT(usual.report.losses, testing::IsEmpty());
  // A model that stands in no world says nothing of its gravity, and neither does what it becomes.
  EXPECT_THAT(Convert(alone, "o.xml").files.text, Not(HasSubstr("gravity")));
  const Model silent = GoodModel(Replaced(mjcf.files.text, "gravity=\"0 0 -9.8\"", ""), "s.xml");
  for (const VerifyResult& result :
       {VerifyEquivalent(world, silent), VerifyEquivalent(silent, world)}) {
    EXPECT_EQ(result.verdict, Verdict::kDifferent) << Said(result);
    EXPECT_THAT(Said(result), HasSubstr("-9.81"));
  }
}

// --- what is right and was refused --------------------------------------------------------------------

TEST(Verdicts, ArmatureOfAFreeJointGoesWithTheJoint) {
  const Model a = GoodModel(
      "<mujoco model='m'><worldbody><body name='a'><joint name='h' axis='0 1 0' armature='.1'/>"
      "<geom size='.1'/></body><body name='c' pos='1 0 0'><joint name='f' type='free' "
      "armature='.1'/><geom size='.1'/></body></worldbody></mujoco>",
      "a.xml");
  for (const char* const out : {"o.sdf", "o.usda"})
    EXPECT_EQ(Convert(a, out, {}, std::nullopt).proof->verdict, Verdict::kExcept) << out;
}

TEST(Verdicts, UnknownMassIsNotProvedWhereverItIsWeighed) {
  const Model a = GoodModel(
      "<mujoco model='m'><asset><mesh name='motor' file='not_here.stl'/></asset><worldbody>"
      "<body name='plate'><body name='valve' pos='0 0 .01'>"
      "<geom type='box' size='.03 .03 .005' pos='.01 0 0' mass='0'/>"
      "<geom type='mesh' mesh='motor' pos='0 0 .018'/><body name='tip' pos='0 0 .04'>"
      "<geom size='.02' mass='.1'/><joint name='turn' axis='0 0 1'/></body></body></body>"
      "</worldbody></mujoco>",
      "a.xml");
  for (const char* const out : {"o.sdf", "o.usda", "o.mbs"}) {
    const ConversionResult result = Convert(a, out, {}, std::nullopt);
    ASSERT_TRUE(result.proof);
    EXPECT_EQ(result.proof->verdict, Verdict::kNotProved) << out << result.proof->line;
    EXPECT_THAT(result.proof->line, HasSubstr("mass of link 'valve'")) << out;
  }
}

// Robotran's reader folds them into a floating base; their names are gone, and that is said.
TEST(Verdicts, SlidesAndABallAreAFloatingBase) {
  const Model a = GoodModel(
      "<mujoco model='m'><worldbody><body name='palm'>"
      "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint type='slide' axis='1 0 0'/>"
      "<joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/><joint type='ball'/>"
      "</body></worldbody></mujoco>",
      "a.xml");
  const ConversionResult result = Convert(a, "o.mbs", {}, std::nullopt);
  EXPECT_EQ(result.proof->verdict, Verdict::kExcept) << result.proof->line;
}

// A chain in place of a ball joint joins its ends no more.
TEST(Verdicts, LinksOfASplitJointStillDoNotTouch) {
  const std::string link =
      "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
      "<collision name='c'><geometry><sphere><radius>.2</radius></sphere></geometry></collision>"
      "</link>";
  const Model a = GoodModel(
      "<sdf version='1.9'><model name='m'><self_collide>true</self_collide>"
      "<link name='grip'>" +
          link + "<link name='head'><pose>.3 0 0 0 0 0</pose>" + link +
          "<joint name='b' type='ball'><parent>grip</parent><child>head</child>"
          "</joint></model></sdf>",
      "a.sdf");
  for (const char* const out : {"o.urdf", "o.xml", "o.usda"})
    EXPECT_NE(Convert(a, out, {}, std::nullopt).proof->verdict, Verdict::kDifferent) << out;
}

}  // namespace
}  // namespace kinemorph::test
