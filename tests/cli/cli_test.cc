// The command-line contract: spellings, exit codes, streams, and that OUT appears whole or not at
// all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.h"
#include "conversion.h"
#include "paths.h"
#include "tetrahedron.h"

namespace kinemorph::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const fs::path kFixtures = fs::path(kinemorph::test::SourceDir()) / "fixtures";
const std::string kFourBarSdf = (kFixtures / "mechanisms/four_bar/four_bar.sdf").string();
const std::string kFourBarUrdf = (kFixtures / "mechanisms/four_bar/four_bar.urdf").string();

class Cli : public testing::Test {
 protected:
  CommandResult Kinemorph(const std::string& arguments, const std::string& input = "") {
    return Shell(std::string(KINEMORPH_COMMAND) + " " + arguments, folder_.path(), input);
  }
  TemporaryFolder folder_;
};

TEST_F(Cli, ConvertsALoopedSdfToUrdfPlusAndProvesIt) {
  const CommandResult result = Kinemorph("convert " + kFourBarSdf + " -o four_bar.urdf --verify");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string text = FileText(folder_ / "four_bar.urdf");
  EXPECT_THAT(text, HasSubstr("<loop name="));
  EXPECT_THAT(text, HasSubstr("independent="));
  EXPECT_THAT(result.err, HasSubstr("[verify-e"));
}

TEST_F(Cli, WritesUrdfPlusIntoAUrdfFileAndInsistsOnPlainUrdfOnRequest) {
  ASSERT_EQ(Kinemorph("convert " + kFourBarUrdf + " -o plus.urdf").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "plus.urdf"), HasSubstr("<loop"));
  // A parallelogram would become mimics, exactly.
  const CommandResult plain = Kinemorph(
      "convert " + (kFixtures / "mechanisms/four_bar_general/four_bar_general.urdf").string() +
      " -o plain.urdf --to urdf --loops none --loss-report loss.json");
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_THAT(FileText(folder_ / "plain.urdf"), Not(HasSubstr("<loop")));
  EXPECT_THAT(plain.err, HasSubstr("[loss-loop-revolute]"));
  const json report = json::parse(FileText(folder_ / "loss.json"));
  ASSERT_FALSE(report["losses"].empty());
  for (const char* key : {"feature", "element", "file", "line", "what", "why", "pass"})
    EXPECT_TRUE(report["losses"][0].contains(key)) << key;
  EXPECT_EQ(report["losses"][0]["feature"], "loop-revolute");
  EXPECT_GT(report["losses"][0]["line"], 0);
}

TEST_F(Cli, PlainUrdfKeepsLoopsInGazebo) {
  const std::string in = (kFixtures / "mechanisms/four_bar_general/four_bar_general.urdf").string();
  const CommandResult plain =
      Kinemorph("convert " + in + " -o plain.urdf --to urdf --verify --verbose");
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_THAT(plain.err, HasSubstr("loops in <gazebo>: Gazebo Classic simulates them"));
  EXPECT_THAT(FileText(folder_ / "plain.urdf"), HasSubstr("<gazebo>\n    <joint name="));
  // Asked for by name, plain URDF needs no --to; what comes back is the same file.
  const CommandResult again = Kinemorph("convert plain.urdf -o again.urdf --loops gazebo --verify");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("equivalent (proved"));
  EXPECT_EQ(FileText(folder_ / "again.urdf"), FileText(folder_ / "plain.urdf"));
  EXPECT_EQ(Kinemorph("dump again.urdf").out, Kinemorph("dump plain.urdf").out);
  const CommandResult back = Kinemorph("convert plain.urdf -o back.urdf --verify");
  EXPECT_EQ(back.exit_code, 0) << back.err;
  EXPECT_THAT(FileText(folder_ / "back.urdf"), HasSubstr("<loop name="));
  EXPECT_EQ(Kinemorph("verify " + in + " plain.urdf --allow independent").exit_code, 0);
  const CommandResult wrong = Kinemorph("convert plain.urdf -o robot.xml --loops gazebo");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--loops: mjcf has loops of its own"));
  EXPECT_THAT(Kinemorph("formats").out, HasSubstr("urdf (loops none)"));
}

TEST_F(Cli, StrictWritesNothingWhenSomethingWouldBeLost) {
  const CommandResult strict =
      Kinemorph("convert " + kFourBarUrdf + " -o plain.urdf --to urdf --strict");
  EXPECT_EQ(strict.exit_code, 3) << strict.err;
  EXPECT_FALSE(fs::exists(folder_ / "plain.urdf"));
  const CommandResult wanted =
      Kinemorph("convert " + kFourBarUrdf +
                " -o plain.urdf --to urdf --strict --drop loop-revolute --drop independent");
  EXPECT_EQ(wanted.exit_code, 0) << wanted.err;
}

// Equivalent files need no word; others get the verdict.
TEST_F(Cli, VerifyIsQuietAboutEquivalentFiles) {
  const CommandResult same = Kinemorph("verify -q " + kFourBarSdf + " " + kFourBarSdf);
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(same.out + same.err, "");
  ASSERT_EQ(Kinemorph("convert " + kFourBarSdf + " -o float.sdf --base floating").exit_code, 0);
  const CommandResult other = Kinemorph("verify -q " + kFourBarSdf + " float.sdf");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.out, testing::StartsWith("equivalent except: as asked: "));
  EXPECT_EQ(Kinemorph("verify -q " + kFourBarSdf + " float.sdf --allow as-asked").exit_code, 0);
}

// It is reported and proved as an exception all the same.
TEST_F(Cli, StrictAllowsWhatAnOptionAsksFor) {
  const CommandResult floating =
      Kinemorph("convert " + kFourBarSdf + " -o a.sdf --base floating --strict --verify");
  EXPECT_EQ(floating.exit_code, 0) << floating.err;
  EXPECT_THAT(floating.err,
              HasSubstr("equivalent except: as asked: base free in the world of 1 link"));
  const CommandResult independent =
      Kinemorph("convert " + kFourBarUrdf +
                " -o b.urdf --independent joint2 --strict --verify --loss-report b.json");
  EXPECT_EQ(independent.exit_code, 0) << independent.err;
  EXPECT_THAT(independent.err,
              HasSubstr("except: as asked: declared independent coordinates of 2 joints"));
  EXPECT_THAT(FileText(folder_ / "b.json"), HasSubstr("\"asked\": true"));
  EXPECT_THAT(FileText(folder_ / "b.urdf"),
              HasSubstr(R"(<joint name="joint2" type="revolute" independent="true">)"));
}

// What a format holds as a remark is one before and after, and what it demands of a file is added.
TEST_F(Cli, MbsToMbsLosesNothing) {
  WriteFile(folder_ / "drawn_by_hand.mbs",
            "<mbsDescR7><mbsname>arm</mbsname><base><gravity><coordinates><x>0</x><y>0</y><z>-9.81"
            "</z></coordinates></gravity></base><bodytree><body><bodyname>arm</bodyname><parent>"
            "<bodyname>base</bodyname><pointname>origin</pointname></parent><joint><jointname>j"
            "</jointname><type>R2</type><nature>independent</nature></joint><mass>1</mass><inertia>"
            "<Ixx>1</Ixx><Iyy>1</Iyy><Izz>1</Izz></inertia></body></bodytree></mbsDescR7>");
  const CommandResult plain = Kinemorph("convert drawn_by_hand.mbs -o plain.mbs --verify --strict");
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_THAT(plain.err, HasSubstr("equivalent (proved"));
  EXPECT_THAT(plain.err, HasSubstr("skipped"));
  ASSERT_EQ(Kinemorph("convert " + kFourBarUrdf + " -o limits.mbs").exit_code, 0);
  EXPECT_EQ(Kinemorph("convert limits.mbs -o again.mbs --verify --strict").exit_code, 0);
}

// What URDF does not know goes back to where it stood: below materials, defined or not, and below
// joints that are written in parts.
TEST_F(Cli, UnknownElementsGoBackIntoUrdf) {
  const std::string ball = "<visual><geometry><sphere radius='1'/></geometry><material name=";
  WriteFile(folder_ / "in.urdf",
            "<robot name='r'><material name='dark'><foo a='1'/></material><material name='light'>"
            "<color rgba='1 1 1 1'/><foo a='2'/></material><link name='a'>" +
                ball + "'dark'/></visual></link><link name='b'>" + ball + "'dark'/></visual>" +
                ball + "'light'><foo a='3'/></material></visual>" + ball +
                "'own'><foo a='4'/></material></visual></link>"
                "<joint name='j' type='universal'><parent link='a'/><child link='b'/>"
                "<axis xyz='1 0 0'/><axis2 xyz='0 1 0'/><foo a='5'/></joint></robot>");
  for (const std::string to : {"urdf", "urdf+"}) {
    const CommandResult run = Kinemorph("convert in.urdf -o out.x --verify --to " + to);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string text = FileText(folder_ / "out.x");
    for (const char* value : {"1", "2", "3", "4", "5"})
      EXPECT_THAT(text, HasSubstr("<foo a=\"" + std::string(value) + "\"/>")) << to;
    const CommandResult again = Kinemorph("verify in.urdf out.x");
    EXPECT_EQ(again.exit_code, 0) << again.out;
  }
}

