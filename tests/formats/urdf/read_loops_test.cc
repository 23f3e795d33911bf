// Loops and couplings in every spelling: the same four-bar and the same gear, whoever wrote them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Spelling {
  std::string name, loop, meaning, warning;
};

class LoopSpelling : public testing::TestWithParam<Spelling> {};

TEST_P(LoopSpelling, IsRead) {
  const ReadResult read = ReadRobot(FourBar(GetParam().loop));
  ASSERT_TRUE(read.model);
  EXPECT_THAT(Loops(*read.model), ElementsAre(GetParam().meaning));
  if (GetParam().warning.empty()) {
    EXPECT_THAT(read.messages, IsEmpty());
  } else {
    EXPECT_THAT(read.messages, ElementsAre(GetParam().warning));
  }
  EXPECT_EQ(read.model->format, "urdf+");
}

const std::string kPin = "revolute coupler -> rocker at 0.4 0 0 / 0 0 0.3 axis 0 1 0";
const std::string kPoint = "ball coupler -> rocker at 0.4 0 0 / 0 0 0.3";

INSTANTIATE_TEST_SUITE_P(
    All, LoopSpelling,
    testing::Values(
        Spelling{
            "Canonical",
            R"(<loop name="pin" type="revolute"><predecessor link="coupler"><origin xyz="0.4 0 0" rpy="0 0 0"/></predecessor>
          <successor link="rocker"><origin xyz="0 0 0.3" rpy="0 0 0"/></successor><axis xyz="0 1 0"/></loop>)",
            kPin, ""},
        Spelling{
            "Continuous",
            R"(<loop name="pin" type="continuous"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor>
          <successor link="rocker"><origin xyz="0 0 0.3"/></successor><axis xyz="0 1 0"/></loop>)",
            kPin, ""},
        Spelling{
            "DefaultAxisAndOrigins",
            R"(<loop name="pin" type="prismatic"><predecessor link="coupler"/><successor link="rocker"/></loop>)",
            "prismatic coupler -> rocker at 0 0 0 / 0 0 0 axis 1 0 0", ""},
        Spelling{
            "Planar",
            R"(<loop name="pin" type="planar"><predecessor link="coupler"/><successor link="rocker"/><axis xyz="0 0 1"/></loop>)",
            "planar coupler -> rocker at 0 0 0 / 0 0 0 axis 0 0 1", ""},
        Spelling{
            "FixedIgnoresTheAxis",
            R"(<loop name="pin" type="fixed"><predecessor link="coupler"/><successor link="rocker"/><axis xyz="0 0 0"/></loop>)",
            "fixed coupler -> rocker at 0 0 0 / 0 0 0", ""},
        Spelling{
            "Spherical",
            R"(<loop name="pin" type="spherical"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor>
          <successor link="rocker"><origin xyz="0 0 0.3"/></successor></loop>)",
            kPoint,
            "robot.urdf:5: warning: loop 'pin': type 'spherical' is an extension that the "
            "reference parser refuses [dialect]"},
        Spelling{
            "UniversalWithDefaultAxes",
            R"(<loop name="pin" type="universal"><predecessor link="coupler"/><successor link="rocker"/></loop>)",
            "universal coupler -> rocker at 0 0 0 / 0 0 0 axis 1 0 0 axis 0 1 0",
            "robot.urdf:5: warning: loop 'pin': type 'universal' is an extension that the "
            "reference parser refuses [dialect]"},
        Spelling{
            "UniversalWithBothAxes",
            R"(<loop name="pin" type="universal"><predecessor link="coupler"/><successor link="rocker"/><axis xyz="0 0 1"/><axis2 xyz="1 0 0"/></loop>)",
            "universal coupler -> rocker at 0 0 0 / 0 0 0 axis 0 0 1 axis 1 0 0",
            "robot.urdf:5: warning: loop 'pin': type 'universal' is an extension that the "
            "reference parser refuses [dialect]"},
        Spelling{
            "PaperNames",
            R"(<loop name="pin" type="revolute"><predecessor name="coupler"><origin xyz="0.4 0 0"/></predecessor>
          <successor name="rocker"><origin xyz="0 0 0.3"/></successor><axis xyz="0 1 0"/></loop>)",
            kPin,
            "robot.urdf:5: warning: loop 'pin': <predecessor name=...> is the spelling of the "
            "paper; kinemorph reads it, but write <predecessor "
            "link=\"coupler\"> [dialect]"},
        Spelling{
            "NoName",
            R"(<loop type="revolute"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor>
          <successor link="rocker"><origin xyz="0 0 0.3"/></successor><axis xyz="0 1 0"/></loop>)",
            kPin,
            "robot.urdf:5: warning: loop 'loop_1': has no name in the file; this name was made up "
            "(others refuse this: write <loop "
            "name=\"...\">) [name-made-up]"},
        Spelling{
            "Sucessor",
            R"(<loop name="pin" type="revolute"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor>
          <sucessor link="rocker"><origin xyz="0 0 0.3"/></sucessor><axis xyz="0 1 0"/></loop>)",
            kPin,
            "robot.urdf:6: warning: loop 'pin': <sucessor> is a misspelling of <successor>; "
            "kinemorph reads <successor> [dialect]"},
        Spelling{
            "Succesor",
            R"(<loop name="pin" type="revolute"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor>
          <succesor link="rocker"><origin xyz="0 0 0.3"/></succesor><axis xyz="0 1 0"/></loop>)",
            kPin,
            "robot.urdf:6: warning: loop 'pin': <succesor> is a misspelling of <successor>; "
            "kinemorph reads <successor> [dialect]"},
        Spelling{
            "OriginsBeside",
            R"(<loop name="pin" type="revolute"><predecessor link="coupler"/><predecessor_origin xyz="0.4 0 0"/>
          <successor link="rocker"/><successor_origin xyz="0 0 0.3"/><axis xyz="0 1 0"/></loop>)",
            kPin,
            "robot.urdf:5: warning: loop 'pin': <predecessor_origin> is an old spelling; write "
            "<predecessor link=\"coupler\"> <origin "
            ".../> </predecessor> [dialect]"},
        Spelling{
            "LegacyPosition",
            R"(<constraint name="pin" type="position"><predecessor link="coupler"><origin xyz="0.4 0 0"/></predecessor>
          <successor link="rocker"><origin xyz="0 0 0.3"/></successor></constraint>)",
            kPoint,
            "robot.urdf:5: warning: element 'constraint': of type 'position' is the legacy URDF+ "
            "grammar for a point closure, read as "
            "a ball loop; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"},
        Spelling{
            "LegacyLoopConstraint",
            R"(<loop_constraint name="pin"><parent link="coupler"/><parent_origin xyz="0.4 0 0"/>
          <child link="rocker"/><child_origin xyz="0 0 0.3"/></loop_constraint>)",
            kPoint,
            "robot.urdf:5: warning: element 'loop_constraint': is the legacy URDF+ grammar for a "
            "point closure, read as a ball loop; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"},
        Spelling{
            "ReferenceExporter",
            R"(<constraint name="pin" type="revolute"><axis xyz="0 1 0"/><predecessor link="coupler"><origin rpy="0 -0 0" xyz="0.4 0 0"/></predecessor>
          <successor link="rocker"><origin rpy="0 -0 0" xyz="0 0 0.3"/></successor></constraint>)",
            kPin,
            "robot.urdf:5: warning: element 'constraint': is what the reference exporter writes, "
            "and its parser ignores; read as a loop; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"},
        Spelling{
            "ProposalForUrdf",
            R"(<constraint name="pin" type="revolute"><parent link="coupler"/><parent_origin xyz="0.4 0 0"/><parent_axis xyz="0 1 0"/>
          <child link="rocker"/><child_origin xyz="0 0 0.3"/><child_axis xyz="0 1 0"/></constraint>)",
            kPin,
            "robot.urdf:5: warning: element 'constraint': with parent and child is a proposal for "
            "URDF, read as a loop; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"},
        Spelling{
            "ProposalForUrdfUniversal",
            R"(<constraint name="pin" type="universal"><parent link="coupler"/><parent_axis xyz="0 0 1"/>
          <child link="rocker"/><child_axis xyz="0 1 0"/></constraint>)",
            "universal coupler -> rocker at 0 0 0 / 0 0 0 axis 0 0 1 axis 0 1 0",
            "robot.urdf:5: warning: element 'constraint': with parent and child is a proposal for "
            "URDF, read as a loop; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"},
        Spelling{
            "Drake",
            R"(<loop_joint name="pin" type="continuous"><axis xyz="0 1 0"/><link1 link="coupler" rpy="0 0 0" xyz="0.4 0 0"/>
          <link2 link="rocker" rpy="0 0 0" xyz="0 0 0.3"/></loop_joint>)",
            kPin,
            "robot.urdf:5: warning: element 'loop_joint': is Drake's and Isaac's spelling, read as "
            "a loop of type 'continuous'; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"},
        Spelling{
            "DrakeWithoutType",
            R"(<loop_joint name="pin"><axis xyz="0 1 0"/><link1 link="coupler" xyz="0.4 0 0"/><link2 link="rocker" xyz="0 0 0.3"/></loop_joint>)",
            kPin,
            "robot.urdf:5: warning: element 'loop_joint': is Drake's and Isaac's spelling, read as "
            "a loop of type 'revolute'; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"},
        Spelling{
            "Isaac",
            R"(<loop_joint name="pin" type="spherical"><link1 link="coupler" xyz="0.4 0 0" rpy="0 0 0"/>
          <link2 link="rocker" xyz="0 0 0.3" rpy="0 0 0"/></loop_joint>)",
            kPoint,
            "robot.urdf:5: warning: element 'loop_joint': is Drake's and Isaac's spelling, read as "
            "a loop of type 'spherical'; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"},
        Spelling{
            "FusionExporter",
            R"(<loop_joint name="pin" type="revolute"><parent link="coupler"/><child link="rocker"/><parent_origin xyz="0.4 0 0"/>
          <child_origin xyz="0 0 0.3"/><axis xyz="0 1 0" frame="parent"/></loop_joint>)",
            kPin,
            "robot.urdf:5: warning: element 'loop_joint': is Drake's and Isaac's spelling, read as "
            "a loop of type 'revolute'; "
            "write <loop name=\"...\" type=\"...\"> [dialect]"}),
    [](const auto& test) { return test.param.name; });

