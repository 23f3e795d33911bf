// USD, with the attributes of Newton or of PhysX.
#include <algorithm>
#include <limits>

#include "targets/targets.h"

namespace kinemorph {

Recipe UsdRecipe(const WriteOptions& options) {
  // PhysX has attributes for each axis of a joint, for joints of the articulation only.
  const bool physx = options.physx;
  const WholeJoints whole = {
      .are_uncoupled = true, .share_dynamics = !physx, .universals_are_square = true};
  // Numbers of USD physics are floats: a smaller mass would be read as 0.
  constexpr double kLeastFloat = std::numeric_limits<float>::min();
  // The side-car for Isaac Lab names the joints that are driven.
  const bool isaac_lab = std::find(options.side_cars.begin(), options.side_cars.end(),
                                   "isaaclab") != options.side_cars.end();
  return {
      OneModel({}, {.must_be_said = true, .free_is_implicit = true}),
      FreeJoints{.free_is_implicit = true},
      ClosedNatures,
      LowerLoops{.splits_links = true},
      OrientJoints,
      SplitJoints{.whole = whole},
      FoldChains{.whole = whole},
      MergeFixed,
      PhysicalInertia,
      MasslessLinks{
          .become = MasslessRule::kFrames,
          .least = {.mass = kLeastFloat,
                    .moment = kLeastFloat,
                    .why = "a simulator reads 0 as 'compute it from the shapes' (--massless "
                           "KG gives such links a mass)"}},
      LowerCouplings{.between_single_axes = true,
                     .mimics_join_limited = physx,
                     .polynomials_on_followers = true,
                     .leaders_follow_nobody = true},
      LowerDrives{.axes_share_dynamics = !physx, .loops_have_none = physx},
      LowerLimits{.of_whole = WholeRecord::kNoLimit,
                  .in_single_precision = true,
                  .lock_width = 1e-6,
                  .unlimited_effort = 1e10},
      StartPositions,
      LowerShapes{.mesh_files = ".usd .usda .usdc .usdz",
                  .unread_mesh =
                      "USD references .usd, .usda, .usdc and .usdz files only, and '--meshes "
                      "files' leaves points out",
                  .holds_meshes = true,
                  .decode_meshes = options.mesh_points.value_or(true),
                  .least_scale = 1e-30,
                  .one_friction = true,
                  .no_other_friction = physx,
                  .planes_stand_still = true,
                  .need_size = true},
      UnknownMasses,
      DropNativeData{.drives = isaac_lab ? DriveRule::kOnJoints : DriveRule::kOwn},
      SelfCollision{.mask_bits = 32},
      DropUnsupported,
      DeclareNatures{},
      LowerNames{.rule = NameRule::kPrims, .keep_scope_marks = true},
      TellCoordinates{},
  };
}

}  // namespace kinemorph
