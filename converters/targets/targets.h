// The recipes of all targets, and what they share.
#pragma once

#include "targets/recipe.h"

namespace kinemorph {

/// The recipe of a target whose file is written with these options.
using RecipeFunction = Recipe(const WriteOptions& options);
RecipeFunction UrdfRecipe, UrdfTreeRecipe, UrdfDetachableRecipe, UrdfDrakeRecipe, HyrodynRecipe,
    GepettoRecipe, UrdfPlusRecipe, GrbdaRecipe, SdfRecipe, SdfDetachableRecipe, SdfDrakeRecipe,
    MjcfRecipe, MbsRecipe, UsdRecipe;

/// How every conversion begins: what was asked for is left.
[[nodiscard]] Recipe CommonStart();
/// ... until there is one model with a tree and a base.
[[nodiscard]] Recipe OneModel(const AskIndependent& asked, const DecideBase& base,
                              const ChooseTree& tree = {});

}  // namespace kinemorph
