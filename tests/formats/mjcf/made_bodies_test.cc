// <composite> and <flexcomp>: what they stand for, what is lost, and what is refused. That the
// bodies are MuJoCo's is compared in tests/oracle.
#include <gmock/gmock.h>

#include "mjcf_text.h"

namespace kinemorph {
namespace {

using testing::HasSubstr;

constexpr const char* kGeom = R"(<geom type="capsule" size=".01"/>)";

std::string Cable(const std::string& attributes, const std::string& children = kGeom) {
  return World("\n<composite type=\"cable\" prefix=\"c_\" " + attributes + ">" + children +
               "</composite>");
}

TEST(MjcfMadeBodies, ACableIsAChainOfBodies) {
  const Model m = Quiet(Cable(R"(count="4 1 1" curve="s" size="3" offset="0 0 2" initial="free")",
                              std::string(kGeom) + R"(<joint kind="main" damping="0.5"/>)"));
  ASSERT_EQ(m.num_links(), 4u);
  EXPECT_EQ(LinkNamed(m, "c_B_first").where.line, 2u);
  EXPECT_EQ(m.link(m.predecessor(m.FindJoint("c_J_last").value())).name, "c_B_1");
  const Joint& first = JointNamed(m, "c_J_first");
  EXPECT_TRUE(std::holds_alternative<Free>(first.kind));
  EXPECT_EQ(first.X_PF.p, Vector3(0, 0, 2));
  EXPECT_EQ(first.axes[0].damping.value_or(0), 0);
  const Joint& joint = JointNamed(m, "c_J_1");
  EXPECT_TRUE(std::holds_alternative<Ball>(joint.kind));
  EXPECT_EQ(joint.axes[0].damping, 0.5);
  EXPECT_TRUE(joint.X_PF.p.isApprox(Vector3(1, 0, 0)));
  EXPECT_EQ(m.contact_exclusions.size(), 2u);
  ASSERT_EQ(m.frames.size(), 2u);
  EXPECT_EQ(m.frames[1].name, "c_S_last");
  // Read from what is written, it is the same chain without the word.
  const std::string text = WriteMjcfText(m);
  EXPECT_EQ(text.find("composite"), std::string::npos);
  EXPECT_EQ(Quiet(text).num_links(), 4u);
}

TEST(MjcfMadeBodies, ThePluginOfACableIsOneInstanceThatItsBodiesName) {
  const MjcfRead read = ReadMjcfText(Cable(
      R"(count="4 1 1" curve="s" size="3")",
      std::string(kGeom) +
          R"(<plugin plugin="mujoco.elasticity.cable"><config key="bend" value="4e6"/></plugin>)"));
  EXPECT_TRUE(read.errors.empty());
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_THAT(read.warnings[0], HasSubstr("plugin of composite 'c_': only MJCF keeps this"));
  const std::string text = WriteMjcfText(read.model);
  EXPECT_THAT(text, HasSubstr("<instance name=\"compositec_\">"));
  EXPECT_THAT(text, HasSubstr("<config key=\"bend\" value=\"4e6\"/>"));
  EXPECT_THAT(text, HasSubstr("<plugin instance=\"compositec_\"/>"));
}

TEST(MjcfMadeBodies, WhatIsNoCableIsAnErrorWithItsLine) {
  const auto error = [](const std::string& text) {
    const MjcfRead read = ReadMjcfText(text);
    EXPECT_EQ(read.errors.size(), 1u) << text;
    return read.errors.empty() ? "" : read.errors.front();
  };
  EXPECT_THAT(
      error(Cable("count=\"4\"", "")),
      HasSubstr("robot.xml:2: error: composite 'c_': the cable needs a <geom> of type capsule"));
  EXPECT_THAT(error(Cable("count=\"1\" curve=\"s\"")), HasSubstr("at least 2 points"));
  EXPECT_THAT(error(Cable("count=\"3 2 1\" curve=\"s\"")), HasSubstr("'count' must be N 1 1"));
  EXPECT_THAT(error(Cable("count=\"1e9\" curve=\"s\"")), HasSubstr("at most 4000 points"));
  EXPECT_THAT(error(Cable("count=\"4\" curve=\"s t\"")), HasSubstr("'curve' is 's t'"));
  EXPECT_THAT(error(Cable("count=\"4\"")), HasSubstr("points 0 and 1 of the cable coincide"));
  EXPECT_THAT(error(Cable("count=\"4\" vertex=\"0 0 0 1 0 0\"")), HasSubstr("both 'vertex' and"));
  EXPECT_THAT(error(Cable("vertex=\"0 0 0 1\"")), HasSubstr("three numbers each"));
  EXPECT_THAT(error(Cable("count=\"4\" curve=\"s\" initial=\"no\"")),
              HasSubstr("'initial' is 'no'"));
}

TEST(MjcfMadeBodies, TheBodiesOfAFlexcompAreReadAndWhatTiesThemIsALoss) {
  const MjcfRead read = ReadMjcfText(World(R"(<body name="b" pos="1 0 0"><geom size=".1"/>
<flexcomp name="soft" type="grid" count="2 2 2" spacing="1 1 1" dim="3" mass="16"><pin id="0"/>
<elasticity young="1e4"/></flexcomp></body>)"));
  EXPECT_TRUE(read.errors.empty());
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_EQ(read.warnings[0],
            "robot.xml:2: warning: flexcomp 'soft': its 7 bodies are read; the edges, elasticity "
            "and contact that make them one soft body are not [mjcf-flexcomp]");
  EXPECT_FALSE(read.model.FindLink("soft_0"));  // pinned: a point of its parent
  const Link& body = LinkNamed(read.model, "soft_7");
  EXPECT_EQ(body.inertial->mass, 2);
  EXPECT_EQ(body.where.line, 2u);
  ASSERT_EQ(LinkNamed(read.model, "b").native.size(), 1u);
  EXPECT_EQ(LinkNamed(read.model, "b").native[0].format, "");
}

// However many points there are: 8 nodes, or 27. So does MuJoCo 4.0 (3.14 counts points).
TEST(MjcfMadeBodies, PinsOfABoxCountItsNodes) {
  const auto box = [](const std::string& dof, const std::string& count, const std::string& pin) {
    return ReadMjcfText(World("<flexcomp name=\"f\" dim=\"3\" dof=\"" + dof + "\" count=\"" +
                              count + "\"><pin " + pin + "/></flexcomp>"));
  };
  const MjcfRead few = box("quadratic", "2 2 2", "id=\"26\"");
  ASSERT_TRUE(few.errors.empty()) << few.errors[0];
  EXPECT_TRUE(few.model.FindLink("f_2_2_1"));
  EXPECT_FALSE(few.model.FindLink("f_2_2_2"));
  const MjcfRead many = box("trilinear", "4 4 4", "grid=\"1 1 1\"");
  ASSERT_TRUE(many.errors.empty()) << many.errors[0];
  EXPECT_TRUE(many.model.FindLink("f_1_1_0"));
  EXPECT_FALSE(many.model.FindLink("f_1_1_1"));
  EXPECT_EQ(box("trilinear", "4 4 4", "range=\"0 7\"").model.num_links(), 1u);
  for (const char* pin : {"id=\"8\"", "grid=\"2 0 0\""})
    EXPECT_EQ(box("trilinear", "4 4 4", pin).errors.size(), 1u) << pin;
}

TEST(MjcfMadeBodies, AFlexcompThatCannotBeReadSaysWhy) {
  const auto said = [](const std::string& flexcomp) {
    const MjcfRead read = ReadMjcfText(World("\n" + flexcomp));
    return read.errors.empty() ? read.warnings.at(0) : read.errors.at(0);
  };
  EXPECT_THAT(said(R"(<flexcomp name="f" type="mesh" file="f.obj"/>)"),
              HasSubstr("robot.xml:2: warning: flexcomp 'f': its bodies are not read, because its "
                        "points are in a file"));
  EXPECT_THAT(said(R"(<flexcomp name="f" type="ball"/>)"), HasSubstr("type 'ball' is not known"));
  EXPECT_THAT(
      said(R"(<flexcomp name="f" count="2 2 1"><pin id="4"/></flexcomp>)"),
      HasSubstr(
          "a <pin> names a point that the flexcomp does not have; the number of its points is 4"));
  EXPECT_THAT(said(R"(<flexcomp name="f" count="2 2 1"><pin grid="0"/></flexcomp>)"),
              HasSubstr("too few or too many numbers"));
  EXPECT_THAT(said(R"(<flexcomp name="f" count="2 2 1"><pin grid="0 2"/></flexcomp>)"),
              HasSubstr("beyond the grid"));
  EXPECT_THAT(said(R"(<flexcomp name="f" count="1000 1000 1000"/>)"),
              HasSubstr("more than 20000 points"));
  std::string pins;
  for (int i = 0; i < 30; ++i) pins += " 0 19999";
  EXPECT_THAT(
      said(R"(<flexcomp name="f" count="200 100 1"><pin range=")" + pins + "\"/></flexcomp>"),
      HasSubstr("<pin> elements name more than 400000 points"));
  EXPECT_THAT(said(R"(<flexcomp name="f" type="box" count="2 2 1"/>)"), HasSubstr("too small"));
  EXPECT_THAT(
      said(R"(<flexcomp name="f" type="direct" point="0 0 0 1 0 0" element="0 2" dim="1"/>)"),
      HasSubstr("'element' names a point that it does not have"));
}

}  // namespace
}  // namespace kinemorph
