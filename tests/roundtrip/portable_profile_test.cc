// MJCF for all its readers: only what they all take stands in the file, and it is the same
// mechanism up to the losses that are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "kinemorph/formats/xml_tags.h"
#include "profile_sweep.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A list of its own: the writer does not use it.
const std::set<std::string_view> kAllowed = {
    "mujoco",   "compiler",  "option", "flag",      "size",    "statistic", "visual", "global",
    "quality",  "headlight", "map",    "scale",     "rgba",    "asset",     "mesh",   "texture",
    "material", "hfield",    "layer",  "worldbody", "body",    "inertial",  "joint",  "freejoint",
    "geom",     "site",      "camera", "light",     "contact", "exclude",   "pair",   "equality",
    "connect",  "actuator",  "sensor", "keyframe",  "key"};
const std::set<std::string_view> kSections = {"actuator", "sensor"};  // elements of many names

// What breaks the profile, or nothing.
std::string Breach(const std::string& text) {
  std::vector<std::string_view> open;
  std::map<std::string_view, int> sections;
  for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    if (tag->closes) {
      if (!open.empty()) open.pop_back();
      continue;
    }
    const std::string_view parent = open.empty() ? "" : open.back();
    if (tag->name == "equality" || tag->name == "actuator")
      if (++sections[tag->name] > 1) return "two sections " + std::string(tag->name);
    if (!kAllowed.contains(tag->name) && !kSections.contains(parent))
      return "<" + std::string(tag->name) + "> in <" + std::string(parent) + ">";
    if (parent == "equality" && (tag->name != "connect" || !tag->Attribute("body1") ||
                                 !tag->Attribute("anchor") || tag->Attribute("site1")))
      return "an equality that is not a connect of bodies: " + std::string(tag->inside);
    for (const char* attribute : {"class", "childclass", "tendon", "plugin", "euler", "axisangle"})
      if (tag->Attribute(attribute)) return "attribute " + std::string(attribute);
    if (tag->name == "compiler" && tag->Attribute("angle") != "radian") return "not in radians";
    const bool scalar = tag->Attribute("type") == "hinge" || tag->Attribute("type") == "slide";
    if (parent == "body" && tag->name == "joint" && scalar && !tag->Attribute("limited"))
      return "a joint that leaves open whether it is limited";
    if (!std::string_view(text).substr(0, tag->end).ends_with("/>")) open.push_back(tag->name);
  }
  return "";
}

constexpr ProfileTarget kPortable = {"mjcf portable", ".xml", Breach,
                                     "[target-refuses-joint-screw]"};

std::optional<Model> Read(const std::string& text) {
  Diagnostics reading;
  std::optional<Model> model = ReadText(text, "/tmp/in.xml", reading);
  EXPECT_TRUE(model && !reading.has_errors()) << Rendered(reading);
  return model;
}

// Two arms from the base; `rest` stands behind them.
std::string Arms(const std::string& rest) {
  return R"(<mujoco model="arms"><compiler angle="radian" inertiafromgeom="false"/><worldbody>
<body name="base"><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
<body name="left"><inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.1 0.1"/><joint name="l" axis="0 1 0"/></body>
<body name="right"><inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.1 0.1"/><joint name="r" axis="0 1 0"/></body>
</body></worldbody>)" +
         rest + "</mujoco>";
}

