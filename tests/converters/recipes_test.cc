// Each target's recipe is a list in the one order of all passes, complete for the cells of the table,
// and says all that the target asks; no pass asks a second time which target it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "conversion.h"
#include "kinemorph/converters/recipe.h"
#include "recipe_steps.h"

namespace kinemorph::test {
namespace {

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

std::set<std::string_view> NamesOf(const Recipe& recipe) {
  std::set<std::string_view> names;
  for (const RecipeStep& step : recipe.steps) names.insert(step.pass);
  return names;
}

std::string TextOf(const Recipe& recipe) {
  std::string text;
  for (const RecipeStep& step : recipe.steps) {
    text += std::string(step.pass) + "\n";
    for (const auto& [so, words] : step.asked)
      if (so) text += "  " + words + "\n";
  }
  return text;
}

TEST(Passes, EachHasItsOwnNameASummaryAndARecipe) {
  std::set<std::string_view> used, names;
  for (const auto& [title, target] : AllTargets()) used.merge(NamesOf(RecipeOf(target)));
  for (const PassEntry& entry : AllPasses()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(entry.summary.back(), '.') << entry.name;
    EXPECT_EQ(used.erase(entry.name), 1u) << entry.name << " is in no recipe";
  }
  EXPECT_TRUE(used.empty()) << *used.begin() << " has no place in the order";
}

TEST(Recipes, KeepTheOneOrderAndRunNothingTwice) {
  for (const auto& [title, target] : AllTargets()) {
    const Recipe recipe = RecipeOf(target);
    EXPECT_GT(recipe.steps.size(), 20u) << title;
    auto next = AllPasses().begin();
    for (const RecipeStep& step : recipe.steps) {
      next = std::find_if(next, AllPasses().end(),
                          [&](const PassEntry& entry) { return entry.name == step.pass; });
      ASSERT_NE(next, AllPasses().end()) << title << ": " << step.pass;
      EXPECT_EQ(next->run == nullptr, step.run.target<PassFunction>() == nullptr) << step.pass;
      ++next;
    }
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
    EXPECT_EQ(recipe.steps.front().pass, "unlimited") << title;
    EXPECT_EQ(recipe.steps.back().pass, "coordinates") << title;
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
    const Natures natures = Find<DeclareNatures>(recipe)->natures;
    EXPECT_EQ(Find<AskIndependent>(recipe)->forgets_others, natures != Natures::kNever) << title;
    const auto* partly = Find<PartlyIndependent>(recipe);
    EXPECT_EQ(partly != nullptr, natures != Natures::kNever) << title;
    if (partly != nullptr) { EXPECT_EQ(partly->natures, natures) << title; }
    const auto* motors = Find<Motors>(recipe);
    const DriveRule drives = motors != nullptr ? motors->drives : DriveRule::kOwn;
    if (TraitsOf(target).motors) { EXPECT_NE(drives, DriveRule::kOwn) << title; }
    if (drives != DriveRule::kOwn) { EXPECT_EQ(Find<DropNativeData>(recipe)->drives, drives); }
    const bool unseen = Find<TellCoordinates>(recipe)->cut_is_unseen;
    EXPECT_EQ(Find<LowerCouplings>(recipe)->cut_is_unseen, unseen) << title;
    if (const auto* loops = Find<LowerLoops>(recipe)) {
      EXPECT_EQ(loops->cut_is_unseen, unseen) << title;
      EXPECT_TRUE(!loops->mimics_first || Has(recipe, "mimics")) << title;
    }
    if (const auto* free = Find<FreeJoints>(recipe)) {
      EXPECT_EQ(free->free_is_implicit, Find<DecideBase>(recipe)->free_is_implicit) << title;
    }
    const bool beside = Find<ChooseTree>(recipe)->links_beside_tree;
    EXPECT_EQ(Find<DecideBase>(recipe)->links_beside_tree, beside) << title;
    EXPECT_EQ(CapabilityOf(Feature::kFrame, target).support == Support::kPartial, beside) << title;
    EXPECT_EQ(Find<DropNativeData>(recipe)->has_blocks, Has(recipe, "part_blocks")) << title;
    EXPECT_EQ(TraitsOf(target).one_root, Has(recipe, "base_as_root")) << title;
    EXPECT_TRUE(!Has(recipe, "mimics") || Has(recipe, "moving_links")) << title;
  }
}

TEST(Recipes, AreThoseOfTheChoicesOfATarget) {
  const auto recipe = [](const std::string& name) { return RecipeOf(TargetNamed(name)); };
  EXPECT_TRUE(Has(recipe("urdf"), "cut_whole_joints"));
  EXPECT_FALSE(Has(recipe("urdf none"), "loop_ends"));
  EXPECT_TRUE(Find<MovingLinks>(recipe("urdf none"))->loops_are_lost);
  EXPECT_TRUE(Find<MovingLinks>(recipe("urdf+"))->loops_are_unseen);
  EXPECT_FALSE(Has(recipe("urdf+ grbda"), "moving_links"));
  EXPECT_TRUE(Has(recipe("urdf detachable"), "weld_halves"));
  EXPECT_TRUE(Has(recipe("urdf drake"), "join_points"));
  EXPECT_TRUE(Has(RecipeOf(WithSideCar("urdf", "hyrodyn")), "loop_frames"));
  EXPECT_TRUE(Has(RecipeOf(WithSideCar("urdf", "gepetto")), "pair_frames"));
  EXPECT_TRUE(Has(RecipeOf(WithSideCar("urdf", "srdf")), "cut_whole_joints"));
  EXPECT_TRUE(Has(recipe("urdf+"), "inertia_axes"));
  EXPECT_FALSE(Has(recipe("urdf+ paper"), "inertia_axes"));
  EXPECT_TRUE(Has(recipe("urdf+ grbda"), "point_loops"));
  EXPECT_TRUE(Has(recipe("sdf@1.11"), "fold_chains"));
  EXPECT_TRUE(Has(recipe("sdf detachable"), "weld_halves"));
  EXPECT_TRUE(Find<WorldContent>(recipe("sdf drake"))->loops_too);
  EXPECT_TRUE(Find<Assemble>(recipe("mjcf"))->may_stay_open);
  EXPECT_FALSE(Find<Assemble>(recipe("mjcf portable"))->may_stay_open);
  EXPECT_TRUE(Find<LowerDrives>(recipe("usda"))->axes_share_dynamics);
  EXPECT_TRUE(Find<LowerDrives>(recipe("usda physx"))->loops_have_none);
  EXPECT_EQ(Find<DropNativeData>(RecipeOf(WithSideCar("usda", "isaaclab")))->drives,
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
  std::set<std::string> names;
  for (const std::string& name : RecipeNames()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_THAT(RecipeText(name), HasSubstr("\nchoose_tree: Gives every joint its role")) << name;
    EXPECT_THAT(docs, HasSubstr("`" + name + "`"));
  }
  EXPECT_EQ(RecipeText("no such target"), "");
  for (const Format& format : AllFormats()) {
    const std::string text = RecipeText(format.name);
    std::size_t at = 0;
    for (const RecipeStep& step : RecipeOf({&format, {}}).steps) {
      at = text.find("\n" + std::string(step.pass) + ": ", at);
      ASSERT_NE(at, std::string::npos) << format.name << ": " << step.pass;
    }
  }
  EXPECT_THAT(RecipeText("mjcf"),
              HasSubstr("\nlimits: Limits take the form the target has.\n"
                        "  - a ball joint turns from zero up to a limit\n"
                        "  - an effort limit of 0 cannot be said\n"
                        "  - limits that are one number in single precision are "
                        "equal\n  for "));
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
      first("\\n(void [A-Za-z:()]+\\(Model& model, PassContext&[a-z ]*\\)[a-z ]* \\{)\\s*([^;]*);");
  const std::set<std::string> of_all = {"native_format", "contact_rule", "one_root"};
  std::size_t passes = 0, asked = 0;
  for (const char* room : {"/normalise", "/lower", "/edit"}) {
    for (const std::string& path : FilesBelow(SourceDir() + "/converters" + room, {".cc", ".h"})) {
      const std::string text = ReadAll(path);
      for (std::sregex_iterator it(text.begin(), text.end(), traits), end; it != end; ++it, ++asked)
        EXPECT_TRUE(of_all.contains((*it)[1])) << path << ": " << (*it)[1];
      for (std::sregex_iterator it(text.begin(), text.end(), first), end; it != end; ++it, ++passes)
        EXPECT_FALSE((*it)[2].str().starts_with("if (context.traits.") ||
                     (*it)[2].str().starts_with("if (!context.traits."))
            << path << ": " << (*it)[1];
    }
  }
  EXPECT_GE(passes, AllPasses().size());
  EXPECT_GT(asked, 5u);
}

}  // namespace
}  // namespace kinemorph::test
