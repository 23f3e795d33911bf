// One mistake is told once: what only follows from it is held back.
#include <gtest/gtest.h>

#include "urdf_text.h"

namespace kinemorph::test {
namespace {

// Lines: 1 links, 2 knee, 3 toe that mimics it, 4 what else names the knee.
std::string Leg(const std::string& knee) {
  return "<link name='hip'/><link name='shank'/><link name='foot'/>\n" + knee +
         "\n<joint name='toe' type='continuous'><parent link='shank'/><child link='foot'/>"
         "<axis xyz='0 1 0'/><mimic joint='knee'/></joint>\n"
         "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>"
         "<joint name='knee'/><actuator name='m'/></transmission>"
         "<gazebo reference='knee'><provideFeedback>true</provideFeedback></gazebo>";
}
std::string Knee(const std::string& content, const std::string& type = "continuous") {
  return "<joint name='knee' type='" + type + "'>" + content +
         "<mimic joint='toe'/><limit effort='1' velocity='1'/></joint>";
}

struct Cause {
  const char* name;
  std::string knee, code;
};
void PrintTo(const Cause& cause, std::ostream* out) { *out << cause.name; }

class OneMistake : public testing::TestWithParam<Cause> {};

TEST_P(OneMistake, IsToldOnce) {
  const ReadResult read = ReadRobot(Leg(GetParam().knee));
  ASSERT_EQ(read.messages.size(), 1u) << read.messages.back();
  EXPECT_NE(read.messages[0].find("robot.urdf:2: error: "), std::string::npos) << read.messages[0];
  EXPECT_NE(read.messages[0].find("[" + GetParam().code + "]"), std::string::npos)
      << read.messages[0];
}

const std::string kEnds = "<parent link='hip'/><child link='shank'/>";
const std::string kAxis = "<axis xyz='0 1 0'/>";

INSTANTIATE_TEST_SUITE_P(
    Joint, OneMistake,
    testing::Values(
        Cause{"TypeUnknown", Knee(kEnds + kAxis, "continous"), "joint-type-unknown"},
        Cause{"AxisZero", Knee(kEnds + "<axis xyz='0 0 0'/>"), "zero-axis"},
        Cause{"ChildUnknown", Knee("<parent link='hip'/><child link='shnk'/>" + kAxis),
              "joint-child-undefined"},
        Cause{"ParentUnknown", Knee("<parent link='hpi'/><child link='shank'/>" + kAxis),
              "joint-parent-undefined"},
        Cause{"ParentMissing", Knee("<child link='shank'/>" + kAxis), "joint-parent-missing"},
        Cause{"ToItself", Knee("<parent link='shank'/><child link='shank'/>" + kAxis),
              "self-joint"}),
    [](const auto& tested) { return std::string(tested.param.name); });

// Two mistakes are two messages.
TEST(OneMistakeEach, AnotherOneIsToldToo) {
  const ReadResult read =
      ReadRobot(Leg(Knee("<parent link='hip'/><child link='shnk'/>" + kAxis)) +
                "\n<link name='a'/><link name='b'/><link name='c'/>"
                "<joint name='i' type='fixed'><parent link='hip'/><child link='a'/></joint>"
                "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><mimic "
                "joint='kne'/></joint>");
  ASSERT_EQ(read.messages.size(), 3u);
  EXPECT_NE(read.messages[1].find("[mimic-undefined]"), std::string::npos) << read.messages[1];
  EXPECT_NE(read.messages[2].find("[several-roots]"), std::string::npos) << read.messages[2];
}

TEST(OneMistakeEach, ALinkThatIsThereTwiceIsNotMissedElsewhere) {
  const ReadResult read = ReadRobot(
      "<link name='hip'/><link name='shank'/>\n<link name='shank'/>"
      "<joint name='knee' type='fixed'><parent link='hip'/><child link='shank'/></joint>"
      "<joint name='toe' type='fixed'><parent link='shank'/><child link='foot'/></joint>");
  ASSERT_EQ(read.messages.size(), 1u) << read.messages.back();
  EXPECT_NE(read.messages[0].find("[duplicate-link]"), std::string::npos);
}

// What a plugin is told is its own business; a mesh is not.
TEST(Unexpanded, FindInAPluginIsNoXacro) {
  const std::string declared = " xmlns:xacro='http://www.ros.org/wiki/xacro'";
  const std::string plugin =
      "<link name='a'/><gazebo><plugin name='p' filename='libp.so' file='$(find arm)/c.yaml'>"
      "<parameters path='$(find arm)/d.yaml'>$(find arm)/c.yaml</parameters></plugin></gazebo>";
  const ReadResult quiet = ReadRobot(plugin, declared);
  EXPECT_TRUE(quiet.model);
  EXPECT_TRUE(quiet.messages.empty()) << quiet.messages.front();
  const ReadResult program = ReadRobot(
      "<link name='a'><visual><geometry><mesh filename='$(find arm)/a.stl'/></geometry></visual>"
      "</link>",
      declared);
  EXPECT_FALSE(program.model);
  // xacro goes by its own prefix, whatever another one is bound to.
  EXPECT_FALSE(ReadRobot("<link name='a'/><xacro:property name='l' value='1'/>",
                         " xmlns:yacro='http://www.ros.org/wiki/xacro'")
                   .model);
  // Another mistake in such a file does not make it a program.
  const ReadResult mistaken = ReadRobot(plugin + "<joint name='j' type='fixed'/>", declared);
  for (const std::string& message : mistaken.messages)
    EXPECT_EQ(message.find("[xacro-not-expanded]"), std::string::npos) << message;
}

// As urdfdom does, which reads no further than an error.
TEST(Numbers, TwoThatRunTogetherAreAnErrorWithARemedy) {
  const ReadResult read =
      ReadRobot("<link name='hip'/><link name='shank'/>\n<joint name='knee' type='fixed'>" + kEnds +
                "<origin xyz='0 0 -0.125.75'/></joint>");
  ASSERT_FALSE(read.messages.empty());
  EXPECT_EQ(read.messages[0],
            "robot.urdf:2: error: attribute 'xyz' of 'robot[r]/joint[knee]/origin' is "
            "'-0.125.75', which is not a number [bad-number]\n    two dots: two numbers without a "
            "space between them?");
}

}  // namespace
}  // namespace kinemorph::test
