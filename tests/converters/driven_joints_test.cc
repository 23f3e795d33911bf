// Which joint is independent where nobody declares it: what a program may command, and never what
// only follows another joint. The same choice holds for everything that is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "conversion.h"
#include "convert_text.h"
#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/start_posture.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Joined(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return out;
}

// Of what loops and couplings constrain, sorted by name.
std::set<std::string> IndependentOf(const Model& model) {
  const Mechanism m = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  std::set<std::string> names;
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    if (m.aggregates[a].rows == 0) continue;
    for (const int column : coordinates.aggregates[a].independent)
      names.insert(m.names[static_cast<std::size_t>(
          m.aggregates[a].velocity[static_cast<std::size_t>(column)])]);
  }
  return names;
}

std::string Independent(const std::string& text, const std::string& file) {
  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(text, file, diagnostics);
  EXPECT_TRUE(model && !diagnostics.has_errors()) << Rendered(diagnostics);
  return model ? Joined(IndependentOf(*model)) : "";
}

// URDF: each joint is KIND-less text behind the fixed limits.
struct Hinge {
  std::string name, parent, child, more = "", effort = "5";
};

std::string Urdf(const std::vector<Hinge>& joints, const std::string& more = "") {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' "
      "iyz='0'/></inertial>";
  std::set<std::string> links;
  std::string text;
  for (const Hinge& each : joints) {
    for (const std::string& link : {each.parent, each.child})
      if (links.insert(link).second) text += "<link name='" + link + "'>" + inertial + "</link>";
    text += "<joint name='" + each.name +
            "' type='revolute'><origin xyz='0.1 0 0.1'/><parent link='" + each.parent +
            "'/><child link='" + each.child +
            "'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' velocity='1' effort='" +
            each.effort + "'/>" + each.more + "</joint>";
  }
  return "<robot name='r'>" + text + more + "</robot>";
}
std::string Mimic(const std::string& leader) {
  return "<mimic joint='" + leader + "' multiplier='-2'/>";
}
std::string Transmission(const std::string& joint) {
  return "<transmission name='t_" + joint +
         "'><type>transmission_interface/SimpleTransmission</type><joint name='" + joint +
         "'/><actuator name='m_" + joint + "'/></transmission>";
}
std::string Control(const std::string& joint, const std::string& inside) {
  return "<ros2_control name='c' type='system'><hardware><plugin>p</plugin></hardware><joint "
         "name='" +
         joint + "'>" + inside + "<state_interface name='position'/></joint></ros2_control>";
}

TEST(DrivenJoints, TheFollowerOfAMimicIsNeverIndependent) {
  const std::vector<Hinge> hand = {{"tip", "palm", "b", Mimic("knuckle")},
                                   {"knuckle", "palm", "a"},
                                   {"other", "a", "c", Mimic("knuckle")}};
  EXPECT_EQ(Independent(Urdf(hand), "r.urdf"), "knuckle");
  // Not even where a drive stands on it, or its leader has no effort.
  EXPECT_EQ(Independent(Urdf(hand, Transmission("tip")), "r.urdf"), "knuckle");
  EXPECT_EQ(
      Independent(Urdf(hand, Control("tip", "<command_interface name='position'/>")), "r.urdf"),
      "knuckle");
  std::vector<Hinge> weak = hand;
  weak[1].effort = "0";
  EXPECT_EQ(Independent(Urdf(weak), "r.urdf"), "knuckle");
}

TEST(DrivenJoints, AChainOfMimicsIsLedByItsHead) {
  EXPECT_EQ(Independent(Urdf({{"third", "palm", "c", Mimic("second")},
                              {"second", "palm", "b", Mimic("first")},
                              {"first", "palm", "a"}}),
                        "r.urdf"),
            "first");
}

TEST(DrivenJoints, OfMimicsThatFollowEachOtherOneLeads) {
  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(
      Urdf({{"a", "palm", "x", "<mimic joint='b'/>"}, {"b", "palm", "y", "<mimic joint='a'/>"}}),
      "r.urdf", diagnostics);
  if (!model) return;  // or it is refused
  EXPECT_EQ(IndependentOf(*model).size(), 1u);
}

// A large ratio changes nothing: a spindle.
TEST(DrivenJoints, ALargeRatioChangesNothing) {
  for (const char* ratio : {"1000", "50000", "1e-6"})
    EXPECT_EQ(Independent(Urdf({{"slow", "palm", "b",
                                 std::string("<mimic joint='fast' multiplier='") + ratio + "'/>"},
                                {"fast", "palm", "a"}}),
                          "r.urdf"),
              "fast")
        << ratio;
}

