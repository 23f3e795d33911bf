// Every pass, in the one order in which passes run.
#include "targets/recipe.h"

namespace kinemorph {

const std::vector<PassEntry>& AllPasses() {
  static const std::vector<PassEntry> kPasses = {
      {"unlimited", "Numbers of 1e16 and more mean 'no limit' and become none.", Unlimited},
      {"bind_world_link", "A root link called 'world' is the world.", BindWorldLink},
      {"silent_gravity", "Gravity that the source means by silence is said.", SilentGravity},
      {"keyframes", "Joints start where a keyframe of the source does.", Keyframes},
      {"select_model", "Keeps the model that --model names.", SelectModel},
      // What the user takes out, and what models of a world are, before anything is judged.
      {"drop_requested", "Leaves out what --drop names.", DropRequested},
      {"explicit_contacts", "Masks and exclusions say which links collide.", ExplicitContacts},
      {"static_models", "The parts of a static model are locked and fixed to the world.",
       StaticModels},
      // The tree, and the posture in which its loops are closed: all passes behind rely on both.
      {"independent", "The coordinates that --independent names are declared, and no others."},
      {"choose_tree", "Gives every joint its role, tree or loop."},
      {"base", "Fixes or frees the base as asked, or as the target needs it said."},
      {"flatten_models", "Nested models dissolve into their parent; names keep '::'.",
       FlattenModels},
      {"free_joints", "Free joints between links become free joints from the world."},
      {"joined_contacts", "Links that loops or divided joints join are excluded from touching.",
       JoinedContacts},
      {"assemble", "Moves the zero configuration to one where all loops are closed."},
      {"cut_whole_joints", "Loops are cut at joints of several coordinates.", CutWholeJoints},
      {"closed_natures", "Independent coordinates are chosen while the loops are there.",
       ClosedNatures},
      // Loops before joints: a pass for loops may make tree joints of several coordinates, which
      // are divided next.
      {"lower_loops", "Loops are cut elsewhere, or at one coordinate of a chain."},
      {"split_loops", "Loop joints become points or welds of half a link.", SplitLoops},
      {"orient_joints", "Turns joints that point against the tree.", OrientJoints},
      {"split_joints", "Joints of several coordinates become chains through massless links."},
      {"fold_chains", "Chains through massless links fold into one joint."},
      // Then links and their frames. Joints have their kinds by now, and poses at zero stay as they
      // are.
      {"merge_fixed", "Merges links on fixed joints into one, on request.", MergeFixed},
      {"physical_inertia", "A tensor that no rigid body has becomes the nearest that one has.",
       PhysicalInertia},
      {"world_content", "What stands on the world moves to a link that is fixed to the world."},
      {"frames", "Named frames become massless links on fixed joints.", LowerFrames},
      {"massless_links", "Massless links become frames of their neighbours where that is exact."},
      {"free_frames", "Frames of free links stand at the origin of the world.", FreeFrames},
      {"base_as_root", "A fixed base becomes the root link, on request.", BaseAsRoot},
      {"rebase_link_frames", "Link frames move onto the frames of their joints.", RebaseLinkFrames},
      {"axis_aligned_frames", "Link frames turn until every joint axis is a coordinate axis.",
       AxisAlignedFrames},
      {"point_loops", "Loop joints become coincidences of points.", PointLoops},
      {"join_points", "Loop joints whose points hold more together become one."},
      // Loop joints again, where a target is particular about the frames or links on which they
      // end.
      {"loop_frames", "Loop joints move into frames of links.", LoopFrames},
      {"pair_frames", "Both ends of a loop joint become frames on links of their own.", PairFrames},
      {"inertia_axes", "Inertia tensors turn into the axes of their links.", InertiaAxes},
      {"mimics", "Loops in which each joint follows one other become couplings.", Mimics},
      {"loop_ends", "Loop joints end on links that the readers of loops keep."},
      {"weld_halves", "Loop joints lead to parts of links, which welds put together."},
      {"moving_links", "Links that move without mass weigh a little where no loop holds them."},
      // What is said of joints, links and shapes, in the mechanism as it will be written.
      {"couplings", "Couplings take the form the target has."},
      {"partly_independent", "Joints with independent and dependent coordinates become chains."},
      {"joint_drives", "Efforts and springs become those of drives."},
      {"idle_joints", "Joints that nothing drives have an effort limit of 0.", IdleJoints},
      {"limits", "Limits take the form the target has."},
      {"start_positions", "Joints start where all loops are closed.", StartPositions},
      {"shapes", "Shapes the target lacks become exact unions of others."},
      {"world_link", "The world becomes a massless root link.", WorldLink},
      {"unknown_masses", "Reports masses that replace unknown ones.", UnknownMasses},
      {"native_data", "Content of other formats is reported and left out."},
      {"self_collision", "The same pairs of links collide, in the target's words."},
      {"motors", "Joints with an effort limit get a drive, on request."},
      // What no pass could lower is lost; then coordinates and names, which are those of the file.
      {"drop_unsupported", "Leaves out, with a loss each, what the target cannot hold.",
       DropUnsupported},
      {"remarks", "Says what is written, but not as the source meant it.", Remarks},
      {"natures", "Every coordinate becomes independent or dependent."},
      {"names", "Names become legal and unique, with a map."},
      {"part_blocks", "A block has the same values for all parts of a link.", PartBlocks},
      {"coordinates", "Says which loop joints and independent coordinates the target gets."},
  };
  return kPasses;
}

}  // namespace kinemorph
