// Plain URDF, with its loops as tree joints to parts of links, which a plugin of gz sim welds.
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/formats/submechanisms.h"
#include "targets/targets.h"

namespace kinemorph {

Recipe UrdfDetachableRecipe(const WriteOptions&) {
  return {
      UrdfStart(),
      // A loop joint will be a joint of the tree: of a kind that a tree of URDF has, closed at zero.
      Assemble{},
      ClosedNatures{},
      LowerLoops{.mimics_first = true, .weld_halves = true},
      OrientJoints{},
      SplitJoints{.whole = {.are_bare = true}},
      MergeFixed{},
      // A link's frame is that of its joint.
      LowerFrames{},
      BaseAsRoot{},
      RebaseLinkFrames{},
      // What a mimic says needs no weld. The rest ends on links that libsdformat keeps.
      Mimics{},
      LoopEnds{.merges = IsLumped, .least = LeastInGazebo(), .weld_halves = true},
      WeldHalves{.least = LeastInGazebo()},
      LowerCouplings{.own_sum = kLinearTransmission},
      UrdfEnd(Natures::kNever, WorldLink{.free_base_is_unsaid = true}),
  };
}

}  // namespace kinemorph
