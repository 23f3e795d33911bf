// SDFormat: what no joint ties to the world is free, and a link without mass has no home.
#include "targets/targets.h"

namespace kinemorph {
namespace {

constexpr DecideBase kFree = {.free_is_implicit = true};

Recipe Models() {
  return {CommonStart(), ExplicitContacts, StaticModels, AskIndependent{}, ChooseTree{}, kFree};
}

// Chains through massless links are joints where SDFormat has them.
Recipe Links(const WholeJoints& whole = {}, const WorldContent& world = {},
             const LeastInertia& least = {
                 .why = "a link without inertial has 1 kg and 1 kg m^2 about each axis "
                        "in SDFormat (--massless KG gives such links a mass)"}) {
  return {
      SplitJoints{.whole = whole},
      FoldChains{.whole = whole},
      MergeFixed,
      PhysicalInertia,
      world,
      MasslessLinks{.become = MasslessRule::kFrames, .least = least},
  };
}

constexpr LowerShapes kShapes = {.need_size = true, .colors_in_unit_range = true};

Recipe End(const Recipe& drives = {}, const TellCoordinates& tell = {},
           const LowerShapes& shapes = kShapes) {
  return {
      LowerLimits{.of_whole = WholeRecord::kNoLimit},
      shapes,
      UnknownMasses,
      DropNativeData{},
      SelfCollision{.mask_bits = 16},
      drives,
      DropUnsupported,
      DeclareNatures{},
      LowerNames{.rule = NameRule::kShared},
      tell,
  };
}

}  // namespace

// A loop joint is a joint like others, so that no cut is seen.
Recipe SdfRecipe(const WriteOptions&) {
  return {
      Models(),
      FreeJoints{.free_is_implicit = true},
      Assemble{},
      ClosedNatures,
      LowerLoops{.cut_is_unseen = true},
      Links(),
      LowerCouplings{.cut_is_unseen = true},
      End({}, {.cut_is_unseen = true}),
  };
}

// As the engines of gz sim simulate it: loops are tree joints to parts of links, which a plugin welds.
Recipe SdfDetachableRecipe(const WriteOptions&) {
  return {
      Models(),     FreeJoints{.free_is_implicit = true},
      Assemble{},   ClosedNatures,
      LowerLoops{}, Links(),
      WeldHalves{}, LowerCouplings{},
      End(),
  };
}

// As Drake reads it: one model, loops are points of two links that coincide, and drives have rotors.
Recipe SdfDrakeRecipe(const WriteOptions&) {
  return {
      OneModel({}, kFree),
      FreeJoints{.free_is_implicit = true},
      JoinedContacts,
      Assemble{},
      ClosedNatures,
      LowerLoops{.splits_links = true},
      OrientJoints,  // Drake turns round hinges, slides and welds alone
      Links({.are_uncoupled = true,
             .have_no_rotors = true,
             .have_one_damping_alone = true,
             .universals_are_square = true},
            {.loops_too = true}, kLeastInDrake),
      JoinPoints{.fixed_as_points = true, .need_motion = true},
      LowerCouplings{.between_single_axes = true},
      IdleJoints,
      End(Motors{}, {}, kShapesOfDrake),
  };
}

}  // namespace kinemorph
