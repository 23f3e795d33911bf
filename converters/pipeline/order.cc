// The order of the passes, and the plan of one conversion.
#include "lower/axis_aligned_frames.h"
#include "lower/base_as_root.h"
#include "lower/couplings.h"
#include "lower/drop.h"
#include "lower/fold_chains.h"
#include "lower/frames.h"
#include "lower/free_joints.h"
#include "lower/inertia_axes.h"
#include "lower/join_points.h"
#include "lower/joint_drives.h"
#include "lower/limits.h"
#include "lower/loop_ends.h"
#include "lower/loop_frames.h"
#include "lower/lower_loops.h"
#include "lower/massless_links.h"
#include "lower/merge_fixed.h"
#include "lower/mimics.h"
#include "lower/motors.h"
#include "lower/names.h"
#include "lower/native_data.h"
#include "lower/natures.h"
#include "lower/pair_frames.h"
#include "lower/part_blocks.h"
#include "lower/partly_independent.h"
#include "lower/physical_inertia.h"
#include "lower/point_loops.h"
#include "lower/rebase_link_frames.h"
#include "lower/remarks.h"
#include "lower/self_collision.h"
#include "lower/shapes.h"
#include "lower/split_joints.h"
#include "lower/unknown_masses.h"
#include "lower/weld_halves.h"
#include "lower/world_link.h"
#include "normalise/assemble.h"
#include "normalise/base.h"
#include "normalise/bind_world_link.h"
#include "normalise/choose_tree.h"
#include "normalise/closed_natures.h"
#include "normalise/explicit_contacts.h"
#include "normalise/orient_joints.h"
#include "normalise/scopes.h"
#include "normalise/static_models.h"
#include "normalise/unlimited.h"
#include "plan/pass.h"