// SDFormat: bars in the plane y = 0, hinges about y with an effort limit each.
struct Bar {
  std::string name;
  double x, z;
};
struct Pin {
  std::string name, parent, child, effort;  // "": without a limit
  double x = 0, z = 0;                      // from the child
};

std::string Sdf(const std::vector<Bar>& bars, const std::vector<Pin>& pins,
                const std::string& more = "") {
  std::string text =
      "<joint name='ground' type='fixed'><parent>world</parent><child>base</child></joint>";
  for (const Bar& bar : bars)
    text +=
        "<link name='" + bar.name + "'><pose>" + std::to_string(bar.x) + " 0 " +
        std::to_string(bar.z) +
        " 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz>"
        "</inertia></inertial></link>";
  for (const Pin& pin : pins)
    text += "<joint name='" + pin.name + "' type='revolute'><pose>" + std::to_string(pin.x) +
            " 0 " + std::to_string(pin.z) + " 0 0 0</pose><parent>" + pin.parent +
            "</parent><child>" + pin.child + "</child><axis><xyz>0 1 0</xyz>" +
            (pin.effort.empty() ? ""
                                : "<limit><lower>-1</lower><upper>1</upper><effort>" + pin.effort +
                                      "</effort></limit>") +
            "</axis></joint>";
  return "<sdf version='1.9'><model name='m'>" + text + more + "</model></sdf>";
}

// A parallelogram: drive at the base, pin_1 at its tip, pin_2 at the base, and the loop.
std::string FourBar(const std::string& drive, const std::string& pin_1, const std::string& pin_2,
                    const std::string& more = "") {
  return Sdf({{"base", 0, 0}, {"crank", 0, 0}, {"coupler", 0, 0.2}, {"rocker", 0.3, 0}},
             {{"drive", "base", "crank", drive},
              {"pin_1", "crank", "coupler", pin_1},
              {"pin_2", "base", "rocker", pin_2},
              {"closing", "rocker", "coupler", "", 0.3, 0}},
             more);
}

// Mobility 2.
std::string FiveBar(const std::vector<std::string>& effort, const std::string& more = "") {
  return Sdf({{"base", 0, 0}, {"a1", 0, 0}, {"a2", -0.1, 0.2}, {"b1", 0.4, 0}, {"b2", 0.5, 0.2}},
             {{"left", "base", "a1", effort[0]},
              {"left_elbow", "a1", "a2", effort[1]},
              {"right", "base", "b1", effort[2]},
              {"right_elbow", "b1", "b2", effort[3]},
              {"tip", "a2", "b2", "", -0.3, 0.3}},
             more);
}

// A drive of gz sim.
std::string Drive(const std::string& joint) {
  return "<plugin filename='gz-sim-joint-controller-system' "
         "name='gz::sim::systems::JointController'>"
         "<joint_name>" +
         joint + "</joint_name></plugin>";
}

TEST(DrivenJoints, AnEffortLimitComesBeforeNoneAndZeroLast) {
  EXPECT_EQ(Independent(FourBar("20", "0", "0"), "m.sdf"), "drive");
  EXPECT_EQ(Independent(FourBar("0", "20", "0"), "m.sdf"), "pin_1");
  EXPECT_EQ(Independent(FourBar("0", "0", "20"), "m.sdf"), "pin_2");
  EXPECT_EQ(Independent(FourBar("0", "0", ""), "m.sdf"), "pin_2");
}

TEST(DrivenJoints, ADriveComesBeforeAnEffortLimit) {
  EXPECT_EQ(Independent(FourBar("20", "0", "0", Drive("pin_1")), "m.sdf"), "pin_1");
  EXPECT_EQ(Independent(FourBar("20", "20", "20", Drive("pin_2")), "m.sdf"), "pin_2");
  // What only publishes drives nothing.
  EXPECT_EQ(Independent(FourBar("20", "0", "0",
                                "<plugin filename='gz-sim-joint-state-publisher-system' name='p'>"
                                "<joint_name>pin_2</joint_name></plugin>"),
                        "m.sdf"),
            "drive");
}

// A drive far from the base stays in the tree although a joint nearer the root would be cut later.
TEST(DrivenJoints, AJointWithAnEffortIsNotCut) {
  const auto bar = [](const char* closing) {
    return Sdf({{"base", 0, 0}, {"crank", 0, 0}, {"coupler", 0, 0.2}, {"rocker", 0.3, 0}},
               {{"ground_1", "base", "crank", "0"},
                {"pin_1", "crank", "coupler", "0"},
                {"pin_2", "base", "rocker", "0"},
                {"far", "rocker", "coupler", closing, 0.3, 0}});
  };
  EXPECT_EQ(Independent(bar("20"), "m.sdf"), "far");
}

