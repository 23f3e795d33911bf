// What is written is what was read; what is reported as lost is absent from the output; nothing is
// left out in silence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kInertial =
    R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
const std::string kSdfInertial =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
const std::string kBody = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)";

// An arm on a hinge, with what stands in the joint's axis.
std::string SdfArm(const std::string& axis, const std::string& more = "") {
  return "<sdf version='1.9'><model name='m'>\n<link name='base'>" + kSdfInertial +
         "</link><link name='arm'>" + kSdfInertial +
         "</link>\n<joint name='j' "
         "type='revolute'><parent>base</parent><child>arm</child><axis><xyz>0 0 1</xyz>\n" +
         axis + "</axis></joint>" + more + "</model></sdf>";
}

std::string UrdfArm(const std::string& more) {
  return "<robot name='r'><link name='base'>" + kInertial + "</link><link name='arm'>" + kInertial +
         "</link><joint name='j' type='continuous'><parent link='base'/><child "
         "link='arm'/></joint>\n" +
         more + "</robot>";
}

// Two bodies on hinges; `body` stands in the first.
std::string MjcfArm(const std::string& options, const std::string& joint, const std::string& body,
                    const std::string& sections) {
  return "<mujoco><compiler angle='radian'/>" + options + "<worldbody>\n<body name='a'>" + kBody +
         "<joint name='j' axis='0 0 1' " + joint + "/>" + body + "<body name='b'>" + kBody +
         "<joint name='k' axis='0 0 1'/></body></body></worldbody>" + sections + "</mujoco>";
}

class Truth : public testing::Test {
 protected:
  CommandResult Kinemorph(const std::string& arguments) {
    return Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path(), "");
  }

  // Converts `text` to OUT, which must succeed. Its text, and the losses in losses_.
  std::string Converted(const std::string& text, const std::string& in, const std::string& out,
                        const std::string& options = "") {
    WriteFile(folder_ / in, text);
    result_ = Kinemorph("convert " + in + " -o " + out + " --loss-report loss.json " + options);
    EXPECT_EQ(result_.exit_code, 0) << result_.err;
    if (result_.exit_code != 0) return "";
    losses_ = json::parse(FileText(folder_ / "loss.json"))["losses"].dump();
    return FileText(folder_ / out);
  }

  TemporaryFolder folder_;
  CommandResult result_;
  std::string losses_;
};

TEST_F(Truth, WhatAReaderDidNotConsumeIsALossInEveryFormat) {
  const std::tuple<const char*, std::string, const char*, const char*> cases[] = {
      {"m.sdf", SdfArm("<dynamics><dampnig>0.3</dampnig></dynamics>"), "dampnig",
       "did you mean 'damping'?"},
      {"m.sdf", SdfArm("", "<lnk name='x'/>"), "lnk", "did you mean 'link'?"},
      {"r.urdf", UrdfArm("<dynamcis/>"), "dynamcis", ""},
      {"r.urdf",
       UrdfArm("<link name='tip' mas='3'/><joint name='t' type='fixed'><parent link='arm'/><child "
               "link='tip'/></joint>"),
       "mas", ""},
      {"r.xml", MjcfArm("", "dampign='3'", "", ""), "dampign", "did you mean 'damping'?"}};
  for (const auto& [file, text, word, suggestion] : cases) {
    WriteFile(folder_ / file, text);
    const std::string same = std::string(file).substr(std::string(file).find('.') + 1);
    for (const std::string to : {"sdf", "mjcf", "urdf"}) {
      const CommandResult check =
          Kinemorph(std::string("check ") + file + " --to " + to + " --format json");
      ASSERT_EQ(check.exit_code, 0) << check.err;
      EXPECT_THAT(check.err, AllOf(HasSubstr(word), HasSubstr(suggestion)));
      const bool kept =
          to == same &&
          std::string(word) == "dynamcis";  // unknown elements of URDF come back as they are
      if (kept)
        EXPECT_THAT(check.out, Not(HasSubstr(word)));
      else
        EXPECT_THAT(check.out, HasSubstr(word)) << file << " to " << to;
      const CommandResult strict =
          Kinemorph(std::string("convert ") + file + " -o out." + to + " --to " + to + " --strict");
      EXPECT_EQ(strict.exit_code, kept ? 0 : 3) << file << " to " << to << "\n" << strict.err;
    }
  }
}

