// SDFormat that the engines of gz sim simulate: loops as tree joints to parts of links, which a plugin
// welds.
#include "targets/targets.h"

namespace kinemorph {

Recipe SdfDetachableRecipe(const WriteOptions&) {
  return {
      CommonStart(),
      ExplicitContacts{},
      AskIndependent{},
      ChooseTree{},
      // What no joint ties to the world is free.
      DecideBase{.free_is_implicit = true},
      FreeJoints{.free_is_implicit = true},
      Assemble{},
      LowerLoops{.weld_halves = true},
      SplitJoints{},
      FoldChains{},
      SdfLinks(),
      WeldHalves{},
      LowerCouplings{},
      SdfContent(),
      SdfEnd(),
  };
}

}  // namespace kinemorph
