// Each target's recipe is a list in the one order of all passes, complete for the cells of the table,
// and says all that the target asks; no pass asks a second time which target it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "conversion.h"
#include "kinemorph/converters/recipe.h"
#include "targets/recipe.h"

namespace kinemorph::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Target WithSideCar(const std::string& format, const std::string& side_car) {
  Target target = TargetNamed(format);
  target.options.side_cars = {side_car};
  return target;
}

// All columns of the table, and the targets that have none.
std::map<std::string, Target> AllTargets() {
  std::map<std::string, Target> targets;
  for (const TableColumn& column : TableColumns())
    targets[std::string(column.title)] = column.target;
  targets["sdf (detachable)"] = TargetNamed("sdf detachable");
  for (const Format& format : AllFormats())
    for (const std::string_view side_car : format.side_cars)
      targets[std::string(side_car)] = WithSideCar(std::string(format.name), std::string(side_car));
  return targets;
}

template <std::size_t... kPlace>
std::vector<Pass> AllPasses(std::index_sequence<kPlace...>) {
  return {Pass(std::in_place_index<kPlace>)...};
}
std::vector<Pass> AllPasses() {
  return AllPasses(std::make_index_sequence<std::variant_size_v<Pass>>());
}

std::set<std::string_view> NamesOf(const Recipe& recipe) {
  std::set<std::string_view> names;
  for (const Pass& pass : recipe) names.insert(NameOf(pass));
  return names;
}

// A pass of which nothing can be asked has no members.
std::vector<std::string> AskedOf(const Pass& pass) {
  return std::visit(
      [](const auto& each) -> std::vector<std::string> {
        if constexpr (std::is_empty_v<std::decay_t<decltype(each)>>)
          return {};
        else
          return each.Asked();
      },
      pass);
}

std::string TextOf(const Recipe& recipe) {
  std::string text;
  for (const Pass& pass : recipe) {
    text += std::string(NameOf(pass)) + "\n";
    for (const std::string& asked : AskedOf(pass)) text += "  " + asked + "\n";
  }
  return text;
}

TEST(Passes, EachHasItsOwnNameASummaryAndARecipe) {
  std::set<std::string_view> used, names;
  for (const auto& [title, target] : AllTargets()) used.merge(NamesOf(RecipeOf(target)));
  for (const Pass& pass : AllPasses()) {
    const std::string_view summary =
        std::visit([](const auto& each) { return each.kText.summary; }, pass);
    EXPECT_TRUE(names.insert(NameOf(pass)).second) << NameOf(pass);
    EXPECT_EQ(summary.back(), '.') << NameOf(pass);
    EXPECT_TRUE(used.contains(NameOf(pass))) << NameOf(pass) << " is in no recipe";
  }
}

TEST(Recipes, KeepTheOneOrderAndRunNothingTwice) {
  for (const auto& [title, target] : AllTargets()) {
    const Recipe recipe = RecipeOf(target);
    ASSERT_GT(recipe.passes().size(), 20u) << title;
    for (std::size_t i = 1; i < recipe.passes().size(); ++i)
      EXPECT_LT(recipe.passes()[i - 1].index(), recipe.passes()[i].index())
          << title << ": " << NameOf(recipe.passes()[i]);
  }
}

TEST(Recipes, HaveEveryPassThatTheTableNames) {
  for (const auto& [title, target] : AllTargets()) {
    const std::set<std::string_view> names = NamesOf(RecipeOf(target));
    for (const Feature feature : kFeatures) {
      const std::string_view pass = CapabilityOf(feature, target).pass;
      EXPECT_TRUE(pass.empty() || names.contains(pass))
          << title << ", " << FeatureName(feature) << ": " << pass;
    }
  }
}

// Every conversion begins by knowing what was asked for, and ends by telling what is left.
TEST(Recipes, ShareTheirStartAndWhatKeepsTheLaw) {
  for (const auto& [title, target] : AllTargets()) {
    const Recipe recipe = RecipeOf(target);
    EXPECT_TRUE(std::holds_alternative<Unlimited>(recipe.passes().front())) << title;
    EXPECT_TRUE(std::holds_alternative<TellCoordinates>(recipe.passes().back())) << title;
    const std::set<std::string_view> names = NamesOf(recipe);
    for (const char* pass :
         {"bind_world_link", "select_model", "drop_requested", "independent", "choose_tree", "base",
          "merge_fixed", "couplings", "shapes", "unknown_masses", "native_data", "drop_unsupported",
          "natures", "names"})
      EXPECT_TRUE(names.contains(pass)) << title << ": " << pass;
  }
}

