// Features: their names, and that each is found where it is used.
#include "kinemorph/graph/checks/feature.h"

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "graph/full_model.h"
#include "graph/small_graph.h"
#include "paths.h"

namespace kinemorph {
namespace {

using test::FullModel;
using test::SmallGraph;

std::string UsesOf(const Model& model, Feature feature) {
  std::string out;
  for (const FeatureUse& use : FeaturesUsed(model))
    if (use.feature == feature) out += (out.empty() ? "" : ", ") + Text(use.subject);
  return out;
}

TEST(Features, NamesAreUniqueAndFoundAgain) {
  std::set<std::string_view> names;
  for (const Feature feature : kFeatures) {
    EXPECT_TRUE(names.insert(FeatureName(feature)).second) << FeatureName(feature);
    EXPECT_EQ(FeatureName(feature).find_first_not_of("abcdefghijklmnopqrstuvwxyz-"),
              std::string_view::npos);
    EXPECT_FALSE(FeatureTitle(feature).empty());
    Feature found = Feature::kCount;
    EXPECT_TRUE(FeatureFromName(FeatureName(feature), found));
    EXPECT_EQ(found, feature);
  }
  EXPECT_EQ(FeatureName(Feature::kLoopBall), "loop-ball");
  Feature found = Feature::kVisual;
  EXPECT_FALSE(FeatureFromName("no-such-feature", found));
  EXPECT_EQ(found, Feature::kVisual) << "untouched";
}

TEST(Features, EveryFeatureIsFoundInAModelThatUsesAllButWhatExcludesAnother) {
  Model model = FullModel();
  std::set<Feature> found;
  for (const FeatureUse& use : FeaturesUsed(model)) found.insert(use.feature);
  for (const Feature feature : kFeatures) {
    EXPECT_EQ(found.count(feature) > 0, feature != Feature::kSeveralModels) << FeatureName(feature);
  }
  Scope second;
  second.name = "second", second.parent = ScopeId{0};
  model.scopes.push_back(second);
  EXPECT_EQ(UsesOf(model, Feature::kSeveralModels), "model 'robot', model 'second'");
}

TEST(Features, ALossTakesWhatHangsOnTheElementAlong) {
  EXPECT_TRUE(Covers(Feature::kJointBall, Feature::kDamping));
  EXPECT_TRUE(Covers(Feature::kLoopAxisData, Feature::kIndependent));
  EXPECT_TRUE(Covers(Feature::kOneSidedLimit, Feature::kPositionLimit));
  EXPECT_FALSE(Covers(Feature::kOneSidedLimit, Feature::kEffortLimit));
  EXPECT_TRUE(Covers(Feature::kCouplingGearbox, Feature::kCouplingMimic));
  EXPECT_FALSE(Covers(Feature::kCouplingGearbox, Feature::kLoopBall));
  EXPECT_TRUE(Covers(Feature::kShapeMesh, Feature::kVisual));
  EXPECT_TRUE(Covers(Feature::kVisual, Feature::kNativeData));
  EXPECT_FALSE(Covers(Feature::kVisual, Feature::kCollision));
  EXPECT_TRUE(Covers(Feature::kTransparency, Feature::kMaterialColor));
  EXPECT_FALSE(Covers(Feature::kMaterialColor, Feature::kTransparency));
  EXPECT_TRUE(Covers(Feature::kFrame, Feature::kFrame));
  EXPECT_FALSE(Covers(Feature::kFrame, Feature::kSensor));
}

TEST(Features, WhatIsLostItselfIsAnElement) {
  for (const Feature feature : kFeatures) {
    const FeatureRow& row = RowOf(feature);
    if (!row.word.empty()) { EXPECT_TRUE(In(feature, feature_group::kElements)) << row.name; }
  }
  for (const auto& field : kAxisNumbers) {
    EXPECT_TRUE(In(field.feature, feature_group::kCoordinates)) << field.words;
    EXPECT_FALSE(field.units.linear.empty()) << field.words;
    EXPECT_FALSE(field.units.angular.empty()) << field.words;
  }
}

TEST(Features, WeightsAreOfTheFeatureAndForShapesOfThePart) {
  EXPECT_EQ(WeightOf(Feature::kShapeBox, SubjectKind::kVisual), Weight::kLooks);
  EXPECT_EQ(WeightOf(Feature::kShapeBox, SubjectKind::kCollision), Weight::kMotion);
  EXPECT_EQ(WeightOf(Feature::kMaterialColor, SubjectKind::kVisual), Weight::kLooks);
  EXPECT_EQ(WeightOf(Feature::kSurfaceFriction, SubjectKind::kCollision), Weight::kMotion);
  EXPECT_EQ(WeightOf(Feature::kSensor, SubjectKind::kSensor), Weight::kInterface);
  EXPECT_EQ(WeightOf(Feature::kGravity, SubjectKind::kModel), Weight::kMotion);
}

// "loop-ball" -> "kLoopBall".
std::string Enumerator(Feature feature) {
  std::string name = "k";
  bool upper = true;
  for (const char c : FeatureName(feature)) {
    if (c != '-')
      name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '-';
  }
  return name;
}

// An order between features says nothing that lasts: a row may be put in anywhere. Groups do.
TEST(Features, NoCodeComparesThemByOrder) {
  namespace fs = std::filesystem;
  std::set<std::string> features;
  for (const Feature feature : kFeatures) features.insert(Enumerator(feature));
  const std::regex order(R"((?:\s[<>]=?\s+(?:Feature::)?(k\w+))|(?:(k\w+)\s+[<>]=?\s))");
  std::size_t lines = 0;
  for (const char* folder : {"graph", "formats", "converters", "tools", "tests"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(test::SourceDir()) / folder)) {
      const std::string kind = entry.path().extension().string();
      if (kind != ".cc" && kind != ".h" && kind != ".inc") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line); ++lines) {
        const std::string code = line.substr(0, line.find("//"));
        if (code.find(" <") == std::string::npos && code.find(" >") == std::string::npos) continue;
        for (std::sregex_iterator match(code.begin(), code.end(), order), end; match != end;
             ++match)
          EXPECT_FALSE(features.contains((*match)[1]) || features.contains((*match)[2]))
              << entry.path() << ": " << line;
      }
    }
  }
  EXPECT_GT(lines, 50'000u);
}

