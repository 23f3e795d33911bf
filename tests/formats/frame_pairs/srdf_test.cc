// SRDF and the block of ros2_control: what is written, read back, and refused.
#include "kinemorph/formats/srdf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "convert_text.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ConversionResult ToRos(const std::string& text, const std::vector<std::string>& side_cars,
                       const std::string& plugin = "fake/Plugin",
                       const std::string& name = "r.sdf") {
  ConversionRequest request;
  request.in = name;
  request.out = "robot.urdf";
  request.verify = true;
  request.options.target.options.side_cars = side_cars;
  request.options.target.options.hardware_plugin = plugin;
  request.options.target.options.stem = "robot";
  request.written_side_cars = AddWrittenSideCars;
  return ConvertText(text, request);
}
std::string FourBar(const char* ending) {
  return ReadAll(Fixtures() + "/mechanisms/four_bar/four_bar." + ending);
}
std::string Srdf(const ConversionResult& result) {
  for (const SideFile& file : result.files.side_files)
    if (file.name == "robot.srdf") return file.text;
  return {};
}

// The loops are gone from the URDF, and what follows through them is passive all the same.
TEST(Srdf, PassiveAreTheJointsThatFollowThroughTheLoops) {
  const ConversionResult result = ToRos(FourBar("urdf"), {"srdf"}, "", "four_bar.urdf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  const std::string srdf = Srdf(result);
  EXPECT_THAT(srdf, HasSubstr("<robot name=\"four_bar\">"));
  EXPECT_THAT(srdf, HasSubstr("<passive_joint name=\"joint2\"/>"));
  EXPECT_THAT(srdf, HasSubstr("<passive_joint name=\"joint3\"/>"));
  EXPECT_THAT(srdf, Not(HasSubstr("<passive_joint name=\"joint1\"/>")));
}

// Balls on base and coupler that meet only where the loop is open, and balls on the cranks that
// always overlap.
TEST(Srdf, LinksThatNeverOrAlwaysTouchAreSampledWithClosedLoops) {
  const auto replace = [](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  };
  const auto ball = [](const std::string& origin, const std::string& radius) {
    return "<collision><origin xyz=\"" + origin + "\"/><geometry><sphere radius=\"" + radius +
           "\"/></geometry></collision>";
  };
  std::string text = FourBar("urdf");
  text = replace(text,
                 "<origin xyz=\"0.15 0 0.39\"/><geometry><box size=\"0.4 0.1 0.02\"/>"
                 "</geometry></collision>",
                 "<origin xyz=\"0.15 0 0.4\"/><geometry><sphere radius=\"0.05\"/></geometry>"
                 "</collision>");
  for (const auto& [link, shape] :
       {std::pair{"link1", ball("0 0 0", "0.2")}, std::pair{"link2", ball("0.15 0 0", "0.05")},
        std::pair{"link3", ball("0 0 0", "0.2")}}) {
    const std::string start = "<link name=\"" + std::string(link) + "\">";
    text = replace(text, start, start + shape);
  }
  const std::string never =
      "<disable_collisions link1=\"base_link\" link2=\"link2\" reason=\"Never\"/>";
  const ConversionResult closed = ToRos(text, {"srdf"}, "", "four_bar.urdf");
  ASSERT_EQ(closed.end, ConversionEnd::kDone) << Rendered(closed.diagnostics, Severity::kNote);
  EXPECT_THAT(Srdf(closed), HasSubstr(never));
  EXPECT_THAT(Srdf(closed), HasSubstr("<disable_collisions link1=\"link1\" link2=\"link3\" "
                                      "reason=\"Always\"/>"));
  EXPECT_THAT(Srdf(closed), HasSubstr("link1=\"link1\" link2=\"link2\" reason=\"Adjacent\""));
  EXPECT_THAT(Rendered(closed.diagnostics, Severity::kNote),
              HasSubstr("pairs of links that never touch in 1000 random postures, with the loops "
                        "of the file closed, by the boxes around their shapes: 1; that always "
                        "touch: 1 "
                        "[srdf-sampled]"));
  EXPECT_EQ(Srdf(closed), Srdf(ToRos(text, {"srdf"}, "", "four_bar.urdf")));

  std::string open =
      text.erase(text.find("<loop "), text.find("</loop>") + 7 - text.find("<loop "));
  for (int i = 0; i < 2; ++i) open = replace(open, " independent=\"false\"", "");
  EXPECT_THAT(Srdf(ToRos(open, {"srdf"}, "", "four_bar.urdf")), Not(HasSubstr(never)));
}

// Meshes that are not there have no extent: then nothing is sampled, and that is said.
TEST(Srdf, UnknownShapesAreSaid) {
  std::string text = FourBar("urdf");
  const std::string box = "<box size=\"0.4 0.1 0.02\"/>", mesh = "<mesh filename=\"no.stl\"/>";
  ASSERT_NE(text.find(box), std::string::npos);
  for (std::size_t at = text.find(box); at != std::string::npos; at = text.find(box))
    text.replace(at, box.size(), mesh);
  const ConversionResult result = ToRos(text, {"srdf"}, "", "four_bar.urdf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_THAT(Rendered(result.diagnostics, Severity::kNote),
              HasSubstr("meshes that were not found: 1 [srdf-sampled]"));
  EXPECT_THAT(Srdf(result), Not(HasSubstr("\"Never\"")));
}

// Where nobody declares them, the dependent coordinates of the loops are.
TEST(Srdf, WithoutADeclarationTwoOfThreeArePassive) {
  const ConversionResult result = ToRos(FourBar("sdf"), {"srdf"});
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  const std::string srdf = Srdf(result);
  int passive = 0;
  for (const char* joint : {"joint1", "joint2", "joint3"})
    if (srdf.find("<passive_joint name=\"" + std::string(joint)) != std::string::npos) ++passive;
  EXPECT_EQ(passive, 2) << srdf;
}

TEST(Srdf, GoesWithTheLoopsToo) {
  const ConversionResult result = ToRos(FourBar("sdf"), {"gepetto", "srdf"});
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_EQ(result.files.side_files.size(), 2u);
  EXPECT_EQ(CountLosses(result.report).motion, 0u) << LossReportText(result.report);
}

TEST(Srdf, Ros2ControlCommandsTheIndependentJointsAlone) {
  const ConversionResult result = ToRos(FourBar("urdf"), {"ros2_control"}, "a/B", "four_bar.urdf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  const std::string& text = result.files.text;
  EXPECT_THAT(text, HasSubstr("<plugin>a/B</plugin>"));
  std::size_t commands = 0;
  for (std::size_t at = text.find("<command_interface"); at != std::string::npos;
       at = text.find("<command_interface", at + 1))
    ++commands;
  EXPECT_EQ(commands, 1u);
  EXPECT_FALSE(Srdf(result).empty());
  const ConversionResult none = ToRos(FourBar("urdf"), {"ros2_control"}, "", "four_bar.urdf");
  EXPECT_EQ(none.end, ConversionEnd::kBadInput);
  EXPECT_THAT(Rendered(none.diagnostics), HasSubstr("[hardware-plugin-missing]"));
}

// Every joint and link that it names is in the URDF, and no pair stands twice in either order.
TEST(Srdf, NamesExist) {
  for (const std::string& path : FilesBelow(Fixtures() + "/mechanisms", {".urdf", ".sdf"})) {
    const ConversionResult result = ToRos(ReadAll(path), {"srdf"}, "", path);
    ASSERT_EQ(result.end, ConversionEnd::kDone)
        << path << Rendered(result.diagnostics, Severity::kNote);
    Diagnostics diagnostics;
    std::optional<Model> back = ReadText(result.files.text, "robot.urdf", diagnostics);
    ASSERT_TRUE(back) << path;
    EXPECT_TRUE(LooksLikeSrdf(Srdf(result))) << path;
    EXPECT_TRUE(AddSrdf(Srdf(result), "robot.srdf", *back, diagnostics))
        << path << Rendered(diagnostics);
    EXPECT_FALSE(LooksLikeSrdf(result.files.text)) << path;
  }
}

constexpr const char* kMjcf = R"(<mujoco model="m"><worldbody>
  <body name="a"><geom type="box" size=".1 .1 .1"/><joint name="ja" type="hinge" armature="0.02"/>
    <body name="b" pos="0 0 .5"><geom type="box" size=".1 .1 .1"/><joint name="jb" type="hinge"/>
      <body name="c" pos="0 0 .5"><geom type="box" size=".1 .1 .1"/><joint name="jc" type="hinge"/></body>
    </body></body></worldbody>
  <contact><exclude body1="a" body2="c"/></contact></mujoco>)";

TEST(Srdf, ExclusionsAndArmatureHaveAHome) {
  const ConversionResult result = ToRos(kMjcf, {"srdf"}, "", "m.xml");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  const std::string srdf = Srdf(result);
  EXPECT_THAT(srdf, HasSubstr("link1=\"a\" link2=\"c\" reason=\"User\""));
  EXPECT_THAT(srdf, HasSubstr("link1=\"a\" link2=\"b\" reason=\"Adjacent\""));
  EXPECT_THAT(srdf, HasSubstr("<joint name=\"ja\" mass=\"0.02\" gear_ratio=\"1\"/>"));
  EXPECT_EQ(CountLosses(result.report).motion, 0u) << LossReportText(result.report);
}

struct Wrong {
  const char *srdf, *said;
};
TEST(Srdf, WrongOnesAreErrorsWithFileAndLine) {
  for (const Wrong& wrong :
       {Wrong{"<robot name=\"four_bar\">\n<passive_joint name=\"joint9\"/></robot>",
              "r.srdf:2: error: <passive_joint>: 'joint9' of 'name' is not in"},
        Wrong{"<robot name=\"four_bar\">\n<disable_collisions link1=\"link1\" "
              "link2=\"nobody\"/></robot>",
              "r.srdf:2: error: <disable_collisions>: 'nobody' of 'link2' is not in"},
        Wrong{"<robot name=\"four_bar\"><rotor_params>\n<joint name=\"joint1\" "
              "mass=\"x\"/></rotor_params></robot>",
              "r.srdf:2: error:"},
        Wrong{"<robot name=\"four_bar\">\n<passive_joint", "r.srdf:"}}) {
    Diagnostics diagnostics;
    std::optional<Model> model = ReadText(FourBar("urdf"), "four_bar.urdf", diagnostics);
    ASSERT_TRUE(model);
    EXPECT_FALSE(AddSrdf(wrong.srdf, "r.srdf", *model, diagnostics));
    EXPECT_THAT(Rendered(diagnostics), HasSubstr(wrong.said));
  }
}

}  // namespace
}  // namespace kinemorph::test
