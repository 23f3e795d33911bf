// Plain URDF with robot.yaml beside it, which pairs the frames of loops and names the coordinates.
#include "kinemorph/formats/submechanisms.h"
#include "targets/targets.h"

namespace kinemorph {

Recipe GepettoRecipe(const WriteOptions&) {
  return {
      UrdfStart(/*forgets_others=*/true),
      ClosedNatures{},
      // A pair of frames is a point or a weld.
      SplitLoops{},
      OrientJoints{},
      // Balls, and universal joints about coordinate axes, are retyped by name: nothing else is said.
      SplitJoints{.whole = {.are_bare = true, .universals_have_coordinate_axes = true}},
      MergeFixed{},
      LowerFrames{},
      BaseAsRoot{},
      RebaseLinkFrames{},
      PairFrames{.prefix = "closedloop"},
      LowerCouplings{.own_sum = kLinearTransmission},
      PartlyIndependent{.natures = Natures::kAlways},
      UrdfEnd(Natures::kAlways),
  };
}

}  // namespace kinemorph
