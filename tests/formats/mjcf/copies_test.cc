// What refers to parts of a <replicate>: measured in MuJoCo 4.0.
#include "mjcf_text.h"

namespace kinemorph {
namespace {

constexpr const char* kArms =
    R"(<site name="fix"/><body name="base"><joint name="jb"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<replicate count="2" offset="0 0.3 0"><body name="arm"><joint name="a"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<site name="s"/><body name="fore"><joint name="f"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></replicate></body>)";

std::string With(const std::string& sections, const std::string& bodies = kArms) {
  return "<mujoco><worldbody>" + bodies + "</worldbody>" + sections + "</mujoco>";
}

template <class Parts>
std::vector<std::string> NamesOf(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.name);
  return names;
}
using Names = std::vector<std::string>;

TEST(MjcfCopies, ActuatorsStandBehindThoseOutsideCopyByCopy) {
  const Model model = Quiet(With(
      R"(<actuator><motor name="x" joint="jb"/><motor name="m" joint="a"/><motor name="y" joint="f"/><motor name="z" joint="jb"/></actuator>)"));
  EXPECT_EQ(NamesOf(model.actuators), (Names{"x", "z", "m0", "y0", "m1", "y1"}));
  EXPECT_EQ(model.joint(model.actuators[4].joint).name, "a1");
}

TEST(MjcfCopies, SensorsAreMadeForEachSiteOfALidar) {
  const Model model = Quiet(With(
      R"(<sensor><rangefinder name="ray" site="beam"/></sensor>)",
      R"(<body name="b"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><replicate count="11" euler="0 0 10"><site name="beam"/></replicate></body>)"));
  ASSERT_EQ(model.sensors.size(), 11U);
  EXPECT_EQ(model.sensors[10].name, "ray10");
  EXPECT_EQ(*model.sensors[10].native.content.Attribute("site"), "beam10");
}

TEST(MjcfCopies, TendonsAndWhatIsOnThem) {
  const Model model = Quiet(With(
      R"(<tendon><spatial name="t"><site site="fix"/><site site="s"/></spatial></tendon>
<actuator><motor name="m" tendon="t"/></actuator><sensor><tendonpos name="p" tendon="t"/></sensor>)"));
  EXPECT_EQ(NamesOf(model.actuators), (Names{"m0", "m1"}));
  EXPECT_EQ(NamesOf(model.sensors), (Names{"p0", "p1"}));
  const std::string text = WriteMjcfText(model);
  EXPECT_NE(text.find(R"(<site site="s0"/>)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(<spatial name="t1">)"), std::string::npos) << text;
}

TEST(MjcfCopies, ExclusionsAndEqualities) {
  const Model model = Quiet(With(
      R"(<contact><exclude body1="arm" body2="fore"/><exclude body1="base" body2="arm"/></contact>
<equality><joint joint1="f" joint2="a" polycoef="0 -1 0 0 0"/></equality>)"));
  EXPECT_EQ(model.contact_exclusions.size(), 4U);
  ASSERT_EQ(model.couplings.size(), 2U);
  EXPECT_EQ(model.joint(model.couplings[1].terms[0].coordinate.joint).name, "f1");
}

TEST(MjcfCopies, ReplicatesInsideOthersAreCopiedFirst) {
  const Model model = Quiet(With(
      R"(<actuator><motor name="m" joint="f"/><motor name="n" joint="a"/></actuator><contact><exclude body1="arm" body2="fore"/></contact>)",
      R"(<replicate count="2" offset="0 .3 0" sep="_"><body name="arm"><joint name="a"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<replicate count="2" offset=".1 0 0" sep="-"><body name="fore"><joint name="f"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></replicate></body></replicate>)"));
  EXPECT_EQ(NamesOf(model.actuators), (Names{"n_0", "m-0_0", "m-1_0", "n_1", "m-0_1", "m-1_1"}));
  EXPECT_EQ(model.contact_exclusions.size(), 4U);
}

TEST(MjcfCopies, AnEqualityWithOneEndOutsideIsLeftOutAsMuJoCoDoes) {
  const MjcfRead read =
      ReadMjcfText(With(R"(<equality><joint name="e" joint1="a" joint2="jb"/></equality>)"));
  EXPECT_TRUE(read.errors.empty());
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_NE(read.warnings[0].find("[replicate-equality]"), std::string::npos);
  EXPECT_TRUE(read.model.couplings.empty());
}

TEST(MjcfCopies, ANameWithItsSuffixIsTheOneCopy) {
  const Model model = Quiet(With(R"(<actuator><motor name="m" joint="a1"/></actuator>)"));
  EXPECT_EQ(NamesOf(model.actuators), (Names{"m"}));
}

constexpr const char* kTool =
    R"(<mujoco><worldbody><body name="arm"><joint name="a"/><geom name="g" size="1"/><site name="s"/><camera name="eye" mode="targetbody" target="hand"/>
<body name="hand"><joint name="h"/><geom name="hg" size="1"/></body></body></worldbody>
<tendon><fixed name="t"><joint joint="a" coef="1"/></fixed></tendon><actuator><motor name="m" joint="a"/></actuator>
<sensor><contact name="c" subtree1="arm" subtree2="hand"/></sensor></mujoco>)";

// Two copies of an attached tool, and what the file says of it.
Model Tools(const std::string& sections, const std::string& more = "") {
  return Quiet(
      R"(<mujoco><asset><model name="tool" file="tool.xml"/></asset><worldbody><geom name="floor" type="plane" size="1 1 1"/>)" +
          more +
          R"(<replicate count="2" offset="1 0 0"><body name="b"><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<attach model="tool" body="arm" prefix="c_"/></body></replicate></worldbody>)" +
          sections + "</mujoco>",
      {{"tool.xml", kTool}});
}

TEST(MjcfCopies, PartsOfAnAttachedModelHaveTheirCopiesToo) {
  const Model model = Tools(
      R"(<contact><pair geom1="floor" geom2="c_hg"/></contact><actuator><position name="p" tendon="c_t"/></actuator>
<sensor><framepos name="f" objtype="camera" objname="c_eye"/><actuatorfrc name="w" actuator="c_m"/><framepos name="o" objtype="geom" objname="c_g"/></sensor>)");
  const std::string text = WriteMjcfText(model);
  for (const char* part :
       {R"(geom1="floor" geom2="c_hg1")", R"(tendon="c_t1")", R"(objname="c_eye1")",
        R"(actuator="c_m1")", R"(objname="c_g1")", R"(subtree1="c_arm1" subtree2="c_hand1")"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(MjcfCopies, WhatAttachedModelsBringStandsBehindWhatTheFileSays) {
  constexpr const char* kWeight = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)";
  const Model model = Tools(
      R"(<actuator><motor name="x" joint="c_h"/><motor name="y" joint="k"/></actuator><sensor><jointpos name="q" joint="k"/></sensor>)",
      std::string(R"(<body name="d"><joint name="k"/>)") + kWeight +
          R"(<attach model="tool" body="arm" prefix="d_"/></body>)");
  EXPECT_EQ(NamesOf(model.actuators), (Names{"y", "d_m", "x0", "c_m0", "x1", "c_m1"}));
  EXPECT_EQ(NamesOf(model.sensors),
            (Names{"q", "d_c", "c_c0", "c_c1", "d_eye", "c_eye0", "c_eye1"}));
}

TEST(MjcfCopies, ACameraLooksAtTheBodyOfItsOwnCopy) {
  const Model model = Quiet(World(
      R"(<replicate count="2"><body name="b"><joint/><geom size="1"/><camera mode="targetbody" target="b"/></body></replicate>)"));
  EXPECT_NE(WriteMjcfText(model).find(R"(target="b1")"), std::string::npos);
}

TEST(MjcfCopies, TooManyAreRefused) {
  const std::string motors = [] {
    std::string all;
    for (int i = 0; i < 1000; ++i) all += R"(<motor joint="a"/>)";
    return all;
  }();
  const MjcfRead read = ReadMjcfText(
      With("<actuator>" + motors + "</actuator>",
           R"(<replicate count="1000"><body name="b"><joint name="a"/></body></replicate>)"));
  ASSERT_FALSE(read.errors.empty());
  EXPECT_NE(read.errors[0].find("[too-many-elements]"), std::string::npos);
}

}  // namespace
}  // namespace kinemorph
