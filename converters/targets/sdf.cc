// SDFormat: a loop joint is a joint like others, so that no cut is seen.
#include "targets/targets.h"

namespace kinemorph {

Recipe SdfRecipe(const WriteOptions&) {
  return {
      CommonStart(),
      ExplicitContacts{},
      AskIndependent{},
      ChooseTree{},
      // What no joint ties to the world is free.
      DecideBase{.free_is_implicit = true},
      FreeJoints{.free_is_implicit = true},
      Assemble{},
      LowerLoops{.cut_is_unseen = true},
      // Chains through massless links, which SDFormat cannot hold, are joints where it has them.
      SplitJoints{},
      FoldChains{},
      SdfLinks(),
      LowerCouplings{.cut_is_unseen = true},
      SdfContent(),
      SdfEnd(TellCoordinates{.cut_is_unseen = true}),
  };
}

}  // namespace kinemorph