namespace kinemorph {

const std::vector<PassEntry>& AllPasses() {
  using enum Feature;
  static const std::vector<PassEntry> kPasses = {
      {"unlimited",
       Unlimited,
       PassRuns::kAlways,
       "Numbers of 1e16 and more that stand for 'no limit' become absent limits.",
       {}},
      {"bind_world_link",
       BindWorldLink,
       PassRuns::kAlways,
       "A root link called 'world' is the world.",
       {kWorldJoint}},
      {"select_model", SelectModel, PassRuns::kAlways, "Keeps the model that --model names.", {}},
      {"drop_requested", DropRequested, PassRuns::kAlways, "Leaves out what --drop names.", {}},
      {"explicit_contacts",
       ExplicitContacts,
       PassRuns::kAlways,
       "Masks and exclusions say which links collide, where the target has another rule for it.",
       {kContactExclusion, kSelfCollision}},
      {"static_models",
       StaticModels,
       PassRuns::kWhenNamed,
       "The parts of a static model are locked and fixed to the world.",
       {kWorldJoint, kJointFixed}},
      {"independent",
       AskIndependent,
       PassRuns::kAlways,
       "The coordinates that --independent names are declared, and no others.",
       {kIndependent}},
      {"choose_tree",
       ChooseTree,
       PassRuns::kAlways,
       "Gives every joint its role, tree or loop.",
       {kReversedJoint, kLoopAncestor}},
      {"base",
       DecideBase,
       PassRuns::kAlways,
       "Fixes or frees the base as asked, or as the target needs it said.",
       {kWorldJoint}},
      {"flatten_models",
       FlattenModels,
       PassRuns::kWhenNamed,
       "Nested models dissolve into their parent; names keep '::'.",
       {kReservedName}},
      {"free_joints",
       FreeJoints,
       PassRuns::kWhenNamed,
       "Free joints between links become free joints from the world.",
       {}},
      {"assemble",
       Assemble,
       PassRuns::kAlways,
       "Moves the zero configuration to one where all loops are closed.",
       {kPositionOffset, kOneSidedLimit}},
      {"cut_whole_joints",
       CutWholeJoints,
       PassRuns::kAlways,
       "Loops are cut at joints of several coordinates, where the target holds those as loop "
       "joints "
       "only.",
       {kReversedJoint, kJointRevolute, kJointContinuous, kJointPrismatic, kJointFixed}},
      {"closed_natures",
       ClosedNatures,
       PassRuns::kAlways,
       "Independent coordinates are chosen while the loops are there, where the target lists them "
       "beside a tree.",
       {}},
      {"lower_loops",
       LowerLoops,
       PassRuns::kWhenNamed,
       "Loop joints the target lacks: another cut, or a chain with a loop joint of one coordinate.",
       {kReversedJoint, kJointFixed, kJointRevolute, kJointContinuous, kJointPrismatic,
        kJointUniversal, kJointBall, kJointPlanar, kJointCylindrical, kJointScrew, kMasslessLink,
        kLoopRevolute, kLoopPrismatic, kJointFrameOffset, kCouplingLinear, kCouplingMimic}},
      {"split_loops",
       SplitLoops,
       PassRuns::kWhenNamed,
       "Loop joints become points or welds of half a link, where the target knows nothing else.",
       {kReversedJoint, kJointRevolute, kJointContinuous, kJointPrismatic, kJointUniversal,
        kJointPlanar, kJointCylindrical, kJointScrew, kJointFrameOffset, kLoopFixed, kLoopBall,
        kMasslessLink, kContactExclusion}},
      {"orient_joints",
       OrientJoints,
       PassRuns::kWhenNamed,
       "Turns joints that point against the tree.",
       {kJointFrameOffset}},
      {"split_joints",
       SplitJoints,
       PassRuns::kAlways,
       "Joints of several coordinates become chains through massless links.",
       {kMasslessLink, kCouplingMimic, kJointFrameOffset, kJointRevolute, kJointContinuous,
        kJointPrismatic}},
      {"fold_chains",
       FoldChains,
       PassRuns::kAlways,
       "Chains through massless links fold into one joint of several coordinates.",
       {kJointFrameOffset}},
      {"merge_fixed",
       MergeFixed,
       PassRuns::kAlways,
       "Merges links on fixed joints into one, on request.",
       {kRotatedInertia}},
      {"physical_inertia",
       PhysicalInertia,
       PassRuns::kAlways,
       "Tensors that no rigid body has become the nearest one that a body has.",
       {}},
      {"world_content",
       WorldContent,
       PassRuns::kAlways,
       "Shapes and frames on the world move to a link that is fixed to the world.",
       {kWorldJoint, kMasslessLink}},
      {"frames",
       LowerFrames,
       PassRuns::kWhenNamed,
       "Named frames become massless links on fixed joints.",
       {kMasslessLink, kJointFixed}},
      {"massless_links",
       MasslessLinks,
       PassRuns::kWhenNamed,
       "Massless links become frames of their neighbours where that is exact.",
       {kFrame, kRotatedInertia}},
      {"base_as_root",
       BaseAsRoot,
       PassRuns::kAlways,
       "A fixed base becomes the root link, on request.",
       {kRotatedInertia}},
      {"rebase_link_frames",
       RebaseLinkFrames,
       PassRuns::kWhenNamed,
       "Link frames move onto the frames of their joints.",
       {kRotatedInertia}},
      {"axis_aligned_frames",
       AxisAlignedFrames,
       PassRuns::kAlways,
       "Link frames turn until every joint axis is a coordinate axis, where the target knows no "
       "others.",
       {kRotatedInertia}},
      {"point_loops",
       PointLoops,
       PassRuns::kAlways,
       "Loop joints become coincidences of points, where the target knows nothing else.",
       {kMasslessLink}},
      {"join_points",
       JoinPoints,
       PassRuns::kAlways,
       "Loop joints of two links whose points hold more together become one, where the target is "
       "read so.",
       {kLoopRevolute, kLoopFixed}},
      {"loop_frames",
       LoopFrames,
       PassRuns::kAlways,
       "Loop joints move into frames of links, where the target names no others.",
       {kMasslessLink, kJointFixed, kWorldJoint}},
      {"pair_frames",
       PairFrames,
       PassRuns::kAlways,
       "Both ends of a loop joint become frames on links of their own, where the target pairs "
       "them.",
       {kMasslessLink, kJointFixed, kWorldJoint}},
      {"inertia_axes",
       InertiaAxes,
       PassRuns::kWhenNamed,
       "Inertia tensors turn into the axes of their links.",
       {}},
      {"mimics",
       Mimics,
       PassRuns::kAlways,
       "Loops in which each joint follows one other become couplings, where the target has no "
       "loops.",
       {kCouplingMimic}},
      {"loop_ends",
       LoopEnds,
       PassRuns::kAlways,
       "Loop joints end on links that the readers of loops keep, in words that they take.",
       {kMasslessLink}},
      {"weld_halves",
       WeldHalves,
       PassRuns::kAlways,
       "Loop joints lead to parts of their successors, which welds put together.",
       {kLoopFixed, kJointFixed, kJointRevolute, kJointContinuous, kJointPrismatic}},
      {"couplings",
       LowerCouplings,
       PassRuns::kAlways,
       "Couplings take the form the target has.",
       {}},
      {"partly_independent",
       PartlyIndependent,
       PassRuns::kAlways,
       "Joints of which only some coordinates are independent become chains.",
       {kMasslessLink, kCouplingMimic, kJointRevolute, kJointContinuous, kJointPrismatic}},
      {"joint_drives",
       LowerDrives,
       PassRuns::kAlways,
       "Efforts and springs become those of drives, where the target has no others.",
       {}},
      {"limits", LowerLimits, PassRuns::kAlways, "Limits take the form the target has.", {}},
      {"shapes",
       LowerShapes,
       PassRuns::kAlways,
       "Shapes the target lacks become exact unions of others.",
       {}},
      {"world_link",
       WorldLink,
       PassRuns::kWhenNamed,
       "The world becomes a massless root link.",
       {kMasslessLink}},
      {"unknown_masses",
       UnknownMasses,
       PassRuns::kAlways,
       "Reports masses that replace unknown ones.",
       {}},
      {"native_data",
       DropNativeData,
       PassRuns::kWhenNamed,
       "Content of other formats is reported and left out.",
       {}},
      {"self_collision",
       SelfCollision,
       PassRuns::kAlways,
       "The same pairs of links collide, in the target's words.",
       {kContactExclusion, kSelfCollision}},
      {"motors",
       Motors,
       PassRuns::kAlways,
       "Joints with an effort limit get a drive, on request.",
       {kActuator}},
      {"drop_unsupported",
       DropUnsupported,
       PassRuns::kAlways,
       "Leaves out, with a loss each, what the target cannot hold.",
       {}},
      {"remarks",
       Remarks,
       PassRuns::kWhenNamed,
       "Says what is written, but not as the source meant it.",
       {}},
      {"natures",
       DeclareNatures,
       PassRuns::kAlways,
       "Every coordinate becomes independent or dependent.",
       {}},
      {"names", LowerNames, PassRuns::kAlways, "Names become legal and unique, with a map.", {}},
      {"part_blocks",
       PartBlocks,
       PassRuns::kAlways,
       "A block has the same values for all visuals or collisions of a link.",
       {}},
      {"coordinates",
       TellCoordinates,
       PassRuns::kAlways,
       "Says which loop joints and independent coordinates the target gets.",
       {}},
  };
  return kPasses;
}

std::vector<const PassEntry*> PlanLowering(const FeatureSet& used, const ConvertOptions& options) {
  FeatureSet possible = used;
  std::vector<const PassEntry*> plan;
  for (const PassEntry& entry : AllPasses()) {
    bool named = entry.runs == PassRuns::kAlways;
    for (const Feature feature : kFeatures)
      named = named || (possible[Position(feature)] &&
                        CapabilityOf(feature, options.target).pass == entry.name);
    if (!named) continue;
    plan.push_back(&entry);
    for (const Feature feature : entry.introduces) possible.set(Position(feature));
  }
  return plan;
}

bool RunPass(std::string_view name, Model& model, PassContext& context) {
  for (const PassEntry& entry : AllPasses()) {
    if (entry.name != name) continue;
    context.pass = entry.name;
    entry.run(model, context);
    return true;
  }
  return false;
}

}  // namespace kinemorph