// MuJoCo's ball turns up to an angle and has no range of efforts.
TEST_F(Cli, WhatABallCannotHoldIsLost) {
  WriteFile(folder_ / "ball.sdf",
            "<sdf version='1.11'><model name='m'><link name='a'/><link name='b'/>"
            "<joint name='j' type='ball'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>"
            "<limit><lower>-1.5</lower><upper>1.25</upper><effort>10</effort></limit></axis>"
            "</joint></model></sdf>");
  const CommandResult run =
      Kinemorph("convert ball.sdf -o ball.xml --verify --diagnostics json --verbose");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("lower limit -1.5 rad of the whole joint is not written"));
  EXPECT_THAT(run.err, HasSubstr("effort limit 10 N m of the whole joint is not written"));
  EXPECT_THAT(FileText(folder_ / "ball.xml"), HasSubstr("range=\"0 1.25\""));
}

// The line that stands for a loop is in the report, and both proofs know it.
TEST_F(Cli, AFittedMimicIsAnExceptionOfBothProofs) {
  const std::string in = (kFixtures / "mechanisms/slider_crank/slider_crank.urdf").string();
  const CommandResult converted = Kinemorph(
      "convert " + in + " -o fit.urdf --to urdf --mimic fit --verify --loss-report fit.json");
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_THAT(converted.err, HasSubstr("equivalent except: "));
  EXPECT_THAT(FileText(folder_ / "fit.json"), HasSubstr("\"multiplier\""));
  const CommandResult verified = Kinemorph("verify " + in + " fit.urdf");
  EXPECT_EQ(verified.exit_code, 1);
  EXPECT_THAT(verified.out, HasSubstr("equivalent except: "));
  EXPECT_THAT(verified.out, HasSubstr("1 loop"));
  const CommandResult reported = Kinemorph("verify " + in + " fit.urdf --report fit.json");
  EXPECT_EQ(reported.exit_code, 0) << reported.out;
  // Another line than that of least error is no exception.
  std::string other = FileText(folder_ / "fit.urdf");
  const std::size_t at = other.find("multiplier=\"");
  ASSERT_NE(at, std::string::npos);
  other.insert(other.find_first_of("0123456789", at), "1");
  WriteFile(folder_ / "other.urdf", other);
  const CommandResult wrong = Kinemorph("verify " + in + " other.urdf --report fit.json");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("NOT equivalent"));
}

// What was asked for and cannot be done is said.
TEST_F(Cli, ALineThatIsNotFittedAndAMotorThatIsNotAddedAreSaid) {
  const std::string delta = (kFixtures / "mechanisms/delta_robot/delta_robot.urdf").string();
  const CommandResult fit = Kinemorph("convert " + delta + " -o fit.urdf --to urdf --mimic fit");
  EXPECT_THAT(fit.err, HasSubstr("independent ways"));
  EXPECT_THAT(fit.err, HasSubstr("[mimic-no-fit]"));
  WriteFile(folder_ / "free.sdf",
            "<sdf version='1.9'><model name='m'><link name='a'/><link name='b'/><joint name='j' "
            "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>"
            "</joint></model></sdf>");
  EXPECT_THAT(Kinemorph("convert free.sdf -o o.xml --actuators motor").err,
              HasSubstr("[motors-none]"));
  EXPECT_THAT(Kinemorph("convert " + delta + " -o o.xml --actuators motor").err,
              Not(HasSubstr("[motors-none]")));
  EXPECT_THAT(Kinemorph("free.sdf o.xml").err, HasSubstr("did you mean 'convert free.sdf'?"));
}

TEST_F(Cli, CheckSaysWhyItRefuses) {
  const CommandResult strict = Kinemorph("check " + kFourBarUrdf + " --to mjcf --strict");
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_THAT(strict.out, HasSubstr("\nrefused: --strict forbids 8 losses (exit code 3)\n"));
  const CommandResult warned = Kinemorph("check " + kFourBarUrdf + " --to mjcf --fail-on warning");
  EXPECT_EQ(warned.exit_code, 1);
  EXPECT_THAT(warned.out, HasSubstr("\nrefused: --fail-on warning (exit code 1)\n"));
  EXPECT_EQ(Kinemorph("check " + kFourBarUrdf + " --to mjcf --strict -q").out, "");
}

// A label that no reader asks for loses nothing; what nobody understands may move the robot.
TEST_F(Cli, AnUnreadNameIsNoLossOfMotion) {
  const auto end = [&](const std::string& attribute) {
    WriteFile(folder_ / "label.urdf",
              "<robot name='r'><link name='l'><visual><geometry " + attribute +
                  "='x'><box size='1 1 1'/></geometry></visual></link></robot>");
    return Kinemorph("convert label.urdf -o label.sdf --strict=motion");
  };
  EXPECT_EQ(end("name").exit_code, 0);
  EXPECT_THAT(end("name").err, HasSubstr("[not-used]"));
  EXPECT_EQ(end("hardness").exit_code, 3);
}

// A proof that compared no state in which the loops are closed says so where it is asked for.
TEST_F(Cli, AProofWithoutAClosedStateSaysSo) {
  std::string text = FileText(kFixtures / "mechanisms/four_bar_general/four_bar_general.urdf");
  const std::size_t loop = text.find("<loop");
  ASSERT_NE(loop, std::string::npos);
  const std::size_t at = text.find("xyz=\"", loop);
  ASSERT_NE(at, std::string::npos);
  text.insert(at + 5, "50");  // metres away
  WriteFile(folder_ / "open.urdf", text);
  const CommandResult proved = Kinemorph("convert open.urdf -o open.xml --verify");
  EXPECT_THAT(proved.err, HasSubstr("[verify-states-left-out]"));
  EXPECT_THAT(proved.err, HasSubstr("[verify-open]"));
}

TEST_F(Cli, StrictMayAskForTheMotionOrTheInterfaceOnly) {
  const auto robot = [&](const std::string& visual, const std::string& spring) {
    WriteFile(folder_ / "arm.sdf",
              "<sdf version='1.11'><model name='m'><link name='a'>" + visual +
                  "</link><link name='b'/>"
                  "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 "
                  "0 1</xyz>" +
                  spring + "</axis></joint></model></sdf>");
  };
  const auto code = [&](const std::string& strict) {
    fs::remove(folder_ / "arm.urdf");
    const int exit_code =
        Kinemorph("convert arm.sdf -o arm.urdf --drop gravity " + strict).exit_code;
    EXPECT_EQ(fs::exists(folder_ / "arm.urdf"), exit_code == 0) << strict;
    return exit_code;
  };
  const std::string shiny =
      "<visual name='v'><geometry><sphere><radius>1</radius></sphere></geometry>"
      "<material><diffuse>1 0 0 1</diffuse><specular>1 1 1 1</specular></material></visual>";
  robot(shiny, "");
  EXPECT_EQ(code("--strict"), 3);
  EXPECT_EQ(code("--strict=any"), 3);
  EXPECT_EQ(code("--strict=interface"), 0);
  EXPECT_EQ(code("--strict=motion"), 0);
  robot("<sensor name='imu' type='imu'/>" + shiny, "");
  EXPECT_EQ(code("--strict=interface --drop native-data"), 0);
  robot(shiny, "<limit><stiffness>3</stiffness></limit>");
  EXPECT_EQ(code("--strict=interface"), 3);
  EXPECT_EQ(code("--strict=motion"), 3);
  EXPECT_EQ(code("--strict=none"), 2);
}

TEST_F(Cli, CheckPredictsExactlyWhatConvertReports) {
  for (const std::string to : {"urdf", "urdf+", "sdf", "sdf@1.11", "mjcf", "mbs"}) {
    const CommandResult check =
        Kinemorph("check " + kFourBarUrdf + " --to " + to + " --format json");
    const CommandResult convert =
        Kinemorph("convert " + kFourBarUrdf + " -o out --to " + to + " --loss-report loss.json");
    ASSERT_EQ(check.exit_code, 0) << to << check.err;
    ASSERT_EQ(convert.exit_code, 0) << to << convert.err;
    EXPECT_EQ(json::parse(check.out), json::parse(FileText(folder_ / "loss.json"))) << to;
  }
}

TEST_F(Cli, MeshesAreFoundFromTheFolderOfOut) {
  fs::create_directories(folder_ / "robot/meshes");
  fs::create_directories(folder_ / "out");
  WriteFile(folder_ / "robot/meshes/arm.stl", Tetrahedron());
  WriteFile(folder_ / "robot/arm.urdf", R"(<robot name="arm"><link name="base">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><geometry><mesh filename="meshes/arm.stl"/></geometry></visual>
    <visual><geometry><mesh filename="package://robot/meshes/arm.stl"/></geometry></visual>
    <visual><geometry><mesh filename="meshes/missing.stl"/></geometry></visual></link></robot>)");
  ASSERT_EQ(Kinemorph("convert robot/arm.urdf -o out/arm.sdf --package robot=robot").exit_code, 0);
  const std::string sdf = FileText(folder_ / "out/arm.sdf");
  EXPECT_THAT(sdf, HasSubstr("<uri>../robot/meshes/arm.stl</uri>"));
  EXPECT_THAT(sdf, HasSubstr("<uri>package://robot/meshes/arm.stl</uri>"));
  EXPECT_THAT(sdf, HasSubstr("<uri>meshes/missing.stl</uri>"));
  ASSERT_EQ(Kinemorph("convert robot/arm.urdf -o out/arm.xml --package robot=robot").exit_code, 0);
  const std::string mjcf = FileText(folder_ / "out/arm.xml");
  EXPECT_THAT(mjcf, HasSubstr("file=\"../robot/meshes/arm.stl\""));
  EXPECT_THAT(mjcf, Not(HasSubstr("package://")));
}