TEST(ReadLoop, IsaacsMisprintNamesLink1Twice) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<loop_joint name="pin" type="spherical"><link1 link="coupler" xyz="0.4 0 0"/><link1 link="rocker" xyz="0 0 0.3"/></loop_joint>)"));
  EXPECT_THAT(Loops(*read.model), ElementsAre(kPoint));
  EXPECT_EQ(
      read.messages.back(),
      "robot.urdf:5: warning: loop 'pin': names link1 twice; kinemorph reads the second as link2 "
      "[dialect]");
}

TEST(ReadLoop, ADialectIsTalkedAboutOnce) {
  const ReadResult read = ReadRobot(FourBar(R"(
    <loop name="a" type="ball"><predecessor link="coupler"/><successor link="rocker"/></loop>
    <loop name="b" type="ball"><predecessor link="crank"/><successor link="rocker"/></loop>)"));
  EXPECT_EQ(Loops(*read.model).size(), 2u);
  EXPECT_THAT(read.messages, ElementsAre("robot.urdf:6: warning: loop 'a': type 'ball' is an "
                                         "extension that the reference parser refuses [dialect]"));
}

TEST(ReadLoop, TheAxisCountsInTheLoopFrame) {
  // Both frames turned by -90 degrees about x: their z axis is the links' y axis.
  const ReadResult read = ReadRobot(FourBar(
      R"(<loop name="pin" type="revolute"><predecessor link="coupler"><origin xyz="0.4 0 0" rpy="-1.5707963267948966 0 0"/></predecessor>
    <successor link="rocker"><origin xyz="0 0 0.3" rpy="-1.5707963267948966 0 0"/></successor><axis xyz="0 0 1"/></loop>)"));
  const Joint& pin = JointNamed(*read.model, "pin");
  const Vector3 axis_in_links = pin.X_PF.R * std::get<Revolute>(pin.kind).axis;
  EXPECT_NEAR((axis_in_links - Vector3::UnitY()).norm(), 0, 1e-15);
}

TEST(ReadLoop, TwoAxesOfTheProposalAreMadeOne) {
  // The axis is z of the parent's frame and x of the child's: the successor's frame is turned so
  // that both are one direction.
  const ReadResult read = ReadRobot(FourBar(
      R"(<constraint name="pin" type="revolute"><parent link="coupler"/><parent_axis xyz="0 0 1"/>
    <child link="rocker"/><child_axis xyz="1 0 0"/></constraint>)"));
  const Joint& pin = JointNamed(*read.model, "pin");
  EXPECT_NEAR((pin.X_PF.R * std::get<Revolute>(pin.kind).axis - Vector3::UnitZ()).norm(), 0, 1e-15);
  EXPECT_NEAR((pin.X_SM.R * std::get<Revolute>(pin.kind).axis - Vector3::UnitX()).norm(), 0, 1e-15);
  EXPECT_NEAR(pin.X_SM.R.determinant(), 1, 1e-15);
}

TEST(ReadLoop, AnAxisInTheParentLinkIsTurnedIntoTheLoopFrame) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<loop_joint name="pin" type="revolute"><parent link="coupler"/><child link="rocker"/>
    <parent_origin xyz="0 0 0" rpy="0 0 1.5707963267948966"/><axis xyz="0 1 0" frame="parent"/></loop_joint>)"));
  EXPECT_NEAR(
      (std::get<Revolute>(JointNamed(*read.model, "pin").kind).axis - Vector3::UnitX()).norm(), 0,
      1e-15);
}

TEST(ReadLoop, MayGoToTheGround) {
  // The reference parser overflows its heap on a loop from a link to its own descendant; it is a
  // legal mechanism.
  const ReadResult read = ReadRobot(FourBar(
      R"(<loop name="pin" type="revolute"><predecessor link="base"/><successor link="coupler"/><axis xyz="0 1 0"/></loop>)"));
  EXPECT_THAT(read.messages, IsEmpty());
  EXPECT_THAT(Loops(*read.model),
              ElementsAre("revolute base -> coupler at 0 0 0 / 0 0 0 axis 0 1 0"));
}

TEST(ReadLoop, MayShareItsNameWithALink) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<loop name="crank" type="fixed"><predecessor link="coupler"/><successor link="rocker"/></loop>)"));
  EXPECT_THAT(read.messages, IsEmpty());
}

