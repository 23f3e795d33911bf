// Robots whose content once had no account (exit 4), or that were refused without need.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "convert_text.h"
#include "tetrahedron.h"

namespace kinemorph::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ConversionResult To(const std::string& to, const std::string& text, const std::string& in) {
  ConversionRequest request;
  request.in = in;
  request.to = to;
  request.verify = true;
  return ConvertText(text, request);
}

void ExpectDone(const ConversionResult& result, const std::string& to) {
  EXPECT_EQ(result.end, ConversionEnd::kDone) << to << "\n"
                                              << Rendered(result.diagnostics, Severity::kNote);
}

constexpr const char* kTargets[] = {"urdf", "urdf+", "sdf", "sdf@1.9", "mjcf", "mbs"};

std::string Body(const std::string& name, const std::string& attributes,
                 const std::string& content) {
  return "<body name='" + name + "' " + attributes +
         "><inertial pos='0 0 0.02' mass='0.1' diaginertia='1e-4 1e-4 1e-4'/>" + content +
         "</body>";
}

// A hand of two parallelograms whose cranks turn alike, as grippers are drawn in MJCF.
std::string Gripper(const std::string& equality) {
  const auto side = [](const std::string& name, const std::string& axis, const std::string& y) {
    return Body(name + "_crank", "pos='0 " + y + "3 0.06'",
                "<joint name='" + name + "_drive' axis='" + axis + "'/>" +
                    Body(name + "_finger", "pos='0 " + y + "4 0.04'",
                         "<joint name='" + name + "_tip' axis='" + axis + "'/>")) +
           Body(name + "_rocker", "pos='0 " + y + "1 0.06'",
                "<joint name='" + name + "_idle' axis='" + axis + "'/>");
  };
  return "<mujoco model='gripper'><compiler angle='radian'/><worldbody>" +
         Body("palm", "", side("left", "1 0 0", "0.0") + side("right", "-1 0 0", "-0.0")) +
         "</worldbody>" + equality + "</mujoco>";
}

// The softness of an equality goes with the equality, whatever stands for it afterwards.
TEST(Accounts, SoftCouplingsOfALoop) {
  const std::string text = Gripper(R"(<equality>
    <connect body1="left_finger" body2="left_rocker" anchor="0 -0.02 0" solref="0.005 1"/>
    <connect body1="right_finger" body2="right_rocker" anchor="0 0.02 0" solref="0.005 1"/>
    <joint joint1="left_drive" joint2="right_drive" solref="0.004 1"/></equality>)");
  for (const char* to : kTargets) ExpectDone(To(to, text, "gripper.xml"), to);
  const ConversionResult urdf = To("urdf", text, "gripper.xml");
  EXPECT_THAT(urdf.files.text, HasSubstr("<mimic"));
  EXPECT_THAT(LossReportText(urdf.report), HasSubstr("<equality>"));
}

// As hard as we write loops of other formats is what those formats hold: going back, nothing is lost.
TEST(Accounts, HardEqualitiesLoseNothing) {
  const auto lost = [](const std::string& says) {
    const std::string text =
        Gripper("<equality><connect body1='left_finger' body2='left_rocker' anchor='0 -0.02 0' " +
                says + "/><connect body1='left_finger' body2='left_rocker' anchor='0.01 -0.02 0' " +
                says + "/><weld body1='right_finger' body2='right_rocker' " + says +
                "/><joint joint1='left_drive' joint2='right_drive' " + says + "/></equality>");
    return LossReportText(To("urdf+", text, "gripper.xml").report);
  };
  EXPECT_THAT(lost("solref='0.004 1' solimp='0.99 0.999'"), Not(HasSubstr("lost: ")));
  EXPECT_THAT(lost("solref='0.004 1'"), HasSubstr("lost: <equality>"));
}

