// What the writer tells of joints that the engines of Gazebo leave out.
#include <gmock/gmock.h>

#include "sdf_text.h"

namespace kinemorph::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string JointText(const std::string& name, const std::string& type, const std::string& parent,
                      const std::string& child, const std::string& more = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" +
         child + "</child>" + more + "</joint>\n";
}
const std::string kAxis = "<axis><xyz>0 1 0</xyz></axis>";
const std::string kLinks = LinkText("a") + LinkText("b", "1 0 0 0 0 0") + LinkText("c");

std::string Said(const std::string& joints, const std::string& version = "") {
  std::string messages;
  Write(Read(InModel(kLinks + joints)), version, &messages);
  return messages;
}

TEST(GazeboLeavesOut, NothingOfATree) {
  EXPECT_EQ(Said(JointText("ab", "revolute", "a", "b", kAxis) +
                 JointText("bc", "universal", "b", "c", kAxis + "<axis2><xyz>1 0 0</xyz></axis2>")),
            "");
}

// Of two joints to one link gz sim takes the first in the file.
TEST(GazeboLeavesOut, TheLaterOfTwoJointsToOneLink) {
  const std::string to_c = JointText("ac", "ball", "a", "c"),
                    ab = JointText("ab", "ball", "a", "b"), bc = JointText("bc", "ball", "b", "c");
  EXPECT_EQ(Said(ab + to_c + bc),
            "m.sdf:7: note: joint 'bc': closes a loop; the default engine of gz sim (DART) leaves "
            "the joint out, Gazebo Classic simulates the loop [gazebo-drops-loops]\n"
            "    --loops detachable writes welds, which gz sim makes\n"
            "    --to sdf@1.7 writes a file that Gazebo Classic reads\n");
  EXPECT_THAT(Said(ab + bc + to_c), HasSubstr("joint 'ac': closes a loop"));
}

TEST(GazeboLeavesOut, AJointThatClosesARingAtTheBase) {
  EXPECT_THAT(Said(JointText("ab", "ball", "a", "b") + JointText("bc", "ball", "b", "c") +
                   JointText("ca", "ball", "c", "a")),
              HasSubstr("joint 'ca': closes a loop"));
}

TEST(GazeboLeavesOut, EveryJointByItsName) {
  const std::string said =
      Said(JointText("ab", "ball", "a", "b") + JointText("ac", "ball", "a", "c") +
               JointText("bc", "ball", "b", "c") + JointText("bd", "ball", "b", "c"),
           "1.7");
  EXPECT_THAT(said, HasSubstr("joints 'bc', 'bd': close loops; the default engine"));
  EXPECT_THAT(said, testing::Not(HasSubstr("--to sdf@1.7")));  // it is one
}

TEST(GazeboLeavesOut, CouplingsAndRevolute2) {
  const std::string tree =
      JointText("ab", "revolute", "a", "b", kAxis) + JointText("ac", "revolute", "a", "c", kAxis);
  const auto gearbox = [](const std::string& axis2) {
    return JointText("g", "gearbox", "b", "c",
                     kAxis + "<axis2><xyz>" + axis2 +
                         "</xyz></axis2><gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>a"
                         "</gearbox_reference_body>");
  };
  EXPECT_THAT(Said(tree + gearbox("0 1 0")),
              HasSubstr("gearbox 'g': gz sim leaves a gearbox out, Gazebo Classic simulates it"));
  EXPECT_THAT(Said(JointText("ab", "revolute", "a", "b", kAxis) +
                   JointText("ac", "revolute", "a", "c", "<axis><xyz>1 0 0</xyz></axis>") +
                   gearbox("1 0 0")),
              HasSubstr("gearbox 'g': gz sim leaves a gearbox out, and Gazebo Classic swaps its "
                        "axes, which are not parallel"));
  EXPECT_THAT(Said(JointText("ab", "revolute", "a", "b", kAxis) +
                       JointText("ac", "revolute", "a", "c",
                                 "<axis><xyz>0 1 0</xyz><mimic joint='ab'/></axis>"),
                   "1.11"),
              AllOf(HasSubstr("mimic 'ac': the default engine of gz sim (DART) does not obey a "
                              "mimic [gazebo-drops-mimics]"),
                    HasSubstr("gz-physics-bullet-featherstone-plugin")));
  EXPECT_THAT(
      Said(JointText("ab", "revolute2", "a", "b", kAxis + "<axis2><xyz>1 0 0</xyz></axis2>") +
           JointText("bc", "ball", "b", "c")),
      HasSubstr("joint 'ab': gz sim makes a fixed joint of revolute2"));
}

}  // namespace
}  // namespace kinemorph::test