TEST(ReadLoop, FloatingConstrainsNothing) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<loop name="pin" type="floating"><predecessor link="coupler"/><successor link="rocker"/></loop>)"));
  EXPECT_THAT(Loops(*read.model), IsEmpty());
  EXPECT_THAT(read.messages,
              ElementsAre("robot.urdf:5: warning: loop 'pin': type 'floating' constrains nothing; "
                          "kinemorph keeps the loop as text for URDF output [loop-free]"));
}

TEST(ReadLoop, LimitsInsideALoopAreReportedAsNotUsed) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<loop name="pin" type="revolute"><predecessor link="coupler"/><successor link="rocker"/>
<limit lower="-1" upper="1"/></loop>)"));
  EXPECT_THAT(
      read.messages,
      ElementsAre(
          "robot.urdf:6: warning: element 'limit' in 'robot[r]/loop[pin]' is not used [not-used]"));
}

// ratio = successor motion / predecessor motion, summed over the joints from the common ancestor.
std::string Row(const ReadResult& read) {
  if (!read.model || read.model->couplings.size() != 1) return "no coupling";
  std::ostringstream out;
  for (const CouplingTerm& term : read.model->couplings[0].terms) {
    out << (term.coefficients[0] < 0 ? "" : "+") << term.coefficients[0] << " "
        << read.model->joint(term.coordinate.joint).name << " ";
  }
  out << "= " << read.model->couplings[0].constant;
  return out.str();
}