// Several alike on one line are told apart by what they hang on.
TEST(Accounts, AllOnOneLine) {
  const std::string text = Gripper(
      "<equality><connect body1='left_finger' body2='left_rocker' anchor='0 -0.02 0.01' "
      "solref='0.005 1'/><connect body1='right_finger' body2='right_rocker' anchor='0 0.02 0.01' "
      "solref='0.005 1'/><joint joint1='left_tip' solref='0.005 1'/><weld body1='palm' "
      "body2='right_rocker' solref='0.005 1'/><joint joint1='left_drive' joint2='right_drive' "
      "polycoef='0 1 1 0 0' solref='0.005 1'/></equality>");
  for (const char* to : kTargets) {
    const ConversionResult result = To(to, text, "gripper.xml");
    EXPECT_NE(result.end, ConversionEnd::kInternal)
        << to << "\n"
        << Rendered(result.diagnostics, Severity::kNote);
  }
}

// A joint that becomes the cut counts from nowhere, which is said.
TEST(Accounts, TheReferenceOfAJointThatIsCut) {
  const std::string text =
      "<mujoco model='chain'><compiler angle='radian'/><worldbody>" +
      Body("crank", "",
           "<joint name='a' axis='0 1 0'/>" +
               Body("rod", "pos='0 0 0.1'", "<joint name='b' axis='0 1 0'/>")) +
      Body("slider", "pos='0.1 0 0.1'", "<joint name='c' type='slide' axis='1 0 0' ref='0.3'/>") +
      "</worldbody><equality><connect body1='rod' body2='slider' anchor='0.1 0 0'/></equality>"
      "</mujoco>";
  for (const char* to : kTargets) ExpectDone(To(to, text, "chain.xml"), to);
  ConversionRequest request;
  request.in = "chain.xml";
  request.to = "urdf+";
  request.options.cut = {"c"};
  const ConversionResult cut = ConvertText(text, request);
  ExpectDone(cut, "cut");
  EXPECT_THAT(LossReportText(cut.report), HasSubstr("position-offset"));
}

// A body without mass becomes a frame of its neighbour, with an equality between the two.
TEST(Accounts, AnEqualityWithinOneRigidBody) {
  for (const char* equality : {"<connect body1='cup' body2='handle' anchor='0.1 0 0'/>",
                               "<weld body1='cup' body2='handle'/>"}) {
    const std::string text = "<mujoco model='cup'><worldbody>" +
                             Body("cup", "", "<freejoint/><body name='handle' pos='0.1 0 0'/>") +
                             "</worldbody><equality>" + equality + "</equality></mujoco>";
    for (const char* to : {"urdf", "urdf+", "sdf", "sdf@1.9", "mjcf"})
      ExpectDone(To(to, text, "cup.xml"), to);
    EXPECT_EQ(CountLosses(To("sdf", text, "cup.xml").report).motion, 0u);
  }
}

// Two joints that follow each other are a circle that no reader takes: one relation is lost.
TEST(Accounts, NoJointFollowsItsFollower) {
  const auto wheel = [](const std::string& name, const std::string& more) {
    return "<link name='" + name +
           "_wheel'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
           "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='" +
           name + "' type='continuous'><parent link='base'/><child link='" + name +
           "_wheel'/><axis xyz='0 1 0'/>" + more + "</joint>";
  };
  const std::string text =
      "<robot name='r'><link name='base'/>" +
      wheel("a", "<mimic joint='b' multiplier='-0.2' offset='0.1'/>") + wheel("b", "") +
      "<coupling name='gear' type='rolling'><predecessor link='a_wheel'/><successor "
      "link='b_wheel'/><ratio value='2'/></coupling></robot>";
  const ConversionResult result = To("urdf", text, "r.urdf");
  EXPECT_NE(result.end, ConversionEnd::kInternal);
  const std::string said = Rendered(result.diagnostics, Severity::kNote);
  EXPECT_THAT(said, Not(HasSubstr("in turn mimics it")));
}

// Beside the declarations of others a follower of which nothing is said is no independent joint.
TEST(Accounts, AFollowerDeclaresNothing) {
  const auto part = [](const std::string& name, const std::string& parent, const std::string& says,
                       const std::string& more) {
    return "<link name='" + name +
           "_link'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
           "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='" +
           name + "' type='continuous' " + says + "><parent link='" + parent + "'/><child link='" +
           name + "_link'/><origin xyz='0.1 0 0'/><axis xyz='0 1 0'/>" + more + "</joint>";
  };
  const std::string text =
      "<robot name='r'><link name='base'/>" + part("a", "base", "independent='true'", "") +
      part("b", "a_link", "", "<mimic joint='a'/>") +
      part("c", "base", "independent='false'", "<mimic joint='a'/>") + "</robot>";
  for (const char* to : kTargets) ExpectDone(To(to, text, "r.urdf"), to);
}

