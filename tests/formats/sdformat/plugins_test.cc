// Plugins of a model that weld links or couple joints, and what ros2_control says.
#include "kinemorph/formats/gazebo_blocks.h"
#include "native_xml.h"
#include "sdf_text.h"

namespace kinemorph::test {
namespace {

std::string WeldText(const std::string& model, const std::string& rest = "") {
  return "<plugin filename='gz-sim-detachable-joint-system' "
         "name='gz::sim::systems::DetachableJoint'><parent_link>a</parent_link><child_model>" +
         model + "</child_model><child_link>b</child_link>" + rest + "</plugin>";
}

const std::string kLinks = LinkText("base") + LinkText("a") + LinkText("b", "0 0 1 0 0 0");
const std::string kHinges =
    "<joint name='ja' type='revolute'><parent>base</parent><child>a</child><axis><xyz>1 0 0</xyz>"
    "</axis></joint><joint name='jb' type='revolute'><parent>base</parent><child>b</child><axis>"
    "<xyz>1 0 0</xyz></axis></joint>";

TEST(SdfPlugins, AWeldIsAJoint) {
  for (const std::string model : {"m", "__model__"}) {
    const Model m =
        Read(InModel(kLinks + kHinges + WeldText(model, "<output_topic>t</output_topic>")));
    const JointId id = JointNamed(m, "b_weld");
    EXPECT_TRUE(std::holds_alternative<Fixed>(m.joint(id).kind));
    EXPECT_TRUE(m.joint(id).cut_hint);
    EXPECT_EQ(m.joint(id).X_PF.p, Vector3(0, 0, 1));
    EXPECT_NE(WeldPluginOf(m.joint(id)), nullptr);
    EXPECT_TRUE(m.scopes[0].native.empty());
  }
}

TEST(SdfPlugins, AWeldAloneHoldsALink) {
  const Model m =
      Read(InModel(kLinks + kHinges.substr(0, kHinges.find("<joint name='jb'")) + WeldText("m")));
  EXPECT_FALSE(m.FindJoint("world_to_b"));
}

TEST(SdfPlugins, AWeldOfANestedModelIsOfItsOwnLinks) {
  const Model m = Read(InModel(LinkText("a") + "<model name='inner'>" + kLinks + kHinges +
                               WeldText("inner") + "</model>"));
  const JointId id = JointNamed(m, "inner::b_weld");
  EXPECT_EQ(m.link(m.predecessor(id)).name, "inner::a");
}

// gz sim finds models by their names wherever they are; the weld is in the outer one.
TEST(SdfPlugins, AWeldReachesIntoANestedModelAndOut) {
  const auto robot = [](const std::string& inside, const std::string& outside) {
    return InModel(LinkText("base") + LinkText("a") +
                   kHinges.substr(0, kHinges.find("<joint name='jb'")) + "<model name='inner'>" +
                   LinkText("b") + inside + "</model>" + outside);
  };
  std::string up = WeldText("m");
  up.replace(up.find(">a<"), 3, ">b<");
  up.replace(up.rfind(">b<"), 3, ">a<");
  for (const std::string& text :
       {robot("", WeldText("inner")), robot("", WeldText("m::inner")), robot(up, "")}) {
    const Model m = Read(text);
    const JointId id = JointNamed(m, "b_weld");
    EXPECT_EQ(m.link(m.predecessor(id)).name, "a");
    EXPECT_EQ(m.link(m.successor(id)).name, "inner::b");
    Diagnostics diagnostics;
    const std::string written = FindFormat("sdf")->write(m, {}, diagnostics).text;
    EXPECT_NE(written.find("<child_model>inner</child_model>"), std::string::npos) << written;
    EXPECT_TRUE(Read(written).FindJoint("b_weld"));
  }
}

TEST(SdfPlugins, AWeldAtALinkOrJointIsTold) {
  const std::string weld = WeldText("m");
  std::string link = LinkText("c"), joint = kHinges;
  link.insert(link.rfind("</link>"), weld);
  joint.insert(joint.rfind("</joint>"), weld);
  const ReadResult read = ReadText(InModel(kLinks + link + joint));
  EXPECT_NE(read.Messages(Severity::kNote).find("because it stands at 'c', and gz sim welds"),
            std::string::npos);
  EXPECT_NE(read.Messages(Severity::kNote).find("because it stands at 'jb', and gz sim welds"),
            std::string::npos);
  EXPECT_EQ(WeldPluginOf(read.model->joint(JointNamed(*read.model, "jb"))), nullptr);
}

TEST(SdfPlugins, AnotherModelIsNotWelded) {
  const ReadResult read = ReadText(InModel(kLinks + kHinges + WeldText("box")));
  EXPECT_EQ(
      read.Messages(Severity::kNote),
      "m.sdf:5: note: plugin 'gz::sim::systems::DetachableJoint': does not weld link 'a' to "
      "link 'b' here, because model 'box' is not 'm', the one that holds the plugin; kinemorph "
      "keeps the plugin as text [weld-not-read]\n");
  EXPECT_EQ(read.model->scopes[0].native.size(), 1u);
  EXPECT_EQ(read.model->scopes[0].native[0].element, "plugin");
}

TEST(SdfPlugins, TheTextOfAWeldIsWrittenAgain) {
  const std::string text =
      InModel(kLinks + kHinges + WeldText("m", "<output_topic>t</output_topic>"));
  Diagnostics diagnostics;
  const std::string written = FindFormat("sdf")->write(Read(text), {}, diagnostics).text;
  EXPECT_NE(written.find("<output_topic>t</output_topic>"), std::string::npos) << written;
  EXPECT_EQ(written.find("b_weld"), std::string::npos) << "one of the two";
  EXPECT_TRUE(Read(written).FindJoint("b_weld"));
}

TEST(SdfPlugins, AMimicPluginCouplesAndItsTextStays) {
  const Model m = Read(
      InModel(kLinks + kHinges +
              "<plugin name='p' filename='libroboticsgroup_gazebo_mimic_joint_plugin.so'>"
              "<joint>ja</joint><mimicJoint>jb</mimicJoint><multiplier>-2</multiplier></plugin>"));
  ASSERT_EQ(m.couplings.size(), 1u);
  EXPECT_EQ(m.couplings[0].terms[1].coefficients[0], 2);
  ASSERT_EQ(m.scopes[0].native.size(), 1u);
  EXPECT_TRUE(m.scopes[0].native[0].idle) << "the coupling says it";
}

TEST(SdfPlugins, Ros2ControlIsKept) {
  const Model m = Read(InModel(
      kLinks + kHinges + "<ros2_control name='s' type='system'><joint name='ja'/></ros2_control>"));
  ASSERT_EQ(m.scopes[0].native.size(), 1u);
  EXPECT_EQ(m.scopes[0].native[0].element, "ros2_control");
}

}  // namespace
}  // namespace kinemorph::test