TEST(DrivenJoints, DrivesThatDoNotDetermineEverythingAreFilledUp) {
  EXPECT_EQ(Independent(FiveBar({"5", "0", "5", "0"}), "m.sdf"), "left right");
  EXPECT_EQ(Independent(FiveBar({"0", "5", "0", "5"}), "m.sdf"), "left_elbow right_elbow");
  EXPECT_EQ(Independent(FiveBar({"0", "0", "5", "0"}, Drive("left_elbow")), "m.sdf"),
            "left_elbow right");
  EXPECT_EQ(Independent(FiveBar({"0", "", "0", "0"}, Drive("right_elbow")), "m.sdf"),
            "left_elbow right_elbow");
}

TEST(DrivenJoints, OfDrivesThatDetermineEachOtherOneIsIndependent) {
  const std::string both = FourBar("0", "0", "0", Drive("pin_1") + Drive("pin_2"));
  const std::string one = Independent(both, "m.sdf");
  EXPECT_TRUE(one == "pin_1" || one == "pin_2") << one;
  EXPECT_EQ(Independent(
                FiveBar({"0", "0", "0", "0"}, Drive("left") + Drive("left_elbow") + Drive("right")),
                "m.sdf")
                .find("right_elbow"),
            std::string::npos);
}

TEST(DrivenJoints, TheChildOfAGearboxFollows) {
  const auto gear = [](const std::string& more) {
    return Sdf(
        {{"base", 0, 0}, {"motor", 0, 0}, {"arm", 0.3, 0}},
        {{"second", "base", "arm", "5"}, {"first", "base", "motor", "5"}},
        "<joint name='gear' type='gearbox'><parent>motor</parent><child>arm</child><axis><xyz>0 1 "
        "0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2><gearbox_ratio>100</gearbox_ratio>"
        "<gearbox_reference_body>base</gearbox_reference_body></joint>" +
            more);
  };
  EXPECT_EQ(Independent(gear(""), "m.sdf"), "first");
  EXPECT_EQ(Independent(gear(Drive("first")), "m.sdf"), "first");
  // A gearbox can be turned from both ends: a drive says from which.
  EXPECT_EQ(Independent(gear(Drive("second")), "m.sdf"), "second");
}

TEST(DrivenJoints, TheSuccessorOfACouplingFollows) {
  const std::string coupling =
      "<coupling name='belt'><predecessor link='rotor'/><successor link='shank'/><ratio "
      "value='120'/></coupling>";
  const auto leg = [&](const std::string& of_shank, const std::string& more = "") {
    return Urdf({{"knee", "thigh", "shank", "", of_shank}, {"rotor_joint", "thigh", "rotor"}},
                coupling + more);
  };
  EXPECT_EQ(Independent(leg("5"), "r.urdf"), "rotor_joint");
  EXPECT_EQ(Independent(leg("5", Transmission("rotor_joint")), "r.urdf"), "rotor_joint");
  EXPECT_EQ(Independent(leg("5", Transmission("knee")), "r.urdf"), "knee");
}

TEST(DrivenJoints, WhatIsDeclaredComesFirst) {
  const auto leg = [](const char* knee, const char* rotor) {
    std::string text = Urdf({{"knee", "thigh", "shank"}, {"rotor_joint", "thigh", "rotor"}},
                            "<coupling name='belt'><predecessor link='rotor'/><successor "
                            "link='shank'/><ratio value='9'/></coupling>" +
                                Transmission("rotor_joint"));
    for (const auto& [joint, word] : {std::pair{"knee", knee}, {"rotor_joint", rotor}}) {
      const std::string name = "name='" + std::string(joint) + "'";
      text.insert(text.find(name), "independent='" + std::string(word) + "' ");
    }
    return text;
  };
  EXPECT_EQ(Independent(leg("true", "false"), "r.urdf"), "knee");
  EXPECT_EQ(Independent(leg("false", "true"), "r.urdf"), "rotor_joint");
}

std::string Mjcf(const std::string& joint_a, const std::string& joint_b, const std::string& more) {
  return "<mujoco><worldbody><body name='a'><joint name='one' axis='0 1 0' " + joint_a +
         "/><geom size='0.1'/></body><body name='b' pos='1 0 0'><joint name='two' axis='0 1 0' " +
         joint_b + "/><geom size='0.1'/></body></worldbody>" + more + "</mujoco>";
}