TEST_F(Cli, MotorsForEffortLimitsOnRequest) {
  ASSERT_EQ(Kinemorph("convert " + kFourBarUrdf + " -o plain.xml").exit_code, 0);
  EXPECT_THAT(FileText(folder_ / "plain.xml"), Not(HasSubstr("<motor")));
  const CommandResult result =
      Kinemorph("convert " + kFourBarUrdf + " -o driven.xml --actuators motor --verify");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(FileText(folder_ / "driven.xml"), HasSubstr("<motor"));
  EXPECT_THAT(FileText(folder_ / "driven.xml"), HasSubstr("joint1_motor"));
  EXPECT_EQ(Kinemorph("convert " + kFourBarUrdf + " -o driven.xml --actuators servo").exit_code, 2);
  const CommandResult none =
      Kinemorph("convert " + kFourBarUrdf + " -o driven.sdf --actuators motor");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("sdf has no motors"));
  const CommandResult rootless = Kinemorph("convert " + kFourBarUrdf + " -o base.sdf --root base");
  EXPECT_EQ(rootless.exit_code, 2);
  EXPECT_THAT(rootless.err, HasSubstr("sdf has no root link above the base"));
}

// A transmission of URDF, and the same through MBS: the motor has its gear and its share of the
// joint's effort.
TEST_F(Cli, ServosAreListedGivenAndLeftOut) {
  const auto arm = [](const std::string& drive) {
    return "<mujoco model='arm'><worldbody><body name='upper'><inertial pos='0 0 -.1' mass='1'"
           " diaginertia='.01 .01 .002'/><joint name='elbow' axis='0 1 0'/></body></worldbody>"
           "<actuator>" +
           drive + "</actuator><keyframe><key qpos='.5'/></keyframe></mujoco>";
  };
  WriteFile(folder_ / "servo.xml",
            arm("<position name='s' joint='elbow' kp='20' ctrlrange='-1 1' forcerange='-5 5'/>"));
  WriteFile(folder_ / "motor.xml", arm("<motor name='m' joint='elbow'/>"));
  const auto text_of = [&](const std::string& words, const std::string& file) {
    const CommandResult result = Kinemorph("convert " + words + " " + file);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return FileText(folder_ / file);
  };
  const std::string controller = "JointPositionController";
  EXPECT_THAT(text_of("servo.xml", "a.sdf"), HasSubstr(controller));
  EXPECT_THAT(text_of("servo.xml --drop actuator", "b.sdf"), Not(HasSubstr("<plugin")));
  EXPECT_THAT(text_of("servo.xml --to sdf@1.7", "c.sdf"), Not(HasSubstr("<plugin")));
  EXPECT_THAT(text_of("motor.xml --gains 40,2", "d.sdf"),
              AllOf(HasSubstr(controller), HasSubstr("<p_gain>40</p_gain>"),
                    HasSubstr("<d_gain>2</d_gain>")));
  // Whoever drives the joints by a class of his own gets the numbers, and no plugin beside it.
  EXPECT_THAT(text_of("servo.xml --sidecar ros2_control --hardware-plugin x/Y", "e.urdf"),
              AllOf(Not(HasSubstr(controller)), HasSubstr("<param name=\"kp\">20</param>"),
                    HasSubstr("<param name=\"min\">-1</param>"), HasSubstr("effort=\"5\"")));

  const CommandResult refused = Kinemorph("convert motor.xml f.sdf --gains elbov:40,2 --gains 7");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("joint 'elbov': --gains"), HasSubstr("'elbow'"),
                                 HasSubstr("KP,KD or JOINT:KP,KD")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "f.sdf"));

  const auto seen = nlohmann::json::parse(Kinemorph("inspect servo.xml --json").out);
  EXPECT_EQ(seen["drives"], nlohmann::json::parse(R"([{"joint": "elbow", "kind": "position",
      "kp": 20.0, "kd": null, "effort": 5.0, "target": null}])"));
  EXPECT_EQ(seen["start"], nlohmann::json::parse(R"({"elbow": [0.5]})"));
}

TEST_F(Cli, DrivesOfOtherFormatsBecomeMotorsOnRequest) {
  WriteFile(folder_ / "arm.urdf",
            "<robot name='r'><link name='base'/><link name='arm'><inertial><mass value='1'/>"
            "<inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
            "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/>"
            "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='50' velocity='0'/></joint>"
            "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>"
            "<joint name='j'/><actuator name='m'><mechanicalReduction>-25</mechanicalReduction>"
            "</actuator></transmission></robot>");
  ASSERT_EQ(Kinemorph("convert arm.urdf arm.mbs --base fixed").exit_code, 0);
  for (const char* in : {"arm.urdf", "arm.mbs"}) {
    const CommandResult kept =
        Kinemorph("convert " + std::string(in) + " kept.xml --base fixed --verify");
    ASSERT_EQ(kept.exit_code, 0) << kept.err;
    EXPECT_THAT(FileText(folder_ / "kept.xml"), Not(HasSubstr("<motor")));
    EXPECT_THAT(kept.err, HasSubstr("[loss-motor]"));
    const CommandResult driven = Kinemorph("convert " + std::string(in) +
                                           " driven.xml --base fixed --actuators motor --verify");
    ASSERT_EQ(driven.exit_code, 0) << driven.err;
    EXPECT_THAT(FileText(folder_ / "driven.xml"),
                HasSubstr("joint=\"j\" gear=\"-25\" ctrllimited=\"true\" ctrlrange=\"-2 2\""));
  }
}

TEST_F(Cli, StandardStreamsServeAsFiles) {
  const CommandResult result = Kinemorph("convert - -o - --to sdf@1.9 -q", FileText(kFourBarUrdf));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("<sdf version=\"1.9\">"));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Cli, AnExistingOutSurvivesAFailure) {
  WriteFile(folder_ / "out.sdf", "precious");
  WriteFile(folder_ / "bad.urdf",
            "<robot name='r'>\n<link name='a'/>\n<joint name='j' type='fixed'><parent "
            "link='a'/><child link='b'/></joint></robot>");
  const CommandResult result = Kinemorph("convert bad.urdf -o out.sdf");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("bad.urdf:3: error: "));
  EXPECT_EQ(FileText(folder_ / "out.sdf"), "precious");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_.path())) ++files;
  EXPECT_EQ(files, 2u) << "no temporary file is left";
}

TEST_F(Cli, InspectSaysWhatTheModelIs) {
  const CommandResult result = Kinemorph("inspect " + kFourBarUrdf + " --json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  for (const char* key :
       {"name", "format", "root", "links", "joints", "loops", "couplings", "spanning_dof",
        "constraint_rows", "rank", "mobility", "independent_declared", "independent_ok",
        "aggregate_links", "aggregate_parents", "total_mass", "loop_joints", "diagnostics"}) {
    EXPECT_TRUE(report.contains(key)) << key;
  }
  EXPECT_EQ(report["format"], "urdf+");
  EXPECT_EQ(report["spanning_dof"], 3);
  EXPECT_EQ(report["constraint_rows"], 5);
  EXPECT_EQ(report["rank"], 2);
  EXPECT_EQ(report["mobility"], 1);
  EXPECT_EQ(report["aggregate_links"].size(), 2u);
  EXPECT_EQ(report["aggregate_parents"], json::parse("[null, 0]"));
  EXPECT_THAT(Kinemorph("inspect " + kFourBarUrdf).out, HasSubstr("mobility"));
}

TEST_F(Cli, InspectShowsTheFirstOfLongLists) {
  std::string text = R"(<robot name="comb"><link name="base"/>)";
  for (int i = 0; i < 70; ++i) {  // 20 teeth mimic the first
    const std::string n = std::to_string(i);
    text += R"(<link name="l)" + n + R"("/><joint type="continuous" name="j)" + n +
            R"("><parent link="base"/><child link="l)" + n + "\"/>" +
            (i > 0 && i <= 20 ? R"(<mimic joint="j0"/>)" : "") + "</joint>";
  }
  WriteFile(folder_ / "comb.urdf", text + "</robot>");
  const std::string comb = (folder_ / "comb.urdf").string();
  const std::string out = Kinemorph("inspect " + comb).out;
  EXPECT_THAT(out, testing::ContainsRegex("j[0-9]+ and [0-9]+ more; dependent: j1, j2, j3, j4"));
  // The one aggregate of several links first, then as many as twenty lines have room for.
  EXPECT_THAT(out,
              testing::ContainsRegex("aggregate links \\([0-9]+ of 51\\)\n  \\[1\\] \\{l0, l1"));
  EXPECT_LE(std::count(out.begin(), out.end(), '\n'), 20);
  EXPECT_GE(std::count(out.begin(), out.end(), '\n'), 18);
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 200u) << line;
  EXPECT_TRUE(out.ends_with("lists are shortened: --verbose has all\n"));
  const std::string all = Kinemorph("inspect " + comb + " --verbose").out;
  EXPECT_THAT(all, AllOf(HasSubstr("[50] {"), Not(HasSubstr("more")), Not(HasSubstr("shortened"))));
  EXPECT_EQ(json::parse(Kinemorph("inspect " + comb + " --json").out)["aggregate_links"].size(),
            51u);
  EXPECT_THAT(Kinemorph("inspect " + kFourBarUrdf).out, Not(HasSubstr("shortened")));
}

