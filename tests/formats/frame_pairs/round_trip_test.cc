// Any format -> URDF and robot.yaml -> read with it: the same mechanism.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

#include "conversion.h"
#include "convert_text.h"
#include "kinemorph/formats/frame_pairs.h"
#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ConversionResult ToGepetto(const std::string& path, const std::string& text,
                           const std::string& model = "", bool verify = true) {
  const FileResolver files(path, {});
  ConversionRequest request;
  request.in = path;
  request.out = "robot.urdf";
  request.resolver = &files;
  request.verify = verify;
  request.options.model = model;
  request.options.target.options.side_cars = {"gepetto"};
  request.options.target.options.stem = "robot";
  request.written_side_cars = AddWrittenSideCars;
  return ConvertText(text, request);
}
ConversionResult ToGepetto(const std::string& path) { return ToGepetto(path, ReadAll(path)); }

// What was written, read as anybody reads it.
std::optional<Model> Back(const ConversionResult& result, Diagnostics& diagnostics) {
  std::optional<Model> back = ReadText(result.files.text, "robot.urdf", diagnostics);
  if (back && !AddWrittenSideCars(*back, result.files.side_files, diagnostics)) back.reset();
  return back;
}

std::vector<std::string> Looped() {
  std::vector<std::string> paths;
  for (const char* folder : {"/mechanisms", "/motion"})
    for (const std::string& path : FilesBelow(Fixtures() + folder, {".urdf", ".sdf"}))
      paths.push_back(path);
  return paths;
}

std::string NameOf(const std::string& path) {
  const std::filesystem::path file(path);
  return file.stem().string() + "_" + file.extension().string().substr(1);
}

// A base that nothing holds is free in SDFormat, and unsaid in URDF.
bool SameMobility(const Model& source, int of_source, int of_back) {
  const bool floats = source.format == "sdf" || source.format == "mjcf";
  return of_back == of_source || (floats && of_back == of_source - 6);
}

class GepettoRoundTrip : public ::testing::TestWithParam<std::string> {};

TEST_P(GepettoRoundTrip, IsTheSameMechanism) {
  const ConversionResult result = ToGepetto(GetParam());
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  ASSERT_TRUE(result.proof);
  EXPECT_EQ(CountLosses(result.report).motion, 0u) << LossReportText(result.report);
  Diagnostics diagnostics;
  const std::optional<Model> source = ReadFile(GetParam(), diagnostics);
  const std::optional<Model> back = Back(result, diagnostics);
  ASSERT_TRUE(source && back) << Rendered(diagnostics);
  const Coordinates of_source = AnalyseCoordinates(Compile(*source)),
                    of_back = AnalyseCoordinates(Compile(*back));
  EXPECT_TRUE(SameMobility(*source, of_source.mobility, of_back.mobility))
      << of_source.mobility << " became " << of_back.mobility;
  EXPECT_THAT(result.files.text, Not(HasSubstr("<loop")));
  EXPECT_THAT(result.files.text, Not(HasSubstr("independent")));
  ASSERT_EQ(result.files.side_files.size(), 1u);
  EXPECT_EQ(result.files.side_files[0].name, "robot.yaml");
  // Two files against each other, without the conversion's word.
  const VerifyResult alone = VerifyEquivalent(*source, *back, {});
  const bool renamed = source->format == back->format && !result.report.lowerings.empty();
  EXPECT_TRUE(renamed || alone.verdict != Verdict::kDifferent) << Rendered(alone.diagnostics);
  EXPECT_EQ(ToGepetto(GetParam()).files.side_files[0].text, result.files.side_files[0].text);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, GepettoRoundTrip, ::testing::ValuesIn(Looped()),
                         [](const auto& each) { return NameOf(each.param); });

TEST(GepettoFiles, WhatIsWritten) {
  const ConversionResult result = ToGepetto(Fixtures() + "/mechanisms/four_bar/four_bar.urdf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_EQ(result.files.side_files[0].text,
            R"(# The loops and coordinates of robot.urdf, for Gepetto's loader.
closed_loop: [[closedloop1_A, closedloop1_B]]
type: ['3d']
name_mot: [joint1]
# That loader passes these over.
loop_name: [loop1]
independent: [joint1]
made: [closedloop1_A, closedloop1_B]
)");
  EXPECT_THAT(Rendered(result.diagnostics, Severity::kNote), HasSubstr("[gepetto-motors-chosen]"));
}

TEST(GepettoFiles, ALoopThatIsNoPointSplitsALink) {
  const ConversionResult result =
      ToGepetto(Fixtures() + "/features/loop-prismatic/" +
                std::filesystem::path(FilesBelow(Fixtures() + "/features/loop-prismatic",
                                                 {".urdf", ".sdf", ".xml", ".mbs"})
                                          .front())
                    .filename()
                    .string());
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_THAT(result.files.text, HasSubstr("_half\""));
  EXPECT_THAT(result.files.side_files[0].text, HasSubstr("type: ['6d']"));
}