TEST_F(Truth, ProgramsAndTemplatesNameTheCommandToRun) {
  const fs::path invalid = fs::path(kinemorph::test::SourceDir()) / "fixtures/invalid";
  const std::tuple<const char*, int, const char*> cases[] = {
      {"xacro.urdf", 5, "run: kinemorph expand "},
      {"template_erb.sdf", 5, "run: erb "},
      {"template_jinja.sdf", 5, "run: jinja2 "}};
  for (const auto& [file, line, command] : cases) {
    const CommandResult result = Kinemorph("convert " + (invalid / file).string() + " -o out.xml");
    EXPECT_EQ(result.exit_code, 1) << file;
    EXPECT_THAT(result.err,
                AllOf(HasSubstr(std::string(file) + ":" + std::to_string(line) + ": error:"),
                      HasSubstr(command)));
    EXPECT_FALSE(fs::exists(folder_ / "out.xml"));
  }
  WriteFile(folder_ / "model.sdf.erb", "<% a = 1 %>\n<sdf version='1.9'/>");
  EXPECT_THAT(Kinemorph("inspect model.sdf.erb").err, HasSubstr("run: erb model.sdf.erb > "));
  // What expansion leaves behind is no program, and braces in comments are no template.
  WriteFile(folder_ / "left.urdf",
            "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><!-- {{ <% -->"
            "<link name='a'><xacro:grey/></link></robot>");
  EXPECT_EQ(Kinemorph("inspect left.urdf").exit_code, 0);
}

TEST_F(Truth, AnIncludeWithAPoseKeepsTheModelsOwnPlacementFrame) {
  WriteFile(folder_ / "arm.sdf",
            "<sdf version='1.9'><model name='arm' placement_frame='foot'><link name='l'>" +
                kSdfInertial +
                "</link><frame name='foot'><pose>0 0 -0.4 0 0 0</pose></frame></model></sdf>");
  const std::string text = Converted(
      "<sdf version='1.9'><world name='w'><include><uri>arm.sdf</uri><pose>1 0 0 0 0 "
      "0</pose></include>"
      "</world></sdf>",
      "w.sdf", "w.xml");
  EXPECT_THAT(text, HasSubstr("<body name=\"l\" pos=\"1 0 0.4\""));
}

TEST_F(Truth, FlagsThatSwitchMechanicsOffAreHonoured) {
  const std::string equality = "<equality><joint joint1='j' joint2='k'/></equality>";
  std::string urdf = Converted(
      MjcfArm("<option><flag equality='disable'/></option>", "", "", equality), "a.xml", "a.urdf");
  EXPECT_THAT(urdf, Not(HasSubstr("<mimic")));
  EXPECT_THAT(losses_, HasSubstr("equality/joint"));
  urdf = Converted(MjcfArm("<option><flag constraint='disable'/></option>",
                           "range='-1 1' frictionloss='2'", "", equality),
                   "a.xml", "a.urdf");
  EXPECT_THAT(
      urdf, AllOf(Not(HasSubstr("<mimic")), Not(HasSubstr("<limit")), Not(HasSubstr("friction"))));
  urdf = Converted(
      MjcfArm("<option><flag passive='disable'/></option>", "damping='3' stiffness='4'", "", ""),
      "a.xml", "a.urdf");
  EXPECT_THAT(urdf, Not(HasSubstr("damping")));
  EXPECT_THAT(losses_, HasSubstr("damping=\\\"3\\\""));
  urdf = Converted(MjcfArm("<option><flag actuation='disable'/></option>", "", "",
                           "<actuator><motor name='m' joint='j'/></actuator>"),
                   "a.xml", "a.urdf");
  EXPECT_THAT(urdf, Not(HasSubstr("transmission")));
  EXPECT_THAT(losses_, HasSubstr("actuator/motor"));
  const std::string sdf =
      Converted(MjcfArm("<option gravity='0 0 -3'><flag gravity='disable'/></option>", "", "", ""),
                "a.xml", "a.sdf");
  EXPECT_THAT(sdf, HasSubstr("<gravity>0 0 0</gravity>"));
}

