// Every hard error: the whole line that the user sees, with file, line, subject, and what to write
// instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "urdf_text.h"

namespace kinemorph::test {
namespace {

struct Wrong {
  std::string name, body, message;
};

class HardError : public testing::TestWithParam<Wrong> {};

TEST_P(HardError, IsSaidOnceWithTheLine) {
  const ReadResult read = ReadRobot(GetParam().body);
  EXPECT_TRUE(read.errors);
  ASSERT_EQ(read.messages.size(), 1u) << read.messages.back();
  EXPECT_EQ(read.messages[0], GetParam().message);
}

const std::string kBase = "<link name=\"base\"/><link name=\"arm\"/>\n";
std::string Loop(const std::string& content,
                 const std::string& attributes = "name=\"pin\" type=\"revolute\"") {
  return FourBar("<loop " + attributes + ">" + content + "</loop>");
}
std::string Gear(const std::string& content) {
  return FourBar("<coupling name=\"gear\">" + content + "</coupling>");
}

INSTANTIATE_TEST_SUITE_P(
    Tree, HardError,
    testing::Values(
        Wrong{"NoLinks", "\n",
              "robot.urdf:1: error: robot 'r': has no <link>; a robot has at least one [no-links]"},
        Wrong{"LinkWithoutName",
              "<link name=\"base\"/>\n<link/><joint name=\"j\" type=\"fixed\"><parent "
              "link=\"base\"/><child link=\"base2\"/></joint><link "
              "name=\"base2\"/>",
              "robot.urdf:2: error: link '': has no name, and nothing could refer to it; write "
              "<link name=\"...\"> [empty-name]"},
        Wrong{"LinkTwice",
              kBase + "<link name=\"arm\"/><joint name=\"j\" type=\"fixed\"><parent "
                      "link=\"base\"/><child link=\"arm\"/></joint>",
              "robot.urdf:2: error: link 'arm': is defined twice, first in line 1; give one of "
              "them another name [duplicate-link]"},
        Wrong{"JointTwice",
              kBase + "<link name=\"b\"/><joint name=\"j\" type=\"fixed\"><parent "
                      "link=\"base\"/><child link=\"arm\"/></joint>\n"
                      "<joint name=\"j\" type=\"fixed\"><parent link=\"base\"/><child "
                      "link=\"b\"/></joint>",
              "robot.urdf:3: error: joint 'j': is defined twice, first in line 2; give one of them "
              "another name [duplicate-joint]"},
        Wrong{"JointTypeMissing",
              kBase + "<joint name=\"j\"><parent link=\"base\"/><child link=\"arm\"/></joint>",
              "robot.urdf:2: error: joint 'j': has no type; write type=\"revolute\", continuous, "
              "prismatic, fixed, floating or planar "
              "[joint-type-missing]"},
        Wrong{"JointTypeUnknown", Hinge("", "hypoid"),
              "robot.urdf:2: error: joint 'hinge': type 'hypoid' is not a URDF joint type; write "
              "revolute, continuous, prismatic, fixed, "
              "floating or planar [joint-type-unknown]"},
        Wrong{"JointTypeInCapitals", Hinge("", "Revolute"),
              "robot.urdf:2: error: joint 'hinge': type 'Revolute' is not a URDF joint type; write "
              "revolute, continuous, prismatic, fixed, "
              "floating or planar [joint-type-unknown]\n"
              "    did you mean 'revolute'?"},
        Wrong{"UniversalInPlainUrdf", Hinge("", "universal"),
              "robot.urdf:2: error: joint 'hinge': type 'universal' is not a URDF joint type; "
              "write revolute, continuous, prismatic, "
              "fixed, floating or planar [joint-type-unknown]\n"
              "    a universal joint is two revolute joints with a link between them, or an "
              "extension of URDF+ with <axis> and <axis2>"},
        Wrong{
            "ParentMissing",
            kBase + "<joint name=\"j\" type=\"fixed\"><child link=\"arm\"/></joint>",
            "robot.urdf:2: error: joint 'j': has no <parent link=\"...\"/> [joint-parent-missing]"},
        Wrong{"ParentUnknown",
              "<link name=\"base\"/><link name=\"arm\"/>\n<joint name=\"j\" type=\"fixed\"><parent "
              "link=\"basee\"/><child "
              "link=\"arm\"/></joint>",
              "robot.urdf:2: error: joint 'j': parent link 'basee' is not defined "
              "[joint-parent-undefined]\n    did you mean 'base'?"},
        Wrong{"ChildUnknown",
              "<link name=\"base\"/><joint name=\"j\" type=\"fixed\"><parent "
              "link=\"base\"/>\n<child link=\"shank\"/></joint>",
              "robot.urdf:2: error: joint 'j': child link 'shank' is not defined "
              "[joint-child-undefined]"},
        Wrong{"TwoNamesForOneEnd",
              kBase + "<joint name=\"j\" type=\"fixed\"><parent link=\"base\" name=\"arm\"/><child "
                      "link=\"arm\"/></joint>",
              "robot.urdf:2: error: joint 'j': its parent says link 'base' and name 'arm'; write "
              "link alone [two-links-named]"},
        Wrong{"SelfJoint",
              Hinge("", "fixed") + "\n<joint name=\"s\" type=\"fixed\"><parent "
                                   "link=\"arm\"/><child link=\"arm\"/></joint>",
              "robot.urdf:3: error: joint 's': joins link 'arm' to itself; parent and child must "
              "differ [self-joint]"},
        Wrong{
            "TwoParentsOfWhichOneFloats",
            FourBar("<joint name=\"second\" type=\"continuous\"><parent link=\"coupler\"/><child "
                    "link=\"tip\"/></joint><link name=\"tip\"/>"
                    "<joint name=\"first\" type=\"floating\"><parent link=\"rocker\"/><child "
                    "link=\"tip\"/></joint>"),
            "robot.urdf:5: error: joint 'first': leads to link 'tip', as joint 'second' in line 5 "
            "does; a floating joint holds nothing there; remove one of them [link-two-parents]"},
        Wrong{"TwoRoots", "<link name=\"base\"/>\n<link name=\"island\"/>",
              "robot.urdf:2: error: link 'island': no joint leads to it, nor to 'base', but a "
              "robot has one root link (2 here: 'base', "
              "'island') [several-roots]\n"
              "    join them: <joint name=\"...\" type=\"fixed\"> <parent link=\"base\"/> <child "
              "link=\"island\"/> </joint>"},
        Wrong{"Cycle",
              "<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n<joint name=\"ab\" "
              "type=\"continuous\"><parent link=\"a\"/><child "
              "link=\"b\"/></joint>\n"
              "<joint name=\"bc\" type=\"continuous\"><parent link=\"b\"/><child "
              "link=\"c\"/></joint>\n<joint name=\"ca\" "
              "type=\"continuous\"><parent link=\"c\"/><child link=\"a\"/></joint>",
              "robot.urdf:4: error: joint 'ca': closes a cycle of joints ('a' -> 'b' -> 'c' -> "
              "'a'), but the joints of a robot form a tree "
              "[joint-cycle]\n"
              "    write it as a loop: <loop name=\"ca\" type=\"continuous\"> <predecessor "
              "link=\"c\"/> <successor link=\"a\"/> </loop>, "
              "and join the links to the root by another joint"},
        Wrong{"DetachedCycle",
              "<link name=\"root\"/><link name=\"a\"/><link name=\"b\"/>\n<joint name=\"ab\" "
              "type=\"fixed\"><parent link=\"a\"/><child "
              "link=\"b\"/></joint>\n"
              "<joint name=\"ba\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>",
              "robot.urdf:3: error: joint 'ba': closes a cycle of joints ('a' -> 'b' -> 'a'), but "
              "the joints of a robot form a tree "
              "[joint-cycle]\n"
              "    write it as a loop: <loop name=\"ba\" type=\"fixed\"> <predecessor link=\"b\"/> "
              "<successor link=\"a\"/> </loop>, and "
              "join the links to the root by another joint"},
        Wrong{"ZeroAxis", Hinge("<axis xyz=\"0 0 0\"/>", "continuous"),
              "robot.urdf:2: error: joint 'hinge': its axis is zero and gives no direction; write "
              "a unit vector [zero-axis]"},
        Wrong{"AxisWithoutXyz", Hinge("<axis/>", "continuous"),
              "robot.urdf:2: error: joint 'hinge': its <axis> has no xyz; write <axis xyz=\"0 0 "
              "1\"/>, or leave it out for 1 0 0 "
              "[axis-missing]"},
        Wrong{"ParallelAxes", Hinge("<axis xyz=\"0 1 0\"/>", "universal", " independent=\"true\""),
              "robot.urdf:2: error: joint 'hinge': its two axes are parallel; write <axis2 "
              "xyz=\"...\"/> across the first (the default is "
              "0 1 0) [axes-parallel]"},
        Wrong{"TwoOrientations", Hinge("<origin rpy=\"0 0 0\" quat_xyzw=\"0 0 0 1\"/>", "fixed"),
              "robot.urdf:2: error: origin 'robot[r]/joint[hinge]/origin': has both rpy and "
              "quat_xyzw; write one of them "
              "[orientation-twice]"},
        Wrong{"MimicOfNothing", Hinge("<mimic/>", "continuous"),
              "robot.urdf:2: error: joint 'hinge': its <mimic> names no joint; write <mimic "
              "joint=\"...\"/> [mimic-undefined]"},
        Wrong{"MimicItself", Hinge("<mimic joint=\"hinge\"/>", "continuous"),
              "robot.urdf:2: error: joint 'hinge': mimics itself; name another joint [mimic-self]"},
        Wrong{"MimicCycle",
              FourBar("") + "<link name=\"x\"/><link name=\"y\"/>\n<joint name=\"jx\" "
                            "type=\"continuous\"><parent link=\"base\"/><child "
                            "link=\"x\"/><mimic joint=\"jy\"/></joint>"
                            "<joint name=\"jy\" type=\"continuous\"><parent link=\"base\"/><child "
                            "link=\"y\"/><mimic joint=\"jx\"/></joint>",
              "robot.urdf:6: error: joint 'jx': mimics joint 'jy', which in turn mimics it; one of "
              "them must move by itself [mimic-cycle]"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Loops, HardError,
    testing::Values(
        Wrong{"UnknownLink", Loop("<predecessor link=\"coupler\"/><successor link=\"rockr\"/>"),
              "robot.urdf:5: error: loop 'pin': successor link 'rockr' is not defined "
              "[loop-link-undefined]\n    did you mean 'rocker'?"},
        Wrong{"SelfLoop", Loop("<predecessor link=\"coupler\"/><successor link=\"coupler\"/>"),
              "robot.urdf:5: error: loop 'pin': joins link 'coupler' to itself; predecessor and "
              "successor must differ [self-joint]"},
        Wrong{
            "NoSuccessor", Loop("<predecessor link=\"coupler\"/>"),
            "robot.urdf:5: error: loop 'pin': has no <successor link=\"...\"/> [loop-end-missing]"},
        Wrong{"SuccessorWithoutLink", Loop("<predecessor link=\"coupler\"/><successor/>"),
              "robot.urdf:5: error: loop 'pin': its successor names no link; write <successor "
              "link=\"...\"/> [loop-end-missing]"},
        Wrong{"TwoNamesForOneEndOfALoop",
              Loop("<predecessor link=\"coupler\" name=\"crank\"/><successor link=\"rocker\"/>"),
              "robot.urdf:5: error: loop 'pin': its predecessor says link 'coupler' and name "
              "'crank'; write link alone [two-links-named]"},
        Wrong{"NoType",
              Loop("<predecessor link=\"coupler\"/><successor link=\"rocker\"/>", "name=\"pin\""),
              "robot.urdf:5: error: loop 'pin': has no type; write type=\"revolute\", continuous, "
              "prismatic, planar or fixed "
              "[loop-type-missing]"},
        Wrong{"UnknownType",
              Loop("<predecessor link=\"coupler\"/><successor link=\"rocker\"/>",
                   "name=\"pin\" type=\"Revolut\""),
              "robot.urdf:5: error: loop 'pin': type 'Revolut' is not a loop type; write revolute, "
              "continuous, prismatic, planar or fixed "
              "(or universal or spherical as an extension) "
              "[loop-type-unknown]\n    did you mean 'revolute'?"},
        Wrong{
            "ZeroLoopAxis",
            Loop(
                "<predecessor link=\"coupler\"/><successor link=\"rocker\"/><axis xyz=\"0 0 0\"/>"),
            "robot.urdf:5: error: loop 'pin': its axis is zero and gives no direction; write a "
            "unit vector [zero-axis]"},
        Wrong{"NameOfAJoint",
              Loop("<predecessor link=\"coupler\"/><successor link=\"rocker\"/>",
                   "name=\"crank_joint\" type=\"fixed\""),
              "robot.urdf:5: error: loop 'crank_joint': the joint with this name is already in "
              "line 2; "
              "give one of them another name "
              "[duplicate-joint]"},
        Wrong{"NameOfACoupling",
              FourBar("<coupling name=\"c\"><predecessor link=\"crank\"/><successor "
                      "link=\"rocker\"/></coupling>\n"
                      "<loop name=\"c\" type=\"fixed\"><predecessor link=\"coupler\"/><successor "
                      "link=\"rocker\"/></loop>"),
              "robot.urdf:6: error: loop 'c': the loop or coupling with this name is already in "
              "line 5; "
              "give one of them another name "
              "[duplicate-joint]"},
        Wrong{"RatioZero",
              Gear("<predecessor link=\"crank\"/><successor link=\"rocker\"/><ratio value=\"0\"/>"),
              "robot.urdf:5: error: coupling 'gear': its ratio is 0, which would lock the "
              "successor; write successor motion over "
              "predecessor motion [coupling-ratio-zero]"},
        Wrong{"RatioWithoutValue",
              Gear("<predecessor link=\"crank\"/><successor link=\"rocker\"/><ratio/>"),
              "robot.urdf:5: error: coupling 'gear': its <ratio> has no value; write <ratio "
              "value=\"...\"/>, or leave <ratio> out for 1 "
              "[ratio-missing]"},
        Wrong{
            "RatioNotANumber",
            Gear("<predecessor link=\"crank\"/><successor link=\"rocker\"/><ratio value=\"eta\"/>"),
            "robot.urdf:5: error: attribute 'value' of 'robot[r]/coupling[gear]/ratio' is 'eta', "
            "which is not a number [bad-number]"},
        Wrong{
            "RatioNotFinite",
            Gear("<predecessor link=\"crank\"/><successor link=\"rocker\"/><ratio value=\"nan\"/>"),
            "robot.urdf:5: error: attribute 'value' of 'robot[r]/coupling[gear]/ratio' is 'nan', "
            "which is not finite [bad-number]"},
        Wrong{"SelfCoupling", Gear("<predecessor link=\"crank\"/><successor link=\"crank\"/>"),
              "robot.urdf:5: error: coupling 'gear': joins link 'crank' to itself; predecessor and "
              "successor must differ [coupling-self]"},
        Wrong{
            "AncestorCoupling",
            Gear("<predecessor link=\"crank\"/><successor link=\"coupler\"/><ratio value=\"-2\"/>"),
            "robot.urdf:5: error: coupling 'gear': link 'crank' is an ancestor of link 'coupler', "
            "so one side has no joints and the "
            "other would be locked [coupling-ancestor]\n"
            "    to couple the two joints, write <mimic joint=\"...\" multiplier=\"...\"/> in the "
            "joint that follows"},
        Wrong{"CouplingOverSeveralDegrees",
              FourBar("<link name=\"ball\"/><joint name=\"air\" type=\"floating\"><parent "
                      "link=\"base\"/><child link=\"ball\"/></joint>\n"
                      "<coupling name=\"gear\"><predecessor link=\"ball\"/><successor "
                      "link=\"rocker\"/></coupling>"),
              "robot.urdf:6: error: coupling 'gear': joint 'air' of type 'floating' lies between "
              "'ball' and 'rocker' and has no single "
              "coordinate to couple [coupling-not-scalar]"},
        Wrong{"CouplingOfAFixedSide",
              FourBar("<link name=\"plate\"/><joint name=\"weld\" type=\"fixed\"><parent "
                      "link=\"base\"/><child link=\"plate\"/></joint>\n"
                      "<coupling name=\"gear\"><predecessor link=\"plate\"/><successor "
                      "link=\"rocker\"/></coupling>"),
              "robot.urdf:6: error: coupling 'gear': no movable joint lies between link 'base' and "
              "link 'plate', so the other side would "
              "be locked [coupling-locked]"},
        Wrong{"ConstraintWithAxisButNoType",
              FourBar("<constraint name=\"c\"><axis xyz=\"0 1 0\"/><predecessor "
                      "link=\"crank\"/><successor link=\"rocker\"/></constraint>"),
              "robot.urdf:5: error: constraint 'c': has an axis but no type; write <loop "
              "name=\"...\" type=\"revolute\"> "
              "[loop-type-missing]"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Links, HardError,
    testing::Values(
        Wrong{"MassMissing",
              "<link name=\"base\">\n<inertial><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" "
              "iyz=\"0\" izz=\"1\"/></inertial></link>",
              "robot.urdf:2: error: link 'base': its <inertial> gives no mass; write <mass "
              "value=\"...\"/>, or leave <inertial> out for a "
              "massless link [mass-missing]"},
        Wrong{"DiagonalMissing",
              "<link name=\"base\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" "
              "ixz=\"0\" iyy=\"1\" "
              "iyz=\"0\"/></inertial></link>",
              "robot.urdf:2: error: link 'base': its <inertia> lacks 'izz'; all of ixx, iyy and "
              "izz are needed [inertia-incomplete]"},
        Wrong{"MassWithUnit",
              "<link name=\"base\">\n<inertial><mass value=\"1.5kg\"/><inertia ixx=\"1\" ixy=\"0\" "
              "ixz=\"0\" iyy=\"1\" iyz=\"0\" "
              "izz=\"1\"/></inertial></link>",
              "robot.urdf:2: error: attribute 'value' of 'robot[r]/link[base]/inertial/mass' is "
              "'1.5kg', which is not a number [bad-number]\n    units are not read: metres, "
              "radians and kilograms are meant"},
        Wrong{"BoxWithoutSize",
              "<link name=\"base\">\n<visual><geometry><box/></geometry></visual></link>",
              "robot.urdf:2: error: link 'base': its <box> has no 'size' [shape-incomplete]"},
        Wrong{
            "CylinderWithoutLength",
            "<link name=\"base\">\n<collision><geometry><cylinder "
            "radius=\"1\"/></geometry></collision></link>",
            "robot.urdf:2: error: link 'base': its <cylinder> has no 'length' [shape-incomplete]"},
        Wrong{"MeshWithoutFile",
              "<link name=\"base\">\n<visual><geometry><mesh/></geometry></visual></link>",
              "robot.urdf:2: error: link 'base': its <mesh> names no file; write <mesh "
              "filename=\"package://...\"/> [mesh-without-file]"}),
    [](const auto& test) { return test.param.name; });

TEST(NotUrdf, AnotherRootElement) {
  const ReadResult read = ReadText("\n<html/>");
  EXPECT_FALSE(read.model);
  EXPECT_EQ(read.messages[0],
            "robot.urdf:2: error: the root element is 'html', but a URDF file has <robot "
            "name=\"...\"> [root-element]");
}

TEST(NotUrdf, ThePapersTemplateGetsAHint) {
  const ReadResult read = ReadText(
      "<robot name=\"r\"><loop name=\"c\" type=\"revolute\">\n<predecessor "
      "name=\"a\"/><origin/></predecessor></loop></robot>");
  EXPECT_FALSE(read.model);
  EXPECT_EQ(
      read.messages[0],
      "robot.urdf:1: error: element 'loop' is not closed by its own end tag "
      "[xml-malformed]\n    the URDF+ paper prints <predecessor "
      ".../> ... </predecessor>, "
      "which is not XML; write <predecessor link=\"A\"> <origin xyz=\"0 0 0\" rpy=\"0 0 0\"/> "
      "</predecessor>");
}

TEST(NotUrdf, UnexpandedXacroGetsAHint) {
  const ReadResult read = ReadText(
      "<robot name=\"r\"><link name=\"base\"><inertial><mass "
      "value=\"${m}\"/></inertial></link></robot>");
  EXPECT_EQ(read.messages.back(),
            "robot.urdf:1: note: robot 'r': the file holds xacro expressions such as ${...} and "
            "$(find ...); expand it first: kinemorph expand FILE -o FILE.urdf "
            "[xacro-not-expanded]");
}

TEST(NotUrdf, WordsOfXacroInAFileNameGetTheHintWithoutAnyError) {
  const auto read = [](const std::string& file, const std::string& text) {
    return ReadText("<robot name=\"r\"><link name=\"base\"><visual><geometry><mesh filename=\"" +
                    file + "\"/></geometry></visual></link><gazebo><plugin name='p' filename='f'>" +
                    "<parameters>" + text + "</parameters></plugin></gazebo></robot>");
  };
  for (const char* file : {"$(optenv MESHES /x)/a.stl", "$(env MESHES)/a.stl",
                           "file://$(find arm)/a.stl", "$(dirname)/a.stl"})
    EXPECT_THAT(read(file, "").messages.back(), testing::HasSubstr("[xacro-not-expanded]")) << file;
  EXPECT_TRUE(read("a.stl", "$(find arm)/a.yaml").messages.empty());
}

}  // namespace
}  // namespace kinemorph::test