struct CouplingSpelling {
  std::string name, text, warning;
};

class CouplingSpellings : public testing::TestWithParam<CouplingSpelling> {};

TEST_P(CouplingSpellings, IsRead) {
  const ReadResult read = ReadRobot(FourBar(GetParam().text));
  EXPECT_EQ(Row(read), "+1 rocker_joint -6 crank_joint = 0");
  if (GetParam().warning.empty()) {
    EXPECT_THAT(read.messages, IsEmpty());
  } else {
    EXPECT_THAT(read.messages, ElementsAre(GetParam().warning));
  }
  EXPECT_EQ(read.model->format, "urdf+");
}

INSTANTIATE_TEST_SUITE_P(
    All, CouplingSpellings,
    testing::Values(
        CouplingSpelling{
            "Canonical",
            R"(<coupling name="c"><predecessor link="crank"/><successor link="rocker"/><ratio value="6"/></coupling>)",
            ""},
        CouplingSpelling{
            "TypeIsIgnored",
            R"(<coupling name="c" type="rolling"><predecessor link="crank"/><successor link="rocker"/><ratio value="6"/></coupling>)",
            ""},
        CouplingSpelling{
            "LegacyRolling",
            R"(<constraint name="c" type="rolling"><predecessor link="crank"/><successor link="rocker"/><ratio value="6"/></constraint>)",
            "robot.urdf:5: warning: element 'constraint': of type 'rolling' is the legacy URDF+ "
            "grammar, read as a coupling; write "
            "<coupling name=\"...\"> [dialect]"},
        CouplingSpelling{
            "LegacyAttribute",
            R"(<joint_constraint name="c" gear_ratio="6"><parent link="crank"/><child link="rocker"/></joint_constraint>)",
            "robot.urdf:5: warning: element 'joint_constraint': is the legacy URDF+ grammar, read "
            "as a coupling; write "
            "<coupling name=\"...\"> [dialect]"},
        CouplingSpelling{
            "LegacyElement",
            R"(<joint_constraint name="c"><parent link="crank"/><child link="rocker"/><gear_ratio value="6"/></joint_constraint>)",
            "robot.urdf:5: warning: element 'joint_constraint': is the legacy URDF+ grammar, read "
            "as a coupling; write <coupling "
            "name=\"...\"> [dialect]"},
        CouplingSpelling{
            "ReferenceExporter",
            R"(<constraint name="c"><ratio value="6"/><predecessor link="crank"/><successor link="rocker"/></constraint>)",
            "robot.urdf:5: warning: element 'constraint': without a type is what the reference "
            "exporter writes for a "
            "coupling, and its parser ignores; "
            "read as a coupling; write <coupling name=\"...\"> [dialect]"},
        CouplingSpelling{
            "Unnamed",
            R"(<coupling><predecessor link="crank"/><successor link="rocker"/><ratio value="6"/></coupling>)",
            "robot.urdf:5: warning: coupling 'coupling_1': has no name in the file; this name was "
            "made up (others refuse "
            "this: write <coupling name=\"...\">) [name-made-up]"}),
    [](const auto& test) { return test.param.name; });

