// URDF+ -> URDF and submechanisms.yml -> read with it: the same mechanism, and nothing lost but
// what the report says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "conversion.h"
#include "convert_text.h"
#include "kinemorph/formats/submechanisms.h"
#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

bool ReadBeside(Model& model, const std::vector<SideFile>& files, Diagnostics& diagnostics) {
  for (const SideFile& file : files) {
    if (file.kind != SideFileKind::kLoops) continue;
    const auto read = ParseSubmechanisms(file.text, file.name, diagnostics);
    if (!read || !AddSubmechanisms(*read, nullptr, model, diagnostics)) return false;
  }
  return true;
}

ConversionResult ToHyrodyn(const std::string& path) {
  const FileResolver files(path, {});
  ConversionRequest request;
  request.in = path;
  request.out = "robot.urdf";
  request.resolver = &files;
  request.verify = true;
  request.options.target.options.side_cars = {"hyrodyn"};
  request.options.target.options.stem = "robot";
  request.written_side_cars = ReadBeside;
  return ConvertText(ReadAll(path), request);
}

class HyrodynRoundTrip : public ::testing::TestWithParam<std::string> {};

TEST_P(HyrodynRoundTrip, IsTheSameMechanism) {
  const ConversionResult result = ToHyrodyn(GetParam());
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  ASSERT_TRUE(result.proof);
  EXPECT_EQ(CountLosses(result.report).motion, 0u) << LossReportText(result.report);
  // Once more without the conversion's word: two files against each other.
  Diagnostics diagnostics;
  const std::optional<Model> source = ReadFile(GetParam(), diagnostics);
  std::optional<Model> back = ReadText(result.files.text, "robot.urdf", diagnostics);
  ASSERT_TRUE(source && back) << Rendered(diagnostics);
  ASSERT_TRUE(ReadBeside(*back, result.files.side_files, diagnostics)) << Rendered(diagnostics);
  const Coordinates of_source = AnalyseCoordinates(Compile(*source)),
                    of_back = AnalyseCoordinates(Compile(*back));
  EXPECT_EQ(of_back.mobility - of_back.spanning_dof + of_back.rank, 0);
  EXPECT_EQ(of_source.mobility, of_back.mobility);
  // The text alone is a plain tree, and every part that closes is a tree of its own.
  EXPECT_THAT(result.files.text, Not(HasSubstr("<loop")));
  EXPECT_THAT(result.files.text, Not(HasSubstr("independent")));
  ASSERT_FALSE(result.files.side_files.empty());
  EXPECT_EQ(result.files.side_files[0].name, "robot.yml");
  for (const SideFile& file : result.files.side_files) {
    EXPECT_NE(file.kind, SideFileKind::kCode);
    if (file.name == "robot.yml") continue;
    EXPECT_THAT(result.files.side_files[0].text, HasSubstr("file_path: " + file.name));
    const std::optional<Model> part = ReadText(file.text, file.name, diagnostics);
    EXPECT_TRUE(part) << Rendered(diagnostics) << file.text;
  }
  // To the byte.
  EXPECT_EQ(ToHyrodyn(GetParam()).files.side_files[0].text, result.files.side_files[0].text);
}

std::vector<std::string> Looped() {
  std::vector<std::string> paths;
  for (const std::string& path : FilesBelow(Fixtures() + "/mechanisms", {".urdf"})) {
    const std::string name = std::filesystem::path(path).stem().string();
    if (name != "biped") paths.push_back(path);
  }
  return paths;
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, HyrodynRoundTrip, ::testing::ValuesIn(Looped()),
                         [](const auto& each) {
                           return std::filesystem::path(each.param).stem().string();
                         });