TEST_F(Cli, InspectNamesTheClosureOfEveryAggregate) {
  const json plain = json::parse(Kinemorph("inspect " + kFourBarUrdf + " --json").out);
  ASSERT_EQ(plain["closures"].size(), 1u);
  EXPECT_EQ(plain["closures"][0]["links"], json::parse(R"(["link1", "link2", "link3"])"));
  EXPECT_EQ(plain["closures"][0]["mobility"], 1);
  EXPECT_EQ(plain["closures"][0]["closure"], "linear");
  EXPECT_EQ(plain["closures"][0]["detail"], "parallelogram");
  const CommandResult compared = Kinemorph("inspect " + kFourBarUrdf + " --closures --json");
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  const json result = json::parse(compared.out)["closures"][0]["compared"];
  EXPECT_EQ(result["states"], 20);
  EXPECT_EQ(result["lost"], 0);
  EXPECT_LT(result["position"], 1e-10);
  EXPECT_THAT(Kinemorph("inspect " + kFourBarUrdf + " --closures").out,
              HasSubstr("linear, parallelogram; mobility 1\n    against Newton at 20 closed"));
}

TEST_F(Cli, InspectSaysWhereDeadCentresWereLookedFor) {
  const std::string torso = (kFixtures / "mechanisms/torso/torso.urdf").string();
  EXPECT_THAT(Kinemorph("inspect " + torso).out,
              HasSubstr("mobility 2\n    no dead centre on 20 straight ways to the limits"));
  const json closure = json::parse(Kinemorph("inspect " + torso + " --json").out)["closures"][0];
  EXPECT_EQ(closure["dead_centres"], json::array());
  EXPECT_EQ(closure["dead_centre_ways"], 20);
  // Cylinders and platform that turn as far as they like: there is one.
  std::string text = FileText(torso);
  for (std::size_t at = 0; (at = text.find("<limit ", at)) != std::string::npos; ++at) {
    const std::size_t end = text.find("/>", at);
    text.replace(at, end - at, R"(<limit lower="-3" upper="3" effort="100" velocity="10")");
  }
  WriteFile(folder_ / "wide.urdf", text);
  const std::string wide = (folder_ / "wide.urdf").string();
  EXPECT_THAT(Kinemorph("inspect " + wide).out,
              AllOf(HasSubstr("dead centre at pitch = "),
                    HasSubstr(": left_slide, right_slide do not determine the motion")));
  const json found = json::parse(Kinemorph("inspect " + wide + " --json").out)["closures"][0];
  ASSERT_FALSE(found["dead_centres"].empty());
  EXPECT_EQ(found["dead_centres"][0]["undetermined"],
            json::parse(R"(["left_slide", "right_slide"])"));
  EXPECT_TRUE(found["dead_centres"][0]["posture"]["roll"].is_number());
}

TEST_F(Cli, GraphsAreDotAndSvg) {
  for (const std::string what : {"cg", "cdd", "lacg"}) {
    const CommandResult dot = Kinemorph("graph " + kFourBarSdf + " --what " + what);
    EXPECT_EQ(dot.exit_code, 0) << dot.err;
    EXPECT_THAT(dot.out, HasSubstr("graph"));
    const CommandResult svg = Kinemorph("graph " + kFourBarSdf + " --what " + what + " -o g.svg");
    if (svg.exit_code == 0)
      EXPECT_THAT(FileText(folder_ / "g.svg"), HasSubstr("<svg"));
    else
      EXPECT_THAT(svg.err, HasSubstr("graphviz"));
  }
}

TEST_F(Cli, VerifyTellsSameFromDifferent) {
  EXPECT_EQ(Kinemorph("verify " + kFourBarSdf + " " + kFourBarSdf).exit_code, 0);
  EXPECT_EQ(
      Kinemorph("verify " + kFourBarSdf + " " + kFourBarUrdf + " --allow independent").exit_code,
      0);
  // Another coordinate than the one that is chosen where nobody declares any.
  std::string rocker = FileText(kFourBarUrdf);
  rocker.replace(rocker.find("independent=\"true\""), 18, "independent=\"false\"");
  rocker.replace(rocker.rfind("independent=\"false\""), 19, "independent=\"true\"");
  WriteFile(folder_ / "rocker.urdf", rocker);
  const CommandResult excepted =
      Kinemorph("verify " + (folder_ / "rocker.urdf").string() + " " + kFourBarSdf);
  EXPECT_EQ(excepted.exit_code, 1);
  EXPECT_THAT(excepted.out, HasSubstr("equivalent except: declared independent coordinates of "));
  std::string heavier = FileText(kFourBarUrdf);
  const std::size_t mass = heavier.find("<mass value=\"");
  ASSERT_NE(mass, std::string::npos);
  heavier.insert(mass + 13, "1");
  WriteFile(folder_ / "heavier.urdf", heavier);
  const CommandResult result = Kinemorph("verify " + kFourBarUrdf + " heavier.urdf --json");
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["equivalent"], false);
  for (const char* key : {"what", "max_error", "tolerance", "worst"})
    EXPECT_TRUE(report["checks"][0].contains(key)) << key;
}

TEST_F(Cli, AModelOfAWorldIsComparedAlone) {
  const auto model = [](const std::string& name) {
    return "<model name='" + name +
           "'><link name='a'><inertial><mass>2</mass></inertial></link>"
           "<link name='b'><inertial><mass>1</mass></inertial></link><joint name='j' "
           "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>"
           "</model>";
  };
  WriteFile(folder_ / "world.sdf",
            "<sdf version='1.9'><world name='w'>" + model("one") + model("two") + "</world></sdf>");
  const CommandResult converted = Kinemorph("convert world.sdf two.urdf --model two --verify");
  EXPECT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_EQ(Kinemorph("verify world.sdf two.urdf --model two").exit_code, 0);
  EXPECT_EQ(Kinemorph("diff world.sdf two.urdf --model two").exit_code, 0);
  // In either order, under any name of the robot, all names are the same.
  std::string other = test::ReadAll(folder_ / "two.urdf");
  other.replace(other.find("name=\"two\""), 10, "name=\"mine\"");
  WriteFile(folder_ / "mine.urdf", other);
  for (const char* files : {"world.sdf two.urdf", "two.urdf world.sdf", "mine.urdf world.sdf"}) {
    const CommandResult same = Kinemorph("verify " + std::string(files) + " --model two --json");
    EXPECT_EQ(same.exit_code, 0) << files << same.out;
    EXPECT_EQ(json::parse(same.out)["verdict"], "equivalent") << files << same.out;
  }
  EXPECT_EQ(Kinemorph("verify world.sdf two.urdf").exit_code, 1);
  const CommandResult none = Kinemorph("verify world.sdf two.urdf --model three");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.out, HasSubstr("'three' is not a model of A"));
}

TEST_F(Cli, DumpIsStable) {
  const CommandResult a = Kinemorph("dump " + kFourBarUrdf), b = Kinemorph("dump " + kFourBarUrdf);
  EXPECT_EQ(a.exit_code, 0) << a.err;
  EXPECT_THAT(a.out, Not(IsEmpty()));
  EXPECT_EQ(a.out, b.out);
}

TEST_F(Cli, FormatsPrintsTheTable) {
  const std::string table = Kinemorph("formats").out;
  EXPECT_THAT(table, HasSubstr("loop-ball"));
  EXPECT_THAT(table, Not(HasSubstr(" \n"))) << "no spaces at the end of a line";
  EXPECT_THAT(Kinemorph("formats --markdown").out, HasSubstr("| what a model uses"));
  EXPECT_TRUE(json::parse(Kinemorph("formats --json").out)["capabilities"].contains("mjcf"));
}

TEST_F(Cli, FormatsPrintsARecipe) {
  const std::string recipe = Kinemorph("formats --recipe gepetto").out;
  EXPECT_THAT(recipe,
              HasSubstr("\nsplit_loops: Loop joints become points or welds of half a link.\n"
                        "  for loop-revolute"));
  EXPECT_THAT(recipe, HasSubstr("\npair_frames: "));
  EXPECT_THAT(recipe, HasSubstr("\n  - every coordinate is declared\n"));
  EXPECT_LT(recipe.find("\nchoose_tree: "), recipe.find("\nnames: "));
  const CommandResult none = Kinemorph("formats --recipe mjfc");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("mjfc"));
  EXPECT_EQ(Kinemorph("formats --recipe mjcf --json").exit_code, 2);
}

TEST_F(Cli, TheDocsShowTheTableAsItIs) {
  const std::string docs =
      FileText(fs::path(kinemorph::test::SourceDir()) / "tools/docs/FORMATS.md");
  EXPECT_THAT(docs, HasSubstr(Kinemorph("formats --markdown").out))
      << "paste the output of `kinemorph formats --markdown` into tools/docs/FORMATS.md";
}

TEST_F(Cli, DiagnosticsComeAsJsonLines) {
  WriteFile(folder_ / "bad.urdf", "<robot name='r'><link name='a'/><link name='a'/></robot>");
  const CommandResult result = Kinemorph("dump bad.urdf --diagnostics json");
  EXPECT_EQ(result.exit_code, 1);
  std::istringstream lines(result.err);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const json item = json::parse(line);
  EXPECT_EQ(item["severity"], "error");
  EXPECT_EQ(item["file"], "bad.urdf");
  EXPECT_EQ(item["line"], 1);
}

