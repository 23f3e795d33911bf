// What a loss means: motion is what the equations of motion have; controllers, programs and solvers
// are interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"

namespace kinemorph::test {
namespace {

// The heaviest loss of the feature on the way to a target; nothing: none is told.
std::optional<Weight> WeightOf(Feature feature, const std::string& text, const std::string& file,
                               const std::string& to) {
  Diagnostics reading, converting;
  const std::optional<Model> model = ReadText(text, file, reading);
  EXPECT_TRUE(model) << Rendered(reading);
  ConvertOptions options;
  options.target = TargetNamed(to);
  const std::optional<Converted> done =
      model ? Convert(*model, options, converting) : std::optional<Converted>();
  EXPECT_TRUE(done) << Rendered(converting);
  std::optional<Weight> weight;
  if (done)
    for (const Loss& loss : done->lowered.report.losses)
      if (loss.feature == feature) weight = std::max(weight.value_or(loss.weight), loss.weight);
  return weight;
}

const std::string kMass =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
    "ixz='0' iyz='0'/></inertial>";

std::string Urdf(const std::string& base, const std::string& arm, const std::string& of_joint = "",
                 const std::string& more = "") {
  return "<robot name='r'><link name='base'>" + base + "</link><link name='arm'>" + arm +
         "</link><joint name='j' type='continuous'><parent link='base'/><child link='arm'/>"
         "<axis xyz='0 0 1'/>" +
         of_joint + "</joint>" + more + "</robot>";
}

std::string Mjcf(const std::string& geom, const std::string& joint = "",
                 const std::string& more = "") {
  return "<mujoco model='m'>" + more +
         "<worldbody><body name='a'><inertial pos='0 0 0' mass='1' "
         "diaginertia='1 1 1'/><joint name='j' axis='0 0 1' " +
         joint + "/><geom type='sphere' size='1' " + geom + "/></body></worldbody></mujoco>";
}

std::string Sdf(const std::string& surface) {
  return "<sdf version='1.9'><model name='m'><link name='a'><collision name='c'><geometry><sphere>"
         "<radius>1</radius></sphere></geometry><surface>" +
         surface + "</surface></collision></link></model></sdf>";
}

TEST(Weights, LimitsThatControllersKeepAreInterface) {
  EXPECT_EQ(WeightOf(Feature::kVelocityLimit,
                     Urdf(kMass, kMass, "<limit effort='1' velocity='2'/>"), "r.urdf", "mjcf"),
            Weight::kInterface);
  EXPECT_EQ(WeightOf(Feature::kSafety, Urdf(kMass, kMass, "<safety_controller k_velocity='1'/>"),
                     "r.urdf", "mjcf"),
            Weight::kInterface);
  // No force on a joint that nothing drives.
  const std::string passive = "<limit effort='0' velocity='2'/>";
  EXPECT_EQ(WeightOf(Feature::kEffortLimit, Urdf(kMass, kMass, passive), "r.urdf", "mjcf"),
            Weight::kInterface);
  const std::string driven =
      "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>"
      "<joint name='j'><hardwareInterface>EffortJointInterface</hardwareInterface></joint>"
      "<actuator name='m'><mechanicalReduction>1</mechanicalReduction></actuator></transmission>";
  EXPECT_EQ(WeightOf(Feature::kEffortLimit, Urdf(kMass, kMass, passive, driven), "r.urdf", "mjcf"),
            Weight::kMotion);
}

TEST(Weights, MassThatMovesNothingIsInterface) {
  const Feature massless = Feature::kMasslessLink;
  EXPECT_EQ(WeightOf(massless, Urdf("", kMass), "r.urdf", "sdf"), Weight::kInterface);
  EXPECT_EQ(WeightOf(massless, Urdf("", kMass), "r.urdf", "usda"), Weight::kInterface);
  // A rotor turns as before with a ten-millionth of the robot's mass.
  const std::string rotor =
      "<inertial><mass value='0'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
      "ixz='0' iyz='0'/></inertial>";
  EXPECT_EQ(WeightOf(massless, Urdf(kMass, rotor), "r.urdf", "mjcf"), Weight::kInterface);
  EXPECT_EQ(WeightOf(massless, Urdf(kMass, rotor), "r.urdf", "usda"), Weight::kInterface);
  // One that slides has nothing but that mass.
  std::string slide = Urdf(kMass, rotor, "<limit lower='-1' upper='1' effort='1' velocity='1'/>");
  slide.replace(slide.find("continuous"), 10, "prismatic");
  EXPECT_EQ(WeightOf(massless, slide, "r.urdf", "mjcf"), Weight::kMotion);
  EXPECT_EQ(WeightOf(massless, Urdf(kMass, ""), "r.urdf", "mjcf"), Weight::kMotion);
  EXPECT_EQ(WeightOf(massless, Urdf(kMass, ""), "r.urdf", "usda"), Weight::kMotion);
}

TEST(Weights, SoftnessIsTheSolversAndFrictionTheRobots) {
  const Feature native = Feature::kNativeData;
  for (const char* soft :
       {"solref='0.1 1'", "solimp='0.5 0.6 0.1'", "margin='0.1'", "gap='0.1'", "solmix='3'"})
    EXPECT_EQ(WeightOf(native, Mjcf(soft), "m.xml", "sdf"), Weight::kInterface) << soft;
  for (const char* soft : {"range='-1 1' solreflimit='0.1 1'", "range='-1 1' margin='0.1'"})
    EXPECT_EQ(WeightOf(native, Mjcf("", soft), "m.xml", "sdf"), Weight::kInterface) << soft;
  EXPECT_EQ(
      WeightOf(native, Mjcf("", "", "<option cone='elliptic' impratio='3'/>"), "m.xml", "sdf"),
      Weight::kInterface);
  EXPECT_EQ(WeightOf(native, Mjcf("", "", "<option density='3'/>"), "m.xml", "sdf"),
            Weight::kMotion);
  EXPECT_EQ(WeightOf(native, Mjcf("", "frictionloss='1' solreffriction='0.5 1'"), "m.xml", "sdf"),
            Weight::kMotion);
  for (const char* friction : {"condim='1'", "condim='6'", "priority='1'"})
    EXPECT_EQ(WeightOf(native, Mjcf(friction), "m.xml", "sdf"), Weight::kMotion) << friction;

  for (const char* soft :
       {"<contact><ode><kp>1e5</kp><kd>1</kd><max_vel>0.1</max_vel></ode></contact>",
        "<contact><ode><min_depth>0.001</min_depth></ode></contact><friction><ode><mu>0.5</mu>"
        "<slip1>0.0</slip1><fdir1>0 0 0</fdir1></ode></friction>"})
    EXPECT_EQ(WeightOf(native, Sdf(soft), "m.sdf", "mjcf"), Weight::kInterface) << soft;
  for (const char* friction :
       {"<friction><ode><mu>0.5</mu><slip1>0.1</slip1></ode></friction>",
        "<friction><ode><mu>inf</mu><mu2>1</mu2></ode></friction>",
        "<friction><ode><mu>1</mu><fdir1>1 0 0</fdir1></ode></friction>",
        "<bounce><restitution_coefficient>0.5</restitution_coefficient></bounce>",
        "<contact><collide_without_contact>true</collide_without_contact></contact>"})
    EXPECT_EQ(WeightOf(native, Sdf(friction), "m.sdf", "mjcf"), Weight::kMotion) << friction;
}

// Of a shorter list the class above says the rest.
TEST(Weights, PartialListsAreOverlaidAsInMuJoCo) {
  Diagnostics reading;
  const std::optional<Model> model = ReadText(
      "<mujoco><default><geom solref='0.05 0.7'/><default class='x'><geom solref='0.1'/></default>"
      "</default><worldbody><body name='a'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
      "<geom class='x' size='1'/></body></worldbody></mujoco>",
      "m.xml", reading);
  ASSERT_TRUE(model) << Rendered(reading);
  const Link& link = model->link(*model->FindLink("a"));
  ASSERT_FALSE(link.collisions.at(0).native.empty());
  EXPECT_EQ(*link.collisions[0].native[0].content.Attribute("solref"), "0.1 0.7");
}

}  // namespace
}  // namespace kinemorph::test