TEST(ReadCoupling, CountsEveryJointFromTheCommonAncestor) {
  // A belt: 2 (q_crank + q_coupler) = q_rocker.
  const ReadResult read = ReadRobot(FourBar(
      R"(<coupling name="belt"><predecessor link="coupler"/><successor link="rocker"/><ratio value="2"/></coupling>)"));
  EXPECT_EQ(Row(read), "+1 rocker_joint -2 crank_joint -2 coupler_joint = 0");
}

TEST(ReadCoupling, RatioIsOneWhenNotWritten) {
  EXPECT_EQ(
      Row(ReadRobot(FourBar(
          R"(<coupling name="c"><predecessor link="crank"/><successor link="rocker"/></coupling>)"))),
      "+1 rocker_joint -1 crank_joint = 0");
}

TEST(ReadCoupling, ThePapersRatioIsTheOtherWayRoundInFilesThatSaySo) {
  const std::string robot = Robot(FourBar(
      R"(<coupling name="c"><predecessor link="crank"/><successor link="rocker"/><ratio value="0.25"/></coupling>)"));
  EXPECT_EQ(Row(ReadText("<!-- URDF+ profile: paper -->\n" + robot)),
            "+1 rocker_joint -4 crank_joint = 0");
  EXPECT_EQ(ReadText("<!-- URDF+, profile paper (r) -->\n" + robot).model->dialect, "paper");
  EXPECT_EQ(ReadText("<!-- URDF, profile drake (r) -->\n" + robot).model->dialect, "drake");
  EXPECT_EQ(Row(ReadText("<!-- URDF+ profile: reference -->\n" + robot)),
            "+1 rocker_joint -0.25 crank_joint = 0");
}