TEST_F(Cli, TheScreenIsShortAndTheRestIsInTheReport) {
  const CommandResult brief = Kinemorph("convert " + kFourBarUrdf + " four_bar.xml");
  ASSERT_EQ(brief.exit_code, 0) << brief.err;
  EXPECT_TRUE(fs::exists(folder_ / "four_bar.xml"));
  EXPECT_THAT(brief.err, HasSubstr("read  " + kFourBarUrdf + ": urdf+, 4 links, 3 joints, 1 loop"));
  EXPECT_THAT(brief.err, HasSubstr("wrote four_bar.xml: mjcf, "));
  EXPECT_THAT(
      brief.err,
      HasSubstr("(and 'joint2', 'joint3' with other values): velocity limit 6 is not written"));
  EXPECT_LE(std::count(brief.err.begin(), brief.err.end(), '\n'), 15);
  EXPECT_THAT(brief.err, Not(HasSubstr("\033"))) << "no colour in a pipe";
  const CommandResult verbose = Kinemorph("convert " + kFourBarUrdf + " four_bar.xml --verbose");
  for (const char* joint : {"'joint1'", "'joint2'", "'joint3'"})
    EXPECT_THAT(verbose.err, HasSubstr(std::string(joint) + ": velocity limit "));
  const CommandResult dropped =
      Kinemorph("convert " + kFourBarUrdf + " four_bar.xml --drop velocity-limit");
  EXPECT_THAT(dropped.err, Not(HasSubstr("velocity limit")));
  // What text says, JSON, SARIF and annotations say too.
  const std::string all = " --diagnostics ";
  const json sarif =
      json::parse(Kinemorph("convert " + kFourBarUrdf + " four_bar.xml" + all + "sarif").err);
  std::istringstream lines(
      Kinemorph("convert " + kFourBarUrdf + " four_bar.xml" + all + "json").err);
  std::size_t messages = 0;
  for (std::string line; std::getline(lines, line); ++messages)
    EXPECT_EQ(sarif["runs"][0]["results"][messages]["ruleId"], json::parse(line)["code"]);
  EXPECT_EQ(sarif["runs"][0]["results"].size(), messages);
  EXPECT_GE(messages, 6u);
  EXPECT_THAT(Kinemorph("convert " + kFourBarUrdf + " four_bar.xml" + all + "github").err,
              HasSubstr(",line="));
}

TEST_F(Cli, ExplainSaysWhatACodeMeans) {
  const CommandResult result = Kinemorph("explain base-fixed");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("what happened:  the source does not say"));
  EXPECT_THAT(result.out, HasSubstr("what to type:   --base floating"));
  EXPECT_EQ(Kinemorph("explain '[loss-spring]'").exit_code, 0);
  EXPECT_THAT(Kinemorph("explain --all").out, HasSubstr("zero-axis: "));
}

TEST_F(Cli, DiffPrintsOnlyWhatDiffers) {
  std::string heavier = FileText(kFourBarUrdf);
  heavier.insert(heavier.find("<mass value=\"") + 13, "1");
  WriteFile(folder_ / "heavier.urdf", heavier);
  const CommandResult differs = Kinemorph("diff " + kFourBarUrdf + " heavier.urdf");
  EXPECT_EQ(differs.exit_code, 1);
  EXPECT_THAT(differs.out, HasSubstr("link masses differ: "));
  EXPECT_THAT(differs.out, HasSubstr(" kg\n"));
  EXPECT_THAT(differs.out, HasSubstr("NOT equivalent: "));
  EXPECT_THAT(differs.out, Not(HasSubstr("joint axes")));
  // Places and moments with both values, in digits that can be read.
  std::string moved = FileText(kFourBarUrdf);
  for (const auto& [was, is] :
       {std::pair("<origin xyz=\"0.3 0 0.4\"", "<origin rpy=\"0 0.1 0\" xyz=\"0.32 0 0.4\""),
        std::pair("iyy=\"0.0029\"", "iyy=\"0.0031\"")})
    moved.replace(moved.find(was), std::string(was).size(), is);
  WriteFile(folder_ / "moved.urdf", moved);
  EXPECT_THAT(Kinemorph("diff " + kFourBarUrdf + " moved.urdf").out,
              AllOf(HasSubstr("'joint3': joint frames differ: 'link3' in 'base_link' at zero: 0.3 "
                              "0 0.4 against 0.32 0 0.4 m, turned by 0.1 rad\n"),
                    HasSubstr("'link3': link inertias differ: 0.001213 0.002883 ")));
  // A ball that closes a loop is where it is on its links.
  std::string ball = FileText(kFourBarUrdf);
  for (const auto& [was, is] : {std::pair("\"loop1\" type=\"revolute\"", "\"loop1\" type=\"ball\""),
                                std::pair("<axis xyz=\"0 1 0\"/>\n  </loop>", "</loop>")})
    ball.replace(ball.find(was), std::string(was).size(), is);
  WriteFile(folder_ / "ball.urdf", ball);
  ball.replace(ball.find("xyz=\"0.3 0 0\"", ball.find("<loop")), 13, "xyz=\"0.29 0 0\"");
  WriteFile(folder_ / "moved_ball.urdf", ball);
  EXPECT_THAT(Kinemorph("diff ball.urdf moved_ball.urdf").out,
              HasSubstr("'loop1': joint frames differ: on 'link2': 0.3 0 0 against 0.29 0 0 m\n"));
  const CommandResult same = Kinemorph("diff " + kFourBarUrdf + " " + kFourBarUrdf);
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_EQ(same.out, "equivalent\n");
}

TEST_F(Cli, SmallDoors) {
  EXPECT_EQ(Kinemorph("convert " + kFourBarUrdf + " a.xml --to mujoco").exit_code, 0);
  EXPECT_EQ(Kinemorph("convert " + kFourBarUrdf + " a.sdf --to sdformat@1.11").exit_code, 0);
  EXPECT_EQ(Kinemorph("convert " + kFourBarUrdf + " a.mbs --to robotran").exit_code, 0);
  EXPECT_EQ(Kinemorph("help convert").out, Kinemorph("convert --help").out);
  EXPECT_EQ(Kinemorph("help").out, Kinemorph("--help").out);
  EXPECT_THAT(Kinemorph("--version").out, HasSubstr("tinyxml2 "));
  for (const char* kind : {"png", "pdf"}) {
    const std::string file = std::string("g.") + kind;
    const CommandResult result = Kinemorph("graph " + kFourBarSdf + " --what cg -o " + file);
    if (result.exit_code == 0)
      EXPECT_THAT(FileText(folder_ / file).substr(0, 4),
                  testing::AnyOf(HasSubstr("PNG"), HasSubstr("%PDF")));
    else
      EXPECT_THAT(result.err, HasSubstr("graphviz"));
  }
}

struct WrongUse {
  const char* name;
  const char* arguments;
  const char* words;
};
class CliWrongUse : public Cli, public testing::WithParamInterface<WrongUse> {};

TEST_P(CliWrongUse, ExitsWithTwoAndSaysWhy) {
  WriteFile(folder_ / "a.urdf", "<robot name='r'><link name='a'/></robot>");
  const CommandResult result = Kinemorph(GetParam().arguments);
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr(GetParam().words));
  EXPECT_FALSE(fs::exists(folder_ / "out.sdf"));
}

std::string UseName(const testing::TestParamInfo<WrongUse>& use) { return use.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Uses, CliWrongUse,
    testing::Values(
        WrongUse{"NoCommand", "", "subcommand"},
        WrongUse{"UnknownCommand", "transmogrify a b", "transmogrify"},
        WrongUse{"NoOut", "convert a.urdf", "--output"},
        WrongUse{"UnknownFormat", "convert a.urdf -o out.sdf --to usd", "'usd' is not a format"},
        WrongUse{"UnknownVersion", "convert a.urdf -o out.sdf --to sdf@9.9",
                 "'sdf@9.9' is not a format"},
        WrongUse{"UnknownExtension", "convert a.urdf -o out.usd", "name the format with --to"},
        WrongUse{"UnknownFeature", "convert a.urdf -o out.sdf --drop loop-bal",
                 "did you mean 'loop-ball'"},
        WrongUse{"BadPackage", "convert a.urdf -o out.sdf --package x", "NAME=DIR"},
        WrongUse{"BadBase", "convert a.urdf -o out.sdf --base flying", "--base"},
        WrongUse{"BadMassless", "convert a.urdf -o out.sdf --massless -1", "--massless"},
        WrongUse{"BadReport", "convert a.urdf -o out.sdf --loss-report x.txt", ".json nor in .md"},
        WrongUse{"BadGraph", "graph a.urdf --what tree", "--what"},
        WrongUse{"UriWithoutCopies", "convert a.urdf out.sdf --mesh-uri package://r",
                 "--copy-assets"},
        WrongUse{"BadPicture", "graph a.urdf --what cg -o g.jpeg", ".png, .pdf"},
        WrongUse{"NearFormat", "convert a.urdf -o out.sdf --to sdff", "did you mean 'sdf'?"},
        WrongUse{"UnknownCode", "explain zero-axes", "did you mean 'zero-axis'?"},
        WrongUse{"HelpOfNothing", "help transmogrify", "transmogrify"},
        WrongUse{"StdoutNeedsTo", "convert a.urdf -o -", "--to"},
        WrongUse{"ShardBeyondTheLast", "batch . -o out --to sdf --shard 3/2", "'3/2' is not I/N"},
        WrongUse{"ShardZero", "batch . -o out --to sdf --shard 0/2", "'0/2' is not I/N"},
        WrongUse{"ShardOfTooMany", "batch . -o out --to sdf --shard 1/10001", "is not I/N"},
        WrongUse{"ShardWithMore", "batch . -o out --to sdf --shard 1/2x", "'1/2x' is not I/N"},
        WrongUse{"ShardWithoutCount", "batch . -o out --to sdf --shard 1", "'1' is not I/N"}),
    UseName);

