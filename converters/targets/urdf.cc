// Plain URDF, which has its loops in `<gazebo>` blocks, in a side-car or not at all, and URDF+.
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/formats/submechanisms.h"
#include "targets/targets.h"

namespace kinemorph {
namespace {

// libsdformat keeps such links of a loop in `<gazebo>`.
constexpr LeastInertia kLeastInGazebo = {
    .mass = kLeastMassInGazebo,
    .why =
        "libsdformat leaves out a link without mass and all links below, and then refuses the loop "
        "(--massless KG gives such links a mass)"};

// Of links that move without mass, where programs compute with the tree alone.
constexpr LeastInertia kLeastInTree = {
    .mass = kLeastMassInGazebo,
    .why =
        "the mass matrix is singular for programs that compute with the tree alone, such as "
        "Pinocchio, and PyBullet and DART take each for 1 kg (--massless KG gives such links a "
        "mass)"};

constexpr std::string_view kFloatingIsReadAs =
    "PyBullet and KDL of ROS read it as a fixed one, and iDynTree reads a robot without links";

Recipe OneRobot(Natures natures, std::string_view floating_is_read_as = kFloatingIsReadAs) {
  return OneModel({.forgets_others = natures != Natures::kNever},
                  {.floating_is_read_as = floating_is_read_as});
}

// Joints and links of a tree: a link's frame is that of its joint.
Recipe Tree(const WholeJoints& whole = {.are_bare = true}, const Recipe& frames = LowerFrames) {
  return {
      OrientJoints, SplitJoints{.whole = whole}, MergeFixed, frames, BaseAsRoot, RebaseLinkFrames,
  };
}

// When loops are what they will be.
Recipe End(Natures natures, const LowerCouplings& couplings = {.own_sum = kLinearTransmission},
           const LowerShapes& shapes = {.colors_in_unit_range = true}) {
  return {
      couplings,
      natures == Natures::kNever ? Recipe{} : PartlyIndependent{.natures = natures},
      LowerLimits{
          .of_whole = WholeRecord::kNothing, .prismatic_needs_one = true, .exchanges_ends = true},
      shapes,
      WorldLink,
      UnknownMasses,
      DropNativeData{.drives = DriveRule::kOnJoints, .has_blocks = true},
      SelfCollision{},
      Motors{.drives = DriveRule::kOnJoints},
      DropUnsupported,
      DeclareNatures{.natures = natures},
      LowerNames{.world_is_reserved = false},
      PartBlocks,
      TellCoordinates{},
  };
}

}  // namespace

// Loops are joints of SDFormat in `<gazebo>` blocks.
Recipe UrdfRecipe(const WriteOptions&) {
  return {
      // Links of a block stay in a block, and float beside the tree.
      OneModel({}, {.links_beside_tree = true, .floating_is_read_as = kFloatingIsReadAs},
               {.links_beside_tree = true}),
      // A block takes every joint; a tree lacks those of several coordinates, so that loops are cut
      // there. What is left of them becomes a chain.
      Assemble{},
      CutWholeJoints,
      ClosedNatures,
      LowerLoops{.mimics_first = true},
      Tree(),
      // The tree has a word for linear loops. Others end on links that libsdformat keeps.
      Mimics,
      LoopEnds{.least = kLeastInGazebo},
      MovingLinks{.least = kLeastInGazebo},
      End(Natures::kNever),
  };
}

// Loops that a mimic does not say are lost.
Recipe UrdfTreeRecipe(const WriteOptions&) {
  return {
      OneRobot(Natures::kNever),
      ClosedNatures,
      Tree(),
      Mimics,
      MovingLinks{.least = kLeastInTree, .loops_are_lost = true},
      End(Natures::kNever),
  };
}

// Loops are tree joints to parts of links, which a plugin of gz sim welds.
Recipe UrdfDetachableRecipe(const WriteOptions&) {
  return {
      OneRobot(Natures::kNever),
      // A loop joint will be a joint of the tree: of a kind that a tree of URDF has, closed at zero.
      Assemble{},
      ClosedNatures,
      LowerLoops{.mimics_first = true},
      Tree(),
      // What a mimic says needs no weld. The rest ends on links that libsdformat keeps.
      Mimics,
      LoopEnds{.least = kLeastInGazebo},
      WeldHalves{.least = kLeastInGazebo},
      MovingLinks{.least = kLeastInGazebo},
      End(Natures::kNever),
  };
}

// As Drake reads it: loops are points that coincide, and drives have rotors.
Recipe UrdfDrakeRecipe(const WriteOptions&) {
  const MasslessLinks massless = {.become = MasslessRule::kChains, .least = kLeastInDrake};
  return {
      OneModel({}, {.silence_is_free = true}),
      FreeJoints{},
      JoinedContacts,
      Assemble{},
      ClosedNatures,
      LowerLoops{.splits_links = true},
      Tree({.are_bare = true, .have_no_rotors = true},
           {PhysicalInertia, WorldContent{.loops_too = true, .only_for_pairs = true}, LowerFrames,
            massless, FreeFrames}),
      JoinPoints{.fixed_as_points = true, .need_motion = true},
      End(Natures::kNever, {}, kShapesOfDrake),
  };
}

// HyRoDyn's submechanisms.yml has the loops and the coordinates.
Recipe HyrodynRecipe(const WriteOptions&) {
  return {
      OneRobot(Natures::kAlways),
      // It names one frame of a loop, a link's; the other is where it stands at zero.
      Assemble{},
      ClosedNatures,
      LowerLoops{},
      Tree(),
      LoopFrames,
      End(Natures::kAlways),
  };
}

// Gepetto's robot.yaml pairs the frames of loops, which are points or welds, and has the coordinates.
Recipe GepettoRecipe(const WriteOptions&) {
  return {
      OneRobot(Natures::kAlways),
      ClosedNatures,
      SplitLoops,
      // Balls, and universal joints about coordinate axes, are retyped by name: nothing else is said.
      Tree({.are_bare = true, .universals_have_coordinate_axes = true}),
      PairFrames,
      End(Natures::kAlways),
  };
}

// URDF+ as the reference parser reads it, whose dynamics ignore the directions of <inertial>, or as
// its paper prints it.
Recipe UrdfPlusRecipe(const WriteOptions& options) {
  return {
      OneRobot(Natures::kWithConstraints),
      ClosedNatures,
      LowerLoops{},
      Tree(),
      options.profile == "paper" ? Recipe{} : InertiaAxes,
      MovingLinks{.least = kLeastInTree, .loops_are_unseen = true},
      End(Natures::kWithConstraints),
  };
}

// URDF+ as GRBDA runs it: hinges about coordinate axes, loops of points that it compares row by row,
// no fixed joints, and a base that is the root.
Recipe GrbdaRecipe(const WriteOptions&) {
  return {
      OneModel({.forgets_others = true}, {.must_be_said = true}),
      ClosedNatures,
      LowerLoops{},
      OrientJoints,
      SplitJoints{.whole = {.are_bare = true}},
      MergeFixed,
      BaseAsRoot,
      RebaseLinkFrames,
      AxisAlignedFrames,
      PointLoops,
      InertiaAxes,
      End(Natures::kAlways, {}),
  };
}

}  // namespace kinemorph
