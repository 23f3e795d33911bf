// Models of a world between which joints lead: one robot, where the target holds one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "convert_text.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;

std::string World(const std::string& more, const std::string& of_tool = "") {
  const auto link = [](const std::string& name, const std::string& pose) {
    return "<link name='" + name + "'><pose>" + pose +
           "</pose><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"
           "</inertial></link>";
  };
  return "<sdf version='1.10'><world name='shop'><model name='arm'>" + link("base", "0 0 0 0 0 0") +
         link("tip", "0 0 1 0 0 0") +
         "<joint name='j' type='revolute'><parent>base</parent><child>tip</child><axis><xyz>0 1 "
         "0</xyz></axis></joint></model><model name='tool'><pose>0 0 2 0.3 0 0</pose>" +
         of_tool + link("base", "0 0 0 0 0 0") + "</model>" + more + "</world></sdf>";
}
const std::string kFlange =
    "<joint name='flange' type='revolute'><parent>arm::tip</parent><child>tool::base</child>"
    "<axis><xyz>1 0 0</xyz></axis></joint>";

ConversionResult To(const std::string& to, const std::string& text, const std::string& model = "") {
  ConversionRequest request;
  request.in = "in.sdf", request.out = "out", request.to = to, request.verify = true;
  request.options.model = model;
  return ConvertText(text, request);
}

TEST(JoinedModels, AreOneRobot) {
  for (const char* to : {"urdf", "urdf+", "usda", "mbs", "mjcf"}) {
    const ConversionResult result = To(to, World(kFlange));
    ASSERT_EQ(result.end, ConversionEnd::kDone) << to << Rendered(result.diagnostics);
    ASSERT_TRUE(result.proof) << to;
    EXPECT_NE(result.proof->verdict, Verdict::kDifferent) << to << result.proof->line;
  }
  const ConversionResult urdf = To("urdf", World(kFlange));
  EXPECT_TRUE(urdf.report.losses.empty()) << LossReportText(urdf.report);
  EXPECT_THAT(urdf.files.text, HasSubstr("<robot name=\"shop\""));
  EXPECT_THAT(urdf.files.text, HasSubstr("<link name=\"tool__base\""));
}

TEST(JoinedModels, OneOfThemCanStillBeChosen) {
  const ConversionResult result = To("urdf", World(kFlange), "tool");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
  EXPECT_EQ(result.target.links, 1u);
}

// The world alone joins nothing.
TEST(JoinedModels, ModelsSideBySideAreSeveralRobots) {
  const std::string to_world =
      "<joint name='foot' type='fixed'><parent>world</parent><child>arm::base</child></joint>"
      "<joint name='bolt' type='fixed'><parent>world</parent><child>tool::base</child></joint>";
  for (const std::string& more : {std::string(), to_world}) {
    const ConversionResult result = To("urdf", World(more));
    EXPECT_EQ(result.end, ConversionEnd::kBadInput);
    EXPECT_THAT(Rendered(result.diagnostics), HasSubstr("[several-models]"));
  }
}

// A static model that another one is joined with holds it.
TEST(JoinedModels, AStaticModelStaysWhereItIs) {
  const ConversionResult result = To("urdf", World(kFlange, "<static>true</static>"));
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics);
  ASSERT_TRUE(result.proof);
  EXPECT_NE(result.proof->verdict, Verdict::kDifferent) << result.proof->line;
}

}  // namespace
}  // namespace kinemorph::test