TEST(Features, ABareModelUsesNone) {
  Model model = SmallGraph("link a");
  Inertial inertial;
  inertial.mass = 1;
  inertial.I_I.setIdentity();
  model.link(LinkId{1}).inertial = inertial;
  EXPECT_TRUE(FeaturesUsed(model).empty());
}

TEST(Features, InOrderWithElementsAndPlaces) {
  Model model = SmallGraph("revolute base -> a limited\nrevolute a -> b\nrevolute b -> c limited");
  const std::vector<FeatureUse> uses = FeaturesUsed(model);
  EXPECT_EQ(UsesOf(model, Feature::kJointRevolute), "joint 'base-a', joint 'b-c'");
  EXPECT_EQ(UsesOf(model, Feature::kJointContinuous), "joint 'a-b'");
  EXPECT_EQ(UsesOf(model, Feature::kMasslessLink), "link 'base', link 'a', link 'b', link 'c'");
  EXPECT_TRUE(std::is_sorted(
      uses.begin(), uses.end(),
      [](const FeatureUse& a, const FeatureUse& b) { return a.feature < b.feature; }));
  EXPECT_EQ(uses[0].subject.where.line, 1u);
  EXPECT_EQ(uses[0].joint, JointId{0});
}

TEST(Features, RolesThatNobodyWroteAreChosen) {
  Model model = SmallGraph(R"(
    fixed    world -> base
    revolute base -> crank actuated
    revolute crank -> coupler
    revolute coupler -> rocker
    revolute rocker -> base)");
  EXPECT_EQ(UsesOf(model, Feature::kLoopRevolute), "loop joint 'coupler-rocker'");
  EXPECT_EQ(UsesOf(model, Feature::kReversedJoint), "joint 'rocker-base'");
  EXPECT_EQ(UsesOf(model, Feature::kWorldJoint), "joint 'world-base'");
  EXPECT_EQ(UsesOf(model, Feature::kLoopAncestor), "");
  model.joint(*model.FindJoint("rocker-base")).X_SM.p.x() = 1;
  EXPECT_EQ(UsesOf(model, Feature::kJointFrameOffset), "")
      << "the joint stands on the child's frame, which is its predecessor";
  model.joint(*model.FindJoint("rocker-base")).X_PF.p.x() = 1;
  EXPECT_EQ(UsesOf(model, Feature::kJointFrameOffset), "joint 'rocker-base'");
}

TEST(Features, WhatALoopJointCarriesIsNamedTwice) {
  const Model model =
      SmallGraph("revolute base -> a tree\nrevolute base -> b tree\nrevolute a -> b limited loop");
  EXPECT_EQ(UsesOf(model, Feature::kLoopAxisData), "loop joint 'a-b'");
  EXPECT_EQ(UsesOf(model, Feature::kOneSidedLimit), "loop joint 'a-b'");
}

TEST(Features, AFreeJointToTheWorldIsAFloatingBase) {
  Model model = SmallGraph("free world -> base\nfree base -> drone");
  EXPECT_EQ(UsesOf(model, Feature::kFloatingBase), "joint 'world-base'");
  EXPECT_EQ(UsesOf(model, Feature::kJointFree), "joint 'base-drone'");
  EXPECT_EQ(UsesOf(model, Feature::kWorldJoint), "");
}

TEST(Features, NamesThatClashOrAreReserved) {
  const Model full = FullModel();
  EXPECT_EQ(UsesOf(full, Feature::kNameClash), "joint 'knee'");
  EXPECT_EQ(UsesOf(full, Feature::kReservedName), "frame '__reserved__'");
  Model model = SmallGraph("revolute base -> arm");
  model.link(LinkId{1}).name = "world";
  EXPECT_EQ(UsesOf(model, Feature::kReservedName), "link 'world'");
  for (const char* reserved : {"____", "__a__", "scope::__a__"}) {
    model.link(LinkId{1}).name = reserved;
    EXPECT_EQ(UsesOf(model, Feature::kReservedName), "link '" + std::string(reserved) + "'");
  }
  for (const char* own : {"___", "__a", "a__", "_a_", "worlds"}) {
    model.link(LinkId{1}).name = own;
    EXPECT_EQ(UsesOf(model, Feature::kReservedName), "") << own;
  }
}

TEST(Features, ElementsOfALinkAreNamedWithIt) {
  EXPECT_EQ(UsesOf(FullModel(), Feature::kShapeBox),
            "visual 1 of link 'base', collision 'hull' of link 'base'");
  EXPECT_EQ(UsesOf(FullModel(), Feature::kTransparency), "visual 'v1' of link 'base'");
}

TEST(Features, ASyntheticLinkIsNotMassless) {
  EXPECT_EQ(UsesOf(FullModel(), Feature::kMasslessLink).find("ghost"), std::string::npos);
}

}  // namespace
}  // namespace kinemorph