// What a joint inside <gazebo> says that is no SDFormat stays a remark of this format.
TEST(Accounts, AGazeboLoopWithForeignContent) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
           "ixy='0' ixz='0' iyz='0'/></inertial></link>";
  };
  const auto hinge = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& at) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent +
           "'/><child link='" + child + "'/><origin xyz='" + at + "'/><axis xyz='0 1 0'/></joint>";
  };
  const std::string text =
      "<robot name='r'>" + link("base") + link("crank") + link("coupler") + link("rocker") +
      hinge("j1", "base", "crank", "0 0 0") + hinge("j2", "crank", "coupler", "0 0 0.1") +
      hinge("j3", "base", "rocker", "0.2 0 0") +
      "<gazebo><joint name='pin' type='revolute'><pose>0 0 0.1 0 0 0</pose><parent>coupler</parent>"
      "<child>rocker</child><axis><xyz>0 1 0</xyz></axis><dynamic><damping>1</damping></dynamic>"
      "<dynamics><damping>1</damping></dynamics></joint></gazebo></robot>";
  for (const char* to : kTargets) ExpectDone(To(to, text, "r.urdf"), to);
  EXPECT_EQ(To("urdf+", text, "r.urdf").proof->line, "equivalent");
}

// A loop joint that the target keeps in part is found under the name that it has there.
TEST(Accounts, AThreadUnderAnotherName) {
  const std::string text = ReadAll(Fixtures() + "/features/loop-screw/loop-screw.sdf");
  const std::string world =
      "<sdf version='1.9'><world name='w'>" +
      text.substr(text.find("<model"), text.rfind("</sdf>") - text.find("<model")) +
      "</world></sdf>";
  for (const char* to : kTargets) ExpectDone(To(to, world, "w.sdf"), to);
}

// The links of a model and of frames beside it are one robot.
TEST(Accounts, AWorldOfFramesAndOneModel) {
  const std::string text = R"(<sdf version="1.9"><world name="w">
    <frame name="F1"><pose>1 0 0 0 0 0</pose></frame>
    <frame name="F2" attached_to="F1"><pose>0 1 0 0 0 0.5</pose></frame>
    <model name="m"><pose relative_to="F2">0 0 1 0 0 0</pose>
      <link name="a"><inertial><mass>1</mass></inertial></link>
      <link name="b"><inertial><mass>1</mass></inertial></link>
      <joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>
      </axis></joint></model></world></sdf>)";
  for (const char* to : kTargets) ExpectDone(To(to, text, "w.sdf"), to);
  const ConversionResult urdf = To("urdf", text, "w.sdf");
  EXPECT_THAT(urdf.files.text, AllOf(HasSubstr("<link name=\"F2\""), HasSubstr("floating"),
                                     HasSubstr("<origin xyz=\"1 1 1\" rpy=\"0 0 0.5\"/>")));
  EXPECT_EQ(urdf.proof->line, "equivalent");
  const ConversionResult sdf = To("sdf", text, "w.sdf");
  EXPECT_TRUE(sdf.report.losses.empty()) << LossReportText(sdf.report);
  EXPECT_THAT(sdf.files.text, Not(HasSubstr("world_geometry")));
}

