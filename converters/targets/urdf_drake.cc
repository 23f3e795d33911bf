// URDF as Drake reads it: loops as points that coincide, rotors of drives.
#include "targets/targets.h"

namespace kinemorph {

Recipe UrdfDrakeRecipe(const WriteOptions&) {
  return {
      CommonStart(),
      ExplicitContacts{},
      StaticModels{},
      AskIndependent{},
      ChooseTree{},
      DecideBase{},
      FlattenModels{},
      ClosedNatures{},
      LowerLoops{},
      OrientJoints{},
      SplitJoints{.whole = {.are_bare = true, .have_no_rotors = true}},
      MergeFixed{},
      LowerFrames{},
      MasslessLinks{
          .become = MasslessRule::kChains,
          .least = {.mass = 2e-15,  // what is no zero
                    .moment = 2e-15,
                    .why = "the mass matrix of Drake is singular for a moving link without "
                           "mass (--massless KG gives such links a mass)"}},
      BaseAsRoot{},
      RebaseLinkFrames{},
      JoinPoints{.fixed_as_points = true},
      LowerCouplings{},
      UrdfEnd(Natures::kNever, WorldLink{},
              Motors{.drives = DriveRule::kOnJoints, .rotors_need_drives = true}),
  };
}

}  // namespace kinemorph
