// What MJCF holds.
#include "cells.h"
#include "kinemorph/formats/xml_tags.h"
#include "mjcf.h"
#include "native.h"

namespace kinemorph {
namespace {

using namespace cells;
using enum Feature;

// The judge of every model on its way to MJCF. A row says what becomes of a feature and by which
// pass; what stays in the model against it stops the writer. Pass names are those of the recipe of
// the target.

constexpr std::string_view kMjcfNone = "MJCF has no place for it";
constexpr std::string_view kSplitBody = "several joints in one body";

constexpr Row<1> kRows[] = {
    {kJointFixed, {N("a body without joint")}},
    {kJointRevolute, {N("hinge")}},
    {kJointContinuous, {N("hinge without range")}},
    {kJointPrismatic, {N("slide")}},
    {kJointScrew, {L("split_joints", "hinge, slide and a joint equality")}},
    {kJointUniversal, {L("split_joints", kSplitBody)}},
    {kJointBall, {N()}},
    {kJointPlanar, {L("split_joints", kSplitBody)}},
    {kJointCylindrical, {L("split_joints", kSplitBody)}},
    {kJointFree, {L("free_joints", "freejoint of a top-level body")}},

    // The equalities of MJCF hold points and poses. A loop of another kind goes through one more
    // link: a tree joint of its kind at one end, and a weld or connects at the other.
    {kLoopFixed, {N("weld")}},
    {kLoopRevolute, {N("two connects")}},
    {kLoopPrismatic, {P("lower_loops", kSplitLoop)}},
    {kLoopScrew, {P("lower_loops", kSplitLoop)}},
    {kLoopUniversal, {P("lower_loops", kSplitLoop)}},
    {kLoopBall, {N("connect")}},
    {kLoopPlanar, {P("lower_loops", kSplitLoop)}},
    {kLoopCylindrical, {P("lower_loops", kSplitLoop)}},
    {kLoopAncestor, {N()}},

    // An equality is a constraint without coordinates, so nothing of an axis can hang on it.
    {kLoopAxisData, {X("an equality has no limits, dynamics or springs")}},

    {kCouplingMimic, {L("couplings", "joint equality")}},
    {kCouplingRatio, {L("couplings", "joint or fixed-tendon equality")}},
    {kCouplingGearbox, {L("couplings", "joint equality")}},
    {kCouplingPolynomial, {N()}},
    {kCouplingLinear, {N("fixed-tendon equality")}},

    {kJointFrameOffset, {N()}},
    {kReversedJoint, {L("orient_joints", "the joint is turned round, its axis negated")}},
    {kWorldJoint, {N()}},
    {kFloatingBase, {N("freejoint")}},
    {kSeveralModels, {L("flatten_models", "all models side by side, names joined")}},
    {kNestedModel, {L("flatten_models", "names joined with '::'")}},
    {kStaticModel, {L("static_models", "its joints are locked, and it is fixed to the world")}},
    {kFrame, {N("site")}},
    {kGravity, {N()}},
    {kNameClash, {N()}},
    {kReservedName, {P("names", "only 'world' is reserved")}},

    // A moving body needs a positive mass and inertia, or the compiler of MuJoCo stops.
    {kMasslessLink,
     {P("massless_links",
        "welded, or joining its neighbours in one body; else with an inertia that changes the "
        "robot's mass by 1e-7")}},
    {kRotatedInertia, {N()}},
    {kUnphysicalInertia,
     {P("physical_inertia",
        "MuJoCo refuses such a body; the nearest inertia of a rigid body is written, with the "
        "moment "
        "about its axis where a link turns about one direction only")}},
    {kUnknownMass, {X("a replacement is written")}},
    {kLinkGravity, {N("gravcomp")}},
    {kSelfCollision,
     {P("self_collision", "contype and conaffinity, exclusions and pairs where those do not do")}},

    {kPositionLimit, {N("range")}},
    // MJCF has both ends of a range or none.
    {kOneSidedLimit, {L("limits", "the open side becomes 1e16")}},
    {kEffortLimit, {N("actuatorfrcrange")}},
    {kAsymmetricEffortLimit, {N()}},
    {kDamping, {N()}},
    {kFriction, {N("frictionloss")}},
    {kSpring, {N()}},
    {kArmature, {N()}},
    {kPositionOffset, {N("ref")}},

    {kVisual, {N()}},
    {kCollision, {N()}},
    {kShapeBox, {N()}},
    {kShapeSphere, {N()}},
    {kShapeCylinder, {N()}},
    {kShapeCapsule, {N()}},
    {kShapeEllipsoid, {N()}},
    {kShapePlane, {P("shapes", "turned so that its normal is z")}},
    {kShapeMesh, {N("STL, OBJ and MSH; others are left out, with a loss each")}},
    {kShapeMeshScale, {N()}},
    {kShapeSubmesh, {X("MJCF takes the whole mesh")}},
    {kShapeNative, {P("native_data", kNativeOnly)}},
    {kMaterialColor, {N()}},
    {kMaterialTexture, {P("shapes", "png and ktx files")}},
    {kMaterialLighting, {X("MJCF keeps scalars, not colours")}},
    {kTransparency, {L("shapes", "alpha of the colour")}},
    {kSurfaceFriction, {P("shapes", "one coefficient of sliding for all directions")}},

    {kSensor, {P("native_data", kSharedSensors)}},
    {kMotor, {P("native_data", "a motor of another format is written with --actuators motor")}},
    {kServo,
     {P("native_data", "one of another format has its gains, limits and range of commands")}},
    {kActuator,
     {P("native_data",
        "only a target of the same format as the source keeps this; others become motors with "
        "--actuators "
        "motor")}},
    {kContactExclusion, {N()}},
    {kNativeData, {P("native_data", kNativeOnly)}},
};
constexpr Table<1> kTable(kRows, X(kMjcfNone));

// The portable profile, where it is not MJCF as MuJoCo reads it: what Drake, Pinocchio, Genesis,
// Newton, MJX and Isaac read alike (tools/docs/MJCF_PORTABLE.md).
constexpr std::string_view kNoCoupling =
    "no coupling is read by all: Drake and Pinocchio have none, Genesis stops at a tendon's";
constexpr std::string_view kNoScrew =
    "a hinge and a slide, and no coupling of them that all readers have";
constexpr Row<1> kPortableCells[] = {
    {kJointScrew, {R(kNoScrew)}},
    {kLoopFixed, {N("three connects")}},
    {kLoopScrew, {X(kNoScrew)}},
    {kCouplingMimic, {X(kNoCoupling)}},
    {kCouplingRatio, {X(kNoCoupling)}},
    {kCouplingGearbox, {X(kNoCoupling)}},
    {kCouplingPolynomial, {X(kNoCoupling)}},
    {kCouplingLinear, {X(kNoCoupling)}},
};

// The profile is a choice of the user about one format, so it overrides cells instead of being
// another table.
Capability MjcfCell(Feature feature, const WriteOptions& options) {
  if (options.profile == mjcf::kPortable)
    if (const Capability* const cell = Among(kPortableCells, feature)) return *cell;
  return kTable(feature);
}

TargetTraits MjcfTraits(const WriteOptions&) {
  TargetTraits t;
  t.native_format = "mjcf";
  t.contact_rule = ContactRule::kUnlessParent;
  t.motors = true;
  t.opens_addresses = false;
  t.scenes = true;
  return t;
}

// The root element decides: the extension .xml says nothing.
Likeness LikeMjcf(std::string_view text) {
  const std::string_view root = RootElementName(text);
  const bool own = root == "mujoco" || root == "mujocoinclude";
  return own ? Likeness::kItsOwn : Likeness::kForeign;
}

}  // namespace

Format MjcfFormat() {
  Format f;
  f.silent_gravity = Vector3(0, 0, -9.81);
  f.name = "mjcf";
  f.joints_in_a_row = true;
  f.title = "MuJoCo MJCF";
  f.extensions = {".xml", ".mjcf"};
  f.likeness = LikeMjcf;
  f.read = ReadMjcf;
  f.write = WriteMjcf;
  f.dialects = {{"mjcf", {}},
                {"mjcf (portable)",
                 {"", std::string(mjcf::kPortable)},
                 "portable: MJCF as its other readers read it too"}};
  f.capability = MjcfCell;
  f.content_weights = MjcfContentWeights;
  f.traits = MjcfTraits;
  f.refuses = MjcfRefuses;
  f.respell = mjcf::RespellSoftness;
  f.drive_law = MjcfDriveLaw;
  f.start = MjcfStart;
  f.has_parts = true;
  f.sensors = {mjcf::ReadSensorWords, mjcf::WriteSensorWords};
  f.drives = {.rest = mjcf::RestOfDrive, .write = mjcf::WriteDriveWords, .says_all = true};
  return f;
}

}  // namespace kinemorph
