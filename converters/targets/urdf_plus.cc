// URDF+ as the reference parser reads it.
#include "kinemorph/formats/submechanisms.h"
#include "targets/targets.h"

namespace kinemorph {

Recipe UrdfPlusRecipe(const WriteOptions&) {
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
      // That parser's dynamics ignore the directions of <inertial>.
      InertiaAxes{},
      LowerCouplings{.own_sum = kLinearTransmission},
      PartlyIndependent{.natures = Natures::kWithConstraints},
      UrdfEnd(Natures::kWithConstraints),
  };
}

}  // namespace kinemorph
