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

/// What is no zero to Drake.
inline constexpr LeastInertia kLeastInDrake = {
    .mass = 2e-15,
    .moment = 2e-15,
    .why =
        "the mass matrix of Drake is singular for a moving link without mass (--massless KG "
        "gives such links a mass)"};
/// What Drake 1.58 loads (measured): its collisions are convex hulls of OBJ, VTK and glTF files.
inline constexpr LowerShapes kShapesOfDrake = {.mesh_files = ".obj .vtk .gltf",
                                               .only_of_collisions = true,
                                               .need = MeshNeed::kArea,
                                               .least_scale = 1e-8,
                                               .no_other_friction = true,
                                               .planes_are_boxes = true,
                                               .need_size = true,
                                               .colors_in_unit_range = true,
                                               .second_friction_is_dynamic = true};

}  // namespace kinemorph
