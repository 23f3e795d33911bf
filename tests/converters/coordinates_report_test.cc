// One truth about cuts and coordinates: the report, the notes, `check` and the written file name
// the same loop joints and the same independent coordinates; --independent chooses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "conversion.h"
#include "kinemorph/converters/inspection.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "recipe_steps.h"
#include "series_parallel.h"

namespace kinemorph::test {
namespace {

using Names = std::set<std::string>;

Names SetOf(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

Names LoopJointsOf(const Model& model) {
  Names names;
  for (const JointId id : ChooseSpanningTree(model).loop_joints)
    if (!model.joint(id).implicit) names.insert(model.joint(id).name);
  return names;
}

// Without those that no file names: they hold static models.
Names Named(Names names, const Model& model) {
  for (const JointId id : Joints(model))
    if (model.joint(id).implicit) names.erase(model.joint(id).name);
  return names;
}

Names DeclaredOf(const Model& model, bool independent) {
  const SpanningTree tree = ChooseSpanningTree(model);
  Names names;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (!tree.IsLoop(id) && NumVelocities(joint.kind) > 0 &&
        joint.independent.value_or(!independent) == independent)
      names.insert(joint.name);
  }
  return names;
}

// The joint that a note about a cut names.
Names CutNotes(const Diagnostics& diagnostics) {
  Names names;
  for (const Diagnostic& d : diagnostics.items()) {
    if (d.code != "cut-chosen") continue;
    const std::size_t first = d.message.find('\'') + 1;
    names.insert(d.message.substr(first, d.message.find('\'', first) - first));
  }
  return names;
}

// What is told of the conversion against what the file says. False where the file is not for this
// target.
bool ExpectOneTruth(const Model& source, const std::string& target, const std::string& what) {
  ConvertOptions options;
  options.target = TargetNamed(target);
  Diagnostics converting, checking, reading;
  const std::optional<Converted> converted = Convert(source, options, converting);
  if (!converted) return false;
  const std::optional<LossReport> predicted = Check(source, options, checking);
  const std::optional<Model> written =
      ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), reading);
  EXPECT_TRUE(predicted && written) << what << "\n" << Rendered(reading);
  if (!predicted || !written) return false;
  const CoordinatesReport& told = converted->lowered.report.coordinates;
  EXPECT_EQ(told.loop_joints, predicted->coordinates.loop_joints) << what;
  EXPECT_EQ(told.independent, predicted->coordinates.independent) << what;
  EXPECT_EQ(Named(SetOf(told.loop_joints), *written), LoopJointsOf(*written)) << what;
  for (const std::string& noted : CutNotes(converting))
    EXPECT_THAT(told.loop_joints, testing::Contains(noted)) << what;
  if (Find<DeclareNatures>(RecipeOf(options.target))->natures == Natures::kNever) {
    EXPECT_TRUE(told.independent.empty()) << what;
  } else if (!told.loop_joints.empty()) {
    EXPECT_EQ(SetOf(told.dependent), DeclaredOf(*written, false)) << what;
  }
  return true;
}

const std::vector<std::string> kTargets = {"urdf+", "urdf+ paper", "sdf", "mjcf", "mbs"};

TEST(OneTruth, FixturesNameTheSameLoopJointsAndCoordinatesEverywhere) {
  int judged = 0;
  for (const char* folder : {"/mechanisms", "/regressions", "/features"}) {
    for (const std::string& path :
         FilesBelow(Fixtures() + folder, {".urdf", ".sdf", ".xml", ".mbs"})) {
      Diagnostics reading;
      const std::optional<Model> source = ReadFile(path, reading);
      if (!source) continue;
      for (const std::string& target : kTargets)
        judged += ExpectOneTruth(*source, target, path + " -> " + target) ? 1 : 0;
    }
  }
  EXPECT_GT(judged, 500);
}

TEST(OneTruth, RealFilesNameTheSameLoopJointsAndCoordinatesEverywhere) {
  const std::vector<std::string> files =
      FilesBelow(std::filesystem::path(Shared()) / "urdf_plus", {".urdf"});
  if (files.empty()) GTEST_SKIP() << "no shared data beside the project";
  int judged = 0;
  for (std::size_t i = 0; i < files.size(); i += 5) {
    Diagnostics reading;
    const std::optional<Model> source = ReadFile(files[i], reading);
    if (!source) continue;
    for (const std::string& target : kTargets)
      judged += ExpectOneTruth(*source, target, files[i] + " -> " + target) ? 1 : 0;
  }
  std::cout << judged << " conversions\n";
  EXPECT_GT(judged, 50);
}

