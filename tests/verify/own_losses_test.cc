// A loss excuses its own element and what follows from it, and nothing beside it: conversions that
// lose something are not called wrong, and what is wrong beside a loss is.

#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph::test {
namespace {

struct Lossy {
  const char* name;
  const char* file;  // its extension says the format
  const char* to;
  const char* lost;  // what the verdict names; empty: nothing
  std::string text;
  const char* profile = "";
};

const std::string kInertia =
    "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/><geom type='sphere' size='0.1'/>";

std::string Mjcf(const std::string& assets, const std::string& bodies,
                 const std::string& rest = "") {
  return "<mujoco model='m'><asset>" + assets + "</asset><worldbody>" + bodies + "</worldbody>" +
         rest + "</mujoco>";
}

std::string Sdf(const std::string& inside) {
  return "<sdf version='1.9'><model name='m'>" + inside + "</model></sdf>";
}

std::string SdfLink(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'><inertial><mass>1</mass></inertial>" + inside + "</link>";
}

// One of two legs that end in one toe: a hip, and a universal knee at x whose second axis is x.
std::string SdfLeg(const std::string& name, const std::string& x) {
  const auto joint = [&](const std::string& of, const std::string& type, const std::string& from,
                         const std::string& to, const std::string& axis2) {
    return "<joint name='" + of + name + "' type='" + type + "'><parent>" + from +
           "</parent><child>" + to + "</child><axis><xyz>0 1 0</xyz></axis>" + axis2 + "</joint>";
  };
  return SdfLink("thigh" + name, "<pose>" + x + "0.02 0 0 0 0 0</pose>") +
         SdfLink("shin" + name, "<pose>" + x + "0.1 0 0 0 0 0</pose>") +
         joint("hip", "revolute", "base", "thigh" + name, "") +
         joint("knee", "universal", "thigh" + name, "shin" + name,
               "<axis2><xyz>1 0 0</xyz></axis2>");
}

std::string Universal(const std::string& element, const std::string& from, const std::string& to,
                      const std::string& attributes = "") {
  const bool joint = element == "joint";
  return "<" + element + " name='" + from + to + "' type='universal' " + attributes + "><" +
         (joint ? "parent" : "predecessor") + " link='" + from + "'/><" +
         (joint ? "child" : "successor") + " link='" + to + "'/></" + element + ">";
}

std::vector<Lossy> LossyConversions() {
  const std::string box = "<geometry><box><size>1 1 1</size></box></geometry>";
  const std::string wheel =
      "<visual name='v'>" + box +
      "<material><diffuse>1 0 0 1</diffuse><specular>1 1 1 1</specular></material></visual>";
  const std::string urdf_links =
      "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
      "iyz='0'/></inertial></link><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
      "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><link name='c'><inertial><mass "
      "value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  return {
      {"TextureToMbs", "m.urdf", "mbs", "texture",
       "<robot name='m'><link name='a'><visual><geometry><box size='1 1 1'/></geometry><material "
       "name='t'><texture filename='t.png'/></material></visual></link></robot>"},
      {"WhiteGlossToMbs", "m.sdf", "mbs", "specular", Sdf(SdfLink("a", wheel))},
      {"GravityOffToMbs", "m.sdf", "mbs", "gravity",
       "<sdf version='1.9'><world name='w'><gravity>0 0 -9.81</gravity><model name='m'><joint "
       "name='w' type='fixed'><parent>world</parent><child>a</child></joint>" +
           SdfLink("a") + SdfLink("b", "<gravity>false</gravity>") +
           "<joint name='p' type='revolute'><pose>0 1 0 0 0 0</pose><parent>a</parent>"
           "<child>b</child><axis><xyz>1 0 0</xyz></axis></joint></model></world></sdf>"},
      {"PlaneWhereABoxIs", "m.xml", "urdf+", "plane",
       Mjcf("",
            "<geom type='plane' size='7 7 .1'/><geom type='box' size='.1 .2 .3' contype='0' "
            "conaffinity='0'/><geom type='sphere' size='.1' contype='0' conaffinity='0'/>")},
      {"ShapesOfTheWorldOnOneLine", "m.xml", "sdf", "shape of one format only",
       Mjcf("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/>",
            "<geom type='box' size='1 1 1'/><geom type='hfield' hfield='h'/><geom type='hfield' "
            "hfield='h' pos='3 0 0'/><body name='b'><joint name='j'/>" +
                kInertia + "</body>")},
      {"PartlyIndependentFreeJoints", "m.xml", "urdf+", "",
       Mjcf("",
            "<body name='a' pos='0 0 1'><freejoint/>" + kInertia +
                "</body><body name='b' pos='1 0 1'>"
                "<freejoint/>" +
                kInertia + "</body>",
            "<equality><connect body1='a' body2='b' anchor='0.5 0 0'/></equality>")},
      {"AFreeJointBesideALoopToTheWorld", "m.xml", "urdf+", "",
       Mjcf("",
            "<site name='s'/><body name='a' pos='0 1 0'><freejoint/><site name='t' pos='0 -1 0'/>" +
                kInertia + "</body>",
            "<equality><connect site1='s' site2='t'/></equality>")},
      {"LostLoopsKeptTheirLinksApart", "m.xml", "urdf none", "loop",
       Mjcf("",
            "<body name='a' pos='0 0 1'><joint name='p' axis='1 0 0'/>" + kInertia +
                "<body name='b' pos='0 1 0'><joint name='q' axis='1 0 0'/>" + kInertia +
                "</body></body>"
                "<body name='c' pos='0 2 1'><joint name='r' axis='1 0 0'/>" +
                kInertia + "</body>",
            "<equality><connect body1='b' body2='c' anchor='0 0.5 0'/></equality>"
            "<contact><exclude body1='b' body2='c'/></contact>")},
      {"DrakesGroupsInUrdfPlus", "m.urdf", "urdf+", "",
       "<robot name='m' xmlns:drake='http://drake.mit.edu'><link name='a'/><link name='b'/><link "
       "name='c'/><joint name='p' type='continuous'><parent link='a'/><child link='b'/></joint>"
       "<joint name='q' type='continuous'><parent link='b'/><child link='c'/></joint>"
       "<drake:collision_filter_group name='a'><drake:member link='a'/>"
       "<drake:ignored_collision_filter_group name='c'/></drake:collision_filter_group>"
       "<drake:collision_filter_group name='c'><drake:member link='c'/>"
       "</drake:collision_filter_group></robot>"},
      // All axes meet in one point: at the zero posture more can move than in general.
      {"ConcentricUniversalJoints", "m.urdf", "mjcf", "independent",
       "<robot name='m'><link name='base'/><link name='1'/><link name='2'/><link name='3'/><link "
       "name='out'/>" +
           Universal("joint", "base", "1", "independent='true'") +
           Universal("joint", "base", "2", "independent='false'") +
           Universal("joint", "base", "3", "independent='false'") +
           Universal("joint", "1", "out", "independent='false'") + Universal("loop", "2", "out") +
           Universal("loop", "3", "out") + "</robot>"},
      // Drawn where the leg can also swing about the line through both knees.
      {"UniversalKneesInLine", "m.sdf", "urdf", "massless link",
       Sdf(SdfLink("base") + SdfLeg("1", "") + SdfLeg("2", "-") +
           "<joint name='toe' type='revolute'><pose relative_to='__model__'>0 0 -0.2 0 0 0</pose>"
           "<parent>shin1</parent><child>shin2</child><axis><xyz>0 1 0</xyz></axis></joint>")},
      {"DynamicsOfAFixedJointThatClosesALoop", "m.urdf", "urdf+", "",
       "<robot name='m'>" + urdf_links +
           "<gazebo><joint name='l' type='ball'><parent>a</parent><child>c</child></joint></gazebo>"
           "<joint name='p' type='continuous'><origin xyz='0 1 0'/><parent link='a'/><child "
           "link='b'/>"
           "<axis xyz='0 1 0'/></joint><joint name='q' type='fixed'><origin xyz='0 1 0'/><parent "
           "link='b'/><child link='c'/><dynamics damping='0.7'/></joint></robot>"},
      {"CfmDamping", "m.urdf", "urdf+", "",
       "<robot name='m'>" + urdf_links +
           "<joint name='p' type='continuous'><parent link='a'/><child link='b'/></joint><joint "
           "name='q' type='continuous'><parent link='b'/><child link='c'/></joint><gazebo "
           "reference='p'><cfmDamping>true</cfmDamping></gazebo></robot>"},
      // The text that is kept of a surface has its numbers too.
      {"DynamicFrictionToDrake", "m.sdf", "sdf", "friction",
       Sdf(SdfLink("a", "<collision name='c'>" + box +
                            "<surface><friction><ode><mu>0.2</mu><mu2>0.3</mu2><fdir1>1 0 0</fdir1>"
                            "</ode></friction></surface></collision>")),
       "drake"},
      // What stands on the world stands as it did without the weld, which Drake refuses.
      {"WeldOfWhatStandsToDrake", "m.xml", "sdf", "",
       Mjcf("",
            "<body name='a'>" + kInertia + "</body><body name='b' pos='1 0 0'>" + kInertia +
                "</body>",
            "<equality><weld body1='a' body2='b'/></equality>"),
       "drake"},
      {"EffortOutOfReachToUsd", "m.urdf", "usda", "effort",
       "<robot name='m'>" + urdf_links +
           "<joint name='p' type='revolute'><parent link='a'/><child link='b'/><limit lower='-1' "
           "upper='1' effort='1e10' velocity='1'/></joint><joint name='q' type='fixed'><parent "
           "link='b'/><child link='c'/></joint></robot>"},
      // Empty masks: a shape for nobody, and no looks.
      {"ShapeThatTouchesNothingToMjcf", "m.sdf", "mjcf", "",
       Sdf(SdfLink("a", "<collision name='c'>" + box +
                            "<surface><contact><collide_bitmask>0</collide_bitmask>"
                            "<category_bitmask>0</category_bitmask></contact></surface>"
                            "</collision>"))},
      // Where the source does not know a mass, no damping ratio is known; in the target it is.
      {"DampingRatioOfAnUnknownMass", "m.xml", "mjcf", "",
       Mjcf("<mesh name='h' file='nowhere.stl'/>",
            "<body name='a'><geom type='mesh' mesh='h'/><body name='b'><joint name='j'/>" +
                kInertia + "</body></body>",
            "<actuator><position joint='j' kp='5' dampratio='1'/></actuator>")},
  };
}

