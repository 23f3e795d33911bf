// Joints of a stage: units, frames, drives, who follows whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stage.h"

namespace kinemorph::test {
namespace {

using namespace usd;
using testing::HasSubstr;
using testing::Not;

TEST(UsdUnits, AnglesAreDegreesAndWhatIsPerAngleToo) {
  const Result r =
      Stage(Sdf("revolute", Axis("<limit><lower>-1</lower><upper>3.141592653589793</upper><effort>7"
                                 "</effort><velocity>3.141592653589793</velocity></limit><dynamics>"
                                 "<damping>1.8</damping><friction>0.5</friction></dynamics>")),
            "m.sdf");
  for (const char* said :
       {"float physics:lowerLimit = -57.29577951308232", "float physics:upperLimit = 180\n",
        "float newton:velocityLimit = 180\n", "float newton:damping = 0.0314159265358979",
        "float newton:friction = 0.5\n", "float drive:angular:physics:maxForce = 7\n",
        "float drive:angular:physics:stiffness = 0\n", "float drive:angular:physics:damping = 0\n"})
    EXPECT_THAT(r.text, HasSubstr(said));
  const Result p =
      Stage(Sdf("revolute", Axis("<limit><velocity>3.141592653589793</velocity></limit><dynamics>"
                                 "<damping>1.8</damping><friction>0.5</friction></dynamics>")),
            "m.sdf", "usda physx");
  for (const char* said :
       {"\"PhysxJointAPI\", \"PhysxJointAxisAPI:angular\"",
        "float physxJoint:maxJointVelocity = 180\n",
        "float physxJointAxis:angular:maxJointVelocity = 180\n",
        "float physxJointAxis:angular:viscousFrictionCoefficient = 0.0314159265358979",
        "float physxJointAxis:angular:staticFrictionEffort = 0.5\n"})
    EXPECT_THAT(p.text, HasSubstr(said));
  EXPECT_THAT(p.text, Not(HasSubstr("newton")));
}

TEST(UsdUnits, LengthsStayAndAnOpenSideIsLeftOut) {
  const Result r = Stage(Sdf("prismatic", Axis("<limit><lower>-0.25</lower></limit><dynamics>"
                                               "<damping>1.8</damping><spring_stiffness>12"
                                               "</spring_stiffness><spring_reference>0.1"
                                               "</spring_reference></dynamics>",
                                               "0 1 0")),
                         "m.sdf");
  for (const char* said : {"float physics:lowerLimit = -0.25\n", "float newton:damping = 1.8\n",
                           "physics:axis = \"Y\"", "float drive:linear:physics:stiffness = 12\n",
                           "float drive:linear:physics:targetPosition = 0.1\n"})
    EXPECT_THAT(r.text, HasSubstr(said));
  EXPECT_THAT(r.text, Not(HasSubstr("upperLimit")));
  EXPECT_THAT(r.text, Not(HasSubstr("inf")));
  EXPECT_THAT(r.text, Not(HasSubstr("e+16")));
}

// A joint counts from where its two frames coincide, wherever the source has its zero; an armature
// knows no angles.
TEST(UsdUnits, LimitsCountFromTheZeroOfTheFrames) {
  const std::string text = Mjcf(Body(
      "a",
      "<joint name='j' ref='0.5' range='0.5 1.5' limited='true' armature='0.2' stiffness='1.8' "
      "springref='0.6'/>"));
  for (const char* target : {"usda", "usda physx"}) {
    const Result r = Stage(text, "m.xml", target);
    EXPECT_THAT(r.text, HasSubstr("float physics:lowerLimit = 0\n"));
    EXPECT_THAT(r.text, HasSubstr("float physics:upperLimit = 57.2957795"));
    EXPECT_THAT(r.text, HasSubstr(":armature = 0.2\n"));
    EXPECT_THAT(r.text, HasSubstr("float drive:angular:physics:stiffness = 0.0314159265"));
    EXPECT_THAT(r.text, HasSubstr("float drive:angular:physics:targetPosition = 5.7295779"));
  }
}

// MuJoCo, in Newton, refuses a drive without any force, and limits that are equal in single
// precision.
TEST(UsdUnits, NoForceIsNoDriveAndALockHasAWidth) {
  for (const char* target : {"usda", "usda physx"}) {
    const Result r =
        Stage(Sdf("revolute", Axis("<limit><lower>0.5</lower><upper>0.5</upper><effort>0</effort>"
                                   "</limit>")),
              "m.sdf", target);
    EXPECT_THAT(r.text, Not(HasSubstr("drive:")));
    EXPECT_THAT(r.text, Not(HasSubstr("PhysicsDriveAPI")));
    EXPECT_TRUE(r.report.losses.empty());
    const auto number = [&](const std::string& name) {
      const std::size_t at = r.text.find(name + " = ");
      return at == std::string::npos ? 0 : std::stof(r.text.substr(at + name.size() + 3));
    };
    EXPECT_GT(number("upperLimit"), number("lowerLimit")) << target;
    EXPECT_GT(number("upperLimit") * 0.017453293F, number("lowerLimit") * 0.017453293F) << target;
    Diagnostics said;
    const std::optional<Model> again = ReadText(r.text, "m.usda", said);
    ASSERT_TRUE(again) << Rendered(said);
    const JointAxis& axis = again->joint(*again->FindJoint("j")).axes[0];
    EXPECT_EQ(axis.effort, 0) << target;
    EXPECT_EQ(axis.lower, axis.upper) << target;
    EXPECT_NEAR(*axis.lower, 0.5, 1e-15);
  }
}

// Newton and PhysX start joints where their states say, and not where their bodies stand.
TEST(UsdUnits, JointsStartWhereTheirBodiesStand) {
  const std::string source = Sdf("revolute", Axis("<limit><lower>0.5</lower></limit>"));
  for (const auto& [target, word] :
       {std::pair("usda", "float newton:angular:position = 28.647889756541"),
        {"usda physx", "float state:angular:physics:position = 28.647889756541"}}) {
    const Result r = Stage(source, "m.sdf", target);
    EXPECT_THAT(r.text, HasSubstr(word)) << target;
    EXPECT_THAT(r.text, HasSubstr("custom bool kinemorph:startIsChosen = true\n"));
    Diagnostics said;
    const std::optional<Model> again = ReadText(r.text, "m.usda", said);
    ASSERT_TRUE(again) << Rendered(said);
    EXPECT_FALSE(again->joint(*again->FindJoint("j")).axes[0].initial_position) << target;
  }
  // What the source says is kept, and is no choice.
  std::string at = source;
  at.replace(at.find("</limit>"), 8, "</limit><initial_position>1</initial_position>");
  at.replace(at.find("1.9"), 3, "1.7");
  const Result r = Stage(at, "m.sdf");
  EXPECT_THAT(r.text, Not(HasSubstr("startIsChosen")));
  EXPECT_FALSE(r.Loses(Feature::kInitialPosition));
  Diagnostics said;
  const std::optional<Model> again = ReadText(r.text, "m.usda", said);
  ASSERT_TRUE(again) << Rendered(said);
  EXPECT_NEAR(again->joint(*again->FindJoint("j")).axes[0].initial_position.value_or(0), 1, 1e-12);
}

// A low above the high would lock the joint.
TEST(UsdUnits, ReversedLimitsAreRefused) {
  Diagnostics reading, converting;
  std::optional<Model> model = ReadText(
      "<sdf version='1.9'><model name='m'><link name='a'/><link name='b'/>"
      "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>"
      "<limit><lower>1</lower><upper>-1</upper></limit></axis></joint></model></sdf>",
      "m.sdf", reading);
  ASSERT_TRUE(model) << Rendered(reading);
  EXPECT_THAT(Rendered(reading, Severity::kWarning), HasSubstr("[limits-exchanged]"));
  JointAxis& axis = model->joint(*model->FindJoint("j")).axes[0];
  EXPECT_EQ(axis.lower, -1.0);
  EXPECT_EQ(axis.upper, 1.0);
  std::swap(axis.lower, axis.upper);
  ConvertOptions options;
  options.target = TargetNamed("usda");
  EXPECT_FALSE(Convert(*model, options, converting));
  EXPECT_THAT(Rendered(converting), HasSubstr("[usd-limits-reversed]"));
}

TEST(UsdDrives, OneForACoordinateAndNoneOnALoopJoint) {
  const std::string spring =
      "<dynamics><damping>1</damping><spring_stiffness>12</spring_stiffness></dynamics>"
      "<limit><effort>3</effort></limit>";
  const Result both = Stage(Sdf("revolute", Axis(spring)), "m.sdf");
  EXPECT_TRUE(both.Loses(Feature::kEffortLimit));
  EXPECT_THAT(both.text, Not(HasSubstr("maxForce")));
  const std::string triangle =
      Link("third") + "<joint name='k' type='revolute'><parent>arm</parent><child>third</child>" +
      Axis("") +
      "</joint><joint name='l' type='revolute'><parent>base</parent><child>third</child>" +
      Axis(spring) + "</joint>";
  ConvertOptions cut;
  cut.cut = {"l"};
  const Result loop = Stage(Sdf("revolute", Axis(""), triangle), "m.sdf", "usda", cut);
  EXPECT_TRUE(loop.Loses(Feature::kEffortLimit));
  EXPECT_TRUE(loop.Loses(Feature::kSpring));
  EXPECT_THAT(loop.text, Not(HasSubstr("DriveAPI")));
  EXPECT_THAT(loop.text, HasSubstr("float newton:damping"));
  const Result physx = Stage(Sdf("revolute", Axis(""), triangle), "m.sdf", "usda physx", cut);
  EXPECT_TRUE(physx.Loses(Feature::kDamping)) << "PhysX obeys none outside the articulation";
}

TEST(UsdJoints, AUniversalTurnsInTheOrderOfItsReader) {
  const std::string axes = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";
  const Result newton = Stage(Sdf("universal", axes), "m.sdf");
  EXPECT_THAT(newton.text, HasSubstr("\"PhysicsLimitAPI:rotZ\""));
  EXPECT_THAT(newton.text, HasSubstr("quatf physics:localRot0 = (1, 0, 0, 0)"));
  EXPECT_THAT(newton.text, HasSubstr("float limit:rotZ:physics:low = 1\n"));
  EXPECT_THAT(newton.text, HasSubstr("float limit:rotZ:physics:high = -1\n"));
  // Newton leaves only those coordinates free that have a limit.
  for (const char* said : {"\"PhysicsLimitAPI:rotX\"", "float limit:rotX:physics:low = -1e+10\n",
                           "float limit:rotY:physics:high = 1e+10\n"})
    EXPECT_THAT(newton.text, HasSubstr(said));
  // PhysX twists about x last: the second axis is its x.
  const Result physx = Stage(Sdf("universal", axes), "m.sdf", "usda physx");
  EXPECT_THAT(physx.text, HasSubstr("quatf physics:localRot0 = (0, 0.7071067811865"));
  // Oblique axes have no place in such a joint.
  const Result oblique =
      Stage(Sdf("revolute2", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0.6 0.8 0</xyz></axis2>"),
            "m.sdf");
  EXPECT_THAT(oblique.text, Not(HasSubstr("def PhysicsJoint")));
  EXPECT_TRUE(oblique.Loses(Feature::kMasslessLink));
}

TEST(UsdJoints, DynamicsThatDifferByCoordinateAreSplit) {
  const auto universal = [](const char* a, const char* b) {
    return Sdf("universal", std::string("<axis><xyz>1 0 0</xyz><dynamics><damping>") + a +
                                "</damping></dynamics></axis><axis2><xyz>0 1 0</xyz><dynamics>"
                                "<damping>" +
                                b + "</damping></dynamics></axis2>");
  };
  EXPECT_THAT(Stage(universal("1.8", "1.8"), "m.sdf").text, HasSubstr("def PhysicsJoint \"j\""));
  EXPECT_THAT(Stage(universal("1.8", "2"), "m.sdf").text, Not(HasSubstr("def PhysicsJoint \"j\"")));
  const Result physx = Stage(universal("1.8", "3.6"), "m.sdf", "usda physx");
  EXPECT_THAT(physx.text,
              HasSubstr("float physxJointAxis:rotY:viscousFrictionCoefficient = 0.03141"));
  EXPECT_THAT(physx.text,
              HasSubstr("float physxJointAxis:rotX:viscousFrictionCoefficient = 0.06283"));
}

// An articulation of PhysX has spherical joints, with words for each turn, and none that slides
// along several axes or turns and slides.
TEST(UsdJoints, PhysxTurnsABallAboutThreeAxesAndSplitsWhatSlidesAndTurns) {
  const std::string ball = Mjcf(Body("a", "<joint name='j' type='ball' damping='1.8'/>"));
  EXPECT_THAT(Stage(ball, "m.xml").text, HasSubstr("float newton:damping = 0.03141592"));
  const Result physx = Stage(ball, "m.xml", "usda physx");
  EXPECT_THAT(physx.text, HasSubstr("\"PhysxJointAxisAPI:rotX\", \"PhysxJointAxisAPI:rotY\", "
                                    "\"PhysxJointAxisAPI:rotZ\""));
  EXPECT_THAT(physx.text,
              HasSubstr("float physxJointAxis:rotZ:viscousFrictionCoefficient = 0.03141592"));
  const std::string planar =
      "<robot name='m'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
      "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='planar'>"
      "<parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint></robot>";
  EXPECT_THAT(Stage(planar, "m.urdf").text, HasSubstr("def PhysicsJoint \"j\""));
  EXPECT_THAT(Stage(planar, "m.urdf", "usda physx").text, Not(HasSubstr("def PhysicsJoint")));
}

// An articulation has one joint for two bodies; more need a body of their own between.
TEST(UsdJoints, TwoJointsOfOneBodyHaveABodyBetween) {
  const Result r = Stage(Mjcf(Body("a",
                                   "<joint name='turn' axis='0 0 1'/>"
                                   "<joint name='slide' type='slide' axis='1 0 0'/>")),
                         "m.xml");
  const std::size_t slide = r.text.find("def PhysicsPrismaticJoint \"slide\"");
  ASSERT_NE(slide, std::string::npos);
  ASSERT_NE(r.text.find("def PhysicsRevoluteJoint \"turn\""), std::string::npos);
  EXPECT_THAT(r.text, Not(HasSubstr("rel physics:body0 = </m>\n            rel physics:body1 = "
                                    "</m/a>")));
  EXPECT_TRUE(r.Loses(Feature::kMasslessLink)) << "it is given a mass, which is said";
}

const std::string kLimits = " range='-1 1' limited='true'";
const std::string kMimics =
    Mjcf(Body("a", "<joint name='lead' axis='0 0 1'" + kLimits + "/>" +
                       Body("b", "<joint name='follow' axis='0 0 1'" + kLimits + "/>" +
                                     Body("c", "<joint name='slide' type='slide' axis='0 0 1'/>"))),
         "<equality><joint joint1='follow' joint2='lead' polycoef='0.5 -2 0 0 0'/></equality>");

TEST(UsdMimics, NewtonAddsAndPhysxSubtracts) {
  const Result newton = Stage(kMimics, "m.xml");
  for (const char* said :
       {"rel newton:mimicJoint = </m/joints/lead>", "float newton:mimicCoef0 = 28.64788975654116",
        "float newton:mimicCoef1 = -2\n"})
    EXPECT_THAT(newton.text, HasSubstr(said));
  // q + gearing * lead + offset = 0.
  const Result physx = Stage(kMimics, "m.xml", "usda physx");
  for (const char* said :
       {"\"PhysxMimicJointAPI:rotZ\"", "float physxMimicJoint:rotZ:gearing = 2\n",
        "float physxMimicJoint:rotZ:offset = -28.64788975654116",
        "rel physxMimicJoint:rotZ:referenceJoint = </m/joints/lead>",
        "physxMimicJoint:rotZ:referenceJointAxis = \"rotZ\""})
    EXPECT_THAT(physx.text, HasSubstr(said));
}

TEST(UsdMimics, PhysxWantsLimitsAndKnowsTurnsByName) {
  // Without limits PhysX leaves it out, which is a loss.
  std::string open = kMimics;
  open.replace(open.find(kLimits), kLimits.size(), "");
  const Result lost = Stage(open, "m.xml", "usda physx");
  EXPECT_THAT(lost.text, Not(HasSubstr("Mimic")));
  ASSERT_FALSE(lost.report.losses.empty());
  EXPECT_EQ(lost.report.losses[0].weight, Weight::kMotion);
  EXPECT_THAT(Stage(open, "m.xml").text, HasSubstr("NewtonMimicAPI"));
  const auto slide = [](const std::string& name, const std::string& more = "") {
    return Body(name, "<joint name='" + name +
                          "' type='slide' axis='1 0 0' range='-1 1' "
                          "limited='true'/>" +
                          more);
  };
  const Result slides =
      Stage(Mjcf(slide("f", slide("l")),
                 "<equality><joint joint1='f' joint2='l' polycoef='0.1 2 0 0 0'/></equality>"),
            "m.xml", "usda physx");
  EXPECT_THAT(slides.text, HasSubstr("\"PhysxMimicJointAPI:rotX\""));
  EXPECT_THAT(slides.text, HasSubstr("float physxMimicJoint:rotX:offset = -0.1\n"));
}

TEST(UsdMimics, BetweenAHingeAndASlideMuJoCoSaysItAndPhysxCannot) {
  std::string text = kMimics;
  text.replace(text.find("joint1='follow'"), 15, "joint1='slide'");
  const Result newton = Stage(text, "m.xml");
  EXPECT_THAT(newton.text, HasSubstr("\"NewtonMimicAPI\", \"MjcEqualityJointAPI\""));
  EXPECT_THAT(newton.text, HasSubstr("rel newton:mimicJoint = </m/joints/lead>"));
  EXPECT_THAT(newton.text, HasSubstr("float newton:mimicCoef0 = 0.5\n")) << "a slide counts in m";
  EXPECT_THAT(newton.text, HasSubstr("float newton:mimicCoef1 = -2\n"));
  const Result physx = Stage(text, "m.xml", "usda physx");
  EXPECT_FALSE(physx.report.losses.empty());
  EXPECT_THAT(physx.text, Not(HasSubstr("Mimic")));
}

// The offset is in degrees, as that of any mimic of a hinge; what is MuJoCo's counts in radians.
TEST(UsdMimics, APolynomialCountsFromTheZeroOfTheJoints) {
  std::string text = kMimics;
  text.replace(text.find("0.5 -2 0 0 0"), 12, "0.5 -2 0 3 0");
  const Result newton = Stage(text, "m.xml");
  EXPECT_THAT(newton.text, HasSubstr("\"NewtonMimicAPI\", \"MjcEqualityJointAPI\""));
  EXPECT_THAT(newton.text, HasSubstr("float newton:mimicCoef0 = 28.64788975654116"));
  EXPECT_THAT(newton.text, HasSubstr("float newton:mimicCoef1 = -2\n"));
  EXPECT_THAT(newton.text, HasSubstr("uniform double mjc:coef3 = 3\n"));
  EXPECT_THAT(newton.text, Not(HasSubstr("mjc:coef2")));
  EXPECT_TRUE(Stage(text, "m.xml", "usda physx").Loses(Feature::kCouplingPolynomial));
}

TEST(UsdMimics, AJointFollowsOneOtherTheRestIsLostByName) {
  const auto follow = [](const char* more) {
    std::string text = kMimics;
    const std::size_t end = text.find("</equality>");
    return text.insert(end, std::string("<joint joint1='follow' ") + more + "/>");
  };
  const Result polynomial = Stage(follow("joint2='slide' polycoef='0 1 2 0 0'"), "m.xml");
  EXPECT_TRUE(polynomial.Loses(Feature::kCouplingPolynomial, "is not written"));
  EXPECT_THAT(polynomial.text, HasSubstr("rel newton:mimicJoint = </m/joints/lead>"));
  EXPECT_THAT(polynomial.text, Not(HasSubstr("MjcEqualityJointAPI")));
  const Result mimic = Stage(follow("joint2='slide'"), "m.xml");
  EXPECT_TRUE(mimic.report.losses.empty()) << "the slide follows its follower";
  const Result held = Stage(follow("polycoef='0.1 0 0 0 0'"), "m.xml");
  EXPECT_FALSE(held.report.losses.empty()) << "nothing leads it";
  EXPECT_THAT(held.text, HasSubstr("float newton:mimicCoef1 = -2\n"));
}

// Newton refuses a leader that follows: third = 1 - 2 second, second = 0.5 + 3 first.
TEST(UsdMimics, AFollowerOfAFollowerFollowsTheFirstLeader) {
  const auto joint = [](const std::string& name, const std::string& more) {
    return "<link name='" + name +
           "_link'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'"
           " ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='" +
           name + "' type='continuous'><parent link='base'/><child link='" + name +
           "_link'/><axis xyz='0 0 1'/>" + more + "</joint>";
  };
  const Result r =
      Stage("<robot name='m'><link name='base'/>" + joint("first", "") +
                joint("third", "<mimic joint='second' multiplier='-2' offset='1'/>") +
                joint("second", "<mimic joint='first' multiplier='3' offset='0.5'/>") + "</robot>",
            "m.urdf");
  EXPECT_THAT(r.text, Not(HasSubstr("newton:mimicJoint = </m/joints/second>")));
  EXPECT_THAT(r.text, HasSubstr("float newton:mimicCoef1 = -6\n"));
  EXPECT_THAT(r.text, HasSubstr("float newton:mimicCoef1 = 3\n"));
  EXPECT_THAT(r.text, HasSubstr("float newton:mimicCoef0 = 0\n")) << "1 - 2 * 0.5";
  EXPECT_FALSE(r.Loses(Feature::kCouplingMimic));
  EXPECT_THAT(r.messages, Not(HasSubstr("[usd-open-at-zero]"))) << "no loop is open";
}

// Six bars are drawn open; PhysX takes bodies where they stand.
TEST(UsdJoints, LoopsThatAreOpenAtZeroAreSaidForNewton) {
  const std::string bars = ReadAll(Fixtures() + "/mechanisms/six_bar/six_bar.urdf");
  EXPECT_THAT(Stage(bars, "m.urdf").messages, HasSubstr("[usd-open-at-zero]"));
  EXPECT_THAT(Stage(bars, "m.urdf", "usda physx").messages, Not(HasSubstr("[usd-open-at-zero]")));
  const std::string closed = ReadAll(Fixtures() + "/mechanisms/four_bar/four_bar.urdf");
  EXPECT_THAT(Stage(closed, "m.urdf").messages, Not(HasSubstr("[usd-open-at-zero]")));
}

}  // namespace
}  // namespace kinemorph::test
