// MJCF as MuJoCo reads it, and as its other readers do too (profile `portable`).
#include "targets/targets.h"

namespace kinemorph {

Recipe MjcfRecipe(const WriteOptions& options) {
  const bool portable = options.profile == "portable";
  return {
      // A body without joints is welded to the world: a free base must be said.
      OneModel({}, {.must_be_said = true}),
      FreeJoints{},
      // Two sites hold a loop that is drawn open; other readers know no sites.
      Assemble{.may_stay_open = !portable},
      ClosedNatures,
      LowerLoops{.splits_links = true},
      OrientJoints,
      SplitJoints{},
      MergeFixed,
      PhysicalInertia,
      MasslessLinks{
          .become = MasslessRule::kChains,
          .least = {.mass = 2e-15,  // mjMINVAL is 1e-15
                    .moment = 2e-15,
                    .why = "MuJoCo refuses a moving body without mass (--massless KG gives "
                           "such links a mass)"}},
      JoinPoints{.fixed_as_points = portable},
      LowerCouplings{},
      LowerLimits{.of_whole = WholeRecord::kUpTo,
                  .zero_effort_is_unlimited = true,
                  .in_single_precision = true},
      LowerShapes{.mesh_files = ".stl .obj .msh",
                  .texture_files = ".png .ktx",
                  .most_stl_faces = 200000,
                  .need = MeshNeed::kHull,
                  .one_friction = true,
                  .planes_stand_still = true,
                  .need_size = true},
      UnknownMasses,
      DropNativeData{.drives = DriveRule::kAsMotors},
      SelfCollision{.mask_bits = 31},
      Motors{.drives = DriveRule::kAsMotors},
      DropUnsupported,
      DeclareNatures{},
      LowerNames{.keep_scope_marks = true, .keep_slashes = false},  // dm_control's mark of scopes
      TellCoordinates{},
  };
}

}  // namespace kinemorph
