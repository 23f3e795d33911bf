// What URDF and URDF+ hold.
#include <optional>
#include <span>

#include "cells.h"
#include "choice_cells.h"
#include "kinemorph/formats/grbda_rules.h"
#include "kinemorph/formats/version.h"
#include "kinemorph/formats/xml_tags.h"
#include "pose_text.h"
#include "urdf.h"

namespace kinemorph {
namespace {

using namespace cells;
using enum Feature;
using urdf_format::kSplitUrdf;

// Three tables make the cells: this one for plain URDF and both profiles of URDF+, kGrbda for what
// the library GRBDA changes of the reference profile, and choice_cells.cc for what side-cars and
// --loops change of plain URDF. A cell decides which pass lowers a feature, or how its loss is
// told.

constexpr std::string_view kNoLoops =
    "plain URDF is a tree: a linear loop becomes a mimic joint, any other loop an open chain "
    "(--loops gazebo and --to urdf+ keep loops)";
constexpr std::string_view kUrdfNone = "URDF has no place for it";
constexpr std::string_view kLinkAxes =
    "tensor turned into the link axes; GRBDA ignores the rotation of <inertial>";
constexpr std::string_view kRebase = "link frames move onto joint frames";
constexpr std::string_view kScrewUrdf = "revolute, prismatic and a mimic";
constexpr std::string_view kInGazebo = "URDF's own is kept, SDFormat's goes into <gazebo>";
constexpr std::string_view kServoInGazebo =
    "a controller of gz sim in <gazebo>, with its gains and force limits; no range of commands";
constexpr std::string_view kTransmission =
    "a transmission of the drive on a joint; its control law is not written";

// Columns: URDF; URDF+ as the reference parser reads it; URDF+ as the paper writes it.
enum Dialect : std::size_t { kPlain, kReference, kPaper, kDialects };
constexpr Row<kDialects> kRows[] = {
    {kJointFixed, {N()}},
    {kJointRevolute, {N()}},
    {kJointContinuous, {N()}},
    {kJointPrismatic, {N()}},
    {kJointScrew, {L("split_joints", kScrewUrdf)}},
    {kJointUniversal, {L("split_joints", kSplitUrdf), L("split_joints", kSplitUrdf), N()}},
    {kJointBall, {L("split_joints", kSplitUrdf), L("split_joints", kSplitUrdf), N()}},
    {kJointPlanar, {N()}},
    {kJointCylindrical, {L("split_joints", kSplitUrdf)}},
    {kJointFree, {N("floating")}},

    // The paper alone has universal and ball loops; the reference parser refuses both types.
    {kLoopFixed, {O("mimics", kNoLoops), N()}},
    {kLoopRevolute, {O("mimics", kNoLoops), N()}},
    {kLoopPrismatic, {O("mimics", kNoLoops), N()}},
    {kLoopScrew, {O("mimics", kNoLoops), P("lower_loops", kSplitLoop)}},
    {kLoopUniversal, {O("mimics", kNoLoops), L("lower_loops", kSplitLoop), N()}},
    {kLoopBall, {O("mimics", kNoLoops), L("lower_loops", kSplitLoop), N()}},
    {kLoopPlanar, {O("mimics", kNoLoops), N()}},
    {kLoopCylindrical, {O("mimics", kNoLoops), L("lower_loops", kSplitLoop)}},
    // The reference parser runs past the end of a list where one end of a loop is an ancestor of
    // the other: such a loop must never reach it.
    {kLoopAncestor,
     {X(kNoLoops), L("lower_loops", "another cut, or a massless link welded to the ancestor"),
      N()}},
    {kLoopAxisData, {X(kNoLoops), X("a URDF+ loop has no limits, dynamics or springs")}},

    // A <coupling> is sum of q(successor side) = ratio * sum of q(predecessor side), from the
    // nearest common ancestor of two links down: no offset, no signs within a side. <mimic> has
    // both, but joins two joints only.
    {kCouplingMimic, {N()}},
    {kCouplingRatio, {P("couplings", "a mimic between two joints"), N()}},
    {kCouplingGearbox, {L("couplings", "a mimic between two joints")}},
    {kCouplingPolynomial,
     {X("URDF has linear couplings only"), X("URDF+ has linear couplings only")}},
    {kCouplingLinear,
     {P("couplings", "a mimic between two joints"),
      P("couplings", "a mimic, or a coupling where the joints are two branches")}},
    {kIndependent, {X("plain URDF does not tell independent from dependent joints"), N()}},

    // What SDFormat and MJCF leave free and URDF fixes: a link's frame is its joint's, joints point
    // away from one root, and there is one robot in a file.
    {kJointFrameOffset, {L("rebase_link_frames", kRebase)}},
    {kReversedJoint, {L("orient_joints", "the joint is turned round, its axis negated")}},
    {kWorldJoint, {L("world_link", "a massless root link 'world'")}},
    {kFloatingBase,
     {P("base", "URDF does not describe a free base; --base floating writes a floating joint")}},
    {kSeveralModels,
     {P("select_model",
        "one robot per file: joints between them make one; else --model NAME chooses")}},
    {kNestedModel, {L("flatten_models", "names joined with '::'")}},
    {kStaticModel,
     {P("static_models",
        "`<gazebo>` static; of a part of the robot: its joints are locked, and it is fixed to the "
        "world")}},
    {kFrame, {L("frames", "a massless link on a fixed joint")}},
    {kNameClash, {N()}},
    {kReservedName, {N()}},

    {kMasslessLink, {N()}},
    {kRotatedInertia, {N(), L("inertia_axes", kLinkAxes), N()}},
    {kUnphysicalInertia, {N("written as it is")}},
    {kUnknownMass, {X("a replacement is written")}},
    {kLinkGravity, {N("`<gazebo>` turnGravityOff")}},
    {kSelfCollision, {P("self_collision", "`<gazebo>` self_collide; no bit masks")}},

    {kPositionLimit, {N()}},
    // libsdformat's default for "no limit" and ours alike: URDF's numbers must be finite.
    {kOneSidedLimit, {L("limits", "the open side becomes 1e16")}},
    {kEffortLimit, {N()}},
    {kAsymmetricEffortLimit, {X("URDF effort is one magnitude")}},
    {kVelocityLimit, {N()}},
    {kAccelerationLimit, {X("URDF 1.0 has no acceleration limit")}},
    {kJerkLimit, {X("URDF 1.0 has no jerk limit")}},
    {kDamping, {N()}},
    {kFriction, {N()}},
    {kSpring, {N("`<gazebo>` springStiffness and springReference")}},
    {kSafety, {N()}},
    {kCalibration, {N()}},
    {kPositionOffset, {X("coordinates count from the zero position")}},

    {kVisual, {N()}},
    {kCollision, {N()}},
    {kShapeBox, {N()}},
    {kShapeSphere, {N()}},
    {kShapeCylinder, {N()}},
    {kShapeCapsule, {L("shapes", "a cylinder and two spheres")}},
    {kShapeMesh, {N()}},
    {kShapeMeshScale, {N()}},
    {kShapeSubmesh, {X("URDF takes the whole mesh")}},
    {kShapeNative, {P("native_data", kNativeOnly)}},
    {kMaterialColor, {N()}},
    {kMaterialTexture, {N()}},
    {kMaterialLighting, {P("part_blocks", "URDF has one colour; the colours of `<gazebo>` stay")}},
    {kTransparency, {L("shapes", "alpha of the colour")}},
    {kSurfaceFriction,
     {P("part_blocks", "`<gazebo>` mu1 and mu2, where all collisions of a link have the same")}},

    {kSensor, {P("native_data", kInGazebo)}},
    {kMotor, {P("native_data", "a transmission")}},
    {kServo, {P("native_data", kServoInGazebo)}},
    {kActuator, {P("native_data", kTransmission)}},
    {kContactExclusion,
     {P("self_collision",
        "joined links do not collide; the rest is left to an SRDF and reported")}},
    {kNativeData, {P("native_data", kInGazebo)}},
};
constexpr Table<kDialects> kTable(kRows, X(kUrdfNone));

// URDF+ for GRBDA, the library of the URDF+ paper: its cells where they are not the reference
// profile's. Its rules are in grbda_rules.cc.
constexpr std::string_view kNoSlides =
    "GRBDA has no prismatic joints: inside a cluster it reads a revolute joint, elsewhere it stops";
constexpr std::string_view kNotRead = "written; GRBDA does not read it";
constexpr Row<1> kGrbda[] = {
    {kJointFixed, {L("merge_fixed", "its links become one; GRBDA stops at a fixed joint")}},
    {kJointPrismatic, {R(kNoSlides)}},
    {kJointScrew, {R(kNoSlides)}},
    {kJointPlanar, {R(kNoSlides)}},
    {kJointCylindrical, {R(kNoSlides)}},
    {kJointFree, {P("base", "as the first joint only")}},
    {kLoopFixed,
     {P("point_loops",
        "another cut, or three points and links that give way along what they "
        "share; refused where rows stay redundant")}},
    {kLoopRevolute,
     {N("a point where the loop is planar, else two points and a link that "
        "gives way along the axis")}},
    {kLoopPrismatic, {P("lower_loops", "another cut, or refused: GRBDA joins points")}},
    {kLoopScrew, {P("lower_loops", "another cut, or refused: GRBDA joins points")}},
    {kLoopBall, {N("a loop without axis")}},
    {kLoopPlanar, {P("lower_loops", "another cut, or refused: GRBDA joins points")}},
    {kLoopCylindrical, {P("lower_loops", "another cut, or refused: GRBDA joins points")}},
    {kLoopAncestor, {P("choose_tree", "another cut, or refused: the parser crashes on it")}},
    {kCouplingMimic,
     {P("couplings",
        "a coupling between two branches without offset; GRBDA ignores "
        "<mimic>, so others are refused")}},
    {kCouplingGearbox, {P("couplings", "a coupling between two branches; others are refused")}},
    {kCouplingLinear,
     {P("couplings", "a coupling where the joints are two branches; others are refused")}},
    {kFloatingBase, {P("world_link", "a floating joint on a root without mass")}},
    {kFrame, {X("GRBDA stops at fixed joints, so that a frame cannot be a link")}},
    {kRotatedInertia, {L("inertia_axes", kLinkAxes)}},
    {kPositionLimit, {N(kNotRead)}},
    {kEffortLimit, {N(kNotRead)}},
    {kVelocityLimit, {N(kNotRead)}},
    {kStaticModel, {L("static_models", "its joints are locked, and it is fixed to the world")}},
    {kLinkGravity, {X("GRBDA reads no `<gazebo>`")}},
    {kDamping, {N(kNotRead)}},
    {kFriction, {N(kNotRead)}},
    {kSpring, {N(kNotRead)}},
};

// Later versions of URDF know more.
// Capsules came with URDF 1.1, limits of acceleration and jerk with 1.2; what asks for no version
// is judged as 1.0, which every reader takes.
std::optional<Capability> SinceVersion(Feature feature, const WriteOptions& options) {
  const Version version = ParseVersion(options.version).value_or(Version{1, 0});
  if (feature == kShapeCapsule && version >= Version{1, 1}) return N();
  const bool limit = feature == kAccelerationLimit || feature == kJerkLimit;
  if (limit && version >= Version{1, 2}) return N();
  return std::nullopt;
}

// The order is from the particular to the general: a side-car or a profile overrules the version,
// and the version the table.
Capability UrdfCell(Feature feature, const WriteOptions& options) {
  if (const auto chosen = urdf_format::CellOfChoice(feature, options)) return *chosen;
  return SinceVersion(feature, options).value_or(kTable(feature, kPlain));
}

Capability UrdfPlusCell(Feature feature, const WriteOptions& options) {
  if (const auto newer = SinceVersion(feature, options)) return *newer;
  if (options.profile == "grbda")
    if (const Capability* const cell = Among(kGrbda, feature)) return *cell;
  return kTable(feature, options.profile == "paper" ? kPaper : kReference);
}

TargetTraits FamilyTraits() {
  TargetTraits t;
  t.native_format = "urdf";
  // What URDF itself asks of every target of the family, whatever the profile.
  t.one_root = t.motors = true;
  return t;
}

// Of plain URDF. Its loops stand where they are asked for, unless a profile or a side-car has them.
TargetTraits UrdfTraits(const WriteOptions& options) {
  TargetTraits t = FamilyTraits();
  if (options.profile == "drake") t.contact_rule = ContactRule::kUnlessTreeJoined;
  const bool drake = options.profile == "drake";
  t.loops_can_be_chosen =
      !drake && !HasSideCar(options, kHyrodyn) && !HasSideCar(options, kGepetto);
  t.opens_addresses = !drake;  // Drake refuses a file that names a package which nobody told it
  return t;
}

TargetTraits UrdfPlusTraits(const WriteOptions& options) {
  TargetTraits t = FamilyTraits();
  if (options.profile == "grbda") t.rules = ReportGrbdaRules;
  return t;
}

Likeness LikeUrdf(std::string_view text) {
  return RootElementName(text) == "robot" ? Likeness::kItsOwn : Likeness::kForeign;
}

// Elements and attributes that plain URDF does not have make it URDF+.
Likeness LikeUrdfPlus(std::string_view text) {
  if (LikeUrdf(text) == Likeness::kForeign) return Likeness::kForeign;
  // A search for the words first: plain URDF is by far the most common, and a walk over all tags of
  // a large file costs more than one search per word.
  constexpr std::string_view kMarks[] = {"loop", "coupling", "constraint", "joint_constraint",
                                         "independent"};
  const auto stands = [&](std::string_view mark) { return text.find(mark) != text.npos; };
  if (std::none_of(std::begin(kMarks), std::end(kMarks), stands)) return Likeness::kItsOwn;
  for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    // Prefixes, because of old spellings: <loop_joint>, <loop_constraint>, <constraint> of several
    // grammars. The attribute must be one, not a word in a comment or a name.
    if (std::any_of(std::begin(kMarks), std::end(kMarks),
                    [&](std::string_view mark) { return tag->name.starts_with(mark); }) ||
        tag->Attribute("independent"))
      return Likeness::kMarked;
  }
  return Likeness::kItsOwn;
}

}  // namespace

