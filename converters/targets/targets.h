// The recipes, one file each, and what they share. `options` are those that the file is written with.
#pragma once

#include "targets/recipe.h"

namespace kinemorph {

/// What every conversion begins with.
[[nodiscard]] Recipe CommonStart();

/// @{
/// Plain URDF: with its loops in `<gazebo>`, with none, with those that a plugin welds, for Drake, and
/// with the loops in a side-car.
[[nodiscard]] Recipe UrdfRecipe(const WriteOptions& options);
[[nodiscard]] Recipe UrdfTreeRecipe(const WriteOptions& options);
[[nodiscard]] Recipe UrdfDetachableRecipe(const WriteOptions& options);
[[nodiscard]] Recipe UrdfDrakeRecipe(const WriteOptions& options);
[[nodiscard]] Recipe HyrodynRecipe(const WriteOptions& options);
[[nodiscard]] Recipe GepettoRecipe(const WriteOptions& options);
/// @}
/// @{
/// URDF+.
[[nodiscard]] Recipe UrdfPlusRecipe(const WriteOptions& options);
[[nodiscard]] Recipe PaperRecipe(const WriteOptions& options);
[[nodiscard]] Recipe GrbdaRecipe(const WriteOptions& options);
/// @}
/// @{
/// SDFormat.
[[nodiscard]] Recipe SdfRecipe(const WriteOptions& options);
[[nodiscard]] Recipe SdfDetachableRecipe(const WriteOptions& options);
[[nodiscard]] Recipe SdfDrakeRecipe(const WriteOptions& options);
/// @}
/// @{
/// MJCF, MBS, USD.
[[nodiscard]] Recipe MjcfRecipe(const WriteOptions& options);
[[nodiscard]] Recipe MbsRecipe(const WriteOptions& options);
[[nodiscard]] Recipe UsdRecipe(const WriteOptions& options);
/// @}

/// The start of every recipe of URDF whose links all stand in its tree. `forgets_others`: the target
/// declares coordinates (AskIndependent).
[[nodiscard]] Recipe UrdfStart(bool forgets_others = false);
/// The end of every recipe of URDF, when its loops and couplings are what they will be: limits,
/// shapes, the world, content, names.
[[nodiscard]] Recipe UrdfEnd(Natures natures, const WorldLink& world = {},
                             const Motors& motors = {.drives = DriveRule::kOnJoints});
/// Links that libsdformat does not leave out of a loop in `<gazebo>`.
[[nodiscard]] LeastInertia LeastInGazebo();

/// What every recipe of SDFormat has in common after the tree is chosen, but for loops and couplings:
/// how links and joints look, and what is left of content and names.
/// @{
[[nodiscard]] Recipe SdfLinks(const WorldContent& world = {});
[[nodiscard]] Recipe SdfContent();
[[nodiscard]] Recipe SdfEnd(const TellCoordinates& tell = {});
/// @}

}  // namespace kinemorph
