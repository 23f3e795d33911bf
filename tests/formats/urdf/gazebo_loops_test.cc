// Loops of plain URDF as joints of SDFormat in <gazebo>: the text, literally, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string Written(const Model& model, std::vector<std::string>* messages = nullptr,
                    const WriteOptions& options = {}) {
  Diagnostics diagnostics;
  const std::string text = FindFormat("urdf")->write(model, options, diagnostics).text;
  for (const Diagnostic& item : diagnostics.items())
    if (messages != nullptr) messages->push_back(Render(item));
  return text;
}

// From <gazebo> to the end.
std::string Block(const std::string& text) {
  const std::size_t at = text.find("  <gazebo>");
  return at == text.npos ? "" : text.substr(at);
}

Model WithPin(const std::string& type, const std::string& content) {
  return *ReadRobot(FourBar("<gazebo><joint name=\"pin\" type=\"" + type +
                            "\"><pose relative_to=\"coupler\">0.4 0 -0.3 0 0 0</pose>"
                            "<parent>coupler</parent><child>rocker</child>" +
                            content + "</joint></gazebo>"))
              .model;
}

TEST(WriteGazeboLoops, ARevoluteLoopWithAllThatIsSaidOfIt) {
  const Model model = WithPin("revolute", R"(<axis><xyz expressed_in="coupler">0 1 0</xyz>
      <limit><lower>-1</lower><upper>2</upper><effort>5</effort><velocity>3</velocity></limit>
      <dynamics><damping>0.1</damping><friction>0.2</friction><spring_reference>0.3</spring_reference>
      <spring_stiffness>4</spring_stiffness></dynamics></axis>
      <physics><ode><erp>0.2</erp></ode></physics>
      <sensor name="wrench" type="force_torque"><update_rate>10</update_rate></sensor>)");
  const std::string text = Written(model);
  EXPECT_EQ(Block(text), R"(  <gazebo>
    <joint name="pin" type="revolute">
      <pose relative_to="coupler">0.4 0 -0.3 0 0 0</pose>
      <parent>coupler</parent>
      <child>rocker</child>
      <axis>
        <xyz expressed_in="coupler">0 1 0</xyz>
        <limit>
          <lower>-1</lower>
          <upper>2</upper>
          <effort>5</effort>
          <velocity>3</velocity>
        </limit>
        <dynamics>
          <damping>0.1</damping>
          <friction>0.2</friction>
          <spring_reference>0.3</spring_reference>
          <spring_stiffness>4</spring_stiffness>
        </dynamics>
      </axis>
      <physics>
        <ode>
          <erp>0.2</erp>
        </ode>
      </physics>
      <sensor name="wrench" type="force_torque">
        <update_rate>10</update_rate>
      </sensor>
    </joint>
  </gazebo>
</robot>
)");
  const ReadResult again = ReadText(text);
  EXPECT_THAT(again.messages, IsEmpty());
  EXPECT_EQ(Written(*again.model), text);
}

TEST(WriteGazeboLoops, EveryKindThatSdformatHas) {
  const auto block = [](const std::string& type, const std::string& content) {
    const std::string text = Block(Written(WithPin(type, content)));
    const ReadResult again = ReadText(Written(WithPin(type, content)));
    EXPECT_THAT(Loops(*again.model), ElementsAre(Loops(WithPin(type, content))[0]));
    return text;
  };
  EXPECT_THAT(block("fixed", ""), HasSubstr("type=\"fixed\""));
  EXPECT_THAT(block("ball", ""), HasSubstr("type=\"ball\""));
  EXPECT_THAT(block("prismatic", "<axis><xyz>1 0 0</xyz></axis>"), HasSubstr("type=\"prismatic\""));
  // No engine of Gazebo knows `continuous`.
  EXPECT_THAT(block("continuous", "<axis><xyz>0 1 0</xyz></axis>"), HasSubstr("type=\"revolute\""));
  EXPECT_THAT(block("universal", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 0 1</xyz></axis2>"),
              HasSubstr("<axis2>\n        <xyz expressed_in=\"coupler\">0 0 1</xyz>"));
  EXPECT_THAT(block("screw", "<axis><xyz>0 1 0</xyz></axis><thread_pitch>-4</thread_pitch>"),
              HasSubstr("<thread_pitch>-4</thread_pitch>"));
}

// The world has no frame that a pose could be relative to, and no link of that name is made.
TEST(WriteGazeboLoops, ALoopToTheWorldStandsInTheFrameOfItsLink) {
  Model model = *ReadRobot(FourBar(R"(<gazebo><joint name="pin" type="ball">
      <pose>0 0 0.3 0 0 0</pose><parent>world</parent><child>rocker</child></joint></gazebo>)"))
                     .model;
  model.joint(*model.FindJoint("pin")).role = JointRole::kLoop;  // which a conversion chooses
  const std::string text = Written(model);
  EXPECT_THAT(text, HasSubstr("<pose relative_to=\"rocker\">0 0 0.3 0 0 0</pose>\n      "
                              "<parent>world</parent>"));
  EXPECT_THAT(text, Not(HasSubstr("<link name=\"world\"")));
}

TEST(WriteGazeboLoops, AFloatingJointHasAFrameForLibsdformat) {
  const std::string floats =
      "<link name=\"bird\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
      "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link><joint name=\"flies\" type=\"floating\">"
      "<parent link=\"base\"/><child link=\"bird\"/><origin xyz=\"0 1 2\"/></joint>";
  const std::string pin =
      "<gazebo><joint name=\"pin\" type=\"ball\"><pose relative_to=\"coupler\">0.4 0 -0.3 0 0 0"
      "</pose><parent>coupler</parent><child>rocker</child></joint></gazebo>";
  const std::string text = Written(*ReadRobot(FourBar(floats + pin)).model);
  EXPECT_THAT(Block(text), HasSubstr("    <frame name=\"flies\">\n"
                                     "      <pose>0 1 2 0 0 0</pose>\n    </frame>\n  </gazebo>"));
  const ReadResult again = ReadText(text);
  ASSERT_TRUE(again.model);
  EXPECT_THAT(again.model->native, IsEmpty());
  EXPECT_EQ(Written(*again.model), text);
  // Without a loop too: libsdformat refuses the whole file else.
  EXPECT_THAT(Written(*ReadRobot(FourBar(floats)).model), HasSubstr("<frame name=\"flies\">"));
}

TEST(WriteGazeboLoops, RefusesWhatSdformatCannotSay) {
  Model model = WithPin("ball", "");
  const JointId pin = *model.FindJoint("pin");
  std::vector<std::string> messages;
  model.joint(pin).kind = Planar{};
  model.joint(pin).axes.assign(3, {});
  EXPECT_EQ(Written(model, &messages), "");
  EXPECT_THAT(messages, ElementsAre(HasSubstr("[loop-type-not-lowered]")));
  messages.clear();
  model.joint(pin).kind = Screw{Vector3::UnitX(), 0};
  model.joint(pin).axes.assign(1, {});
  EXPECT_EQ(Written(model, &messages), "");
  EXPECT_THAT(messages, ElementsAre(HasSubstr("is a screw of pitch 0")));
  messages.clear();
  model.joint(pin).kind = Ball{};
  model.Reconnect([&](JointId id) {
    return id == pin ? std::pair(model.predecessor(id), kWorld)
                     : std::pair(model.predecessor(id), model.successor(id));
  });
  EXPECT_EQ(Written(model, &messages), "");
  EXPECT_THAT(messages, ElementsAre(HasSubstr("[loop-child-world]")));
}

}  // namespace
}  // namespace kinemorph::test
