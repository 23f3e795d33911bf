// What happens to a robot on its way to a target, for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/checks/feature.h"

namespace kinemorph {

/// One pass of a recipe.
struct RecipeStep {
  std::string_view pass;     ///< its name, "limits", as reports and the capability table have it
  std::string_view summary;  ///< what it does, one sentence
  std::vector<std::string> asked;  ///< what this target asks of it
  std::vector<Feature> features;   ///< that the capability table gives to it for this target
};

/// The targets by the names of their recipes: formats, profiles, side-cars that hold loops.
[[nodiscard]] std::vector<std::string_view> RecipeNames();

/// The recipe of this name, in the order in which its passes run; empty where there is none.
[[nodiscard]] std::vector<RecipeStep> RecipeSteps(std::string_view name);

}  // namespace kinemorph