// Libraries refuse such colours, and the file with them.
TEST(Accounts, ColoursBeyondOne) {
  const std::string text =
      "<mujoco><worldbody><body name='a'><joint/><geom name='g' size='1' rgba='1.5 0.5 -0.25 1'/>"
      "</body></worldbody></mujoco>";
  for (const char* to : {"urdf", "urdf+", "sdf"}) {
    const ConversionResult result = To(to, text, "a.xml");
    ExpectDone(result, to);
    EXPECT_THAT(result.files.text, AllOf(HasSubstr("1 0.5 0 1"), Not(HasSubstr("1.5"))));
    EXPECT_THAT(LossReportText(result.report),
                HasSubstr("colour 1.5 0.5 -0.25 1 is written as 1 0.5 0 1"));
    EXPECT_EQ(CountLosses(result.report).looks, 1u);
  }
  const ConversionResult mjcf = To("mjcf", text, "a.xml");
  EXPECT_THAT(mjcf.files.text, HasSubstr("1.5 0.5 -0.25 1"));
  EXPECT_TRUE(mjcf.report.losses.empty());
}

// A colour that becomes the ambient one: that says nothing of its own any more.
TEST(Accounts, AColourThatIsCutToTheAmbientOne) {
  const std::string text =
      "<sdf version='1.9'><model name='m'><link name='a'><visual "
      "name='v'><geometry><sphere><radius>"
      "1</radius></sphere></geometry><material><ambient>0.5 0.5 0.5 1</ambient><diffuse>0.5 0.5 "
      "0.5 "
      "1.5</diffuse></material></visual></link></model></sdf>";
  for (const char* to : {"urdf", "sdf"}) {
    const ConversionResult result = To(to, text, "a.sdf");
    ExpectDone(result, to);
    EXPECT_THAT(LossReportText(result.report),
                HasSubstr("ambient colour 0.5 0.5 0.5 1 is that of the visual as written"));
  }
}

// A four-bar linkage between sites, drawn a little open.
constexpr const char* kOpen = R"(<mujoco model="open"><compiler angle="radian"/><worldbody>
  <body name="base" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
    <body name="crank"><inertial pos="0 0 .05" mass="0.1" diaginertia="0.001 0.001 0.001"/>
      <joint name="j1" axis="0 1 0" range="-1 1" limited="true"/>
      <body name="coupler" pos="0 0 0.1">
        <inertial pos="0.1 0 0" mass="0.1" diaginertia="0.001 0.001 0.001"/>
        <joint name="j2" axis="0 1 0" stiffness="1" springref="0.1" ref="0.2"/>
        <site name="s1" pos="0.21 0 0.01"/></body></body>
    <body name="rocker" pos="0.2 0 0">
      <inertial pos="0 0 .05" mass="0.1" diaginertia="0.001 0.001 0.001"/>
      <joint name="j3" axis="0 1 0"/><site name="s2" pos="0 0 0.1"/></body></body></worldbody>
  <equality><connect site1="s1" site2="s2"/></equality>
  <keyframe><key qpos="0.1 0.2 0.3"/></keyframe></mujoco>)";

// What is kept as text counts from the author's zero.
TEST(Accounts, AnOpenDrawingStaysInItsFormat) {
  const ConversionResult mjcf = To("mjcf", kOpen, "open.xml");
  ExpectDone(mjcf, "mjcf");
  EXPECT_EQ(mjcf.proof->line, "equivalent");
  EXPECT_TRUE(mjcf.report.losses.empty()) << LossReportText(mjcf.report);
  EXPECT_THAT(mjcf.files.text, AllOf(HasSubstr("site1="), HasSubstr("ref=\"0.2\"")));
  for (const char* to : kTargets) ExpectDone(To(to, kOpen, "open.xml"), to);
}

// The same robot counted from another zero has other references, and no others.
TEST(Accounts, AReferenceSaysByHowMuchTheZeroMoved) {
  const auto arm = [](const std::string& turned, const std::string& ref) {
    return "<mujoco><compiler angle='radian'/><worldbody><body name='a'><inertial pos='0 0 0' "
           "mass='1' diaginertia='1 1 1'/><body name='b' " +
           turned +
           "><inertial pos='0.1 0 0' mass='1' diaginertia='1 1 1'/><joint name='j' axis='0 0 1' " +
           ref + "/></body></body></worldbody></mujoco>";
  };
  const auto verdict = [&](const std::string& ref) {
    Diagnostics reading;
    const std::optional<Model> a = ReadText(arm("", "ref='0.2'"), "a.xml", reading);
    const std::optional<Model> b = ReadText(arm("euler='0 0 0.25'", ref), "b.xml", reading);
    EXPECT_TRUE(a && b) << Rendered(reading);
    return VerifyEquivalent(*a, *b, {}).verdict;
  };
  EXPECT_EQ(verdict("ref='0.45'"), Verdict::kEquivalent);
  EXPECT_EQ(verdict("ref='0.46'"), Verdict::kDifferent);
  EXPECT_EQ(verdict(""), Verdict::kDifferent);
}