TEST(DrivenJoints, TheFirstJointOfAnEqualityFollowsUnlessItAloneIsDriven) {
  const std::string line = "<equality><joint joint1='one' joint2='two' polycoef='0 3'/></equality>",
                    curve =
                        "<equality><joint joint1='one' joint2='two' polycoef='0 3 1'/></equality>",
                    motor_one = "<actuator><motor joint='one'/></actuator>",
                    motor_two = "<actuator><motor joint='two'/></actuator>",
                    both = "<actuator><motor joint='one'/><motor joint='two'/></actuator>";
  EXPECT_EQ(Independent(Mjcf("", "", line), "m.xml"), "two");
  EXPECT_EQ(Independent(Mjcf("actuatorfrcrange='-1 1'", "", line), "m.xml"), "two");
  EXPECT_EQ(Independent(Mjcf("", "", line + motor_two), "m.xml"), "two");
  EXPECT_EQ(Independent(Mjcf("", "", line + both), "m.xml"), "two");
  EXPECT_EQ(Independent(Mjcf("", "", line + motor_one), "m.xml"), "one");
  // A polynomial cannot be turned round.
  EXPECT_EQ(Independent(Mjcf("", "", curve + motor_one), "m.xml"), "two");
}

TEST(DrivenJoints, ATendonHasNoDirectionAndItsDriveMovesAllItsJoints) {
  const std::string tendon =
      "<tendon><fixed name='t'><joint joint='one' coef='1'/><joint joint='two' coef='-40'/></fixed>"
      "<fixed name='pull'><joint joint='two' coef='1'/></fixed></tendon>";
  const std::string tie = tendon + "<equality><tendon tendon1='t'/></equality>";
  EXPECT_EQ(Independent(Mjcf("", "actuatorfrcrange='-1 1'", tie), "m.xml"), "two");
  EXPECT_EQ(Independent(Mjcf("actuatorfrcrange='-1 1'", "", tie), "m.xml"), "one");
  EXPECT_EQ(Independent(Mjcf("actuatorfrcrange='-1 1'", "",
                             tie + "<actuator><motor joint='two'/></actuator>"),
                        "m.xml"),
            "two");
  EXPECT_EQ(Independent(Mjcf("actuatorfrcrange='-1 1'", "",
                             tie + "<actuator><motor tendon='pull'/></actuator>"),
                        "m.xml"),
            "two");
}

// The loop hangs on a trunk that flies: its six coordinates are not the loop's business.
TEST(DrivenJoints, AFloatingBaseStaysIndependent) {
  const std::string bars =
      "<mujoco><worldbody><body name='trunk'><freejoint name='root'/><geom size='0.1'/>"
      "<body name='crank'><joint name='pin_0' axis='0 1 0'/><geom size='0.1'/>"
      "<body name='coupler' pos='0 0 0.2'><joint name='drive' axis='0 1 0'/><geom "
      "size='0.1'/></body></body>"
      "<body name='rocker' pos='0.3 0 0'><joint name='pin_2' axis='0 1 0'/><geom "
      "size='0.1'/></body>"
      "</body></worldbody><equality><connect body1='coupler' body2='rocker' anchor='0.3 0 "
      "0'/></equality>"
      "<actuator><motor joint='drive'/></actuator></mujoco>";
  EXPECT_EQ(Independent(bars, "m.xml"), "drive");
  // Tied to the world too: six legs of a platform, each driven, carry it; without drives it leads.
  const auto platform = [](const std::string& drives) {
    return "<mujoco><worldbody><body name='trunk' pos='0 0 1'><freejoint name='root'/><geom "
           "size='0.1'/>"
           "</body><body name='leg'><joint name='lift' type='slide' axis='0 0 1'/><geom "
           "size='0.1'/>"
           "</body></worldbody><equality><connect body1='trunk' body2='leg' anchor='0 0 "
           "-1'/></equality>" +
           drives + "</mujoco>";
  };
  EXPECT_THAT(Independent(platform("<actuator><motor joint='lift'/></actuator>"), "m.xml"),
              HasSubstr("lift"));
  EXPECT_THAT(Independent(platform(""), "m.xml"), Not(HasSubstr("lift")));
}

// What is written.

ConversionResult Written(const std::string& text, const std::string& from, const std::string& to,
                         const std::function<void(ConversionRequest&)>& change = {}) {
  ConversionRequest request;
  request.to = to;
  request.out = "out";
  if (change) change(request);
  ConversionResult result = ConvertText(text, request, from);
  EXPECT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  return result;
}

std::string NotesOf(const ConversionResult& result) {
  return Rendered(result.diagnostics, Severity::kNote);
}

