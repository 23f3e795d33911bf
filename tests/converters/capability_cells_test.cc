// The table cannot lie: every cell is tried on the feature's own fixture.
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "recipe_steps.h"

namespace kinemorph::test {
namespace {

// No text format but MBS spells a cylindrical joint: its fixture is the planar joint's with the
// other kind.
bool IsCylindrical(Feature feature) {
  return feature == Feature::kJointCylindrical || feature == Feature::kLoopCylindrical;
}

void MakeCylindrical(Model& model) {
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    if (const auto* planar = std::get_if<Planar>(&joint.kind)) {
      joint.kind = Cylindrical{planar->normal};
      joint.axes.assign(2, JointAxis());
    }
  }
}

std::string FixtureOf(Feature feature) {
  if (feature == Feature::kJointCylindrical) feature = Feature::kJointPlanar;
  if (feature == Feature::kLoopCylindrical) feature = Feature::kLoopPlanar;
  const std::vector<std::string> files =
      FilesBelow(Fixtures() + "/features/" + std::string(FeatureName(feature)),
                 {".sdf", ".urdf", ".xml", ".mbs"});
  return files.empty() ? "" : files.front();
}

// A loop joint that becomes a joint of the tree is the same element.
bool Same(const Subject& a, const Subject& b) {
  const auto joint = [](SubjectKind kind) {
    return kind == SubjectKind::kLoopJoint ? SubjectKind::kJoint : kind;
  };
  return joint(a.kind) == joint(b.kind) && a.name == b.name && a.link == b.link &&
         a.joint == b.joint;
}

// What uses the feature is lost, be it under another feature of the same element: a loop that is
// dropped takes its data along.
bool LosesUser(const LossReport& report, const Model& model, Feature feature) {
  for (const FeatureUse& use : FeaturesUsed(model)) {
    if (use.feature != feature) continue;
    for (const Loss& loss : report.losses)
      if (Same(loss.subject, use.subject)) return true;
  }
  return false;
}

bool Uses(const Model& model, Feature feature) {
  for (const FeatureUse& use : FeaturesUsed(model))
    if (use.feature == feature) return true;
  return false;
}

// The target has rules for whole models, or refuses something that the model uses: an error is an
// answer.
bool MayRefuse(const Model& model, const Target& target) {
  const bool rules = TraitsOf(target).rules != nullptr;
  for (const FeatureUse& use : FeaturesUsed(model)) {
    const Support support = CapabilityOf(use.feature, target).support;
    if (support == Support::kRefused || (rules && support == Support::kPartial)) return true;
  }
  return false;
}

struct Cell {
  Feature feature;
  std::size_t column;
};
void PrintTo(const Cell& cell, std::ostream* out) {
  *out << FeatureName(cell.feature) << " -> " << TableColumns()[cell.column].title;
}

std::vector<Cell> AllCells() {
  std::vector<Cell> cells;
  for (std::size_t f = 0; f < static_cast<std::size_t>(Feature::kCount); ++f) {
    for (std::size_t c = 0; c < TableColumns().size(); ++c)
      cells.push_back({static_cast<Feature>(f), c});
  }
  return cells;
}

class CapabilityCell : public testing::TestWithParam<Cell> {};

TEST_P(CapabilityCell, HoldsOnTheFeaturesFixture) {
  const Feature feature = GetParam().feature;
  const TableColumn column = TableColumns()[GetParam().column];
  const std::string path = FixtureOf(feature);
  ASSERT_NE(path, "") << "no fixture for " << FeatureName(feature);
  Diagnostics reading;
  std::optional<Model> source = ReadFile(path, reading);
  ASSERT_TRUE(source) << Rendered(reading);
  if (IsCylindrical(feature)) MakeCylindrical(*source);
  ASSERT_TRUE(Uses(*source, feature)) << path << " does not use " << FeatureName(feature);

  ConvertOptions options;
  options.target = column.target;
  if (feature == Feature::kSeveralModels &&
      CapabilityOf(feature, column.target).pass == "select_model") {
    Diagnostics refused;
    EXPECT_FALSE(Convert(*source, options, refused));
    EXPECT_NE(Rendered(refused).find("[several-models]"), std::string::npos) << Rendered(refused);
    for (const Scope& scope : source->scopes)
      if (!scope.is_world && options.model.empty()) options.model = scope.name;
  }
  Diagnostics converting;
  const std::optional<Converted> converted = Convert(*source, options, converting);
  if (MayRefuse(*source, column.target)) {
    if (CapabilityOf(feature, column.target).support == Support::kRefused) {
      EXPECT_FALSE(converted);
      EXPECT_NE(Rendered(converting).find("refuse"), std::string::npos) << Rendered(converting);
    }
    if (!converted) {
      EXPECT_NE(Rendered(converting).find(": error: "), std::string::npos);
      return;
    }
  }
  ASSERT_TRUE(converted) << Rendered(converting);
  // What a format holds that is not read is what its writer was given; its own tests look into the
  // text.
  Diagnostics rereading;
  const std::optional<Model> again =
      column.target.format->read == nullptr
          ? converted->lowered.model
          : ReadText(converted->text, "/tmp/out" + Extension(column.target.format->name),
                     rereading);
  ASSERT_TRUE(again) << Rendered(rereading) << converted->text;

  const LossReport& report = converted->lowered.report;
  const Capability cell = CapabilityOf(feature, column.target);
  bool lost = false, lowered = false;
  for (const Loss& loss : report.losses) {
    lost = lost || loss.feature == feature;
    EXPECT_NE(loss.what, "");
    EXPECT_NE(loss.why, "") << loss.what;
  }
  for (const Lowering& l : report.lowerings) lowered = lowered || l.pass == cell.pass;
  lowered = lowered || (cell.pass == "names" && !report.names.empty()) ||
            (cell.pass == "rebase_link_frames" && !report.frames.empty());
  const std::string said = LossReportText(report) + converted->text;
  switch (cell.support) {
    case Support::kRefused:
      ADD_FAILURE() << "not refused";
      break;
    case Support::kNative:
      EXPECT_FALSE(lost) << said;
      // A loop that says no more than a mimic is one, and so is a screw of which more is said.
      EXPECT_TRUE(Uses(*again, feature) ||
                  ((Has(RecipeOf(column.target), "mimics") || feature == Feature::kJointScrew) &&
                   Uses(*again, Feature::kCouplingMimic)))
          << said;
      break;
    case Support::kLowered: {
      EXPECT_FALSE(lost) << said;
      VerifyOptions verify;
      verify.report = &report;  // a pass before the one that the table names may have left it
                                // nothing to do: another cut, say
      EXPECT_TRUE(lowered || VerifyEquivalent(*source, *again, verify).equivalent) << said;
      break;
    }
    case Support::kPartial:
      EXPECT_TRUE(lost || lowered || Uses(*again, feature)) << said;
      break;
    case Support::kLost:
      EXPECT_TRUE(lost || LosesUser(report, *source, feature)) << said;
      EXPECT_FALSE(Uses(*again, feature)) << said;
      for (const Loss& loss : report.losses) {
        if (loss.feature == feature && feature != Feature::kGravity) {
          EXPECT_GT(loss.subject.where.line, 0U) << loss.what;
        }
      }
      break;
  }
}

std::string CellName(const testing::TestParamInfo<Cell>& info) {
  std::string name = std::string(FeatureName(info.param.feature)) + "__" +
                     std::string(TableColumns()[info.param.column].title);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Table, CapabilityCell, testing::ValuesIn(AllCells()), CellName);

TEST(CapabilityTable, EveryCellNamesAPassThatExistsOrNone) {
  for (const Cell& cell : AllCells()) {
    const Capability capability = CapabilityOf(cell.feature, TableColumns()[cell.column].target);
    const bool by_pass =
        capability.support == Support::kLowered || capability.support == Support::kPartial;
    EXPECT_EQ(by_pass, !capability.pass.empty()) << FeatureName(cell.feature);
    if (capability.support != Support::kNative) {
      EXPECT_FALSE(capability.note.empty()) << FeatureName(cell.feature);
    }
  }
}

TEST(Check, PredictsExactlyWhatConvertReports) {
  int compared = 0;
  for (const char* folder : {"/features", "/mechanisms"}) {
    for (const std::string& path :
         FilesBelow(Fixtures() + folder, {".sdf", ".urdf", ".xml", ".mbs"})) {
      Diagnostics reading;
      const std::optional<Model> source = ReadFile(path, reading);
      if (!source) continue;
      for (const TableColumn& column : TableColumns()) {
        ConvertOptions options;
        options.target = column.target;
        Diagnostics d1, d2;
        const std::optional<LossReport> predicted = Check(*source, options, d1);
        const std::optional<Converted> done = Convert(*source, options, d2);
        if (!predicted) continue;
        ASSERT_TRUE(done) << path << " -> " << column.title << "\n" << Rendered(d2);
        EXPECT_EQ(LossReportJson(*predicted), LossReportJson(done->lowered.report))
            << path << " -> " << column.title;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace kinemorph::test
