#include "targets/recipe.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "kinemorph/converters/recipe.h"
#include "targets/targets.h"

namespace kinemorph {
namespace {

// What a target is asked for, as far as it decides between recipes of one format. Empty: whatever.
struct AskedFor {
  std::string_view profile = {}, side_car = {};
  std::optional<LoopChoice> loops = {};
  bool physx = false;
};

struct RecipeRow {
  std::string_view name, format;
  AskedFor asked;
  Recipe (*recipe)(const WriteOptions& options);
};

// Of the rows of a format the first that fits has its recipe.
constexpr RecipeRow kRecipes[] = {
    {"urdf_drake", "urdf", {.profile = "drake"}, UrdfDrakeRecipe},
    {"hyrodyn", "urdf", {.side_car = "hyrodyn"}, HyrodynRecipe},
    {"gepetto", "urdf", {.side_car = "gepetto"}, GepettoRecipe},
    {"urdf_tree", "urdf", {.loops = LoopChoice::kNone}, UrdfTreeRecipe},
    {"urdf_detachable", "urdf", {.loops = LoopChoice::kDetachable}, UrdfDetachableRecipe},
    {"urdf", "urdf", {}, UrdfRecipe},
    {"grbda", "urdf+", {.profile = "grbda"}, GrbdaRecipe},
    {"paper", "urdf+", {.profile = "paper"}, PaperRecipe},
    {"urdf+", "urdf+", {}, UrdfPlusRecipe},
    {"sdf_drake", "sdf", {.profile = "drake"}, SdfDrakeRecipe},
    {"sdf_detachable", "sdf", {.loops = LoopChoice::kDetachable}, SdfDetachableRecipe},
    {"sdf", "sdf", {}, SdfRecipe},
    {"portable", "mjcf", {.profile = "portable"}, MjcfRecipe},
    {"mjcf", "mjcf", {}, MjcfRecipe},
    {"mbs", "mbs", {}, MbsRecipe},
    {"isaaclab", "usda", {.side_car = "isaaclab"}, UsdRecipe},
    {"usda_physx", "usda", {.physx = true}, UsdRecipe},
    {"usda", "usda", {}, UsdRecipe},
};

bool Fits(const AskedFor& asked, const WriteOptions& options) {
  const auto has = [&](std::string_view side_car) {
    return std::find(options.side_cars.begin(), options.side_cars.end(), side_car) !=
           options.side_cars.end();
  };
  return (asked.profile.empty() || options.profile == asked.profile) &&
         (asked.side_car.empty() || has(asked.side_car)) &&
         (!asked.loops || options.loops == asked.loops) && (!asked.physx || options.physx);
}

// The plainest target that the row is for.
Target TargetOf(const RecipeRow& row) {
  Target target;
  target.format = FindFormat(row.format);
  target.options.profile = row.asked.profile;
  if (!row.asked.side_car.empty()) target.options.side_cars.emplace_back(row.asked.side_car);
  target.options.loops = row.asked.loops;
  target.options.physx = row.asked.physx;
  return target;
}

std::vector<Feature> FeaturesFor(std::string_view pass, const Target& target) {
  std::vector<Feature> features;
  for (const Feature feature : kFeatures)
    if (CapabilityOf(feature, target).pass == pass) features.push_back(feature);
  return features;
}

// What a recipe may ask of a pass is said; a pass of which nothing can be asked has no members.
template <class P>
Words AskedOf(const P& pass) {
  if constexpr (std::is_empty_v<P>)
    return {};
  else
    return pass.Asked();
}

}  // namespace

Recipe::Recipe(std::initializer_list<Part> parts) {
  for (const Part& part : parts)
    passes_.insert(passes_.end(), part.passes_.begin(), part.passes_.end());
}

Recipe RecipeOf(const Target& target) {
  for (const RecipeRow& row : kRecipes)
    if (target.format->name == row.format && Fits(row.asked, target.options))
      return row.recipe(target.options);
  return {};
}

std::string_view NameOf(const Pass& pass) {
  return std::visit([](const auto& each) { return each.kText.name; }, pass);
}

void RunPass(const Pass& pass, Model& model, PassContext& context) {
  context.pass = NameOf(pass);
  std::visit([&](const auto& each) { each(model, context); }, pass);
}

std::vector<std::string_view> RecipeNames() {
  std::vector<std::string_view> names;
  for (const RecipeRow& row : kRecipes) names.push_back(row.name);
  return names;
}

std::vector<RecipeStep> RecipeSteps(std::string_view name) {
  std::vector<RecipeStep> steps;
  for (const RecipeRow& row : kRecipes) {
    if (row.name != name) continue;
    const Target target = TargetOf(row);
    for (const Pass& pass : row.recipe(target.options))
      std::visit(
          [&](const auto& each) {
            const auto& [of_pass, summary] = each.kText;
            steps.push_back({of_pass, summary, AskedOf(each), FeaturesFor(of_pass, target)});
          },
          pass);
  }
  return steps;
}

}  // namespace kinemorph
