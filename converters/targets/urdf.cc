// Plain URDF, with its loops as joints of SDFormat in `<gazebo>` blocks.
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/formats/submechanisms.h"
#include "targets/targets.h"

namespace kinemorph {

Recipe UrdfRecipe(const WriteOptions&) {
  return {
      CommonStart(),
      ExplicitContacts{},
      StaticModels{.unless_whole = true},
      AskIndependent{},
      // Links of a block stay in a block, and float beside the tree.
      ChooseTree{.links_beside_tree = true},
      DecideBase{.links_beside_tree = true},
      FlattenModels{},
      // A block takes every joint; a tree lacks those of several coordinates, so that loops are cut
      // there. What is left of them becomes a chain.
      Assemble{},
      CutWholeJoints{},
      ClosedNatures{},
      LowerLoops{.mimics_first = true},
      OrientJoints{},
      SplitJoints{.whole = {.are_bare = true}},
      MergeFixed{},
      // A link's frame is that of its joint.
      LowerFrames{.stay_in_blocks = true},
      BaseAsRoot{},
      RebaseLinkFrames{},
      // The tree has a word for linear loops. Others end on links that libsdformat keeps.
      Mimics{},
      LoopEnds{.merges = IsLumped, .least = LeastInGazebo()},
      LowerCouplings{.own_sum = kLinearTransmission},
      UrdfEnd(Natures::kNever, WorldLink{.free_base_is_unsaid = true}),
  };
}

}  // namespace kinemorph
