// Plain URDF without loops: those that a mimic does not say are lost.
#include "kinemorph/formats/submechanisms.h"
#include "targets/targets.h"

namespace kinemorph {

Recipe UrdfTreeRecipe(const WriteOptions&) {
  return {
      UrdfStart(),
      ClosedNatures{},
      OrientJoints{},
      SplitJoints{.whole = {.are_bare = true}},
      MergeFixed{},
      // A link's frame is that of its joint.
      LowerFrames{},
      BaseAsRoot{},
      RebaseLinkFrames{},
      Mimics{},
      LowerCouplings{.own_sum = kLinearTransmission},
      UrdfEnd(Natures::kNever),
  };
}

}  // namespace kinemorph
