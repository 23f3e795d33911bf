// Content that is kept: a tree that prints as what it was read from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fragment.h"
#include "native_xml.h"
#include "pose_text.h"

namespace kinemorph::xml {
namespace {

using test::Tree;

// Text is content, white space and all; what stands between elements is not.
TEST(Native, PrintsAsItWasRead) {
  const char* const text =
      "<plugin name=\"a &amp;\n b\">\n"
      "    <!-- <rate>1</rate> -->\n"
      "    <rate>  5\n6</rate>\n"
      "    <code><![CDATA[a < b]]></code>\n"
      "    <p>one <b>two</b> &lt;three</p>\n"
      "    <empty/>\n"
      "</plugin>";
  EXPECT_EQ(TextOf(Tree(text)), text);
  EXPECT_EQ(TextOf(Tree(TextOf(Tree(text)))), text);
}

TEST(Native, LinesAreThoseOfTheFile) {
  const NativeElement tree = Tree("<a>\n<b/>\n<!-- -->\n<c>\n<d/></c></a>");
  EXPECT_EQ(tree.line, 1u);
  EXPECT_EQ(tree.Child("b")->line, 2u);
  EXPECT_EQ(tree.Child("c")->Child("d")->line, 5u);
  EXPECT_EQ(tree, Tree("<a><b/><!-- --><c><d/></c></a>")) << "lines say nothing";
}

TEST(Native, TheFirstTextCounts) {
  EXPECT_EQ(Tree("<a> x <b/> y</a>").Text(), "x");
  EXPECT_EQ(Tree("<a><!-- c -->x</a>").Text(), "x");
  EXPECT_EQ(Tree("<a><![CDATA[x]]></a>").Text(), "x");
  EXPECT_EQ(Tree("<a><b/>x</a>").Text(), "");
}

TEST(Native, LeavesAreSetByPath) {
  NativeElement surface{.name = "surface"};
  SetLeaf(surface, "friction/ode/mu", "1");
  SetLeaf(surface, "friction/ode/mu2", "2");
  SetLeaf(surface, "friction/ode/mu", "3");
  EXPECT_EQ(surface, Tree("<surface><friction><ode><mu>3</mu><mu2>2</mu2></ode></friction>"
                          "</surface>"));
  EXPECT_EQ(LeafText(LeavesOf(surface), "friction/ode/mu2"), "2");
}

// A pose that says the same already stays in its author's words.
TEST(Native, PosesChangeWhereTheyMust) {
  RigidTransform X;
  X.p = Vector3(1, 2, 3);
  NativeElement sensor = Tree("<sensor><pose>1.0 2.0 3.0 0 0 0</pose></sensor>");
  SetPose(sensor, X);
  EXPECT_EQ(sensor.Child("pose")->text, "1.0 2.0 3.0 0 0 0");
  X.p.x() = 2;
  SetPose(sensor, X);
  EXPECT_EQ(sensor.Child("pose")->text, "2 2 3 0 0 0");
  SetPose(sensor, RigidTransform());
  EXPECT_EQ(sensor, Tree("<sensor/>"));
  SetOrigin(sensor, X);
  EXPECT_EQ(sensor, Tree("<sensor><origin xyz='2 2 3' rpy='0 0 0'/></sensor>"));
}

}  // namespace
}  // namespace kinemorph::xml