TEST(DrivenJoints, TheMotorMimicsNoPin) {
  const std::string urdf =
      Written(FourBar("20", "0", "0"), "sdf", "urdf", [](ConversionRequest& r) {
        r.options.target.options.loops = LoopChoice::kNone;
      }).files.text;
  EXPECT_EQ(Independent(urdf, "out.urdf"), "drive");
  std::size_t led = 0;
  for (std::size_t at = 0; (at = urdf.find("<mimic joint=\"drive\"", at)) != std::string::npos;
       ++at)
    ++led;
  EXPECT_EQ(led, 2u) << urdf;
}

TEST(DrivenJoints, ADrivenEqualityIsTurnedIntoAMimicOfTheDrive) {
  const std::string urdf =
      Written(Mjcf("range='-1 1'", "range='-1 1'",
                   "<equality><joint joint1='one' joint2='two' polycoef='0.5 4'/></equality>"
                   "<actuator><motor joint='one'/></actuator>"),
              "mjcf", "urdf")
          .files.text;
  EXPECT_THAT(urdf, HasSubstr("<mimic joint=\"one\" multiplier=\"0.25\" offset=\"-0.125\"/>"));
}

// The reason stands beside the choice, and is the source's, although MBS holds no efforts.
TEST(DrivenJoints, ATargetWithoutEffortsGetsTheChoiceOfTheSource) {
  const ConversionResult mbs = Written(FourBar("0", "20", "0"), "sdf", "mbs");
  EXPECT_THAT(NotesOf(mbs),
              HasSubstr("kinemorph chose 'pin_1' (with an effort limit), dependent are"));
  EXPECT_EQ(Independent(mbs.files.text, "out.mbs"), "pin_1");
  const ConversionResult plus =
      Written(FiveBar({"0", "", "5", "0"}, Drive("left")), "sdf", "urdf+");
  EXPECT_THAT(NotesOf(plus),
              HasSubstr("kinemorph chose 'left' (driven), 'right' (with an effort limit), "
                        "dependent are"));
  EXPECT_EQ(Independent(plus.files.text, "out.urdf"), "left right");
}

TEST(DrivenJoints, OnlyIndependentJointsGetMotors) {
  const auto motors = [](ConversionRequest& r) { r.options.motors = true; };
  const std::string bars = Written(FourBar("20", "0", "0"), "sdf", "mjcf", motors).files.text;
  EXPECT_THAT(bars, HasSubstr("joint=\"drive\""));
  EXPECT_THAT(bars, Not(HasSubstr("pin_1_motor")));
  EXPECT_THAT(bars, Not(HasSubstr("pin_2_motor")));
  const std::string hand =
      Written(Urdf({{"tip", "palm", "b", Mimic("knuckle")}, {"knuckle", "palm", "a"}}), "urdf",
              "mjcf", motors)
          .files.text;
  EXPECT_THAT(hand, HasSubstr("knuckle_motor"));
  EXPECT_THAT(hand, Not(HasSubstr("tip_motor")));
  const std::string free =
      Written(Urdf({{"shoulder", "palm", "b"}, {"elbow", "b", "a"}}), "urdf", "mjcf", motors)
          .files.text;
  EXPECT_THAT(free, HasSubstr("elbow_motor"));
}

void WithControl(ConversionRequest& r) {
  r.options.target.options.side_cars = {"ros2_control"};
  r.options.target.options.hardware_plugin = "p";
}

TEST(DrivenJoints, Ros2ControlCommandsLeadersOnlyAndListsThemBesideTheirFollowers) {
  const std::string urdf =
      Written(Urdf({{"tip", "palm", "b", Mimic("knuckle")}, {"knuckle", "palm", "a"}}), "urdf",
              "urdf", WithControl)
          .files.text;
  const std::string block = urdf.substr(urdf.find("<ros2_control"));
  const auto of = [&](const std::string& joint) {
    const std::size_t at = block.find("<joint name=\"" + joint + "\"");
    return at == std::string::npos ? "" : block.substr(at, block.find("</joint>", at) - at);
  };
  EXPECT_THAT(of("knuckle"), HasSubstr("command_interface"));
  EXPECT_THAT(of("tip"), HasSubstr("state_interface"));
  EXPECT_THAT(of("tip"), Not(HasSubstr("command_interface")));
}

