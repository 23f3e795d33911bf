// SDFormat as Drake reads it: loops as points of two links that coincide, in one model.
#include "targets/targets.h"

namespace kinemorph {

Recipe SdfDrakeRecipe(const WriteOptions&) {
  constexpr WholeJoints kWhole = {
      .are_uncoupled = true, .have_no_rotors = true, .universals_are_square = true};
  return {
      CommonStart(),
      ExplicitContacts{},
      StaticModels{},
      AskIndependent{},
      ChooseTree{},
      // What no joint ties to the world is free.
      DecideBase{.free_is_implicit = true},
      FlattenModels{},
      FreeJoints{.free_is_implicit = true},
      LowerLoops{},
      SplitJoints{.whole = kWhole},
      FoldChains{.whole = kWhole},
      SdfLinks(WorldContent{.loops_too = true}),
      JoinPoints{.fixed_as_points = true},
      LowerCouplings{.between_single_axes = true},
      SdfContent(),
      Motors{.rotors_need_drives = true},
      SdfEnd(),
  };
}

}  // namespace kinemorph