TEST(PortableMjcf, AWeldIsThreeConnectsAndComesBackAsOneLoopJoint) {
  const auto source =
      Read(Arms(R"(<equality><weld name="lock" body1="left" body2="right"/></equality>)"));
  const Outcome out = ForProfile(*source, kPortable);
  ASSERT_TRUE(out.converted) << out.errors;
  const std::string& text = out.converted->text;
  EXPECT_THAT(text, HasSubstr("MJCF profile: portable"));
  EXPECT_THAT(text, HasSubstr(R"(<connect name="lock" body1="left" body2="right" anchor="0 0 0")"));
  // As far out as the mass stands from its centre, though joints stand further apart.
  EXPECT_THAT(text, HasSubstr(R"(name="lock_x" body1="left" body2="right" anchor="0.38729833462)"));
  EXPECT_THAT(text, HasSubstr(R"(<connect name="lock_y")"));
  EXPECT_EQ(Breach(text), "") << text;
  EXPECT_EQ(out.verdict, "");
  Diagnostics reading;
  const auto again = ReadText(text, "/tmp/out.xml", reading);
  EXPECT_EQ(Rendered(reading, Severity::kWarning), "");
  EXPECT_EQ(again->dialect, "portable");
  const std::vector<JointId> loops = ChooseSpanningTree(*again).loop_joints;
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(again->joint(loops[0]).name, "lock");
  EXPECT_TRUE(std::holds_alternative<Fixed>(again->joint(loops[0]).kind));
}

// A connect of the author's that a link of half a gram hangs on gives way as much as in the source;
// one of another format may not.
TEST(PortableMjcf, AnAuthorsConnectOfALightLinkStays) {
  auto source = Read(R"(<mujoco model="light"><worldbody>
<body name="a" pos="0 0 1"><joint axis="0 1 0"/><geom size="0.1"/></body>
<body name="b" pos="0 0 1.1"><joint axis="0 1 0"/><geom size="0.003" mass="0.0005"/></body>
</worldbody><equality><connect name="tip" body1="a" body2="b" anchor="0 0 1"/></equality></mujoco>)");
  EXPECT_THAT(ForProfile(*source, kPortable).converted->text,
              HasSubstr(R"(<connect name="tip" body1="a" body2="b" anchor="0 0 1"/>)"));
  source->format = "sdf";
  EXPECT_THAT(ForProfile(*source, kPortable).converted->text, HasSubstr("a_half"));
}

// Neither is as soft as the other, and MuJoCo moves otherwise where they are soft.
TEST(PortableMjcf, TheSoftnessOfAnAuthorsWeldIsLost) {
  const auto softness = [](const Model& source, const std::string& profile) {
    ConvertOptions options;
    options.target = TargetNamed("mjcf");
    options.target.options.profile = profile;
    Diagnostics diagnostics;
    const auto out = Convert(source, options, diagnostics);
    EXPECT_TRUE(out) << Rendered(diagnostics);
    return std::ranges::count_if(out->lowered.report.losses, [](const Loss& loss) {
      return loss.feature == Feature::kNativeData && loss.weight == Weight::kMotion &&
             loss.subject.name == "lock";
    });
  };
  const auto weld =
      Read(Arms(R"(<equality><weld name="lock" body1="left" body2="right"/></equality>)"));
  EXPECT_EQ(softness(*weld, "portable"), 1);
  EXPECT_EQ(softness(*weld, ""), 0);
  const auto points = Read(ForProfile(*weld, kPortable).converted->text);
  EXPECT_EQ(softness(*points, "portable"), 0);
  EXPECT_EQ(softness(*points, ""), 1);
}

TEST(PortableMjcf, CouplingsAreLossesByName) {
  const auto source =
      Read(Arms(R"(<equality><joint name="twin" joint1="l" joint2="r"/></equality>)"));
  const Outcome out = ForProfile(*source, kPortable);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_THAT(out.converted->text, Not(HasSubstr("<equality")));
  ASSERT_EQ(out.converted->lowered.report.losses.size(), 1U);
  const Loss& loss = out.converted->lowered.report.losses[0];
  EXPECT_EQ(loss.subject.name, "twin");
  EXPECT_EQ(loss.weight, Weight::kMotion);
  EXPECT_EQ(out.verdict, "");
}

TEST(PortableMjcf, TendonsGoWithAllThatHangsOnThem) {
  const auto source = Read(Arms(R"(
<tendon><fixed name="rope"><joint joint="l" coef="1"/><joint joint="r" coef="1"/></fixed></tendon>
<actuator><motor name="pull" tendon="rope"/><motor name="turn" joint="l"/></actuator>
<sensor><tendonpos name="length" tendon="rope"/><actuatorfrc name="force" actuator="pull"/><jointpos name="angle" joint="l"/></sensor>
<keyframe><key name="home" qpos="0 0" ctrl="0 0"/></keyframe>)"));
  const Outcome out = ForProfile(*source, kPortable);
  ASSERT_TRUE(out.converted) << out.errors;
  const std::string& text = out.converted->text;
  for (const char* gone : {"rope", "pull", "length", "\"force\"", "keyframe"})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
  for (const char* kept : {"\"turn\"", "\"angle\""}) EXPECT_THAT(text, HasSubstr(kept));
  EXPECT_EQ(Breach(text), "");
}

TEST(PortableMjcf, LoopsThatAreDrawnOpenAreAssembled) {
  const auto source = Read(R"(<mujoco model="open"><compiler angle="radian"/><worldbody>
<body name="a"><inertial pos="0 0 0.5" mass="1" diaginertia="0.1 0.1 0.1"/><joint name="ja" axis="0 1 0"/><site name="sa" pos="0 0 1"/></body>
<body name="b" pos="1 0 0"><inertial pos="0 0 0.5" mass="1" diaginertia="0.1 0.1 0.1"/><joint name="jb" axis="0 1 0"/><site name="sb" pos="0 0 1"/></body>
</worldbody><equality><connect name="tip" site1="sa" site2="sb"/></equality></mujoco>)");
  const Outcome out = ForProfile(*source, kPortable);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_EQ(Breach(out.converted->text), "") << out.converted->text;
  EXPECT_EQ(out.verdict, "");
}

TEST(PortableMjcf, EveryFixtureIsTheSameAndWithinTheProfile) { SweepFixtures(kPortable); }

TEST(PortableMjcf, EveryLoopedModelOfTheCorpusIsTheSame) { SweepCorpus(kPortable); }

}  // namespace
}  // namespace kinemorph::test