TEST(DrivenJoints, TheSideCarsOfALoopCommandTheDrive) {
  const ConversionResult urdf =
      Written(FourBar("20", "20", "20", Drive("pin_2")), "sdf", "urdf", [](ConversionRequest& r) {
        WithControl(r);
        r.options.target.options.loops = LoopChoice::kNone;
      });
  std::size_t commands = 0;
  const std::string& text = urdf.files.text;
  for (std::size_t at = 0; (at = text.find("<command_interface", at)) != std::string::npos; ++at)
    ++commands;
  EXPECT_EQ(commands, 1u) << text;
  ASSERT_EQ(urdf.files.side_files.size(), 1u);
  EXPECT_THAT(urdf.files.side_files[0].text, HasSubstr("<passive_joint name=\"drive\"/>"));
  EXPECT_THAT(urdf.files.side_files[0].text, Not(HasSubstr("<passive_joint name=\"pin_2\"/>")));
  const ConversionResult usd =
      Written(FourBar("20", "0", "0"), "sdf", "usda",
              [](ConversionRequest& r) { r.options.target.options.side_cars = {"isaaclab"}; });
  ASSERT_EQ(usd.files.side_files.size(), 1u);
  EXPECT_THAT(usd.files.side_files[0].text, HasSubstr("DRIVEN_JOINTS = [\"drive\"]"));
}

// Robots of others: no follower is independent, and no block commands one.
TEST(DrivenJoints, InRealRobotsLeadersAndDrivesAreIndependent) {
  std::size_t robots = 0;
  for (const std::string& path : FilesBelow(Shared() + "/corpus", {".urdf"})) {
    const std::string text = ReadAll(path);
    if (text.find("<mimic") == std::string::npos) continue;
    Diagnostics diagnostics;
    const std::optional<Model> model = ReadText(text, path, diagnostics);
    if (!model || diagnostics.has_errors()) continue;
    ++robots;
    std::set<std::string> followers;
    for (const Coupling& coupling : model->couplings)
      if (coupling.form == CouplingForm::kMimic)
        followers.insert(model->joint(coupling.terms[0].coordinate.joint).name);
    for (const std::string& name : IndependentOf(*model))
      EXPECT_FALSE(followers.contains(name)) << path << ": " << name;
  }
  if (robots == 0) GTEST_SKIP() << "skipped: no ../shared/data/corpus";
  EXPECT_GT(robots, 20u);
}

// What is written for a target, with its proof, and read back.
ConversionResult Proved(const std::string& text, const std::string& to) {
  ConversionRequest request;
  request.to = to;
  request.out = "o" + Extension(to);
  request.verify = true;
  ConversionResult result = ConvertText(text, request);
  EXPECT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  return result;
}
std::optional<Model> ProvedAndRead(const std::string& text, const std::string& to) {
  Diagnostics said;
  std::optional<Model> read = ReadText(Proved(text, to).files.text, "o" + Extension(to), said);
  EXPECT_TRUE(read) << Rendered(said);
  return read;
}

// What a drive allows stays as the limit of its joint where the drive goes.
TEST(DrivenJoints, KeepTheEffortOfTheirDrives) {
  const auto efforts = [](const std::string& drives, const std::string& to, const char* more = "") {
    const std::string text =
        "<mujoco model='m'><worldbody><body name='a'>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint name='j' axis='0 1 0' " +
        std::string(more) + "/></body></worldbody><actuator>" + drives + "</actuator></mujoco>";
    const std::optional<Model> read = ProvedAndRead(text, to);
    const auto joint = read ? read->FindJoint("j") : std::nullopt;
    const auto effort = joint ? read->joint(*joint).axes.at(0).effort : std::nullopt;
    return effort.value_or(0) < FormatLimits::kNone ? effort : std::nullopt;
  };
  const std::string motor = "<motor name='d' joint='j' gear='-10' ctrlrange='-1 2'/>",
                    servo = "<position name='s' joint='j' kp='50' ctrlrange='-1 1'";
  for (const char* to : {"urdf", "sdf", "usda"}) {
    EXPECT_EQ(efforts(motor, to), 20) << to << ": gear times range";
    EXPECT_EQ(efforts(servo + " forcerange='-7 7'/>", to), 7) << to;
    EXPECT_EQ(efforts(motor + servo + " forcerange='-7 7'/>", to), 27) << to << ": both together";
    EXPECT_EQ(efforts(motor, to, "actuatorfrcrange='-3 3'"), 3) << to << ": the joint's own word";
    EXPECT_FALSE(efforts(servo + "/>", to)) << to << ": a servo pulls as hard as it must";
    EXPECT_FALSE(efforts(motor + "<motor joint='j'/>", to)) << to;
  }
}

