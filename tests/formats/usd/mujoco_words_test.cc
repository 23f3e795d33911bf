// What MJCF says of contacts, limits and solvers, in MuJoCo's own schemas for USD: there and back.
#include <set>

#include "kinemorph/converters/conversion.h"
#include "read.h"

namespace kinemorph::test::usd {
namespace {

using testing::HasSubstr;
using testing::Not;

ConversionResult To(const std::string& text, const std::string& file, const std::string& to,
                    bool physx = false) {
  Diagnostics reading;
  std::optional<Model> model = ReadText(text, file, reading);
  EXPECT_TRUE(model) << Rendered(reading);
  ConversionRequest request;
  request.in = file, request.to = to, request.out = "out", request.verify = true;
  request.options.target.options.physx = physx;
  ConversionResult done = ConvertModel(model ? std::move(*model) : Model(), request);
  EXPECT_EQ(done.end, ConversionEnd::kDone) << Rendered(done.diagnostics);
  EXPECT_TRUE(done.proof && done.proof->verdict != Verdict::kDifferent);
  return done;
}

// One of each element, with words that USD has (in a spelling of their own) and one that it has not.
std::string MjcfRobot(const std::string& geom =
                          "condim='4' solref='0.01' solimp='0.8 0.9' margin='0.002' "
                          "gap='0.001' priority='1' solmix='2' user='5'") {
  const std::string inertial = "<inertial pos='0 0 0.1' mass='1' diaginertia='1 1 1'/>";
  return "<mujoco model='m'><compiler angle='radian'/><option cone='elliptic' impratio='10' "
         "density='1.2' solver='PGS' integrator='RK4'><flag contact='disable'/></option><worldbody>"
         "<body name='a' gravcomp='0.5'>" +
         inertial +
         "<joint name='j' axis='0 1 0' range='-1 1' solreflimit='0.05 1' margin='0.01'/>" +
         "<geom name='g' type='sphere' size='0.1' mass='0' " + geom +
         "/><body name='b' gravcomp='1' pos='0 0 1'>" + inertial +
         "<joint name='k' axis='0 1 0'/></body></body></worldbody><equality><connect body1='b' "
         "anchor='0 0 1' solref='0.005 1'/><joint joint1='k' joint2='j' "
         "solimp='0.95'/></equality></mujoco>";
}

TEST(UsdMujoco, HoldsWhatItsSchemasHaveWordsFor) {
  const ConversionResult stage = To(MjcfRobot(), "m.xml", "usda");
  for (const char* said : {"\"PhysicsCollisionAPI\", \"MjcCollisionAPI\"",
                           "uniform int mjc:condim = 4\n",
                           "uniform double[] mjc:solref = [0.01, 1]\n",
                           "uniform double[] mjc:solimp = [0.8, 0.9, 0.001, 0.5, 2]\n",
                           "uniform double mjc:margin = 0.002\n",
                           "uniform double mjc:gap = 0.001\n",
                           "uniform int mjc:priority = 1\n",
                           "uniform double mjc:solmix = 2\n",
                           "\"MjcJointAPI\"",
                           "uniform double[] mjc:solreflimit = [0.05, 1]\n",
                           "uniform double mjc:gravcomp = 0.5\n",
                           "uniform double mjc:gravcomp = 1\n",
                           "\"MjcEqualityConnectAPI\"",
                           "uniform double[] mjc:solref = [0.005, 1]\n",
                           "uniform double[] mjc:solimp = [0.95, 0.95, 0.001, 0.5, 2]\n",
                           "\"MjcSceneAPI\"",
                           "uniform token mjc:option:cone = \"elliptic\"\n",
                           "uniform double mjc:option:impratio = 10\n",
                           "uniform double mjc:option:density = 1.2\n",
                           "uniform token mjc:option:integrator = \"rk4\"\n",
                           "uniform bool mjc:flag:contact = false\n"})
    EXPECT_THAT(stage.files.text, HasSubstr(said));
  // Newton knows two solvers, and a third word keeps it from opening the stage.
  EXPECT_THAT(stage.files.text, Not(HasSubstr("pgs")));
  std::vector<std::string> lost;
  for (const Loss& loss : stage.report.losses)
    if (loss.weight != Weight::kLooks) lost.push_back(loss.what);
  EXPECT_THAT(lost, testing::UnorderedElementsAre("<option solver=\"PGS\"> is not written",
                                                  "<geom user=\"5\"> is not written"));
}

// What of MJCF alone is lost as motion, by name.
std::set<std::string> Lost(const ConversionResult& done) {
  std::set<std::string> words;
  for (const Loss& loss : done.report.losses)
    if (loss.feature == Feature::kNativeData && loss.weight == Weight::kMotion)
      words.insert(loss.content.begin(), loss.content.end());
  return words;
}

TEST(UsdMujoco, ComesBackAsItWas) {
  const std::string text = To(MjcfRobot(), "m.xml", "usda").files.text;
  const ConversionResult back = To(text, "m.usda", "mjcf");
  for (const char* said :
       {"condim=\"4\"", "solref=\"0.01 1\"", "solimp=\"0.8 0.9 0.001 0.5 2\"", "margin=\"0.002\"",
        "gap=\"0.001\"", "priority=\"1\"", "solmix=\"2\"", "solreflimit=\"0.05 1\"",
        "gravcomp=\"0.5\"", "gravcomp=\"1\"", "solref=\"0.005 1\"",
        "solimp=\"0.95 0.95 0.001 0.5 2\"", "cone=\"elliptic\"", "impratio=\"10\"",
        "density=\"1.2\"", "integrator=\"RK4\"", "contact=\"disable\""})
    EXPECT_THAT(back.files.text, HasSubstr(said));
  EXPECT_TRUE(back.report.losses.empty()) << Rendered(back.diagnostics);
  EXPECT_EQ(back.proof->verdict, Verdict::kEquivalent) << back.proof->line;
  // And to a format that has no such words by the names that MJCF has for them.
  const ConversionResult sdf = To(text, "m.usda", "sdf");
  EXPECT_THAT(Lost(sdf), testing::IsSupersetOf({"condim", "priority", "density", "contact"}));
}

TEST(UsdMujoco, IsNotWrittenForPhysx) {
  const ConversionResult stage = To(MjcfRobot(), "m.xml", "usda", true);
  EXPECT_THAT(stage.files.text, Not(HasSubstr("mjc:")));
  EXPECT_THAT(Lost(stage), testing::IsSupersetOf({"condim", "priority", "density", "contact"}));
}

// As other converters write it, with the numbers in single precision and words that are none.
TEST(UsdMujoco, IsReadWhereverItStands) {
  const Read read = ReadStage(TwoBodies(
      RigidBody("c",
                "def Sphere \"s\" (\n prepend apiSchemas = [\"PhysicsCollisionAPI\"]\n)\n{\n"
                " double radius = 0.1\n int mjc:condim = 6\n float mjc:margin = 0.5\n"
                " double[] mjc:solref = [0.1]\n uniform double[] mjc:solimp = [1, \"x\"]\n}\n")));
  ASSERT_TRUE(read.model) << read.said;
  const Link& c = read.model->link(*read.model->FindLink("c"));
  ASSERT_EQ(c.collisions.size(), 1u);
  ASSERT_FALSE(c.collisions[0].native.empty());
  const NativeData& geom = c.collisions[0].native[0];
  EXPECT_EQ(geom.format, "mjcf");
  EXPECT_EQ(*geom.content.Attribute("condim"), "6");
  EXPECT_EQ(*geom.content.Attribute("margin"), "0.5");
  EXPECT_EQ(*geom.content.Attribute("solref"), "0.1 1");
  EXPECT_EQ(geom.content.Attribute("solimp"), nullptr);
  EXPECT_THAT(read.said, HasSubstr("'mjc:solimp' is not used"));
}

// What MuJoCo would refuse is told, and not written.
TEST(UsdMujoco, NumbersThatAreNoneAreTold) {
  for (const char* word :
       {"int mjc:condim = 2", "int mjc:priority = 99999999999", "double mjc:margin = inf",
        "double[] mjc:solref = [1, 2, 3]", "double[] mjc:solimp = [1, 2, 3, 4, 5, 6]"}) {
    const Read read = ReadStage(TwoBodies(RigidBody(
        "c",
        std::string("def Sphere \"s\" (\n prepend apiSchemas = [\"PhysicsCollisionAPI\"]\n)\n{\n"
                    " double radius = 0.1\n ") +
            word + "\n}\n")));
    ASSERT_TRUE(read.model) << read.said;
    EXPECT_THAT(read.said, HasSubstr("is not used")) << word;
    for (const NativeData& data :
         read.model->link(*read.model->FindLink("c")).collisions.at(0).native)
      EXPECT_NE(data.format, "mjcf") << word;
  }
}

// Each word alone, in both orders, and against a file without any.
TEST(UsdMujoco, ChangesAreNoticed) {
  const std::string text = To(MjcfRobot(), "m.xml", "usda").files.text;
  Diagnostics reading;
  const Model source = *ReadText(MjcfRobot(), "m.xml", reading);
  const std::pair<const char*, const char*> changes[] = {
      {"mjc:condim = 4", "mjc:condim = 6"},
      {"mjc:margin = 0.002", "mjc:margin = 0.003"},
      {"mjc:solreflimit = [0.05, 1]", "mjc:solreflimit = [0.06, 1]"},
      {"mjc:gravcomp = 0.5", "mjc:gravcomp = 0.6"},
      {"mjc:solref = [0.005, 1]", "mjc:solref = [0.015, 1]"},
      {"mjc:option:impratio = 10", "mjc:option:impratio = 11"},
      {"mjc:flag:contact = false", "mjc:flag:contact = true"}};
  for (const auto& [from, to] : changes) {
    std::string other = text;
    ASSERT_NE(other.find(from), std::string::npos) << from;
    other.replace(other.find(from), std::string_view(from).size(), to);
    const Model changed = *ReadText(other, "m.usda", reading);
    for (const VerifyResult& result :
         {VerifyEquivalent(source, changed), VerifyEquivalent(changed, source)})
      EXPECT_EQ(result.verdict, Verdict::kDifferent) << from << ": " << result.line;
  }
}

}  // namespace
}  // namespace kinemorph::test::usd
