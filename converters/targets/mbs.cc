// Robotran MBS: all joint types, cuts, a nature of every coordinate; names become macros of C.
#include "targets/targets.h"

namespace kinemorph {

Recipe MbsRecipe(const WriteOptions&) {
  return {
      CommonStart(),
      StaticModels,
      AskIndependent{.forgets_others = true},
      ChooseTree{},
      DecideBase{.must_be_said = true},
      FlattenModels,
      ClosedNatures,
      OrientJoints,
      MergeFixed,
      InertiaAxes,
      LowerCouplings{},
      PartlyIndependent{.natures = Natures::kAlways},
      LowerShapes{.mesh_files = ".wrl .obj",
                  .unread_mesh = "MBSysPad opens .wrl and .obj files only; convert the mesh"},
      UnknownMasses,
      DropNativeData{.drives = DriveRule::kOnJoints},
      Motors{.drives = DriveRule::kOnJoints},
      DropUnsupported,
      // Numbers that nothing in Robotran acts on, and relations for user code.
      Remarks,
      DeclareNatures{.natures = Natures::kAlways},
      LowerNames{.rule = NameRule::kIdentifiers, .world_is_reserved = false},
      TellCoordinates{},
  };
}

}  // namespace kinemorph
