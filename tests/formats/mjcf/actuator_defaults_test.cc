// What an actuator takes from default classes: measured in MuJoCo 4.0.
#include "kinemorph/formats/drive_law.h"
#include "mjcf_text.h"

namespace kinemorph {
namespace {

std::string Driven(const std::string& defaults, const std::string& actuator) {
  return "<mujoco><compiler angle=\"radian\"/><default>" + defaults +
         "</default><worldbody><body name=\"arm\"><joint name=\"j\"/><joint name=\"ball\" "
         "type=\"ball\"/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body>"
         "</worldbody><actuator>" +
         actuator + "</actuator></mujoco>";
}

// The attributes of the one actuator, but for its name and joint.
std::map<std::string, std::string> Said(const std::string& defaults, const std::string& actuator) {
  const MjcfRead read = ReadMjcfText(Driven(defaults, actuator));
  EXPECT_TRUE(read.errors.empty()) << read.errors.front();
  EXPECT_TRUE(read.warnings.empty()) << read.warnings.front();
  std::map<std::string, std::string> said;
  if (read.model.actuators.size() != 1) return said;
  for (const auto& [name, value] : read.model.actuators[0].native.content.attributes)
    if (name != "name" && name != "joint") said[name] = value;
  return said;
}

using Words = std::map<std::string, std::string>;

// What the one actuator became.
std::string KindOf(const std::string& defaults, const std::string& actuator) {
  const Model model = Quiet(Driven(defaults, actuator));
  return model.actuators.at(0).type + " " + model.actuators.at(0).native.element;
}

TEST(ActuatorDefaults, ARangeThatIsEmptyOrReversedIsNoLimit) {
  const auto lowest = [](const std::string& range) {
    const MjcfRead read =
        ReadMjcfText(Driven("", "<motor joint=\"j\" ctrlrange=\"" + range + "\"/>"));
    std::string why;
    return DriveLawOf(read.model, read.model.actuators.at(0), why)->control_lower;
  };
  EXPECT_EQ(lowest("-1 1"), -1.0);
  for (const char* range : {"0 0", "1 -1"}) EXPECT_FALSE(lowest(range)) << range;
}

TEST(ActuatorDefaults, GeneralInheritsFromAnyKind) {
  EXPECT_EQ(Said(R"(<position kp="50" kv="2"/>)", R"(<general joint="j"/>)"),
            (Words{{"biastype", "affine"}, {"gainprm", "50"}, {"biasprm", "0 -50 -2"}}));
  EXPECT_EQ(Said(R"(<velocity kv="3"/>)", R"(<general joint="j"/>)"),
            (Words{{"biastype", "affine"}, {"gainprm", "3"}, {"biasprm", "0 0 -3"}}));
  EXPECT_EQ(Said(R"(<damper kv="3"/>)", R"(<general joint="j"/>)"),
            (Words{{"gaintype", "affine"}, {"gainprm", "0 0 -3"}, {"ctrllimited", "true"}}));
  EXPECT_EQ(Said(R"(<position kp="8" timeconst="2"/>)", R"(<general joint="j"/>)"),
            (Words{{"biastype", "affine"},
                   {"dyntype", "filterexact"},
                   {"gainprm", "8"},
                   {"biasprm", "0 -8 0"},
                   {"dynprm", "2"}}));
  EXPECT_EQ(Said(R"(<pid kp="3" ki="2" imax="5" kv="1"/>)", R"(<general joint="j"/>)"),
            (Words{{"gaintype", "pid"},
                   {"biastype", "affine"},
                   {"dyntype", "pid"},
                   {"gainprm", "2"},
                   {"biasprm", "0 -3 -1"},
                   {"dynprm", "5 0"}}));
  EXPECT_EQ(
      Said(R"(<orientation kp="3" dampratio="1"/>)", R"(<general joint="ball"/>)"),
      (Words{{"gaintype", "so3"}, {"biastype", "so3"}, {"gainprm", "3"}, {"biasprm", "0 -3 1"}}));
  EXPECT_EQ(Said(R"(<cylinder area="3" timeconst="2" bias="1 2 3"/>)", R"(<general joint="j"/>)"),
            (Words{{"biastype", "affine"},
                   {"dyntype", "filter"},
                   {"gainprm", "3"},
                   {"biasprm", "1 2 3"},
                   {"dynprm", "2"}}));
}

TEST(ActuatorDefaults, AKindInheritsFromGeneralWhatItCanSay) {
  EXPECT_EQ(Said(R"(<general gainprm="7 0 0" biastype="affine" biasprm="0 -7 -1"/>)",
                 R"(<position joint="j"/>)"),
            (Words{{"kp", "7"}, {"kv", "1"}}));
  EXPECT_EQ(Said(R"(<general gainprm="7" biasprm="0 0 0.5"/>)", R"(<position joint="j" kp="4"/>)"),
            (Words{{"kp", "4"}, {"dampratio", "0.5"}}));
  EXPECT_EQ(Said(R"(<general gainprm="7" ctrlrange="0 3"/>)", R"(<velocity joint="j"/>)"),
            (Words{{"kv", "7"}, {"ctrlrange", "0 3"}}));
  EXPECT_EQ(Said(R"(<general gainprm="7"/>)", R"(<motor joint="j"/>)"), Words());
}

TEST(ActuatorDefaults, OneKindTakesFromAnotherOnlyWhatAllKnow) {
  EXPECT_EQ(Said(R"(<position kp="9" gear="3" armature="2"/>)", R"(<motor joint="j"/>)"),
            (Words{{"gear", "3"}, {"armature", "2"}}));
  EXPECT_EQ(Said(R"(<position kp="9"/>)", R"(<velocity joint="j"/>)"), Words());
}

TEST(ActuatorDefaults, ALaterKindOfAClassForgetsTheParametersOfAnEarlierOne) {
  EXPECT_EQ(Said(R"(<muscle scale="200" range="0.65 1.05"/><motor ctrlrange="-1 1"/>)",
                 R"(<muscle joint="j" force="30"/>)"),
            (Words{{"force", "30"}, {"ctrlrange", "-1 1"}}));
  EXPECT_EQ(
      Said(R"(<position kp="8" ctrlrange="-3 3"/><motor gear="5"/>)", R"(<position joint="j"/>)"),
      (Words{{"ctrlrange", "-3 3"}, {"gear", "5"}}));
}

TEST(ActuatorDefaults, ClassesAddUp) {
  EXPECT_EQ(Said(R"(<position kv="2" gear="7"/><default class="q"><position kp="9"/></default>)",
                 R"(<position joint="j" class="q"/>)"),
            (Words{{"kp", "9"}, {"kv", "2"}, {"gear", "7"}}));
  EXPECT_EQ(
      Said(R"(<general gainprm="5"/><default class="q"><position kp="9" gear="3"/></default>)",
           R"(<general joint="j" class="q"/>)"),
      (Words{{"biastype", "affine"}, {"gainprm", "9"}, {"biasprm", "0 -9 0"}, {"gear", "3"}}));
}

TEST(ActuatorDefaults, AKindThatCannotInheritFromItsClassLooksInTheClassesAroundIt) {
  constexpr const char* kQ = R"(<position joint="j" class="q"/>)";
  EXPECT_EQ(Said(R"(<position kp="9" kv="2"/><default class="q"><motor gear="3"/></default>)", kQ),
            (Words{{"kp", "9"}, {"kv", "2"}, {"gear", "3"}}));
  EXPECT_EQ(
      Said(R"(<position kp="9"/><default class="q"><velocity kv="3"/><position kv="2"/></default>)",
           kQ),
      (Words{{"kp", "9"}, {"kv", "2"}}));
  // A gain of another type is not the gain of a servo.
  EXPECT_EQ(
      Said(
          R"(<position kp="9"/><default class="q"><general gaintype="affine" gainprm="4"/></default>)",
          kQ),
      (Words{{"kp", "9"}}));
  EXPECT_EQ(
      Said(R"(<position kp="9"/><default class="q"><motor/><general gainprm="4"/></default>)", kQ),
      (Words{{"kp", "4"}}));
  EXPECT_EQ(Said(R"(<position kp="9"/><motor/>)", R"(<position joint="j"/>)"), Words());
}

TEST(ActuatorDefaults, WhatReplacesEachOtherDoesSoFromClassToClass) {
  EXPECT_EQ(
      Said(R"(<position kp="9" dampratio="1"/><default class="q"><position kv="2"/></default>)",
           R"(<position joint="j" class="q"/>)"),
      (Words{{"kp", "9"}, {"kv", "2"}}));
  EXPECT_EQ(Said(R"(<cylinder area="3"/>)", R"(<cylinder joint="j" diameter="2"/>)"),
            (Words{{"diameter", "2"}}));
  EXPECT_EQ(
      Said(R"(<general gainprm="7" biasprm="0 -7 -1"/>)", R"(<position joint="j" dampratio="1"/>)"),
      (Words{{"kp", "7"}, {"dampratio", "1"}}));
  EXPECT_EQ(Said(R"(<position inheritrange="1"/>)", R"(<position joint="j" ctrlrange="0 1"/>)"),
            (Words{{"ctrlrange", "0 1"}}));
  EXPECT_EQ(
      Said(R"(<motor ctrlrange="0 1"/><position inheritrange="1"/>)", R"(<motor joint="j"/>)"),
      Words());
  EXPECT_EQ(
      Said(R"(<intvelocity actrange="0 1"/>)", R"(<intvelocity joint="j" inheritrange="1"/>)"),
      (Words{{"inheritrange", "1"}}));
  EXPECT_EQ(Said(R"(<motor user="1 2 3"/>)", R"(<motor joint="j" user="5"/>)"),
            (Words{{"user", "5"}}));
}

TEST(ActuatorDefaults, ADamperOrAnAdhesionLimitsTheControlOfAllThatInherit) {
  for (const char* kind : {"damper", "adhesion"})
    EXPECT_EQ(Said("<motor ctrllimited=\"false\"/><" + std::string(kind) + " ctrlrange=\"0 1\"/>",
                   R"(<motor joint="j"/>)"),
              (Words{{"ctrllimited", "true"}, {"ctrlrange", "0 1"}}));
  EXPECT_EQ(
      Said(R"(<motor ctrllimited="false" ctrlrange="0 1"/>)", R"(<damper joint="j" kv="2"/>)"),
      (Words{{"kv", "2"}, {"ctrlrange", "0 1"}}));
}

// The range of the state passes to every kind; whether it counts and when it does only to general.
TEST(ActuatorDefaults, AShortcutForgetsHowTheStateActs) {
  constexpr const char* kGeneral =
      R"(<general actearly="true" actlimited="false" actrange="0 1" dyntype="filter"/>)";
  EXPECT_EQ(Said(kGeneral, R"(<intvelocity joint="j" kp="2"/>)"),
            (Words{{"kp", "2"}, {"actrange", "0 1"}}));
  EXPECT_EQ(Said(kGeneral, R"(<general joint="j"/>)").size(), 4U);
}

TEST(ActuatorDefaults, AKindThatCannotSayWhatIsInForceIsWrittenAsGeneral) {
  EXPECT_EQ(
      Said(R"(<intvelocity actrange="0 1"/>)", R"(<position joint="j" kp="2" timeconst="3"/>)"),
      (Words{{"biastype", "affine"},
             {"dyntype", "filterexact"},
             {"gainprm", "2"},
             {"biasprm", "0 -2 0"},
             {"dynprm", "3"},
             {"actrange", "0 1"}}));
  EXPECT_EQ(KindOf(R"(<intvelocity actrange="0 1"/>)", R"(<muscle joint="j" lengthrange="0 1"/>)"),
            "general general");
  // A control that is not limited.
  EXPECT_EQ(KindOf(R"(<position ctrlrange="-1 1" ctrllimited="false"/>)",
                   R"(<orientation joint="ball" kp="1"/>)"),
            "general general");
  // Without a state the range of one is nothing.
  EXPECT_EQ(KindOf(R"(<intvelocity actrange="0 1"/>)", R"(<position joint="j"/>)"),
            "position position");
}

TEST(ActuatorDefaults, AMotorWithACurrentLeavesWhatFollowsFromItsDataSheet) {
  EXPECT_EQ(Said(R"(<dcmotor nominal="12 2 6" inductance="6" saturation="0 3 1"/>)",
                 R"(<dcmotor joint="j" resistance="24"/>)"),
            (Words{{"motorconst", "2 0"},
                   {"resistance", "24"},
                   {"inductance", "0 0.5"},
                   {"saturation", "6 0 1"}}));
  EXPECT_EQ(
      Said(R"(<dcmotor motorconst="1" resistance="2" saturation="5"/>)", R"(<motor joint="j"/>)"),
      (Words{{"forcerange", "-5 5"}, {"forcelimited", "true"}}));
  EXPECT_EQ(Said(R"(<motor forcerange="-5 5"/>)",
                 R"(<dcmotor joint="j" motorconst="1" resistance="2"/>)"),
            (Words{{"motorconst", "1"}, {"resistance", "2"}, {"saturation", "5"}}));
}

TEST(ActuatorDefaults, ADamperWithoutAConstantDampsNothing) {
  const Model model = Quiet(Driven("", R"(<damper joint="j" ctrlrange="0 1"/>)"));
  std::string why;
  EXPECT_EQ(DriveLawOf(model, model.actuators.at(0), why)->gain_by_rate, 0);
}

TEST(ActuatorDefaults, AttributesThatAKindDoesNotKnowAreLeftOut) {
  EXPECT_EQ(Said(R"(<default class="q"><position ctrlrange="-1 1" ctrllimited="true"/></default>)",
                 R"(<orientation joint="ball" kp="1" kv="0.1" class="q"/>)"),
            (Words{{"kp", "1"}, {"kv", "0.1"}, {"ctrlrange", "-1 1"}}));
}

TEST(ActuatorDefaults, WhatIsInForceAndCannotBeSaidIsTold) {
  const MjcfRead read = ReadMjcfText(Driven(R"(<position forcerange="-1 2"/>)",
                                            R"(<dcmotor name="m" joint="j" resistance="2"/>)"));
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_EQ(read.warnings[0],
            "robot.xml:1: warning: actuator 'm': 'forcerange' of its default class is in force, "
            "but an element 'dcmotor' cannot say it; it is left out [actuator-default]");
}

TEST(ActuatorDefaults, AShorterListReplacesTheFirstNumbers) {
  EXPECT_EQ(Said(R"(<general gainprm="1 2 3"/>)", R"(<general joint="j" gainprm="5"/>)"),
            (Words{{"gainprm", "5 2 3"}}));
}

TEST(ActuatorDefaults, AKindWhoseLawIsNotKnownIsRefusedAsADefaultOfGeneral) {
  const MjcfRead read =
      ReadMjcfText(Driven(R"(<dcmotor motorconst="1"/>)", R"(<general name="m" joint="j"/>)"));
  ASSERT_EQ(read.errors.size(), 1U);
  EXPECT_EQ(
      read.errors[0],
      "robot.xml:1: error: actuator 'm': its class has a default of the kind 'dcmotor', whose "
      "parameters kinemorph cannot give to 'general'; write the parameters at the actuator, "
      "in a class of its own [actuator-default]");
}

// The control of a motor is its force; that of a servo is a position.
TEST(MjcfActuators, TheRangeOfAMotorsControlIsItsEffort) {
  const auto effort = [](const std::string& drive) {
    const Model model = Quiet(
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
        "<actuator>" +
        drive + "</actuator></mujoco>");
    return model.actuators.front().effort_upper;
  };
  EXPECT_EQ(effort("<motor joint='j' ctrlrange='-5 5'/>"), 5);
  EXPECT_EQ(effort("<motor joint='j' ctrlrange='-5 5' forcerange='-3 3'/>"), 3);
  EXPECT_EQ(effort("<motor joint='j' ctrlrange='-5 5' ctrllimited='false'/>"), std::nullopt);
  EXPECT_EQ(effort("<position joint='j' ctrlrange='-5 5'/>"), std::nullopt);
}

}  // namespace
}  // namespace kinemorph