TEST_F(Truth, WhatIsSwitchedOffComesBackAsItWas) {
  const std::string text = MjcfArm(
      "<option timestep='0.001'><flag limit='disable' damper='disable' energy='enable'/></option>",
      "range='-1 1' damping='3'", "", "<actuator><motor name='m' joint='j'/></actuator>");
  const std::string again = Converted(text, "a.xml", "again.xml");
  EXPECT_EQ(losses_, "[]");
  EXPECT_THAT(again,
              AllOf(HasSubstr("<flag limit=\"disable\" damper=\"disable\" energy=\"enable\"/>"),
                    HasSubstr("timestep=\"0.001\""), HasSubstr("limited=\"false\" range=\"-1 1\""),
                    HasSubstr("damping=\"3\""), HasSubstr("<motor ")));
  EXPECT_EQ(Converted(again, "again.xml", "third.xml"), again);
}

TEST_F(Truth, AMaterialInItsOwnColourIsNoLoss) {
  const std::string assets =
      "<asset><material name='red' rgba='0.8 0.1 0.123 1'/><material name='shiny' rgba='0 1 0 1' "
      "specular='0.9'/>"
      "<material name='unused' rgba='0 0 1 1'/></asset>";
  const std::string geoms =
      "<geom size='1' material='red' contype='0' conaffinity='0'/><geom size='2' material='shiny' "
      "contype='0' "
      "conaffinity='0'/><geom size='3' material='red' rgba='1 1 0 1' contype='0' conaffinity='0'/>";
  const std::string text = MjcfArm("", "", geoms, assets);
  const std::string urdf = Converted(text, "a.xml", "a.urdf");
  EXPECT_THAT(urdf,
              AllOf(HasSubstr("0.8 0.1 0.123 1"), HasSubstr("0 1 0 1"), HasSubstr("1 1 0 1")));
  EXPECT_THAT(losses_,
              AllOf(Not(HasSubstr("red")), Not(HasSubstr("rgba=\\\"0 1 0 1")),
                    HasSubstr("specular"), HasSubstr("unused"), Not(HasSubstr("contype"))));
  const std::string again = Converted(text, "a.xml", "again.xml");
  EXPECT_EQ(losses_, "[]");
  EXPECT_THAT(again,
              AllOf(HasSubstr("<material name=\"red\" rgba=\"0.8 0.1 0.123 1\"/>"),
                    HasSubstr("<material name=\"shiny\" rgba=\"0 1 0 1\" specular=\"0.9\"/>"),
                    HasSubstr("name=\"unused\""), HasSubstr("rgba=\"1 1 0 1\"")));
  EXPECT_EQ(Converted(again, "again.xml", "third.xml"), again);
}

TEST_F(Truth, AKeyframeThatDoesNotFitAnyMoreIsALoss) {
  const std::string keys = "<keyframe><key name='home' qpos='0.5 0.25'/></keyframe>";
  EXPECT_THAT(Converted(MjcfArm("", "", "", keys), "a.xml", "again.xml"),
              HasSubstr("qpos=\"0.5 0.25\""));
  EXPECT_EQ(losses_, "[]");
  const std::string dropped = Converted(MjcfArm("", "", "", keys), "a.xml", "again.xml",
                                        "--drop joint-revolute --drop joint-continuous");
  EXPECT_THAT(dropped, Not(HasSubstr("<key")));
  EXPECT_THAT(losses_, HasSubstr("does not fit the joints"));
}

TEST_F(Truth, ATextureThatTheTargetDoesNotReadIsALoss) {
  const std::string visual =
      "<visual><geometry><sphere radius='1'/></geometry><material name='wood'><texture "
      "filename='wood.jpg'/></material>"
      "</visual>";
  const std::string text = UrdfArm("<link name='tip'>" + visual +
                                   "</link><joint name='t' type='fixed'><parent link='arm'/><child "
                                   "link='tip'/></joint>");
  EXPECT_THAT(Converted(text, "r.urdf", "r.xml"), Not(HasSubstr("wood.jpg")));
  EXPECT_THAT(losses_, AllOf(HasSubstr("material-texture"), HasSubstr("wood.jpg")));
}