TEST(ReadCoupling, OverFixedJointsCountsOnlyWhatMoves) {
  const ReadResult read = ReadRobot(FourBar(
      R"(<link name="pulley"/><joint name="weld" type="fixed"><parent link="crank"/><child link="pulley"/></joint>
    <coupling name="c"><predecessor link="pulley"/><successor link="rocker"/><ratio value="3"/></coupling>)"));
  EXPECT_EQ(Row(read), "+1 rocker_joint -3 crank_joint = 0");
}

TEST(Independent, EveryHonestSpelling) {
  const auto independent = [](const std::string& word) {
    return JointNamed(*ReadRobot(Hinge("", "continuous", " independent=\"" + word + "\"")).model,
                      "hinge")
        .independent;
  };
  for (const char* yes : {"true", "True", "TRUE", "1"}) EXPECT_EQ(independent(yes), true) << yes;
  for (const char* no : {"false", "False", "FALSE", "0"}) EXPECT_EQ(independent(no), false) << no;
  EXPECT_EQ(JointNamed(*ReadRobot(Hinge("", "continuous")).model, "hinge").independent,
            std::nullopt);
}

// One point is a ball, a second one a hinge about their line.
std::string DrakePoint(const std::string& y, const std::string& a = "coupler",
                       const std::string& b = "rocker", const std::string& p_AP = "") {
  return "<drake:ball_constraint xmlns:drake=\"http://drake.mit.edu\">"
         "<drake:ball_constraint_body_A name=\"" +
         a + "\"/><drake:ball_constraint_p_AP " +
         (p_AP.empty() ? "value=\"0.4 " + y + " 0\"" : p_AP) +
         "/><drake:ball_constraint_body_B name=\"" + b +
         "\"/><drake:ball_constraint_p_BQ value=\"0 " + y + " 0.3\"/></drake:ball_constraint>";
}

std::string Leads(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& type = "continuous", const std::string& more = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/><origin xyz=\"0.4 0 0\"/><axis xyz=\"0 1 0\"/>" +
         more + "</joint>\n";
}

// Of several joints to one link urdfdom takes the one whose name comes last, whatever their order.
TEST(LinkWithTwoParents, TheJointOfTheLastNameIsInTheTree) {
  const ReadResult later = ReadRobot(FourBar(Leads("second", "coupler", "rocker")));
  ASSERT_TRUE(later.model);
  EXPECT_FALSE(later.errors);
  EXPECT_THAT(Loops(*later.model),
              ElementsAre("revolute base -> rocker at 0.4 0 -0.1 / 0 0 0 axis 0 1 0"));
  EXPECT_THAT(later.messages,
              ElementsAre("robot.urdf:4: warning: joint 'rocker_joint': leads to link 'rocker', as "
                          "joint 'second' in line 5 does; 'second' is read as the joint of the "
                          "tree (urdfdom takes the name that comes last), and this one as a loop "
                          "joint [link-two-parents]\n"
                          "    write it as a loop: <loop name=\"rocker_joint\" "
                          "type=\"continuous\"> <predecessor link=\"base\"> <origin "
                          "xyz=\"...\" rpy=\"...\"/> </predecessor> <successor "
                          "link=\"rocker\"/> </loop>"));
  EXPECT_EQ(later.model->format, "urdf");
  const ReadResult earlier = ReadRobot(FourBar(Leads("pin", "coupler", "rocker")));
  ASSERT_TRUE(earlier.model);
  EXPECT_THAT(Loops(*earlier.model),
              ElementsAre("revolute coupler -> rocker at 0.4 0 0 / 0 0 0 axis 0 1 0"));
}

TEST(LinkWithTwoParents, LimitsAndMimicsOfTheLoopJointStay) {
  const ReadResult read =
      ReadRobot(FourBar(Leads("pin", "coupler", "rocker", "revolute",
                              "<limit lower=\"-1\" upper=\"1\" effort=\"2\" velocity=\"3\"/><mimic "
                              "joint=\"crank_joint\"/>")));
  ASSERT_TRUE(read.model);
  EXPECT_FALSE(read.errors);
  EXPECT_EQ(JointNamed(*read.model, "pin").role, JointRole::kLoop);
  EXPECT_EQ(JointNamed(*read.model, "pin").axes[0].upper, 1);
  ASSERT_EQ(read.model->couplings.size(), 1u);
}

// The last name would hang the link below itself.
TEST(LinkWithTwoParents, TheRootReachesEveryLink) {
  const ReadResult read = ReadRobot(FourBar(Leads("zz", "coupler", "crank")));
  ASSERT_TRUE(read.model);
  EXPECT_FALSE(read.errors);
  EXPECT_THAT(Loops(*read.model),
              ElementsAre("revolute coupler -> crank at 0.4 0 0 / 0 0 0 axis 0 1 0"));
  ASSERT_EQ(read.messages.size(), 1u);
  EXPECT_THAT(read.messages[0], testing::HasSubstr("'crank_joint' is read as the joint of the tree "
                                                   "(the root reaches it)"));
}

TEST(LinkWithTwoParents, ThreeJointsCloseTwoLoops) {
  const ReadResult read = ReadRobot(
      FourBar(Leads("pin", "coupler", "rocker") + Leads("q", "crank", "rocker", "fixed")));
  ASSERT_TRUE(read.model);
  EXPECT_EQ(Loops(*read.model).size(), 2u);
  EXPECT_EQ(read.messages.size(), 2u);
}

TEST(DrakesBallConstraint, IsALoopJoint) {
  const ReadResult one = ReadRobot(FourBar(DrakePoint("0")));
  ASSERT_TRUE(one.model);
  EXPECT_THAT(Loops(*one.model), ElementsAre(kPoint));
  ASSERT_EQ(one.messages.size(), 1u);
  EXPECT_THAT(one.messages[0], testing::HasSubstr("1 point is read as the loop joint 'loop_1'"));
  const ReadResult two = ReadRobot(FourBar(DrakePoint("0") + DrakePoint("0.1")));
  ASSERT_TRUE(two.model);
  const Joint& pin = JointNamed(*two.model, "loop_1");
  ASSERT_TRUE(std::holds_alternative<Revolute>(pin.kind));
  EXPECT_LT((pin.X_PF.R * AxesOf(pin.kind).front()).cross(Vector3::UnitY()).norm(), 1e-15);
  EXPECT_LT((pin.X_SM.R * AxesOf(pin.kind).front()).cross(Vector3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(pin.X_PF.p, Vector3(0.4, 0, 0));
  EXPECT_EQ(pin.X_SM.p, Vector3(0, 0, 0.3));
}

TEST(DrakesBallConstraint, ErrorsNameWhatIsWrong) {
  const auto error = [](const std::string& loop) {
    const ReadResult read = ReadRobot(FourBar(loop));
    EXPECT_TRUE(read.errors);
    return read.messages.empty() ? "" : read.messages.front();
  };
  EXPECT_EQ(error(DrakePoint("0", "coupler", "rockr")),
            "robot.urdf:5: error: 'drake:ball_constraint': body B 'rockr' is not defined "
            "[loop-link-undefined]\n"
            "    did you mean 'rocker'?");
  EXPECT_THAT(error(DrakePoint("0", "rocker", "rocker")), testing::HasSubstr("to itself"));
  EXPECT_THAT(error(DrakePoint("0", "coupler", "rocker", "at=\"0 0 0\"")),
              testing::HasSubstr("has no <drake:ball_constraint_p_AP value=\"x y z\"/>"));
}

TEST(Independent, WarnsWhereTheReferenceParserReadsTheOpposite) {
  EXPECT_THAT(ReadRobot(Hinge("", "continuous", " independent=\"1\"")).messages,
              ElementsAre("robot.urdf:2: warning: joint 'hinge': independent=\"1\" was read as "
                          "true, but the reference parser reads false; "
                          "write \"true\" [dialect]"));
}

// Drake's and Isaac's files know no such word, so that silence says nothing there.
TEST(Independent, LoopsInWordsOfDrakeDeclareNothing) {
  const ReadResult read = ReadRobot(FourBar(
      "<loop_joint name='l' type='revolute'><parent link='coupler'/><child link='rocker'/>"
      "<parent_origin xyz='1 0 0'/><child_origin xyz='0 0 1'/><axis xyz='0 1 0'/></loop_joint>"));
  ASSERT_TRUE(read.model);
  EXPECT_EQ(read.model->format, "urdf+");
  EXPECT_EQ(read.model->unsaid, UnsaidIndependence::kNothing);
}

TEST(Independent, SwappedLettersAreUnderstoodOtherWordsAreNot) {
  const ReadResult swapped = ReadRobot(Hinge("", "continuous", " independent=\"fasle\""));
  EXPECT_EQ(JointNamed(*swapped.model, "hinge").independent, false);
  EXPECT_THAT(swapped.messages,
              ElementsAre("robot.urdf:2: warning: joint 'hinge': independent=\"fasle\" is "
                          "misspelt; read as false [independent-misspelt]"));
  EXPECT_THAT(ReadRobot(Hinge("", "continuous", " independent=\"yes\"")).messages,
              ElementsAre("robot.urdf:2: error: joint 'hinge': independent is 'yes', expected true "
                          "or false [bad-boolean]"));
}

}  // namespace
}  // namespace kinemorph::test