// What is said in two places of a recipe is said alike.
TEST(Recipes, AgreeWithThemselves) {
  for (const auto& [title, target] : AllTargets()) {
    const Recipe recipe = RecipeOf(target);
    const Natures natures = recipe.Find<DeclareNatures>()->natures;
    EXPECT_EQ(recipe.Find<AskIndependent>()->forgets_others, natures != Natures::kNever) << title;
    const auto* partly = recipe.Find<PartlyIndependent>();
    EXPECT_EQ(partly != nullptr, natures != Natures::kNever) << title;
    if (partly != nullptr) { EXPECT_EQ(partly->natures, natures) << title; }
    const auto* motors = recipe.Find<Motors>();
    const DriveRule drives = motors != nullptr ? motors->drives : DriveRule::kOwn;
    if (TraitsOf(target).motors) { EXPECT_NE(drives, DriveRule::kOwn) << title; }
    if (motors != nullptr) { EXPECT_EQ(recipe.Find<DropNativeData>()->drives, drives) << title; }
    const bool unseen = recipe.Find<TellCoordinates>()->cut_is_unseen;
    EXPECT_EQ(recipe.Find<LowerCouplings>()->cut_is_unseen, unseen) << title;
    if (const auto* loops = recipe.Find<LowerLoops>()) {
      EXPECT_EQ(loops->cut_is_unseen, unseen) << title;
      EXPECT_EQ(loops->weld_halves, recipe.Find<WeldHalves>() != nullptr) << title;
      EXPECT_EQ(loops->join_points, recipe.Find<PointLoops>() != nullptr) << title;
      EXPECT_TRUE(!loops->mimics_first || recipe.Find<Mimics>() != nullptr) << title;
    }
    if (const auto* ends = recipe.Find<LoopEnds>()) {
      EXPECT_NE(ends->merges, nullptr) << title;
      EXPECT_EQ(ends->weld_halves, recipe.Find<WeldHalves>() != nullptr) << title;
    }
    if (const auto* free = recipe.Find<FreeJoints>()) {
      EXPECT_EQ(free->free_is_implicit, recipe.Find<DecideBase>()->free_is_implicit) << title;
    }
    if (const auto* blocks = recipe.Find<PartBlocks>()) {
      EXPECT_EQ(recipe.Find<DropNativeData>()->block_format, blocks->block_format) << title;
    }
    EXPECT_EQ(TraitsOf(target).one_root, recipe.Find<BaseAsRoot>() != nullptr) << title;
  }
}

TEST(Recipes, AreThoseOfTheChoicesOfATarget) {
  const auto recipe = [](const std::string& name) { return RecipeOf(TargetNamed(name)); };
  EXPECT_TRUE(recipe("urdf").Find<CutWholeJoints>());
  EXPECT_FALSE(recipe("urdf none").Find<LoopEnds>());
  EXPECT_TRUE(recipe("urdf detachable").Find<WeldHalves>());
  EXPECT_TRUE(recipe("urdf drake").Find<Motors>()->rotors_need_drives);
  EXPECT_TRUE(RecipeOf(WithSideCar("urdf", "hyrodyn")).Find<LoopFrames>());
  EXPECT_EQ(RecipeOf(WithSideCar("urdf", "gepetto")).Find<PairFrames>()->prefix, "closedloop");
  EXPECT_TRUE(RecipeOf(WithSideCar("urdf", "srdf")).Find<CutWholeJoints>());
  EXPECT_TRUE(recipe("urdf+").Find<InertiaAxes>());
  EXPECT_FALSE(recipe("urdf+ paper").Find<InertiaAxes>());
  EXPECT_TRUE(recipe("urdf+ grbda").Find<PointLoops>());
  EXPECT_TRUE(recipe("sdf@1.11").Find<FoldChains>());
  EXPECT_TRUE(recipe("sdf detachable").Find<WeldHalves>());
  EXPECT_TRUE(recipe("sdf drake").Find<WorldContent>()->loops_too);
  EXPECT_TRUE(recipe("mjcf").Find<Assemble>()->may_stay_open);
  EXPECT_FALSE(recipe("mjcf portable").Find<Assemble>()->may_stay_open);
  EXPECT_TRUE(recipe("usda").Find<LowerDrives>()->axes_share_dynamics);
  EXPECT_TRUE(recipe("usda physx").Find<LowerDrives>()->loops_have_none);
  EXPECT_EQ(RecipeOf(WithSideCar("usda", "isaaclab")).Find<DropNativeData>()->drives,
            DriveRule::kOnJoints);
}