TEST_F(Cli, HelpNamesEverySubcommandAndOption) {
  const CommandResult help = Kinemorph("--help");
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"convert", "check", "lint", "inspect", "graph", "verify", "diff",
                              "explain", "dump", "formats", "batch", "view", "completion"})
    EXPECT_THAT(help.out, HasSubstr(command));
  const CommandResult convert = Kinemorph("convert --help");
  for (const char* option : {"--from", "--to", "--strict", "--drop", "--cut", "--base", "--profile",
                             "--loops", "--model", "--package", "--frames", "--massless",
                             "--loss-report", "--diagnostics", "--verify", "-q"}) {
    EXPECT_THAT(convert.out, HasSubstr(option));
  }
}

// What the shell itself offers after these words.
TEST_F(Cli, CompletionKnowsOptionsAndTheirValues) {
  WriteFile(folder_ / "_kinemorph", Kinemorph("completion bash").out);
  const auto offered = [&](const std::string& words) {
    return Shell("bash -c '. ./_kinemorph; COMP_WORDS=(" + words +
                     "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _kinemorph; echo "
                     "\"${COMPREPLY[*]}\"'",
                 folder_.path())
        .out;
  };
  EXPECT_EQ(offered("kinemorph conv"), "convert\n");
  EXPECT_EQ(offered("kinemorph convert --verb"), "--verbose\n");
  EXPECT_EQ(offered("kinemorph convert a --base fl"), "floating\n");
  EXPECT_EQ(offered("kinemorph convert a --to u"), "urdf urdf+ usda\n");
  EXPECT_EQ(offered("kinemorph convert a --drop velocity"), "velocity-limit\n");
  EXPECT_EQ(offered("kinemorph convert a --strict=m"), "--strict=motion\n");
  EXPECT_THAT(Kinemorph("completion zsh").out, HasSubstr("bashcompinit"));
  const std::string fish = Kinemorph("completion fish").out;
  EXPECT_THAT(fish, HasSubstr("-l base -x -a 'fixed floating auto'"));
  EXPECT_THAT(fish, HasSubstr("complete -c kinemorph -n __fish_use_subcommand -f -a lint"));
}

TEST_F(Cli, CheckTakesFilesAndFolders) {
  fs::create_directories(folder_ / "robots/old");
  const std::string whole = "<robot name='r'><link name='l'/></robot>";
  const std::string lossy =
      "<robot name='r'><link name='l'/><link name='m'/><joint name='j' type='revolute'>"
      "<parent link='l'/><child link='m'/><axis xyz='0 0 1'/>"
      "<limit lower='-1' upper='1' effort='1' velocity='2'/></joint></robot>";
  WriteFile(folder_ / "robots/a.urdf", whole);
  WriteFile(folder_ / "robots/b.urdf", lossy);
  WriteFile(folder_ / "robots/old/c.urdf", "<robot name='r'/>");
  const CommandResult all = Kinemorph("check robots --to mjcf");
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_THAT(all.out, HasSubstr("3 files: 2 can be converted, 1 with errors, 0 refused by"));
  EXPECT_THAT(all.err, HasSubstr("robots/old/c.urdf"));
  const std::string most = "check robots --exclude 'old/*' --to mjcf ";
  EXPECT_EQ(Kinemorph(most).exit_code, 0);
  EXPECT_EQ(Kinemorph(most + "--strict").exit_code, 3);
  // Annotations name each loss with its place.
  EXPECT_THAT(Kinemorph(most + "--diagnostics github").err,
              HasSubstr("::warning file=robots/b.urdf,line=1,title=loss-velocity-limit::"));
  const nlohmann::json reports = nlohmann::json::parse(Kinemorph(most + "--format json -q").out);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[1]["source"], "robots/b.urdf");
  EXPECT_EQ(reports[1]["exit_code"], 0);
  EXPECT_TRUE(reports[0]["report"]["losses"].empty());
  EXPECT_EQ(reports[1]["report"]["losses"].back()["feature"], "velocity-limit");
  // A folder's reports are a list, whatever it holds; in "." files have the names of a repository.
  const nlohmann::json one =
      nlohmann::json::parse(Kinemorph("check . --include b.urdf --to mjcf --format json -q").out);
  ASSERT_TRUE(one.is_array());
  EXPECT_EQ(one[0]["source"], "robots/b.urdf");
  EXPECT_EQ(Kinemorph(most + "--loss-report x.md").exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_ / "x.md"));
}

TEST_F(Cli, PackagesAreFoundWherePeopleKeepThem) {
  const auto put = [&](const std::string& path, const std::string& text = "solid") {
    fs::create_directories((folder_ / path).parent_path());
    WriteFile(folder_ / path, text);
  };
  const std::string names[] = {"own", "sibling", "listed", "ros", "ament", "gz", "deep"};
  std::string visuals;
  for (const std::string& name : names)
    visuals +=
        "<visual><geometry><mesh filename='package://" + name + "/m.stl'/></geometry></visual>";
  put("ws/src/clone-main/package.xml", "<package>\n  <name> own </name>\n</package>");
  put("ws/src/clone-main/urdf/a/b/r.urdf",
      "<robot name='r'><link name='l'>" + visuals + "</link></robot>");
  put("ws/src/clone-main/m.stl");
  put("ws/src/sibling/package.xml", "<package/>");
  put("ws/src/sibling/m.stl");
  put("p/listed/m.stl");
  put("r/ros/m.stl");
  put("r/repository/deep/m.stl");
  put("a/share/ament/m.stl");
  put("g/models/gz/m.stl");
  const std::string robot = "ws/src/clone-main/urdf/a/b/r.urdf";
  const CommandResult none = Kinemorph("inspect --verbose " + robot);
  EXPECT_THAT(none.err, Not(HasSubstr("'own'")));
  EXPECT_THAT(none.err, Not(HasSubstr("'sibling'")));
  for (const char* missing : {"listed", "ros", "ament", "gz", "deep"})
    EXPECT_THAT(none.err, HasSubstr("package '" + std::string(missing) + "'"));
  const CommandResult all =
      Shell("ROS_PACKAGE_PATH=nowhere:r AMENT_PREFIX_PATH=a GZ_SIM_RESOURCE_PATH=g " +
                std::string(KINEMORPH_COMMAND) + " inspect --verbose --package-path p " + robot,
            folder_.path());
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_THAT(all.err, Not(HasSubstr("resource-not-found")));
  // A package's name is no way out, and links in it are not followed out of it.
  put("secret.stl");
  fs::create_symlink(fs::absolute(folder_ / "secret.stl"), folder_ / "p/listed/out.stl");
  for (const std::string uri : {"package://../secret.stl", "package://listed/../../secret.stl",
                                "package://listed/out.stl"}) {
    put("x/y/z/w/r.urdf", "<robot name='r'><link name='l'><visual><geometry><mesh filename='" +
                              uri + "'/></geometry></visual></link></robot>");
    EXPECT_THAT(Kinemorph("inspect --package-path p x/y/z/w/r.urdf").err,
                HasSubstr("resource-not-found"))
        << uri;
  }
}

TEST_F(Cli, AssetsGoWithTheFile) {
  fs::create_directories(folder_ / "robot/a");
  fs::create_directories(folder_ / "robot/b");
  WriteFile(folder_ / "robot/a/m.stl", "solid one");
  WriteFile(folder_ / "robot/b/m.stl", "solid two");
  WriteFile(folder_ / "robot/b/same.stl", "solid one");
  WriteFile(folder_ / "robot/a/n.obj", "v 0 0 0");
  WriteFile(folder_ / "robot/a/n.mtl", "newmtl x");
  std::string visuals;
  for (const char* mesh :
       {"a/m.stl", "package://robot/b/m.stl", "b/same.stl", "a/n.obj", "gone.stl"})
    visuals += std::string("<visual><geometry><mesh filename='") + mesh + "'/></geometry></visual>";
  WriteFile(folder_ / "robot/r.urdf",
            "<robot name='r'><link name='l'>" + visuals + "</link></robot>");
  const CommandResult copied = Kinemorph("convert robot/r.urdf out.sdf --copy-assets meshes");
  ASSERT_EQ(copied.exit_code, 0) << copied.err;
  const std::string sdf = FileText(folder_ / "out.sdf");
  for (const char* uri : {"meshes/m.stl", "meshes/m_2.stl", "meshes/n.obj", "gone.stl"})
    EXPECT_THAT(sdf, HasSubstr("<uri>" + std::string(uri) + "</uri>"));
  EXPECT_THAT(sdf, Not(HasSubstr("same.stl")));
  EXPECT_EQ(FileText(folder_ / "meshes/m_2.stl"), "solid two");
  EXPECT_TRUE(fs::exists(folder_ / "meshes/n.mtl"));
  ASSERT_EQ(Kinemorph("convert robot/r.urdf out.urdf --copy-assets m2 --mesh-uri package://r/m2/")
                .exit_code,
            0);
  EXPECT_THAT(FileText(folder_ / "out.urdf"), HasSubstr("package://r/m2/m.stl"));
  // Into the folder that they come from: nothing is written over.
  ASSERT_EQ(Kinemorph("convert robot/r.urdf robot/o.sdf --copy-assets robot/b").exit_code, 0);
  EXPECT_EQ(FileText(folder_ / "robot/b/m.stl"), "solid two");
  EXPECT_EQ(FileText(folder_ / "robot/b/m_2.stl"), "solid one");
  // Nothing is copied for what is not written.
  EXPECT_EQ(Kinemorph("convert robot/r.urdf o.sdf --copy-assets m3 --model nobody").exit_code, 1);
  EXPECT_FALSE(fs::exists(folder_ / "m3"));
}