class OwnLosses : public testing::TestWithParam<Lossy> {};

VerifyResult Verified(const Lossy& of, const std::function<void(Model&)>& damage = {}) {
  Diagnostics read;
  const std::optional<Model> a = ReadText(of.text, of.file, read);
  if (!a) {
    ADD_FAILURE() << Rendered(read);
    return {};
  }
  ConvertOptions options;
  options.target = TargetNamed(of.to);
  options.target.options.profile = of.profile;
  const std::optional<Converted> converted = Convert(*a, options, read);
  if (!converted) {
    ADD_FAILURE() << Rendered(read);
    return {};
  }
  std::optional<Model> b = ReadText(converted->text, "m" + Extension(of.to), read);
  if (!b) {
    ADD_FAILURE() << Rendered(read) << converted->text;
    return {};
  }
  if (damage) damage(*b);
  VerifyOptions verify;
  verify.report = &converted->lowered.report;
  return VerifyEquivalent(*a, *b, verify);
}

TEST_P(OwnLosses, AreNotCalledWrong) {
  const VerifyResult result = Verified(GetParam());
  for (const VerifyCheck& check : result.checks)
    EXPECT_LE(check.max_error, check.tolerance) << check.what << ", worst at " << check.worst;
  EXPECT_NE(result.verdict, Verdict::kDifferent) << result.line;
  EXPECT_NE(result.line.find(GetParam().lost), std::string::npos) << result.line;
}

INSTANTIATE_TEST_SUITE_P(Conversions, OwnLosses, testing::ValuesIn(LossyConversions()),
                         [](const auto& each) { return std::string(each.param.name); });

// Two shapes without a name beside each other, one of which the target has no place for: the other
// must be there.
TEST(OwnLoss, OfAShapeWithoutANameIsNotItsNeighbours) {
  const Lossy terrain{
      "", "m.xml", "sdf", "",
      Mjcf("<hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/>",
           "<body name='b'><joint name='j'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
           "<geom type='hfield' hfield='h'/><geom type='box' size='1 2 3' pos='0 0 1'/></body>")};
  EXPECT_EQ(Verified(terrain).verdict, Verdict::kExcept);
  const VerifyResult gone =
      Verified(terrain, [](Model& b) { b.link(b.FindLink("b").value()).visuals.clear(); });
  EXPECT_EQ(gone.verdict, Verdict::kDifferent) << gone.line;
}

}  // namespace
}  // namespace kinemorph::test
