#include "targets/recipe.h"

#include <algorithm>

#include "kinemorph/converters/recipe.h"
#include "targets/targets.h"

namespace kinemorph {
namespace {

// A target is a format with choices. AllRecipes finds the recipe by the choices that need one of
// their own. Steps have names and words, so that RecipeText shows the very list that runs.
struct RecipeRow {
  std::string_view name, format;
  WriteOptions asked;  // what is empty fits all
  RecipeFunction* recipe;
};

// Of the rows of a format the first that fits has its recipe.
const std::vector<RecipeRow>& AllRecipes() {
  static const std::vector<RecipeRow> kRows = {
      {"urdf_drake", "urdf", {.profile = "drake"}, UrdfDrakeRecipe},
      {"hyrodyn", "urdf", {.side_cars = {"hyrodyn"}}, HyrodynRecipe},
      {"gepetto", "urdf", {.side_cars = {"gepetto"}}, GepettoRecipe},
      {"urdf_tree", "urdf", {.loops = LoopChoice::kNone}, UrdfTreeRecipe},
      {"urdf_detachable", "urdf", {.loops = LoopChoice::kDetachable}, UrdfDetachableRecipe},
      {"urdf", "urdf", {}, UrdfRecipe},
      {"grbda", "urdf+", {.profile = "grbda"}, GrbdaRecipe},
      {"paper", "urdf+", {.profile = "paper"}, UrdfPlusRecipe},
      {"urdf+", "urdf+", {}, UrdfPlusRecipe},
      {"sdf_drake", "sdf", {.profile = "drake"}, SdfDrakeRecipe},
      {"sdf_detachable", "sdf", {.loops = LoopChoice::kDetachable}, SdfDetachableRecipe},
      {"sdf", "sdf", {}, SdfRecipe},
      {"portable", "mjcf", {.profile = "portable"}, MjcfRecipe},
      {"mjcf", "mjcf", {}, MjcfRecipe},
      {"mbs", "mbs", {}, MbsRecipe},
      {"isaaclab", "usda", {.side_cars = {"isaaclab"}}, UsdRecipe},
      {"usda_physx", "usda", {.physx = true}, UsdRecipe},
      {"usda", "usda", {}, UsdRecipe},
  };
  return kRows;
}

bool Fits(const WriteOptions& asked, const WriteOptions& options) {
  const auto goes_with_it = [&](const std::string& side_car) {
    return std::find(options.side_cars.begin(), options.side_cars.end(), side_car) !=
           options.side_cars.end();
  };
  return (asked.profile.empty() || options.profile == asked.profile) &&
         std::all_of(asked.side_cars.begin(), asked.side_cars.end(), goes_with_it) &&
         (!asked.loops || options.loops == asked.loops) && (!asked.physx || options.physx);
}

// What the pass does, what the target asks of it, and the features that the table gives to it.
std::string StepText(const RecipeStep& step, const Target& target) {
  std::string text = "\n" + std::string(step.pass) + ": ";
  for (const PassEntry& entry : AllPasses())
    if (entry.name == step.pass) text += std::string(entry.summary) + "\n";
  for (const auto& [so, words] : step.asked)
    if (so) text += "  - " + words + "\n";
  std::string features;
  for (const Feature feature : kFeatures)
    if (CapabilityOf(feature, target).pass == step.pass)
      features += (features.empty() ? "  for " : ", ") + std::string(FeatureName(feature));
  return features.empty() ? text : text + features + "\n";
}

}  // namespace

Recipe::Recipe(PassFunction pass) {
  for (const PassEntry& entry : AllPasses())
    if (entry.run == pass) steps.push_back({entry.name, {}, pass});
}

Recipe::Recipe(std::initializer_list<Recipe> parts) {
  for (const Recipe& part : parts) steps.insert(steps.end(), part.steps.begin(), part.steps.end());
}

Recipe CommonStart() {
  return {Unlimited, BindWorldLink, SilentGravity, Keyframes, SelectModel, DropRequested};
}

Recipe OneModel(const AskIndependent& asked, const DecideBase& base, const ChooseTree& tree) {
  return {CommonStart(), ExplicitContacts, StaticModels, asked, tree, base, FlattenModels};
}

Recipe RecipeOf(const Target& target) {
  for (const RecipeRow& row : AllRecipes())
    if (target.format->name == row.format && Fits(row.asked, target.options))
      return row.recipe(target.options);
  return {};
}

std::vector<std::string> RecipeNames() {
  std::vector<std::string> names;
  for (const RecipeRow& row : AllRecipes()) names.emplace_back(row.name);
  return names;
}

std::string RecipeText(std::string_view name) {
  std::string text;
  for (const RecipeRow& row : AllRecipes())
    if (row.name == name)
      for (const RecipeStep& step : row.recipe(row.asked).steps)
        text += StepText(step, {FindFormat(row.format), row.asked});
  return text;
}

}  // namespace kinemorph