// What MuJoCo calls a height field and a skin by its numbers, and no other file of that name.
TEST_F(Cli, HeightFieldsAndSkinsGoWithTheFile) {
  fs::create_directories(folder_ / "robot/a");
  const auto words = [](std::initializer_list<unsigned char> numbers, std::size_t rest) {
    std::string bytes;
    for (const unsigned char number : numbers)
      bytes.append(1, static_cast<char>(number)).append(3, '\0');
    return bytes + std::string(rest, '\0');
  };
  WriteFile(folder_ / "robot/a/h.bin", words({2, 3}, 24));
  WriteFile(folder_ / "robot/a/s.skn", words({3, 0, 1, 0}, 48));
  WriteFile(folder_ / "robot/a/other.bin", words({2, 3}, 8));
  WriteFile(folder_ / "robot/r.xml",
            R"(<mujoco><compiler meshdir="a"/><asset><hfield name="h" file="h.bin" size="1 1 1 1"/>
<hfield name="o" file="other.bin" size="1 1 1 1"/></asset><worldbody/>
<deformable><skin name="s" file="s.skn"/></deformable></mujoco>)");
  const CommandResult copied = Kinemorph("convert robot/r.xml out.xml --copy-assets files");
  ASSERT_EQ(copied.exit_code, 0) << copied.err;
  EXPECT_TRUE(fs::exists(folder_ / "files/h.bin"));
  EXPECT_TRUE(fs::exists(folder_ / "files/s.skn"));
  EXPECT_FALSE(fs::exists(folder_ / "files/other.bin"));
  EXPECT_THAT(copied.err, HasSubstr("[asset-not-copied]"));
  for (const char* file : {"\"files/h.bin\"", "\"files/s.skn\"", "\"robot/a/other.bin\""})
    EXPECT_THAT(FileText(folder_ / "out.xml"), HasSubstr(file));
}

TEST_F(Cli, CodeThatAnMbsFileNeedsStandsBesideIt) {
  WriteFile(folder_ / "a.xml", R"(<mujoco><worldbody><body name="a"><inertial pos="0 0 0" mass="1"
    diaginertia="1 1 1"/><joint name="j" axis="0 0 1"/><body name="b"><inertial pos="0 0 0" mass="1"
    diaginertia="1 1 1"/><joint name="k" axis="0 0 1"/></body></body></worldbody>
    <equality><joint joint1="j" joint2="k" polycoef="0 1 0.5 0 0"/></equality></mujoco>)");
  const CommandResult first = Kinemorph("convert a.xml a.mbs");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.err, HasSubstr("[side-file]"));
  const std::string code = FileText(folder_ / "a_user_cons_hJ.c");
  EXPECT_THAT(code, HasSubstr("user_cons_hJ"));
  // A second robot in the folder has code of its own.
  Shell("sed 's/0 1 0.5 0 0/0 2 0.5 0 0/' a.xml > b.xml", folder_.path());
  ASSERT_EQ(Kinemorph("convert b.xml b.mbs").exit_code, 0);
  EXPECT_EQ(FileText(folder_ / "a_user_cons_hJ.c"), code);
  EXPECT_THAT(FileText(folder_ / "b_user_cons_hJ.c"),
              testing::AllOf(HasSubstr("user_cons_hJ"), testing::Ne(code)));
  WriteFile(folder_ / "a_user_cons_hJ.c", "mine");
  EXPECT_THAT(Kinemorph("convert a.xml a.mbs").err, HasSubstr("[side-file-kept]"));
  EXPECT_EQ(FileText(folder_ / "a_user_cons_hJ.c"), "mine");
}

TEST_F(Cli, TheExampleOfEverySubcommandWorks) {
  fs::create_directories(folder_ / "robots");
  fs::create_directories(folder_ / "bin");
  for (const char* copy : {"robot.urdf", "robots/a.urdf"})
    fs::copy_file(kFourBarUrdf, folder_ / copy);
  fs::copy_file(kFourBarSdf, folder_ / "robot.sdf");
  WriteFile(folder_ / "robot.urdf.xacro", "<robot name='r'><link name='a'/></robot>");
  WriteFile(folder_ / "page.html", "<html><!-- kinemorph: the robot stands here --></html>");
  fs::create_symlink(KINEMORPH_COMMAND, folder_ / "bin/kinemorph");
  const auto all = nlohmann::json::parse(Kinemorph("completion json").out);
  std::size_t commands = 0;
  for (const auto& command : all["commands"]) {
    ++commands;
    const std::string help = Kinemorph("help " + command["name"].get<std::string>()).out;
    for (const auto& example : command["examples"]) {
      const auto line = example["line"].get<std::string>();
      EXPECT_THAT(help, HasSubstr("\n  " + line + "\n"));
      const CommandResult result =
          Shell("export KINEMORPH_PAGE=page.html PATH=\"$PWD/bin:$PATH\"; " + line, folder_.path());
      EXPECT_EQ(result.exit_code, 0) << line << "\n" << result.err;
    }
  }
  EXPECT_EQ(commands, 17u);
}

TEST_F(Cli, TheHelpMakesManPages) {
  if (Shell("help2man --version", folder_.path()).exit_code != 0)
    GTEST_SKIP() << "help2man is not installed";
  for (const char* page : {"", " convert", " verify"}) {
    const CommandResult man = Shell(
        "help2man --no-info --version-string=1 '" + std::string(KINEMORPH_COMMAND) + page + "'",
        folder_.path());
    EXPECT_EQ(man.exit_code, 0) << man.err;
    EXPECT_THAT(man.out, HasSubstr(".SH"));
    EXPECT_THAT(man.out, testing::AnyOf(HasSubstr("Examples:"), HasSubstr(".SH EXAMPLES")));
  }
}

TEST_F(Cli, XacroIsExpandedAndMessagesNameItsFiles) {
  WriteFile(folder_ / "leg.xacro",
            "<robot xmlns:xacro='u'>\n<xacro:macro name='leg' params='side'>\n"
            "<joint name='${side}_hip' type='revolt'><parent link='a'/><child link='a'/></joint>\n"
            "</xacro:macro></robot>");
  WriteFile(folder_ / "r.urdf.xacro",
            "<robot name='r' xmlns:xacro='u'>\n<xacro:include filename='leg.xacro'/>\n"
            "<link name='$(arg n)'/>\n<xacro:if value='$(arg legs)'>\n<xacro:leg side='left'/>"
            "</xacro:if></robot>");
  const CommandResult missing = Kinemorph("dump r.urdf.xacro");
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("r.urdf.xacro:3: error:"));
  EXPECT_THAT(missing.err, HasSubstr("[xacro-arg-missing]"));
  const CommandResult good = Kinemorph("dump r.urdf.xacro --xacro-arg n:=a --xacro-arg legs:=0");
  EXPECT_EQ(good.exit_code, 0) << good.err;
  const CommandResult bad =
      Kinemorph("dump r.urdf.xacro --xacro-arg n:=a --xacro-arg legs:=1 --diagnostics json");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.err, HasSubstr("leg.xacro\",\"line\":3"));
  EXPECT_THAT(bad.err, HasSubstr("in macro 'leg', called at r.urdf.xacro:5"));
  const CommandResult text = Kinemorph("expand r.urdf.xacro --xacro-arg n:=a --xacro-arg legs:=0");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.out,
            "<?xml version=\"1.0\" ?>\n<robot name=\"r\">\n  <link name=\"a\"/>\n</robot>\n");
}

TEST_F(Cli, NoEnvKeepsTheEnvironmentFromXacro) {
  WriteFile(
      folder_ / "r.urdf.xacro",
      "<robot name='$(optenv KINEMORPH_SECRET none)' xmlns:xacro='u'><link name='a'/></robot>");
  WriteFile(folder_ / "s.urdf.xacro",
            "<robot name='$(env KINEMORPH_SECRET)' xmlns:xacro='u'><link name='a'/></robot>");
  fs::create_directories(folder_ / "robots");
  fs::copy(folder_ / "s.urdf.xacro", folder_ / "robots");
  const auto run = [&](const std::string& arguments) {
    return Shell("KINEMORPH_SECRET=told " + std::string(KINEMORPH_COMMAND) + " " + arguments,
                 folder_.path());
  };
  EXPECT_THAT(run("expand r.urdf.xacro").out, HasSubstr("told"));
  EXPECT_THAT(run("expand r.urdf.xacro --no-env").out, HasSubstr("<robot name=\"none\">"));
  EXPECT_THAT(run("inspect r.urdf.xacro --no-env --json").out, HasSubstr("\"none\""));
  for (const std::string command :
       {"expand s.urdf.xacro", "check s.urdf.xacro --to sdf", "lint s.urdf.xacro",
        "inspect s.urdf.xacro", "dump s.urdf.xacro", "graph s.urdf.xacro --what cg",
        "convert s.urdf.xacro o.sdf", "verify s.urdf.xacro s.urdf.xacro",
        "diff s.urdf.xacro s.urdf.xacro", "simulate s.urdf.xacro --time 0.01",
        "export s.urdf.xacro -o e --language c", "batch robots -o out --to sdf"}) {
    const CommandResult result = run(command + " --no-env");
    EXPECT_EQ(result.exit_code, 1) << command << result.out << result.err;
    EXPECT_THAT(result.err, HasSubstr("'KINEMORPH_SECRET' is not given to the file (--no-env)"))
        << command;
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("told"))) << command;
  }
  const CommandResult program = run("expand r.urdf.xacro --no-env --xacro=program");
  EXPECT_EQ(program.exit_code, 1) << program.err;
  EXPECT_THAT(program.err, HasSubstr("--no-env: the program xacro reads the environment"));
}