// An inertia that nobody knows makes no spring of the file that is written.
TEST(Accounts, ASpringOfAnUnknownInertia) {
  const std::string text =
      "<mujoco><asset><mesh name='m' file='gone.stl'/></asset><worldbody><body name='a'>"
      "<joint name='j' springdamper='0.1 1'/><geom type='mesh' mesh='m'/><geom size='0.1'/>"
      "</body></worldbody></mujoco>";
  const ConversionResult result = To("mjcf", text, "a.xml");
  EXPECT_THAT(LossReportText(result.report), HasSubstr("springdamper"));
  EXPECT_THAT(Rendered(result.diagnostics, Severity::kNote), Not(HasSubstr("springs differ")));
}

// Copies in a folder of any name are the files that they were made of, and no others.
TEST(Accounts, CopiedMeshesAreTheSameFiles) {
  const std::string text = R"(<robot name="r"><link name="a">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="meshes/visual/a.stl"/></geometry></visual>
    <collision><geometry><mesh filename="meshes/collision/a.stl"/></geometry></collision>
    <collision><geometry><mesh filename="meshes/collision/b.stl"/></geometry></collision>
    </link></robot>)";
  // One triangle.
  const auto stl = [](char corner) { return Tetrahedron(corner); };
  const MemoryResolver files({{"meshes/visual/a.stl", stl(1)},
                              {"meshes/collision/a.stl", stl(1)},
                              {"meshes/collision/b.stl", stl(2)}});
  for (const char* to : {"urdf", "sdf", "mjcf"}) {
    for (const std::string prefix : {"assets/", "package://r/files/", "../x/meshes/"}) {
      const bool mjcf = std::string(to) == "mjcf";
      if (mjcf && prefix.find("://") != std::string::npos) continue;  // MuJoCo opens files alone
      const auto convert = [&](bool wrong) {
        ConversionRequest request;
        request.in = "r.urdf";
        request.to = to;
        request.verify = true;
        request.resolver = &files;
        request.asset_name = [=](const std::string& path) {
          const bool b = path.find("b.stl") != std::string::npos;
          return prefix + (b != wrong ? "two.stl" : "one.stl");
        };
        return ConvertText(text, request);
      };
      const ConversionResult result = convert(false);
      ExpectDone(result, to + (" " + prefix));
      EXPECT_THAT(result.files.text, HasSubstr("two.stl"));
      EXPECT_EQ(result.report.files.count(prefix + "one.stl"), 2u);
    }
  }
}

// A name that the conversion did not give is another file.
TEST(Accounts, AnotherMeshIsAnotherFile) {
  const auto robot = [](const std::string& mesh) {
    return "<robot name='r'><link name='a'><visual><geometry><mesh filename='" + mesh +
           "'/></geometry></visual></link></robot>";
  };
  Diagnostics reading;
  const std::optional<Model> a = ReadText(robot("meshes/visual/a.stl"), "a.urdf", reading);
  const std::optional<Model> b = ReadText(robot("assets/one.stl"), "b.urdf", reading);
  ASSERT_TRUE(a && b) << Rendered(reading);
  LossReport report;
  VerifyOptions options;
  options.report = &report;
  EXPECT_EQ(VerifyEquivalent(*a, *b, options).verdict, Verdict::kDifferent);
  report.files.emplace("assets/one.stl", "meshes/visual/b.stl");
  EXPECT_EQ(VerifyEquivalent(*a, *b, options).verdict, Verdict::kDifferent);
  report.files.emplace("assets/one.stl", "meshes/visual/a.stl");
  EXPECT_NE(VerifyEquivalent(*a, *b, options).verdict, Verdict::kDifferent);
}

}  // namespace
}  // namespace kinemorph::test