std::optional<Model> FourBar() {
  Diagnostics reading;
  return ReadFile(Fixtures() + "/mechanisms/four_bar/four_bar.sdf", reading);
}

TEST(Independent, TheJointsAskedForAreIndependentAndTheRestIsChosen) {
  const std::optional<Model> source = FourBar();
  ASSERT_TRUE(source);
  for (const char* joint : {"joint1", "joint2", "joint3"}) {
    for (const char* target : {"urdf+", "mbs"}) {
      ConvertOptions options;
      options.target = TargetNamed(target);
      options.independent = {joint};
      Diagnostics messages;
      const std::optional<Converted> converted = Convert(*source, options, messages);
      ASSERT_TRUE(converted) << Rendered(messages);
      Model model = converted->lowered.model;
      EXPECT_EQ(model.joint(*model.FindJoint(joint)).independent, true);
      EXPECT_EQ(AnalyseCoordinates(Compile(model)).independent_declared, 1) << target;
      EXPECT_TRUE(AnalyseCoordinates(Compile(model)).independent_ok) << target;
    }
  }
}

// Where the author gave no roles the loop is cut elsewhere; a <loop> is what he said it is.
TEST(Independent, AJointThatWouldBeCutGoesIntoTheTreeUnlessItIsAuthoredAsALoop) {
  ConvertOptions options;
  options.target = TargetNamed("urdf+");
  options.independent = {"loop1"};
  Diagnostics messages;
  const std::optional<Model> undecided = FourBar();
  ASSERT_TRUE(undecided);
  const std::optional<Converted> converted = Convert(*undecided, options, messages);
  ASSERT_TRUE(converted) << Rendered(messages);
  const Model& model = converted->lowered.model;
  EXPECT_EQ(model.joint(*model.FindJoint("loop1")).role, JointRole::kTree);
  EXPECT_EQ(model.joint(*model.FindJoint("loop1")).independent, true);
  const std::optional<Model> authored =
      ReadFile(Fixtures() + "/mechanisms/four_bar/four_bar.urdf", messages);
  ASSERT_TRUE(authored);
  EXPECT_FALSE(Convert(*authored, options, messages));
  EXPECT_THAT(Rendered(messages), testing::HasSubstr("[independent-unknown]"));
}

TEST(Independent, WhatIsImpossibleSaysWhyForEveryTarget) {
  const std::optional<Model> source = FourBar();
  ASSERT_TRUE(source);
  const auto errors = [&](const std::string& target, std::vector<std::string> joints) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    options.independent = std::move(joints);
    Diagnostics messages;
    EXPECT_FALSE(Convert(*source, options, messages)) << target;
    return Rendered(messages);
  };
  for (const char* target : {"urdf+", "sdf", "mjcf", "mbs"}) {
    EXPECT_THAT(errors(target, {"joint1", "joint3"}),
                testing::HasSubstr("rank 2, those of the other 1 coordinates only rank 1"))
        << target;
    EXPECT_THAT(errors(target, {"jont1"}), testing::HasSubstr("did you mean 'joint1'")) << target;
  }
  Model model = *source;
  Diagnostics messages;
  EXPECT_FALSE(DeclareIndependent(model, {"joint1", "joint2"}, messages));
  model = *source;
  EXPECT_TRUE(DeclareIndependent(model, {"joint3"}, messages));
  EXPECT_EQ(model.joint(*model.FindJoint("joint1")).independent, false);
}

TEST(Independent, ALoopInGazeboDeclaresNothing) {
  Diagnostics reading;
  const std::optional<Model> source =
      ReadFile(Fixtures() + "/features/urdf-gazebo-joint/urdf-gazebo-joint.urdf", reading);
  ASSERT_TRUE(source);
  const Coordinates c = AnalyseCoordinates(Compile(*source));
  EXPECT_FALSE(c.declared);
  EXPECT_TRUE(c.independent_ok);
  EXPECT_EQ(c.mobility, 1);
}

// Of three cranks with sliders, two reach them.
TEST(Inspection, EachClosureHasItsOwnDeadCentres) {
  const Model model = ThreeCranks();
  const Inspection seen = Inspect(model, ChooseSpanningTree(model));
  ASSERT_EQ(seen.closures.size(), 3u);
  for (const InspectedClosure& closure : seen.closures) {
    const std::string n = closure.links.front().substr(5);  // "crank1"
    ASSERT_EQ(closure.dead_centres.found.size(), n == "2" ? 0u : 2u) << n;
    for (const DeadCentre& dead : closure.dead_centres.found)
      EXPECT_EQ(seen.coordinate_names[static_cast<std::size_t>(dead.stands.front())],
                "slide" + n + "_joint");
  }
}

}  // namespace
}  // namespace kinemorph::test