// A name of a file that looks like an option is a file behind --, and never a call for help.
TEST_F(Cli, AnOptionBehindTwoDashesIsAFile) {
  for (const char* name : {"--help=.urdf", "-h.urdf", "--version=.urdf", "-qh.urdf"}) {
    WriteFile(folder_ / name, "<robot name='r'><link name='a'/></robot>");
    for (const std::string command : {"lint", "check --to urdf+", "inspect"}) {
      const CommandResult wrong = Kinemorph(command + " " + name);
      EXPECT_EQ(wrong.exit_code, 2) << command << name << wrong.out;
      const CommandResult good = Kinemorph(command + " -- " + name);
      EXPECT_EQ(good.exit_code, 0) << command << name << good.err;
    }
    WriteFile(folder_ / name, "broken");
    EXPECT_EQ(Kinemorph("lint -- " + std::string(name)).exit_code, 1) << name;
  }
}

// A package that is known, and a file of it that is not there.
TEST_F(Cli, AMissingFileOfAKnownPackageIsNotOutside) {
  fs::create_directories(folder_ / "all/one/urdf");
  fs::create_directories(folder_ / "all/two");
  WriteFile(folder_ / "all/one/package.xml", "<package><name>one</name></package>");
  WriteFile(folder_ / "all/two/package.xml", "<package><name>two</name></package>");
  WriteFile(folder_ / "all/one/urdf/r.urdf.xacro",
            "<robot name='r' xmlns:xacro='u'><xacro:include filename='$(find "
            "two)/absent.xacro'/></robot>");
  const CommandResult result = Kinemorph("expand all/one/urdf/r.urdf.xacro --package-path all");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("not found in the folder of its package"));
  EXPECT_THAT(result.err, Not(HasSubstr("outside")));
}

// What has the name of the package and no manifest is named, not called unknown.
TEST_F(Cli, AFolderWithTheNameOfAPackageIsSaid) {
  fs::create_directories(folder_ / "arm/urdf");
  WriteFile(folder_ / "arm/urdf/a.xacro",
            "<robot xmlns:xacro='http://www.ros.org/wiki/xacro' name='a'><xacro:include "
            "filename='$(find arm)/urdf/gone.xacro'/></robot>");
  const CommandResult result = Kinemorph("expand arm/urdf/a.xacro");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("not found in " + (folder_ / "arm").string() +
                                    ", which has the name of package 'arm': name"));
  EXPECT_THAT(result.err, HasSubstr("--package arm=DIR"));
}

// $(find) knows the folder that it is in by its own name.
TEST_F(Cli, AFolderWithoutManifestIsThePackageOfItsName) {
  fs::create_directories(folder_ / "arm/urdf");
  WriteFile(folder_ / "arm/part.xacro", "<robot xmlns:xacro='u'><link name='a'/></robot>");
  WriteFile(
      folder_ / "arm/urdf/r.urdf.xacro",
      "<robot name='r' xmlns:xacro='u'><xacro:include filename='$(find arm)/part.xacro'/></robot>");
  EXPECT_THAT(Kinemorph("expand arm/urdf/r.urdf.xacro").out, HasSubstr("<link name=\"a\"/>"));
  const CommandResult inside = Shell(std::string(KINEMORPH_COMMAND) + " expand r.urdf.xacro",
                                     (folder_ / "arm/urdf").string());
  EXPECT_THAT(inside.out, HasSubstr("<link name=\"a\"/>")) << inside.err;
}

TEST_F(Cli, XacroSeesTheEnvironmentAndTheWorkingFolder) {
  WriteFile(folder_ / "r.urdf.xacro",
            "<robot name='$(env KINEMORPH_NAME)' xmlns:xacro='u'><link name='$(cwd)'/></robot>");
  const CommandResult run =
      Shell("KINEMORPH_NAME=arm " + std::string(KINEMORPH_COMMAND) + " expand r.urdf.xacro",
            folder_.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("<robot name=\"arm\">"));
  EXPECT_THAT(run.out, HasSubstr(fs::path(folder_.path()).filename().string()));
}

TEST_F(Cli, LossesNameTheMacroCallsThatMadeTheElement) {
  WriteFile(folder_ / "r.urdf.xacro",
            "<robot name='r' xmlns:xacro='u'>\n<xacro:macro name='leg' params='n'>\n"
            "<link name='l${n}'><contact/></link>\n<joint name='j${n}' type='fixed'>"
            "<parent link='base'/><child link='l${n}'/></joint></xacro:macro>\n"
            "<link name='base'/>\n<xacro:leg n='1'/></robot>");
  const std::string call = "in macro 'leg', called at r.urdf.xacro:6";
  const CommandResult brief = Kinemorph("convert r.urdf.xacro -o r.xml");
  EXPECT_EQ(brief.exit_code, 0) << brief.err;
  EXPECT_THAT(brief.err, HasSubstr("r.urdf.xacro:3: warning: <contact> of link 'l1'"));
  EXPECT_THAT(brief.err, Not(HasSubstr("in macro")));
  EXPECT_THAT(Kinemorph("convert r.urdf.xacro -o r.xml --verbose").err, HasSubstr(call));
  for (const char* report : {"losses.md", "losses.json"}) {
    EXPECT_EQ(
        Kinemorph("convert r.urdf.xacro -o r.xml --loss-report " + std::string(report)).exit_code,
        0);
    EXPECT_THAT(FileText(folder_ / report), HasSubstr(call)) << report;
  }
  EXPECT_THAT(Kinemorph("check r.urdf.xacro --to mjcf --verbose").out, HasSubstr(call));
}

TEST_F(Cli, XacroIsRunWhereItIsAskedFor) {
  WriteFile(folder_ / "r.urdf.xacro",
            "<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><link name='${n}'/></robot>");
  EXPECT_THAT(Kinemorph("convert r.urdf.xacro r.sdf --no-xacro").err,
              HasSubstr("run: kinemorph expand "));
  fs::create_directories(folder_ / "bin");
  WriteFile(folder_ / "bin/xacro",
            "#!/bin/sh\n[ \"$4\" = n:=a ] || { echo no n; exit 2; }\n"
            "echo noise\nsed 's/${n}/a/' \"$1\" > \"$3\"\n");
  fs::permissions(folder_ / "bin/xacro", fs::perms::owner_all);
  const auto run = [&](const std::string& arguments) {
    return Shell("PATH=\"$PWD/bin:$PATH\" " + std::string(KINEMORPH_COMMAND) + " " + arguments,
                 folder_.path());
  };
  const CommandResult done = run("convert r.urdf.xacro r.sdf --xacro program --xacro-arg n:=a");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("[xacro-expanded]"));
  EXPECT_THAT(FileText(folder_ / "r.sdf"), HasSubstr("<link name=\"a\">"));
  const CommandResult failed = run("convert r.urdf.xacro r2.sdf --xacro program");
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err, HasSubstr("no n"));
  EXPECT_FALSE(fs::exists(folder_ / "r2.sdf"));
}

TEST_F(Cli, MissingFilesAreInputErrors) {
  const CommandResult result = Kinemorph("dump nowhere.urdf");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("'nowhere.urdf' cannot be read"));
  EXPECT_EQ(Kinemorph("convert " + kFourBarUrdf + " -o no/such/folder/out.sdf").exit_code, 1);
}

TEST_F(Cli, BatchConvertsATreeResumesAndReports) {
  fs::create_directories(folder_ / "src/sub");
  fs::copy_file(kFourBarUrdf, folder_ / "src/a.urdf");
  fs::copy_file(kFourBarSdf, folder_ / "src/sub/b.sdf");
  WriteFile(folder_ / "src/bad.urdf", "<robot");
  WriteFile(folder_ / "src/notes.txt", "not a robot");
  const CommandResult first = Kinemorph("batch src -o dst --to sdf --report report.jsonl -j 2");
  EXPECT_EQ(first.exit_code, 1) << first.err;
  EXPECT_EQ(first.out, "converted 2, skipped 0, failed 1 of 3\n");
  EXPECT_TRUE(fs::exists(folder_ / "dst/a.sdf"));
  EXPECT_TRUE(fs::exists(folder_ / "dst/sub/b.sdf"));
  std::istringstream lines(FileText(folder_ / "report.jsonl"));
  std::vector<std::string> sources;
  for (std::string line; std::getline(lines, line);) sources.push_back(json::parse(line)["source"]);
  EXPECT_THAT(sources, testing::ElementsAre("a.urdf", "bad.urdf", "sub/b.sdf"));
  EXPECT_EQ(Kinemorph("batch src -o dst --to sdf --resume").out,
            "converted 0, skipped 2, failed 1 of 3\n");
  EXPECT_EQ(Kinemorph("batch src -o dst2 --to sdf --shard 1/3").out,
            "converted 1, skipped 0, failed 0 of 1\n");
  EXPECT_EQ(Kinemorph("batch src -o dst3 --to sdf --shard 10000/10000").exit_code, 0);
  EXPECT_EQ(Kinemorph("batch src -o dst4 --to sdf --shard 1/1").out,
            "converted 2, skipped 0, failed 1 of 3\n");
}

}  // namespace
}  // namespace kinemorph::test