// Three arms on hinges, and two rods with balls at their ends from each to a plate: a delta robot.
std::string Delta() {
  const auto at = [](double x, double y, double z) {
    return "<pose relative_to='base'>" + std::to_string(x) + ' ' + std::to_string(y) + ' ' +
           std::to_string(z) + " 0 0 0</pose>";
  };
  const auto joint = [](const std::string& name, const std::string& pose, const std::string& parent,
                        const std::string& child, const std::string& axis) {
    return "<joint name='" + name + "' type='" + (axis.empty() ? "ball" : "revolute") + "'>" +
           pose + "<parent>" + parent + "</parent><child>" + child + "</child>" + axis + "</joint>";
  };
  std::string links = "<link name='base'/><link name='plate'/>", joints;
  for (int k = 0; k < 3; ++k) {
    const double c = std::cos(2 * M_PI * k / 3), s = std::sin(2 * M_PI * k / 3);
    const std::string i = std::to_string(k);
    links += "<link name='arm" + i + "'/>";
    joints +=
        joint("hip" + i, at(.2 * c, .2 * s, 0), "base", "arm" + i,
              "<axis><xyz>" + std::to_string(-s) + ' ' + std::to_string(c) + " 0</xyz></axis>");
    for (const double d : {-.05, .05}) {
      const std::string rod = i + (d < 0 ? "l" : "r");
      links += "<link name='rod" + rod + "'/>";
      joints += joint("elbow" + rod, at(.35 * c - d * s, .35 * s + d * c, -.2), "arm" + i,
                      "rod" + rod, "");
      joints +=
          joint("end" + rod, at(.08 * c - d * s, .08 * s + d * c, -.6), "plate", "rod" + rod, "");
    }
  }
  return "<sdf version='1.9'><model name='delta'>" + links + joints +
         "<joint name='floor' type='fixed'><parent>world</parent><child>base</child></joint>"
         "</model></sdf>";
}

// A ball is written as three hinges: the spins of rods that these leave are not what one commands.
TEST(DrivenJoints, PartsOfBallsAreNoRatherIndependentThanHingesAre) {
  for (const char* target : {"urdf+", "mbs"}) {
    Diagnostics diagnostics;
    const std::optional<Model> source = ReadText(Delta(), "delta.sdf", diagnostics);
    ASSERT_TRUE(source) << Rendered(diagnostics);
    ConvertOptions options;
    options.target = TargetNamed(target);
    const std::optional<Converted> converted = Convert(*source, options, diagnostics);
    ASSERT_TRUE(converted) << Rendered(diagnostics);
    const std::optional<Model> written =
        ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), diagnostics);
    ASSERT_TRUE(written) << Rendered(diagnostics);
    for (const char* hip : {"hip0", "hip1", "hip2"})
      EXPECT_EQ(written->joint(*written->FindJoint(hip)).independent, true)
          << target << ": " << Joined(IndependentOf(*written));
  }
}

// The key "home" is where a MuJoCo model starts, else the only key; a file with others says nothing.
TEST(StartPositions, AreThoseOfTheHomeKey) {
  const auto starts = [](const std::string& keys, const std::string& to) {
    const std::string text =
        "<mujoco model='m'><compiler angle='radian'/><worldbody><body name='a'><freejoint/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><body name='b'>"
        "<inertial pos='0 0 .1' mass='1' diaginertia='1 1 1'/>"
        "<joint name='j' axis='0 1 0' ref='0.25'/><body name='c'>"
        "<inertial pos='0 0 .1' mass='1' diaginertia='1 1 1'/><joint name='k' axis='1 0 "
        "0'/></body></body></body>"
        "</worldbody><keyframe>" +
        keys + "</keyframe></mujoco>";
    const std::optional<Model> read = ProvedAndRead(text, to);
    const StartPosture posture = StartPostureOf(*read);
    double found[2] = {0, 0};
    for (const Body& body : posture.mechanism.bodies)
      for (const bool second : {false, true})
        if (body.joint == read->FindJoint(second ? "k" : "j")) found[second] = posture.q[body.q];
    return std::pair(found[0], found[1]);
  };
  const std::string home = "<key name='home' qpos='1 2 3 1 0 0 0 0.75 -0.5'/>",
                    other = "<key name='up' qpos='0 0 0 1 0 0 0 1.25 1'/>";
  for (const char* to : {"usda", "mbs"}) {
    for (const auto& [keys, j, k] :
         {std::tuple(home, 0.5, -0.5), {other + home, 0.5, -0.5}, {other, 1.0, 1.0}}) {
      EXPECT_NEAR(starts(keys, to).first, j, 1e-12) << to << keys;
      EXPECT_NEAR(starts(keys, to).second, k, 1e-12) << to << keys;
    }
    EXPECT_EQ(starts(other + "<key name='down' qpos='0 0 0 1 0 0 0 -1 -1'/>", to),
              std::pair(0.0, 0.0));
  }
}