TEST_F(Truth, AMultiplierOfZeroHoldsTheFollower) {
  const std::string text =
      UrdfArm("<link name='tip'>" + kInertial +
              "</link><joint name='t' type='continuous'><parent link='arm'/><child "
              "link='tip'/><mimic joint='j' multiplier='0' offset='0.25'/></joint>");
  const std::string mimic = "multiplier=\"0\" offset=\"0.25\"";
  EXPECT_THAT(Converted(text, "r.urdf", "again.urdf"), HasSubstr(mimic));
  EXPECT_EQ(losses_, "[]");
  const std::string mjcf = Converted(text, "r.urdf", "r.xml");
  EXPECT_THAT(mjcf, HasSubstr("joint1=\"t\" joint2=\"j\" polycoef=\"0.25 0 0 0 0\""));
  EXPECT_THAT(Converted(mjcf, "r.xml", "back.urdf"), HasSubstr(mimic));
  EXPECT_THAT(Converted(text, "r.urdf", "r.sdf", "--to sdf@1.11"),
              HasSubstr("<multiplier>0</multiplier>"));
}

TEST_F(Truth, MissingFilesAreOneWarningPerPackage) {
  std::string visuals;
  for (const char* mesh : {"package://arm/a.stl", "package://arm/b/c.stl", "meshes/d.stl"})
    visuals += "<visual name='" + std::string(mesh + 10) + "'><geometry><mesh><uri>" + mesh +
               "</uri></mesh></geometry></visual>";
  const std::string sdf = "<sdf version='1.9'><model name='m'><link name='l'>" + kSdfInertial +
                          visuals + "</link></model></sdf>";
  WriteFile(folder_ / "m.sdf", sdf);
  const std::string err = Kinemorph("inspect m.sdf --verbose").err;
  EXPECT_THAT(
      err, HasSubstr("warning: package 'arm': 2 files are not found: package 'arm' is not known: "
                     "name its folder with --package arm=DIR; the first is 'package://arm/a.stl'"));
  EXPECT_THAT(err, HasSubstr("warning: folder 'meshes': file 'meshes/d.stl' is not found; its name "
                             "is kept as written"));
  // The same robot in every format.
  static_cast<void>(Converted(sdf, "m.sdf", "m.urdf"));
  EXPECT_THAT(Kinemorph("inspect m.urdf --verbose").err,
              HasSubstr("package 'arm': 2 files are not found"));
  static_cast<void>(Converted(sdf, "m.sdf", "m.xml"));
  EXPECT_THAT(Kinemorph("inspect m.xml --verbose").err,
              HasSubstr("package 'arm': 2 files are not found"));
  static_cast<void>(Converted(sdf, "m.sdf", "m.mbs"));
  EXPECT_THAT(Kinemorph("inspect m.mbs --verbose").err,
              HasSubstr("package 'arm': 2 files are not found"));
}

TEST_F(Truth, TheJudgeSaysWhatItLeftOut) {
  const std::string text =
      "<robot name='r'><link name='l'>" + kInertial +
      "<visual><geometry><mesh filename='gone.stl'/></geometry></visual></link></robot>";
  static_cast<void>(Converted(text, "r.urdf", "r.xml", "--verify"));
  if (result_.err.find("verify-accepted") == std::string::npos)
    GTEST_SKIP() << "MuJoCo is not installed";
  EXPECT_THAT(result_.err, AllOf(HasSubstr("accepts the file without its 1 missing mesh"),
                                 Not(HasSubstr("compiles"))));
}

