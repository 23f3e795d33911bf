// Whatever a writer wrote, our reader accepts: fixtures, random models and a few texts made to
// break it, to every target.
#include <gtest/gtest.h>

#include "conversion.h"
#include "random_mechanism.h"

namespace kinemorph::test {
namespace {

const std::vector<std::string> kTargets = {
    "urdf", "urdf detachable", "urdf none", "urdf drake", "urdf+",         "urdf+ paper",
    "sdf",  "sdf@1.11",        "sdf drake", "mjcf",       "mjcf portable", "mbs",
    "usda", "usda physx"};

// How many of the targets took it.
std::size_t ExpectRead(const Model& model, const std::string& what) {
  std::size_t written = 0;
  for (const std::string& target : kTargets) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    Diagnostics converting, reading;
    const std::optional<Converted> converted = Convert(model, options, converting);
    // A target may refuse, but not for a mistake of ours.
    EXPECT_EQ(Rendered(converting).find("[internal-"), std::string::npos)
        << what << " -> " << target << ":\n"
        << Rendered(converting);
    if (!converted) continue;
    ++written;
    const std::optional<Model> read =
        ReadText(converted->text, "out" + Extension(options.target.format->name), reading);
    EXPECT_TRUE(read && !reading.has_errors())
        << what << " -> " << target << ":\n"
        << Rendered(reading) << converted->text.substr(0, 400);
  }
  return written;
}

TEST(WrittenIsRead, EveryFixtureToEveryTarget) {
  std::size_t written = 0;
  for (const std::string& file :
       FilesBelow(Fixtures(), {".urdf", ".sdf", ".world", ".xml", ".mbs", ".usda"})) {
    Diagnostics reading;
    const std::optional<Model> model = ReadFile(file, reading);
    if (model && !reading.has_errors()) written += ExpectRead(*model, file);
  }
  EXPECT_GT(written, 900U);
}

TEST(WrittenIsRead, RandomMechanisms) {
  std::size_t written = 0;
  for (unsigned seed = 1; seed <= 30; ++seed)
    written += ExpectRead(kinemorph::test::RandomMechanism(seed), "seed " + std::to_string(seed));
  EXPECT_GT(written, 100U);
}

struct Odd {
  const char *name, *file, *text;
  friend std::ostream& operator<<(std::ostream& out, const Odd& odd) { return out << odd.name; }
};

class WrittenIsReadOdd : public ::testing::TestWithParam<Odd> {};

TEST_P(WrittenIsReadOdd, ByEveryTargetThatTakesIt) {
  Diagnostics reading;
  const std::optional<Model> model = ReadText(GetParam().text, GetParam().file, reading);
  ASSERT_TRUE(model && !reading.has_errors()) << Rendered(reading);
  EXPECT_GE(ExpectRead(*model, GetParam().name), 2U);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WrittenIsReadOdd,
    ::testing::Values(
        Odd{"NoBody", "in.xml", R"(<mujoco><option timestep="0.01"/></mujoco>)"},
        Odd{"OnlyGeomsOfTheWorld", "in.xml",
            R"(<mujoco><worldbody><geom size="1"/><site name="s"/></worldbody></mujoco>)"},
        Odd{"AModelCalledWorld", "in.urdf",
            R"(<robot name="world"><link name="a"/><link name="b"/><joint name="j" type="fixed">
               <parent link="a"/><child link="b"/></joint></robot>)"},
        Odd{"AColonInAKeptElement", "in.sdf",
            R"(<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>1</mass></inertial>
               </link><plugin name="p::q" filename="x::y"><link>a::b</link></plugin></model></sdf>)"},
        Odd{"AControlCharacter", "in.urdf",
            "<robot name=\"r\"><link name=\"a&#9;b&#10;c\"/><link name=\"d&#13;\"/><joint "
            "name=\"j\" "
            "type=\"fixed\"><parent link=\"a&#9;b&#10;c\"/><child "
            "link=\"d&#13;\"/></joint></robot>"},
        Odd{"InfiniteFriction", "in.sdf",
            R"(<sdf version="1.9"><model name="m"><link name="a"><inertial><mass>1</mass></inertial>
               <collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry><surface>
               <friction><ode><mu>inf</mu></ode><torsional><coefficient>inf</coefficient>
               </torsional></friction></surface></collision></link></model></sdf>)"},
        Odd{"InfiniteFrictionInABlock", "in.urdf",
            R"(<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry>
               </collision></link><gazebo reference="a"><mu1>inf</mu1><mu2>-inf</mu2></gazebo>
               </robot>)"},
        Odd{"SpaceAroundNames", "in.xml",
            "<mujoco model=''><worldbody><body name='a&#13;'><joint name=' j '/><geom size='1'/>"
            "<body name='&#10;b'><joint name='  '/><geom size='1'/></body></body></worldbody>"
            "</mujoco>"},
        Odd{"NamesOfOtherFormats", "in.urdf",
            R"(<robot name="__model__"><link name="a::b"/><link name="__root__"/><link name="a/b"/>
               <joint name="world" type="fixed"><parent link="a::b"/><child link="__root__"/></joint>
               <joint name="a::b" type="fixed"><parent link="a::b"/><child link="a/b"/></joint>
               </robot>)"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace kinemorph::test