// Drawn open, and started where its loop closes: the start is the new zero, of which nobody says
// anything.
TEST(StartPositions, AreTheNewZeroWhereTheyCloseTheLoops) {
  const auto slide = [](const std::string& name) {
    return "<body><bodyname>" + name +
           "</bodyname><parent><bodyname>base</bodyname><pointname>origin</pointname></parent>"
           "<joint><jointname>slide_" +
           name + "</jointname><type>T1</type><nature>" +
           (name == "a" ? "independent" : "dependent") + "</nature><initialvalue><q>" +
           (name == "a" ? "0.5" : "0.25") +
           "</q><qd>0</qd><qdd>0</qdd></initialvalue></joint><mass>1</mass>"
           "<inertia><Ixx>1</Ixx><Iyy>1</Iyy><Izz>1</Izz></inertia><point><pointname>end_" +
           name + "</pointname><coordinates><x>" + (name == "a" ? "0" : "0.25") +
           "</x><y>0</y><z>0</z></coordinates></point></body>";
  };
  const std::string text =
      "<mbsDescR7><mbsname>m</mbsname><base><gravity><coordinates><x>0</x><y>0</y><z>-9.81</z>"
      "</coordinates></gravity></base><bodytree>" +
      slide("a") + slide("b") +
      "</bodytree><cuts><ball><name>loop</name>"
      "<endpoint1><bodyname>a</bodyname><pointname>end_a</pointname></endpoint1>"
      "<endpoint2><bodyname>b</bodyname><pointname>end_b</pointname></endpoint2>"
      "</ball></cuts></mbsDescR7>";
  for (const char* to : {"urdf+", "sdf", "mjcf", "usda", "mbs"}) {
    SCOPED_TRACE(to);
    const std::optional<Model> read = ProvedAndRead(text, to);
    EXPECT_TRUE(StartPostureOf(*read).closed);
  }
}

// Only a keyframe says where a base starts: elsewhere it starts where it is drawn, and that is said.
TEST(StartPositions, OfBasesAreLostWithAWord) {
  const auto lost = [](const std::string& qpos, const std::string& to) {
    const std::string text =
        "<mujoco model='m'><worldbody><body name='a' pos='0 0 0.5'><freejoint/>"
        "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody><keyframe>"
        "<key name='home' qpos='" +
        qpos + "'/></keyframe></mujoco>";
    return LossReportText(Proved(text, to).report);
  };
  const std::string word = "starts where it is drawn, at";
  EXPECT_THAT(lost("0 0 0.3 1 0 0 0", "usda"), HasSubstr(word));
  EXPECT_THAT(lost("0 0 0.5 1 0 0 0", "usda"), Not(HasSubstr(word)));
  EXPECT_THAT(lost("0 0 0.3 1 0 0 0", "mjcf"), Not(HasSubstr(word)));
}

// A ball has no number for where it starts: it follows what is said, as in a leg with a rod.
TEST(StartPositions, OfBallsFollowThoseOfHinges) {
  const auto arm = [](const std::string& name, const std::string& at, const std::string& more) {
    return "<body name='" + name + "' pos='" + at + "'><joint name='" + name +
           "' axis='0 0 1'/><inertial pos='0 .5 0' mass='1' diaginertia='1 1 1'/>" + more +
           "</body>";
  };
  const std::string rod =
      "<body name='rod' pos='0 1 0'><joint name='rod' type='ball'/>"
      "<inertial pos='1 0 0' mass='1' diaginertia='1 1 1'/></body>";
  const std::string text = "<mujoco model='m'><compiler angle='radian'/><worldbody>" +
                           arm("j", "0 0 0", rod) + arm("k", "2 0 0", "") +
                           "</worldbody><equality><connect body1='rod' body2='k' anchor='2 0 0'/>"
                           "</equality><keyframe><key name='home' "
                           "qpos='0.6 0.9553365 0 0 -0.2955202 0.6'/></keyframe></mujoco>";
  const std::optional<Model> read = ProvedAndRead(text, "usda");
  const StartPosture posture = StartPostureOf(*read);
  EXPECT_TRUE(posture.closed);
  for (const Body& body : posture.mechanism.bodies)
    for (const char* name : {"j", "k"})
      if (body.joint == read->FindJoint(name)) EXPECT_NEAR(posture.q[body.q], 0.6, 1e-6) << name;
}

}  // namespace
}  // namespace kinemorph::test
