// URDF+ as its paper prints it: as for the reference parser, but tensors keep their directions.
#include "kinemorph/formats/submechanisms.h"
#include "targets/targets.h"

namespace kinemorph {

Recipe PaperRecipe(const WriteOptions&) {
  return {
      UrdfStart(/*forgets_others=*/true),
      ClosedNatures{},
      LowerLoops{},
      OrientJoints{},
      SplitJoints{.whole = {.are_bare = true}},
      MergeFixed{},
      LowerFrames{},
      BaseAsRoot{},
      RebaseLinkFrames{},
      LowerCouplings{.own_sum = kLinearTransmission},
      PartlyIndependent{.natures = Natures::kWithConstraints},
      UrdfEnd(Natures::kWithConstraints),
  };
}

}  // namespace kinemorph
