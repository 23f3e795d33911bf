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
            (Words{{"gaintype", "affine"}, {"gainprm", "0 0 -3"}}));
  EXPECT_EQ(Said(R"(<position kp="8" timeconst="2"/>)", R"(<general joint="j"/>)"),
            (Words{{"biastype", "affine"},
                   {"dyntype", "filterexact"},
                   {"gainprm", "8"},
                   {"biasprm", "0 -8"},
                   {"dynprm", "2"}}));
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
      (Words{{"biastype", "affine"}, {"gainprm", "9"}, {"biasprm", "0 -9"}, {"gear", "3"}}));
}

TEST(ActuatorDefaults, AttributesThatAKindDoesNotKnowAreLeftOut) {
  EXPECT_EQ(Said(R"(<default class="q"><position ctrlrange="-1 1" ctrllimited="true"/></default>)",
                 R"(<orientation joint="ball" kp="1" kv="0.1" class="q"/>)"),
            (Words{{"kp", "1"}, {"kv", "0.1"}, {"ctrlrange", "-1 1"}}));
  EXPECT_EQ(Said(R"(<default class="q"><position ctrlrange="-1 1" ctrllimited="false"/></default>)",
                 R"(<orientation joint="ball" kp="1" class="q"/>)"),
            (Words{{"kp", "1"}}));
}

TEST(ActuatorDefaults, ADamperWithoutAConstantDampsNothing) {
  const Model model = Quiet(Driven("", R"(<damper joint="j" ctrlrange="0 1"/>)"));
  std::string why;
  EXPECT_EQ(DriveLawOf(model, model.actuators.at(0), why)->gain_by_rate, 0);
}

TEST(ActuatorDefaults, WhatIsInForceAndCannotBeSaidIsTold) {
  const MjcfRead read = ReadMjcfText(Driven(R"(<position forcerange="-1 1"/>)",
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
      ReadMjcfText(Driven(R"(<pid kp="3" ki="1"/>)", R"(<general name="m" joint="j"/>)"));
  ASSERT_EQ(read.errors.size(), 1U);
  EXPECT_EQ(read.errors[0],
            "robot.xml:1: error: actuator 'm': its class has a default of the kind 'pid', whose "
            "parameters kinemorph cannot give to 'general'; write the parameters at the actuator, "
            "in a class of its own [actuator-default]");
}

}  // namespace
}  // namespace kinemorph
