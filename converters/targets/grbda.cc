// URDF+ as GRBDA runs it: hinges about coordinate axes, loops of points, no fixed joints, and a base
// that is the root.
#include "targets/targets.h"

namespace kinemorph {

Recipe GrbdaRecipe(const WriteOptions&) {
  return {
      CommonStart(),
      ExplicitContacts{},
      StaticModels{},
      AskIndependent{.forgets_others = true},
      ChooseTree{},
      DecideBase{.must_be_said = true},
      FlattenModels{},
      ClosedNatures{},
      LowerLoops{.join_points = true},
      OrientJoints{},
      SplitJoints{.whole = {.are_bare = true}},
      // The table gives it fixed joints: it is always done.
      MergeFixed{},
      BaseAsRoot{.always = true},
      RebaseLinkFrames{},
      // GRBDA has three axes, and compares the points of a loop row by row.
      AxisAlignedFrames{},
      PointLoops{},
      InertiaAxes{},
      LowerCouplings{},
      PartlyIndependent{.natures = Natures::kAlways},
      UrdfEnd(Natures::kAlways),
  };
}

}  // namespace kinemorph
