// Plain URDF with HyRoDyn's submechanisms.yml beside it, which has the loops and the coordinates.
#include "kinemorph/formats/submechanisms.h"
#include "targets/targets.h"

namespace kinemorph {

Recipe HyrodynRecipe(const WriteOptions&) {
  return {
      UrdfStart(/*forgets_others=*/true),
      // The side-car names one frame of a loop; the other is where it stands at zero.
      Assemble{},
      ClosedNatures{},
      LowerLoops{},
      OrientJoints{},
      SplitJoints{.whole = {.are_bare = true}},
      MergeFixed{},
      LowerFrames{},
      BaseAsRoot{},
      RebaseLinkFrames{},
      // That frame is a link's.
      LoopFrames{},
      LowerCouplings{.own_sum = kLinearTransmission},
      PartlyIndependent{.natures = Natures::kAlways},
      UrdfEnd(Natures::kAlways),
  };
}

}  // namespace kinemorph