// Which stand beside it only after it was accepted.
TEST_F(Truth, TheJudgeSeesTheMeshesThatAreWrittenWithTheFile) {
  constexpr int kFacets[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  constexpr const char* kCorners[4] = {"0 0 0", "1 0 0", "0 1 0", "0 0 1"};
  std::string stl = "solid s\n";
  for (const auto& facet : kFacets) {
    stl += "facet normal 0 0 0\nouter loop\n";
    for (const int corner : facet) stl += "vertex " + std::string(kCorners[corner]) + "\n";
    stl += "endloop\nendfacet\n";
  }
  WriteFile(folder_ / "s.stl", stl + "endsolid s\n");
  const std::string text =
      "<robot name='r'><link name='l'>" + kInertial +
      "<visual><geometry><mesh filename='s.stl'/></geometry></visual></link></robot>";
  EXPECT_THAT(Converted(text, "r.urdf", "r.xml", "--verify"), HasSubstr("\"r_meshes/s.obj\""));
  if (result_.err.find("verify-accepted") == std::string::npos)
    GTEST_SKIP() << "MuJoCo is not installed";
  EXPECT_THAT(result_.err, Not(HasSubstr("missing mesh")));
}

// What newer MuJoCos read and MuJoCo 2 does not: words of 4.0 beside the mechanism, several numbers
// for one, and a line that ends behind the last.
TEST_F(Truth, TheJudgeTakesOutWhatItIsTooOldFor) {
  for (const char* extra : {R"(<visual><headlight active="auto"/></visual>)",
                            R"(<custom><text name="note"><![CDATA[two lines]]></text></custom>)",
                            "<keyframe><key qpos='\n0.1 0\n'/></keyframe><worldbody><body name='b'>"
                            "<joint name='k' stiffness='20 3 1' damping='1 0.5'/><geom size='0.1'/>"
                            "</body></worldbody>"}) {
    const std::string text =
        std::string("<mujoco>") + extra +
        R"(<worldbody><body name="arm"><joint name="j"/><geom size="0.1"/></body></worldbody></mujoco>)";
    static_cast<void>(Converted(text, "in.xml", "out.xml", "--verify"));
    if (result_.err.find("verify-no-judge") != std::string::npos)
      GTEST_SKIP() << "no judge is installed";
    EXPECT_THAT(result_.err, HasSubstr("[verify-accepted]")) << extra;
  }
}

// What libsdformat reads without understanding it, it does not judge; and its colours are for
// terminals.
TEST_F(Truth, AVersionTooNewForTheJudgeIsNotJudged) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial>";
  const auto finger = [&](const std::string& name, const std::string& more) {
    return "<link name='" + name + "_finger'>" + inertial + "</link><joint name='" + name +
           "' type='prismatic'><parent link='palm'/><child link='" + name +
           "_finger'/><axis xyz='0 1 0'/><limit lower='0' upper='1' effort='1' velocity='1'/>" +
           more + "</joint>";
  };
  const std::string hand = "<robot name='hand'><link name='palm'>" + inertial + "</link>" +
                           finger("left", "") + finger("right", "<mimic joint='left'/>") +
                           "</robot>";
  static_cast<void>(Converted(hand, "hand.urdf", "hand.sdf", "--verify"));
  EXPECT_THAT(result_.err, AllOf(HasSubstr("[version-chosen]"), HasSubstr("[verify-equivalent]"),
                                 Not(HasSubstr("accepts the file"))));
  if (result_.err.find("verify-no-judge") != std::string::npos)
    GTEST_SKIP() << "no judge is installed";
  EXPECT_THAT(result_.err, AllOf(HasSubstr("not judged: libsdformat"),
                                 HasSubstr("the file is 1.11"), HasSubstr("[verify-not-judged]")));
  for (const char* escape : {"\033", "\\x1b"}) EXPECT_THAT(result_.err, Not(HasSubstr(escape)));
  // Words of a refusal.
  WriteFile(folder_ / "dark.sdf",
            "<sdf version='1.9'><model name='m'><link name='l'>" + kSdfInertial +
                "<sensor name='s' type='camera'><camera><horizontal_fov>0.001</horizontal_fov>"
                "</camera></sensor></link></model></sdf>");
  const CommandResult refused = Kinemorph("convert dark.sdf out.sdf --verify");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("[verify-refused]"));
  for (const char* escape : {"\033", "\\x1b", "31m"})
    EXPECT_THAT(refused.err, Not(HasSubstr(escape)));
}

// A sensor that moves to another link says what it said; only its pose is another.
TEST_F(Truth, ASensorOnAFoldedLinkIsNoException) {
  WriteFile(folder_ / "arm.urdf",
            UrdfArm("<link name='imu_link'/><joint name='imu_joint' type='fixed'><origin "
                    "xyz='0 0 1'/><parent link='arm'/><child link='imu_link'/></joint><gazebo "
                    "reference='imu_link'><sensor name='imu' type='imu'><always_on>true</always_on>"
                    "</sensor></gazebo>"));
  const CommandResult done = Kinemorph("convert arm.urdf arm.sdf --base fixed --verify");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.err, HasSubstr("[verify-equivalent]"));
  EXPECT_THAT(FileText(folder_ / "arm.sdf"), HasSubstr("<pose>0 0 1 0 0 0</pose>"));
  std::string moved = FileText(folder_ / "arm.sdf");
  moved.replace(moved.find("<pose>0 0 1 0"), 13, "<pose>0 0 2 0");
  WriteFile(folder_ / "moved.sdf", moved);
  EXPECT_EQ(Kinemorph("verify arm.urdf moved.sdf").exit_code, 1);
}

