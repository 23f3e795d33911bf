// What recipes share.
#include "kinemorph/formats/gazebo_blocks.h"
#include "targets/targets.h"

namespace kinemorph {

Recipe CommonStart() { return {Unlimited{}, BindWorldLink{}, SelectModel{}, DropRequested{}}; }

Recipe UrdfStart(bool forgets_others) {
  return {
      CommonStart(),
      ExplicitContacts{},
      // `<gazebo>` says of a whole robot that it is static.
      StaticModels{.unless_whole = true},
      AskIndependent{.forgets_others = forgets_others},
      ChooseTree{},
      DecideBase{},
      FlattenModels{},
  };
}

Recipe UrdfEnd(Natures natures, const WorldLink& world, const Motors& motors) {
  return {
      LowerLimits{
          .of_whole = WholeRecord::kNothing, .both_sides = true, .prismatic_needs_one = true},
      LowerShapes{.colors_in_unit_range = true},
      world,
      UnknownMasses{},
      DropNativeData{.drives = DriveRule::kOnJoints, .block_format = "sdf"},
      SelfCollision{},
      motors,
      DropUnsupported{},
      DeclareNatures{.natures = natures},
      LowerNames{.world_is_reserved = false},
      PartBlocks{.block_format = "sdf", .materials = kGazeboMaterials},
      TellCoordinates{},
  };
}

LeastInertia LeastInGazebo() {
  return {.mass = kLeastMassInGazebo,
          .why =
              "libsdformat leaves out a link without mass and all links below, and then refuses "
              "the loop (--massless KG gives such links a mass)"};
}

Recipe SdfLinks(const WorldContent& world) {
  return {
      MergeFixed{},
      PhysicalInertia{},
      world,
      MasslessLinks{
          .become = MasslessRule::kFrames,
          .least = {.why = "a link without inertial has 1 kg and 1 kg m^2 about each axis "
                           "in SDFormat (--massless KG gives such links a mass)"}},
  };
}

Recipe SdfContent() {
  return {
      LowerLimits{.of_whole = WholeRecord::kNoLimit},
      LowerShapes{.colors_in_unit_range = true},
      UnknownMasses{},
      DropNativeData{},
      SelfCollision{.mask_bits = 16},
  };
}

Recipe SdfEnd(const TellCoordinates& tell) {
  return {DropUnsupported{}, DeclareNatures{}, LowerNames{.rule = NameRule::kShared}, tell};
}

}  // namespace kinemorph