TEST(HyrodynFiles, FromOtherFormatsToo) {
  const ConversionResult result = ToHyrodyn(Fixtures() + "/mechanisms/four_bar/four_bar.sdf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_EQ(CountLosses(result.report).motion, 0u) << LossReportText(result.report);
}

TEST(HyrodynFiles, WhatIsWritten) {
  const ConversionResult result = ToHyrodyn(Fixtures() + "/mechanisms/elbow/elbow.urdf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  // A hinge in a plane is two rows; its frame is a link of its own, as HyRoDyn knows no others.
  EXPECT_EQ(result.files.side_files[0].text,
            R"(# The loops and coordinates of robot.urdf, for HyRoDyn.
submechanisms:
- contextual_name: elbow
  type: NUMERICAL
  file_path: robot.part1.urdf
  jointnames_spanningtree:
  - elbow
  - cylinder_pin
  - slide
  jointnames_independent:
  - elbow
  jointnames_active:
  - elbow
  loop_constraints:
  - cut_joint: horn_frame_joint
    predecessor_body: horn_frame
    successor_body: forearm
    constraint_axes:
    - name: horn.tz
      axis: [0, 0, 0, 0, 0, 1]
    - name: horn.tx
      axis: [0, 0, 0, 1, 0, 0]
)");
  EXPECT_THAT(Rendered(result.diagnostics, Severity::kNote), HasSubstr("[hyrodyn-active-chosen]"));
}

TEST(HyrodynFiles, NamesThatYamlWouldTakeForSomethingElse) {
  std::string text = ReadAll(Fixtures() + "/mechanisms/elbow/elbow.urdf");
  const auto rename = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  rename("name=\"slide\"", "name=\"yes\"");
  rename("name=\"elbow\" type", "name=\"a: &quot;#*\\ -\" type");
  rename("name=\"cylinder_pin\"", "name=\"1e3\"");
  rename("\"forearm\"", "\"null\"");
  ConversionRequest request;
  request.out = "robot.urdf";
  request.verify = true;
  request.options.target.options.side_cars = {"hyrodyn"};
  request.options.target.options.stem = "robot";
  request.written_side_cars = ReadBeside;
  const ConversionResult result = ConvertText(text, request);
  EXPECT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  ASSERT_FALSE(result.files.side_files.empty());
  EXPECT_THAT(result.files.side_files[0].text, HasSubstr(R"(- "a: \"#*\\ -")"));
  for (const char* quoted : {"\"yes\"", "\"1e3\"", "\"null\""})
    EXPECT_THAT(result.files.side_files[0].text, HasSubstr(quoted));
}

// Drivers of grippers give both fingers a transmission.
TEST(HyrodynFiles, AFollowerOfAMimicIsNotActive) {
  std::string text = "<robot name='r'><link name='palm'/>";
  for (const std::string side : {"left", "right"})
    text += "<link name='" + side + "'/><joint name='" + side + "_finger' type='prismatic'>" +
            "<parent link='palm'/><child link='" + side +
            "'/><axis xyz='0 1 0'/><limit lower='0' upper='1' effort='1' velocity='1'/>" +
            (side == "right" ? "<mimic joint='left_finger'/>" : "") +
            "</joint><transmission name='" + side +
            "_drive'><type>transmission_interface/SimpleTransmission</type><joint name='" + side +
            "_finger'><hardwareInterface>hardware_interface/PositionJointInterface" +
            "</hardwareInterface></joint><actuator name='" + side +
            "_motor'><mechanicalReduction>1</mechanicalReduction></actuator></transmission>";
  ConversionRequest request;
  request.out = "robot.urdf";
  request.options.target.options.side_cars = {"hyrodyn"};
  request.options.target.options.stem = "robot";
  const ConversionResult result = ConvertText(text + "</robot>", request);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  ASSERT_FALSE(result.files.side_files.empty());
  EXPECT_THAT(result.files.side_files[0].text,
              ::testing::EndsWith("jointnames_active:\n  - left_finger\n"));
}

TEST(HyrodynFiles, GoWithUrdfAlone) {
  for (const char* to : {"mjcf", "urdf+", "sdf"}) {
    ConversionRequest request;
    request.to = to;
    request.options.target.options.side_cars = {"hyrodyn"};
    const ConversionResult result =
        ConvertText(ReadAll(Fixtures() + "/mechanisms/elbow/elbow.urdf"), request);
    EXPECT_EQ(result.end, ConversionEnd::kWrongUse) << to;
    EXPECT_THAT(Rendered(result.diagnostics), HasSubstr("has no side-car 'hyrodyn'"));
  }
}

// The published robot of the paper, with its own side-cars.
TEST(HyrodynFiles, ThePapersRobot) {
  const std::string folder = Shared() +
                             "/corpus/urdf/dfki-ric-underactuated-lab__hybrid_numerical_analytical_"
                             "approach_case_study/model/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  struct Case {
    std::string urdf, yaml;
    int spanning, rank, mobility;
  };
  for (const Case& c : {Case{"submechanisms_urdf/submechanisms_reduced.urdf",
                             "submechanisms_urdf/submechanisms_reduced.yml", 23, 10, 13},
                        Case{"full_urdf/RH5v2.urdf", "full_urdf/submechanisms.yml", 61, 30, 31}}) {
    Diagnostics diagnostics;
    std::optional<Model> model = ReadFile(folder + c.urdf, diagnostics);
    const auto file = ParseSubmechanisms(ReadAll(folder + c.yaml), c.yaml, diagnostics);
    ASSERT_TRUE(model && file) << Rendered(diagnostics);
    ASSERT_TRUE(AddSubmechanisms(*file, nullptr, *model, diagnostics)) << Rendered(diagnostics);
    const Coordinates coordinates = AnalyseCoordinates(Compile(*model));
    EXPECT_EQ(coordinates.spanning_dof, c.spanning);
    EXPECT_EQ(coordinates.rank, c.rank);
    EXPECT_EQ(coordinates.mobility, c.mobility);
    EXPECT_TRUE(coordinates.assembles);
  }
}

}  // namespace
}  // namespace kinemorph::test