TEST(GepettoFiles, BallsAndCardanJointsAreRetyped) {
  const ConversionResult result =
      ToGepetto(Fixtures() + "/mechanisms/stewart_platform/stewart_platform.sdf");
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_THAT(result.files.side_files[0].text, HasSubstr("joint_name: ["));
  EXPECT_THAT(result.files.side_files[0].text, HasSubstr("UJOINT_"));
}

TEST(GepettoFiles, WhatGepettosLoaderWillNotDoIsTold) {
  const ConversionResult mimic =
      ToGepetto(Fixtures() + "/mechanisms/belt_transmission/belt_transmission.urdf");
  ASSERT_EQ(mimic.end, ConversionEnd::kDone) << Rendered(mimic.diagnostics, Severity::kNote);
}

// Limits of a loop joint have a home on the half's tree joint.
TEST(GepettoFiles, LimitsOfALoopJointAreKept) {
  std::string text = ReadAll(Fixtures() + "/mechanisms/four_bar/four_bar.sdf");
  const std::string axis = "<axis><xyz>0 1 0</xyz></axis>";
  ASSERT_NE(text.find(axis), std::string::npos);
  text.replace(text.find(axis), axis.size(),
               "<axis><xyz>0 1 0</xyz><limit><lower>-0.7</lower><upper>1.7</upper></limit></axis>");
  const ConversionResult result = ToGepetto(Fixtures() + "/mechanisms/four_bar/four_bar.sdf", text);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << Rendered(result.diagnostics, Severity::kNote);
  EXPECT_EQ(CountLosses(result.report).motion, 0u) << LossReportText(result.report);
  EXPECT_THAT(result.files.text, HasSubstr("lower=\"-0.7\" upper=\"1.7\""));
}

TEST(GepettoFiles, OneSideCarHoldsTheLoops) {
  ConversionRequest request;
  request.out = "robot.urdf";
  request.options.target.options.side_cars = {"gepetto", "hyrodyn"};
  request.options.target.options.stem = "robot";
  const ConversionResult result =
      ConvertText(ReadAll(Fixtures() + "/mechanisms/elbow/elbow.urdf"), request);
  EXPECT_EQ(result.end, ConversionEnd::kBadInput);
  EXPECT_THAT(Rendered(result.diagnostics), HasSubstr("[side-cars-clash]"));
}

// Every looped model of the corpus: the share whose mobility comes back.
TEST(GepettoCorpus, MobilityComesBack) {
  if (!std::filesystem::exists(Shared())) GTEST_SKIP() << "no shared data";
  std::size_t looped = 0, same = 0;
  std::string others;
  for (const char* part : {"/corpus", "/urdf_plus", "/legs", "/mbs"}) {
    for (const std::string& path :
         FilesBelow(Shared() + part, {".urdf", ".sdf", ".world", ".xml", ".mjcf", ".mbs"})) {
      Diagnostics diagnostics;
      const std::optional<Model> source = ReadFile(path, diagnostics);
      if (!source || diagnostics.has_errors()) continue;
      const Coordinates of_source = AnalyseCoordinates(Compile(*source));
      if (of_source.rank == 0) continue;
      std::string model;
      std::size_t models = 0;
      for (const Scope& scope : source->scopes) {
        if (scope.is_world ||
            (scope.parent != kNoScope && !source->scopes[Index(scope.parent)].is_world))
          continue;
        model = scope.name;
        ++models;
      }
      if (models > 1) continue;  // a world: its robots are taken one by one
      ++looped;
      const ConversionResult result = ToGepetto(path, ReadAll(path), model, false);
      std::optional<Model> back;
      Diagnostics reading;
      if (result.end == ConversionEnd::kDone) back = Back(result, reading);
      const int mobility = back ? AnalyseCoordinates(Compile(*back)).mobility : -1;
      if (SameMobility(*source, of_source.mobility, mobility)) {
        ++same;
        continue;
      }
      const std::string said = Rendered(result.diagnostics);
      others += "  " + path.substr(Shared().size()) + ": " + std::to_string(of_source.mobility) +
                " became " + std::to_string(mobility) + "\n" +
                (back ? "" : said.substr(0, 300) + "\n");
    }
  }
  std::cout << same << " of " << looped << " looped models have their mobility again\n" << others;
  EXPECT_GE(static_cast<double>(same), 0.98 * static_cast<double>(looped));
}

}  // namespace
}  // namespace kinemorph::test
