// What URDF and URDF+ hold, and what they demand.
#include <optional>

#include "cells.h"
#include "gazebo_tags.h"
#include "kinemorph/formats/grbda_rules.h"
#include "kinemorph/formats/version.h"
#include "kinemorph/formats/xml_tags.h"
#include "urdf.h"

namespace kinemorph {
namespace {

using namespace cells;
using enum Feature;

constexpr std::string_view kNoLoops =
    "plain URDF is a tree: where the loop is linear a mimic says the same, else a reader sees an "
    "open chain (urdf+ keeps loops)";
constexpr std::string_view kUrdfNone = "URDF has no place for it";
constexpr std::string_view kSplitUrdf = "revolute and prismatic joints through massless links";
constexpr std::string_view kLinkAxes =
    "tensor turned into the link axes; GRBDA ignores the rotation of <inertial>";
constexpr std::string_view kRebase = "link frames move onto joint frames";
constexpr std::string_view kScrewUrdf = "revolute, prismatic and a mimic";
constexpr std::string_view kInGazebo = "URDF's own is kept, SDFormat's goes into <gazebo>";
constexpr std::string_view kTransmission =
    "a transmission of the drive on a joint; its control law is not written";

// Columns: URDF; URDF+ as the reference parser reads it; URDF+ as the paper writes it.
enum Dialect : std::size_t { kPlain, kReference, kPaper, kDialects };
constexpr Row<kDialects> kTable[] = {
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

    {kLoopFixed, {O("mimics", kNoLoops), N()}},
    {kLoopRevolute, {O("mimics", kNoLoops), N()}},
    {kLoopPrismatic, {O("mimics", kNoLoops), N()}},
    {kLoopScrew, {O("mimics", kNoLoops), P("lower_loops", kSplitLoop)}},
    {kLoopUniversal, {O("mimics", kNoLoops), L("lower_loops", kSplitLoop), N()}},
    {kLoopBall, {O("mimics", kNoLoops), L("lower_loops", kSplitLoop), N()}},
    {kLoopPlanar, {O("mimics", kNoLoops), N()}},
    {kLoopCylindrical, {O("mimics", kNoLoops), L("lower_loops", kSplitLoop)}},
    {kLoopAncestor,
     {X(kNoLoops), L("lower_loops", "another cut, or a massless link welded to the ancestor"),
      N()}},
    {kLoopAxisData, {X(kNoLoops), X("a URDF+ loop has no limits, dynamics or springs")}},

    {kCouplingMimic, {N()}},
    {kCouplingRatio, {P("couplings", "a mimic between two joints"), N()}},
    {kCouplingGearbox, {L("couplings", "a mimic between two joints")}},
    {kCouplingPolynomial,
     {X("URDF has linear couplings only"), X("URDF+ has linear couplings only")}},
    {kCouplingLinear,
     {P("couplings", "a mimic between two joints"),
      P("couplings", "a mimic, or a coupling where the joints are two branches")}},
    {kIndependent, {X("plain URDF does not tell independent from dependent joints"), N()}},

    {kJointFrameOffset, {L("rebase_link_frames", kRebase)}},
    {kReversedJoint, {L("orient_joints", "the joint is turned round, its axis negated")}},
    {kWorldJoint, {L("world_link", "a massless root link 'world'")}},
    {kFloatingBase,
     {P("base",
        "a base that nothing holds stays unsaid, as URDF has it; --base floating writes a floating "
        "joint")}},
    {kSeveralModels, {P("select_model", "one robot per file: --model NAME chooses")}},
    {kNestedModel, {L("flatten_models", "names joined with '::'")}},
    {kStaticModel,
     {P("static_models",
        "`<gazebo>` static; of a part of the robot: its joints are locked, and it is fixed to the "
        "world")}},
    {kFrame, {L("frames", "a massless link on a fixed joint")}},
    {kGravity, {X(kUrdfNone)}},
    {kNameClash, {N()}},
    {kReservedName, {N()}},

    {kMasslessLink, {N()}},
    {kRotatedInertia, {N(), L("inertia_axes", kLinkAxes), N()}},
    {kUnphysicalInertia, {N("written as it is")}},
    {kUnknownMass, {X("what stands in is written")}},
    {kLinkGravity, {N("`<gazebo>` turnGravityOff")}},
    {kSelfCollision, {P("self_collision", "`<gazebo>` self_collide; no bit masks")}},

    {kPositionLimit, {N()}},
    {kOneSidedLimit, {L("limits", "the open side becomes 1e16")}},
    {kEffortLimit, {N()}},
    {kAsymmetricEffortLimit, {X("URDF effort is one magnitude")}},
    {kVelocityLimit, {N()}},
    {kAccelerationLimit, {X("URDF 1.0 has no acceleration limit")}},
    {kJerkLimit, {X("URDF 1.0 has no jerk limit")}},
    {kDamping, {N()}},
    {kFriction, {N()}},
    {kSpring, {N("`<gazebo>` springStiffness and springReference")}},
    {kArmature, {X(kUrdfNone)}},
    {kLimitCompliance, {X(kUrdfNone)}},
    {kSafety, {N()}},
    {kCalibration, {N()}},
    {kPositionOffset, {X("coordinates count from the zero configuration")}},
    {kInitialPosition, {X(kUrdfNone)}},

    {kVisual, {N()}},
    {kCollision, {N()}},
    {kShapeBox, {N()}},
    {kShapeSphere, {N()}},
    {kShapeCylinder, {N()}},
    {kShapeCapsule, {L("shapes", "a cylinder and two spheres")}},
    {kShapeCone, {X(kUrdfNone)}},
    {kShapeEllipsoid, {X(kUrdfNone)}},
    {kShapePlane, {X(kUrdfNone)}},
    {kShapeMesh, {N()}},
    {kShapeMeshScale, {N()}},
    {kShapeSubmesh, {X("URDF takes the whole mesh")}},
    {kShapePolyline, {X(kUrdfNone)}},
    {kShapeNative, {P("native_data", kNativeOnly)}},
    {kMaterialColor, {N()}},
    {kMaterialTexture, {N()}},
    {kMaterialLighting,
     {P("part_blocks", "URDF has one colour; what its `<gazebo>` says is kept")}},
    {kTransparency, {L("shapes", "alpha of the colour")}},
    {kSurfaceFriction,
     {P("part_blocks", "`<gazebo>` mu1 and mu2, where all collisions of a link have the same")}},

    {kSensor, {P("native_data", kInGazebo)}},
    {kActuator, {P("native_data", kTransmission)}},
    {kContactExclusion,
     {P("self_collision",
        "joined links do not collide; the rest is left to an SRDF and reported")}},
    {kNativeData, {P("native_data", kInGazebo)}},
};

// URDF+ for GRBDA, the library of the URDF+ paper: its cells where they are not the reference
// profile's. Its rules are in grbda_rules.cc.
constexpr std::string_view kNoSlides =
    "GRBDA has no prismatic joints: it reads one as revolute inside a cluster, and stops at one "
    "alone";
constexpr std::string_view kInYaml = "in submechanisms.yml";
constexpr std::string_view kSums = "a MultiJointLinearTransmission";
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
std::optional<Capability> SinceVersion(Feature feature, const WriteOptions& options) {
  const Version version = ParseVersion(options.version).value_or(Version{1, 0});
  if (feature == kShapeCapsule && version >= Version{1, 1}) return N();
  const bool limit = feature == kAccelerationLimit || feature == kJerkLimit;
  if (limit && version >= Version{1, 2}) return N();
  return std::nullopt;
}

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

Capability UrdfCell(Feature feature, const WriteOptions& options) {
  if (HasSideCar(options, kHyrodyn))
    for (const Row<1>& row : kHyrodynCells)
      if (row.feature == feature) return row.dialects[0];
  return SinceVersion(feature, options).value_or(Cell(kTable, feature, kPlain));
}

Capability UrdfPlusCell(Feature feature, const WriteOptions& options) {
  if (const auto newer = SinceVersion(feature, options)) return *newer;
  if (options.profile == UrdfPlusProfile::kGrbda)
    for (const Row<1>& row : kGrbda)
      if (row.feature == feature) return row.dialects[0];
  return Cell(kTable, feature, options.profile == UrdfPlusProfile::kPaper ? kPaper : kReference);
}

TargetTraits UrdfTraits(const WriteOptions& options) {
  TargetTraits t;
  t.native_format = "urdf";
  t.world_is_reserved = false;
  t.block_format = "sdf";
  t.blocks_speak_for_all_parts = true;
  t.block_materials = urdf_format::kGazeboMaterials;
  t.all_or_nothing_is_static = true;
  t.actuators_on_joints = t.motors = true;
  t.several_axes_have_data = false;
  t.one_root = true;
  t.limits_need_both_sides = true;
  t.prismatic_needs_limit = true;
  t.linear_coupling = kLinearTransmission;
  t.colors_in_unit_range = true;
  if (!HasSideCar(options, kHyrodyn)) return t;
  t.natures = Natures::kAlways;
  t.loops_closed_at_zero = true;
  t.loops_at_link_frames = true;
  return t;
}

TargetTraits UrdfPlusTraits(const WriteOptions& options) {
  TargetTraits t = UrdfTraits(options);
  t.natures = Natures::kWithConstraints;
  t.loops_closed_at_zero = false;
  t.loops_at_link_frames = false;
  if (options.profile != UrdfPlusProfile::kGrbda) return t;
  t.natures = Natures::kAlways;
  t.linear_coupling = {};
  t.base_must_be_decided = true;
  t.base_is_root = true;
  t.all_or_nothing_is_static = false;
  t.fixed_joints_merge = true;
  t.axes_are_coordinates = true;
  t.loops_join_points = true;
  t.rules = ReportGrbdaRules;
  return t;
}

Likeness LikeUrdf(std::string_view text) {
  return RootElementName(text) == "robot" ? Likeness::kItsOwn : Likeness::kForeign;
}

// Elements and attributes that plain URDF does not have make it URDF+.
Likeness LikeUrdfPlus(std::string_view text) {
  if (LikeUrdf(text) == Likeness::kForeign) return Likeness::kForeign;
  constexpr std::string_view kMarks[] = {"loop", "coupling", "constraint", "joint_constraint",
                                         "independent"};
  const auto stands = [&](std::string_view mark) { return text.find(mark) != text.npos; };
  if (std::none_of(std::begin(kMarks), std::end(kMarks), stands)) return Likeness::kItsOwn;
  for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
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
  f.dialects = {{"urdf", {}}};
  f.side_cars = {kHyrodyn};
  f.capability = UrdfCell;
  f.content_weights = UrdfContentWeights;
  f.traits = UrdfTraits;
  f.refuses = UrdfRefuses;
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
  f.dialects = {{"urdf+ (reference)", {"", UrdfPlusProfile::kReference, {}}},
                {"urdf+ (paper)", {"", UrdfPlusProfile::kPaper, {}}},
                {"urdf+ (grbda)", {"", UrdfPlusProfile::kGrbda, {}}}};
  f.capability = UrdfPlusCell;
  f.content_weights = UrdfContentWeights;
  f.traits = UrdfPlusTraits;
  f.refuses = UrdfRefuses;
  return f;
}

}  // namespace kinemorph