TEST(Recipes, OfAProfileDifferFromThoseOfItsFormat) {
  for (const Format& format : AllFormats()) {
    const std::string plain = TextOf(RecipeOf({&format, {}}));
    for (const Dialect& dialect : format.dialects) {
      if (dialect.options.profile.empty()) continue;
      EXPECT_NE(TextOf(RecipeOf({&format, dialect.options})), plain) << dialect.title;
    }
  }
}

// `formats --recipe` takes these words, and prints these steps.
TEST(Recipes, AreToldByName) {
  const std::string docs = ReadAll(SourceDir() + "/tools/docs/FORMATS.md");
  std::set<std::string_view> names;
  for (const std::string_view name : RecipeNames()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_GT(RecipeSteps(name).size(), 20u) << name;
    EXPECT_THAT(docs, HasSubstr("`" + std::string(name) + "`"));
  }
  EXPECT_TRUE(RecipeSteps("no such target").empty());
  for (const Format& format : AllFormats()) {
    const std::vector<RecipeStep> steps = RecipeSteps(format.name);
    const Recipe recipe = RecipeOf({&format, {}});
    ASSERT_EQ(steps.size(), recipe.passes().size()) << format.name;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_EQ(steps[i].pass, NameOf(recipe.passes()[i])) << format.name;
      EXPECT_EQ(steps[i].asked, AskedOf(recipe.passes()[i])) << format.name;
    }
  }
  for (const RecipeStep& step : RecipeSteps("mjcf")) {
    if (step.pass != "limits") continue;
    EXPECT_THAT(step.asked, Contains("a limit has both sides"));
    EXPECT_THAT(step.features, Contains(Feature::kOneSidedLimit));
  }
}

// What only a pass asks is its own member; this is what is left for all.
TEST(TargetTraits, AreFew) {
  const std::string header = ReadAll(SourceDir() + "/formats/include/kinemorph/formats/profile.h");
  const std::size_t from = header.find("struct TargetTraits {"), to = header.find("};", from);
  ASSERT_NE(to, std::string::npos);
  std::istringstream lines(header.substr(from, to - from));
  int members = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.find("///") == std::string::npos && line.ends_with(";")) ++members;
  EXPECT_GT(members, 5);
  EXPECT_LE(members, 12);
}

// A pass that does nothing for a target stands in no recipe of it.
TEST(Passes, DoNotAskTheTargetWhetherTheyRun) {
  const std::regex traits("traits\\.([a-z_]+)"),
      first("^\\s*if \\(!?context\\.traits\\.[a-z_]+\\)");
  const std::set<std::string> of_all = {"native_format", "contact_rule", "one_root"};
  std::size_t passes = 0, asked = 0;
  for (const char* room : {"/normalise", "/lower", "/edit"}) {
    for (const std::string& path : FilesBelow(SourceDir() + "/converters" + room, {".cc", ".h"})) {
      const std::string text = ReadAll(path);
      for (std::sregex_iterator it(text.begin(), text.end(), traits), end; it != end; ++it, ++asked)
        EXPECT_TRUE(of_all.contains((*it)[1])) << path << ": " << (*it)[1];
      for (std::size_t at = text.find("::operator()("); at != std::string::npos;
           at = text.find("::operator()(", at + 1), ++passes) {
        const std::size_t begin = text.find('{', at) + 1;
        const std::string statement = text.substr(begin, text.find(';', begin) - begin);
        EXPECT_FALSE(std::regex_search(statement, first)) << path << ": " << statement;
      }
    }
  }
  EXPECT_EQ(passes, std::variant_size_v<Pass>);
  EXPECT_GT(asked, 5u);
}

}  // namespace
}  // namespace kinemorph::test
