#include "choice_cells.h"

#include <span>

#include "cells.h"
#include "detachable_cells.h"
#include "drake_cells.h"
#include "urdf.h"

namespace kinemorph {
namespace {

using namespace cells;
using namespace urdf_format;
using enum Feature;

constexpr std::string_view kInYaml = "in submechanisms.yml";
constexpr std::string_view kHalf = "a tree joint to half of a link, and `6d`";
constexpr std::string_view kSums = "a MultiJointLinearTransmission";

// With submechanisms.yml beside it: rows of loops, and linear couplings as transmissions.
constexpr Row<1> kHyrodynCells[] = {
    {kJointPlanar, {L("split_joints", kSplitUrdf)}},
    {kLoopFixed, {N(kInYaml)}},
    {kLoopRevolute, {N(kInYaml)}},
    {kLoopPrismatic, {N(kInYaml)}},
    {kLoopScrew, {P("lower_loops", kSplitLoop)}},
    {kLoopUniversal, {L("lower_loops", kSplitLoop)}},
    {kLoopBall, {N(kInYaml)}},
    {kLoopPlanar, {N(kInYaml)}},
    {kLoopCylindrical, {N(kInYaml)}},
    {kLoopAncestor, {N(kInYaml)}},
    {kLoopAxisData, {X("a row of submechanisms.yml has no limits, dynamics or springs")}},
    {kCouplingRatio, {L("couplings", kSums)}},
    {kCouplingGearbox, {L("couplings", kSums)}},
    {kCouplingLinear, {N(kSums)}},
    {kIndependent, {N(kInYaml)}},
};

// With the loops as joints of SDFormat in a <gazebo> block.
constexpr std::string_view kInBlock =
    "a joint in `<gazebo>`, which Gazebo reads; where the loop is linear, mimics";
constexpr std::string_view kSplitInBlock =
    "another cut of the same loop, or tree joints through links of little mass and a loop joint";
constexpr Row<1> kGazeboCells[] = {
    {kLoopFixed, {N(kInBlock)}},
    {kLoopRevolute, {N(kInBlock)}},
    {kLoopPrismatic, {N(kInBlock)}},
    {kLoopScrew, {N(kInBlock)}},
    {kLoopUniversal, {N(kInBlock)}},
    {kLoopBall, {N(kInBlock)}},
    {kLoopPlanar, {P("lower_loops", kSplitInBlock)}},
    {kLoopCylindrical, {P("lower_loops", kSplitInBlock)}},
    {kLoopAncestor, {N()}},
    {kLoopAxisData, {N("SDFormat's limits, dynamics and springs")}},
    {kFrame, {P("frames", "a massless link on a fixed joint; one of `<gazebo>` stays there")}},
};

// With the loops as welds that a plugin makes: a tree of URDF lacks these joints.
constexpr Row<1> kDetachableChains[] = {
    {kLoopScrew, {P("lower_loops", kHalvesOfChains)}},
    {kLoopUniversal, {P("lower_loops", kHalvesOfChains)}},
    {kLoopBall, {P("lower_loops", kHalvesOfChains)}},
};

// With robot.yaml beside it: pairs of frames, 6d or 3d.
constexpr Row<1> kGepettoCells[] = {
    {kJointUniversal, {N("`UJOINT_XY` about axes of its frame, else two hinges")}},
    {kJointBall, {N("`SPHERICAL`")}},
    {kJointPlanar, {L("split_joints", kSplitUrdf)}},
    {kLoopFixed, {N("`6d`")}},
    {kLoopRevolute, {L("split_loops", "`3d` in a plane, else half a link and `6d`")}},
    {kLoopPrismatic, {L("split_loops", kHalf)}},
    {kLoopScrew, {L("split_loops", kHalf)}},
    {kLoopUniversal, {L("split_loops", kHalf)}},
    {kLoopBall, {N("`3d`")}},
    {kLoopPlanar, {L("split_loops", kHalf)}},
    {kLoopCylindrical, {L("split_loops", kHalf)}},
    {kLoopAncestor, {N("any link can have frames")}},
    {kLoopAxisData, {L("split_loops", kHalf)}},
    {kCouplingRatio, {L("couplings", kSums)}},
    {kCouplingGearbox, {L("couplings", kSums)}},
    {kCouplingLinear, {N(kSums)}},
    {kIndependent, {N("in robot.yaml")}},
};

// With an SRDF beside it, which is written with the block of ros2_control too.
constexpr Row<1> kSrdfCells[] = {
    {kIndependent, {P("closed_natures", "passive joints of the SRDF")}},
    {kContactExclusion, {N("disable_collisions")}},
    {kArmature, {N("rotor_params")}},
    {kInitialPosition, {N("the state 'initial'")}},
};

bool HasSrdf(const WriteOptions& options) {
  return HasSideCar(options, kSrdf) || HasSideCar(options, kRos2Control);
}

// Drake reads its own elements beside URDF's, and no <gazebo>. Joints that are Drake's alone
// (<drake:joint>) are not written: other readers, urdfdom too, would see their links come loose.
constexpr std::string_view kNoGazebo = "Drake reads no `<gazebo>`";
constexpr Row<1> kDrakeCells[] = {
    {kLoopAncestor, {N()}},
    {kMasslessLink,
     {P("massless_links",
        "kept between joints; a moving leaf gets an inertia that changes the robot's mass by "
        "1e-7")}},
    {kLinkGravity, {X(kNoGazebo)}},
    {kShapePlane, {P("shapes", "the upper face of a box, 200 m wide where the plane has no end")}},
    {kAccelerationLimit, {N("drake:acceleration")}},
    {kFriction, {X("Drake ignores friction of joints, with a warning")}},
    {kSpring, {X(kNoGazebo)}},
    {kArmature, {P("motors", "drake:rotor_inertia of a drive; a joint without one has none")}},
};

}  // namespace

std::optional<Capability> urdf_format::CellOfChoice(Feature feature, const WriteOptions& options) {
  // One choice at most has a table: a profile, a side-car that holds the loops, or a way to write
  // loops. Without any word, loops go into <gazebo>. An SRDF goes with each of them and fills what
  // they leave unsaid.
  const Capability* found = nullptr;
  if (options.profile == "drake") {
    found = Among(kDrakeCells, feature);
    if (found == nullptr) found = Among(kDrakeRelations, feature);
  } else if (HasSideCar(options, kHyrodyn)) {
    found = Among(kHyrodynCells, feature);
  } else if (HasSideCar(options, kGepetto)) {
    found = Among(kGepettoCells, feature);
  } else if (options.loops.value_or(LoopChoice::kGazebo) == LoopChoice::kGazebo) {
    found = Among(kGazeboCells, feature);
  } else if (options.loops == LoopChoice::kDetachable) {
    found = Among(kDetachableChains, feature);
    if (found == nullptr) found = Among(kDetachableCells, feature);
  }
  if (found == nullptr && HasSrdf(options)) found = Among(kSrdfCells, feature);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

}  // namespace kinemorph