Format UrdfFormat() {
  Format f;
  f.name = "urdf";
  f.title = "URDF";
  f.extensions = {".urdf"};
  f.likeness = LikeUrdf;
  f.read = ReadUrdf;
  f.write = WriteUrdf;
  // Each way to write plain URDF is a dialect of its own in the tables that the documentation
  // shows.
  WriteOptions tree;
  tree.loops = LoopChoice::kNone;
  WriteOptions detachable;
  detachable.loops = LoopChoice::kDetachable;
  f.dialects = {{"urdf", {}},
                {"urdf (detachable)", detachable},
                {"urdf (loops none)", tree},
                {"urdf (drake)", {"", "drake"}, "drake: URDF as Drake reads it", true}};
  f.side_cars = {kHyrodyn, kGepetto, kSrdf, kRos2Control};
  f.capability = UrdfCell;
  f.content_weights = UrdfContentWeights;
  f.traits = UrdfTraits;
  f.refuses = UrdfRefuses;
  f.respell = xml::RespellPose;
  f.looks_beside = true;
  return f;
}

Format UrdfPlusFormat() {
  Format f;
  f.name = "urdf+";
  f.title = "URDF+ (URDF with loops and couplings)";
  f.extensions = {".urdf+", ".urdfplus"};
  f.likeness = LikeUrdfPlus;
  f.read = ReadUrdf;
  f.write = WriteUrdfPlus;
  f.dialects = {{"urdf+ (reference)", {}, "reference: URDF+ as the reference parser reads it"},
                {"urdf+ (paper)", {"", "paper"}, "paper: URDF+ as the paper prints it"},
                {"urdf+ (grbda)", {"", "grbda"}, "grbda: URDF+ as GRBDA runs it"}};
  f.capability = UrdfPlusCell;
  f.content_weights = UrdfContentWeights;
  f.traits = UrdfPlusTraits;
  f.refuses = UrdfRefuses;
  f.respell = xml::RespellPose;
  f.looks_beside = true;
  return f;
}

}  // namespace kinemorph