TEST_F(Truth, AGearboxOfOneModelOfAWorldKeepsItsName) {
  const auto model = [&](const std::string& name) {
    std::string text =
        SdfArm("", "<link name='dial'>" + kSdfInertial +
                       "</link><joint name='k' type='revolute'><parent>base</parent>"
                       "<child>dial</child><axis><xyz>0 0 1</xyz></axis></joint><joint "
                       "name='gear' type='gearbox'><parent>arm</parent><child>dial"
                       "</child><gearbox_ratio>-1</gearbox_ratio>"
                       "<gearbox_reference_body>base</gearbox_reference_body><axis>"
                       "<xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>");
    text = text.substr(text.find("<model"), text.rfind("</sdf>") - text.find("<model"));
    return text.replace(text.find("'m'"), 3, "'" + name + "'");
  };
  Converted("<sdf version='1.9'><world name='w'>" + model("m") + model("n") + "</world></sdf>",
            "w.sdf", "out.sdf", "--verify");
  EXPECT_EQ(result_.exit_code, 0) << result_.err;
  EXPECT_THAT(result_.err, HasSubstr("[verify-equivalent]"));
  EXPECT_THAT(FileText(folder_ / "out.sdf"), HasSubstr("<joint name=\"gear\" type=\"gearbox\">"));
}

TEST_F(Truth, DrakesLoopsAreLoops) {
  const fs::path file =
      fs::path(kinemorph::test::SourceDir()) /
      "fixtures/features/urdf-drake-ball-constraint/urdf-drake-ball-constraint.urdf";
  const json facts = json::parse(Kinemorph("inspect " + file.string() + " --json").out);
  EXPECT_EQ(facts["loops"], 1);
  EXPECT_EQ(facts["loop_joints"][0]["type"], "revolute");
  EXPECT_EQ(facts["mobility"], 1);
  std::string four_bar = FileText(file);
  four_bar.resize(four_bar.rfind("<drake:ball_constraint>"));
  WriteFile(folder_ / "ball.urdf", four_bar + "</robot>");
  EXPECT_EQ(json::parse(Kinemorph("inspect ball.urdf --json").out)["loop_joints"][0]["type"],
            "ball");
}

// A report of convert accepts what it names, and nothing else.
TEST_F(Truth, VerifyAcceptsWhatAReportNames) {
  const std::string stop =
      "<dynamics><damping>0.5</damping></dynamics><limit><stiffness>7</stiffness></limit>";
  Converted(SdfArm(stop), "in.sdf", "out.urdf");
  const auto verify = [&](const std::string& options) {
    return Kinemorph("verify in.sdf out.urdf " + options);
  };
  EXPECT_EQ(verify("").exit_code, 1);
  const CommandResult accepted = verify("--report loss.json");
  EXPECT_EQ(accepted.exit_code, 0) << accepted.out;
  EXPECT_THAT(accepted.out,
              HasSubstr("equivalent except: stiffness and dissipation of the limits of 1 joint"));
  json report = json::parse(FileText(folder_ / "loss.json"));
  for (json& loss : report["losses"])
    if (loss["feature"] == "limit-compliance") loss["element"] = "joint 'another'";
  WriteFile(folder_ / "other.json", report.dump());
  EXPECT_EQ(verify("--report other.json").exit_code, 1);
  // What differs beyond the report is a difference.
  std::string text = FileText(folder_ / "out.urdf");
  const std::size_t damping = text.find("damping=\"0.5\"");
  ASSERT_NE(damping, std::string::npos) << text;
  WriteFile(folder_ / "out.urdf", text.replace(damping, 13, "damping=\"0.6\""));
  EXPECT_EQ(verify("--report loss.json").exit_code, 1);
  WriteFile(folder_ / "none.json", "[]");
  EXPECT_EQ(verify("--report none.json").exit_code, 2);
  const CommandResult absent = verify("--report absent.json");
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.err, HasSubstr("'absent.json' cannot be read: No such file or directory"));
}

}  // namespace
}  // namespace kinemorph::test
