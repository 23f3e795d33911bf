// What SDFormat 1.4 to 1.12 holds.
#include <span>

#include "cells.h"
#include "detachable_cells.h"
#include "drake_cells.h"
#include "kinemorph/formats/version.h"
#include "kinemorph/formats/xml_tags.h"
#include "pose_text.h"
#include "sdf_model/drive_words.h"
#include "sdf_model/sdf_version.h"
#include "sdf_model/sensor_words.h"
#include "sdformat.h"

namespace kinemorph {
namespace {

// The judge of every conversion to SDFormat: what a version holds (N), what a pass turns into
// something that it holds, exactly (L) or in part (P), and what is lost (X), each with the words
// for the report. The rows say it for 1.9 and 1.11, whose difference is large; kSince takes away
// what older versions lack.

using namespace cells;
using enum Feature;

constexpr std::string_view kController =
    "a controller of gz sim, with its gains and force limits; no name, no range of commands";
constexpr std::string_view kDrake = "drake";
constexpr std::string_view kSdfNone = "SDFormat cannot hold it";
constexpr std::string_view kSplitSdf =
    "SDFormat joints through a massless link, which SDFormat cannot hold";

constexpr std::string_view kGearbox =
    "a gearbox where the axes are parallel and the offset is zero; a mimic needs SDFormat 1.11";
constexpr std::string_view kMimic =
    "a mimic between two joints, which DART, Gazebo's usual physics engine, does not obey";

// Columns: 1.9, the newest that libsdformat 12 reads; 1.11.
enum Dialect : std::size_t { k19, k111, kDialects };
constexpr Row<kDialects> kRows[] = {
    {kJointFixed, {N()}},
    {kJointRevolute, {N()}},
    {kJointContinuous, {N("revolute without limits, which is what the engines of Gazebo know")}},
    {kJointPrismatic, {N()}},
    {kJointScrew, {N()}},
    {kJointUniversal, {N()}},
    {kJointBall, {N()}},
    {kJointPlanar, {P("split_joints", kSplitSdf)}},
    {kJointCylindrical, {P("split_joints", kSplitSdf)}},
    {kJointFree, {L("free_joints", "a link that nothing connects to the world")}},

    {kLoopFixed, {N()}},
    {kLoopRevolute, {N()}},
    {kLoopPrismatic, {N()}},
    {kLoopScrew, {N()}},
    {kLoopUniversal, {N()}},
    {kLoopBall, {N()}},
    {kLoopPlanar, {P("lower_loops", kSplitSdf)}},
    {kLoopCylindrical, {P("lower_loops", kSplitSdf)}},
    {kLoopAncestor, {N()}},
    {kLoopAxisData, {N()}},

    {kCouplingMimic, {P("couplings", kGearbox), N(kMimic)}},
    {kCouplingRatio, {P("couplings", kGearbox), P("couplings", kMimic)}},
    {kCouplingGearbox, {N()}},
    {kCouplingPolynomial, {X("SDFormat has linear couplings only")}},
    {kCouplingLinear, {P("couplings", kGearbox), P("couplings", kMimic)}},

    {kJointFrameOffset, {N()}},
    {kReversedJoint, {N()}},
    {kWorldJoint, {N()}},
    {kFloatingBase, {N()}},
    {kSeveralModels, {N()}},
    {kNestedModel, {N()}},
    {kStaticModel, {N()}},
    {kFrame, {N()}},
    {kGravity, {N()}},
    {kNameClash, {L("names", "renamed, with a map")}},
    {kReservedName, {L("names", "renamed, with a map")}},

    {kMasslessLink,
     {P("massless_links",
        "a frame of its neighbour where it is rigidly attached; else with an inertia that changes "
        "the robot's mass by 1e-7")}},
    {kRotatedInertia, {N()}},
    {kUnphysicalInertia,
     {P("physical_inertia",
        "libsdformat refuses such a link; the nearest inertia of a rigid body is written, with the "
        "moment about its axis where a link turns about one direction only")}},
    {kUnknownMass,
     {X("a replacement is written; <inertial auto> came with SDFormat 1.11"),
      P("unknown_masses",
        "the <inertial auto> of an SDFormat source is kept; else a replacement is written")}},
    {kLinkGravity, {N()}},
    {kSelfCollision, {N()}},

    {kPositionLimit, {N()}},
    {kOneSidedLimit, {N()}},
    {kEffortLimit, {N()}},
    {kAsymmetricEffortLimit, {X("SDFormat effort is one magnitude")}},
    {kVelocityLimit, {N()}},
    {kDamping, {N()}},
    {kFriction, {N()}},
    {kSpring, {N()}},
    {kLimitCompliance, {N()}},
    {kPositionOffset, {X("coordinates count from the zero position")}},
    {kInitialPosition, {X("only SDFormat 1.6 to 1.8 have it: --to sdf@1.8")}},

    {kVisual, {N()}},
    {kCollision, {N()}},
    {kShapeBox, {N()}},
    {kShapeSphere, {N()}},
    {kShapeCylinder, {N()}},
    {kShapeCapsule, {N()}},
    {kShapeCone, {X("the cone came with SDFormat 1.11"), N()}},
    {kShapeEllipsoid, {N()}},
    {kShapePlane, {N()}},
    {kShapeMesh, {N()}},
    {kShapeMeshScale, {N()}},
    {kShapeSubmesh, {N()}},
    {kShapePolyline, {N()}},
    {kShapeNative, {P("native_data", kNativeOnly)}},
    {kMaterialColor, {N()}},
    {kMaterialTexture, {N("albedo map")}},
    {kMaterialLighting, {N()}},
    {kTransparency, {N()}},
    {kSurfaceFriction, {P("shapes", "sliding and torsional coefficients; no rolling friction")}},

    {kSensor, {P("native_data", kSharedSensors)}},
    {kMotor, {P("native_data", kController)}},
    {kServo, {P("native_data", kController)}},
    {kActuator, {P("native_data", kNativeOnly)}},
    {kContactExclusion,
     {P("self_collision", "bit masks, for up to 15 kinds of links; the rest is reported")}},
    {kNativeData, {P("native_data", kNativeOnly)}},
};
constexpr Table<kDialects> kTable(kRows, X(kSdfNone));

// Drake joins points of two links of one model, and knows no gearboxes; its reader errs at what it
// does not know of joints, and warns of the rest.
constexpr std::string_view kOneModel =
    "stay, unless a loop or a coupling reaches over two models: then names are joined";
constexpr Row<1> kDrakeCells[] = {
    {kJointUniversal, {N("axes that are not perpendicular are split")}},
    {kCouplingMimic, {N("drake:mimic")}},
    {kMotor,
     {P("native_data",
        "Drake makes an actuator of every joint whose effort limit is not 0, called as the joint; "
        "no gear, no range of commands")}},
    {kServo, {P("native_data", "a controller of gz sim, which Drake does not read")}},
    {kNestedModel, {P("flatten_models", kOneModel)}},
    {kGravity, {X("Drake has 9.81 m/s^2 along -z, whatever the file says")}},
    {kLinkGravity, {X("Drake ignores `<gravity>` of a link, with a warning")}},
    {kSelfCollision, {P("self_collision", "pairs of links, in groups; no bit masks")}},
    {kShapePlane,
     {P("shapes", "the upper face of a box: with a plane and 16 other shapes Drake 1.58 crashes")}},
    {kShapeCone, {X("Drake reads no cones")}},
    {kShapePolyline, {X("Drake reads no polylines")}},
    {kShapeSubmesh, {X("Drake takes the whole mesh")}},
    {kShapeNative, {X("Drake ignores such a shape")}},
    {kAccelerationLimit, {P("limits", "drake:acceleration; no deceleration")}},
    {kFriction, {X("Drake ignores friction of joints, with a warning")}},
    {kArmature,
     {P("motors",
        "drake:rotor_inertia of a joint with a motor: in Drake every one of one coordinate whose "
        "effort limit is not 0")}},
};

// What versions before 1.9 lack.
struct Since {
  Feature feature;
  Version version;
  Capability before;
};
constexpr Capability kTooNew = X("this version of SDFormat cannot hold this");
constexpr Since kSince[] = {
    {kShapeCapsule, {1, 8}, L("shapes", "a cylinder and two spheres")},
    {kShapeEllipsoid, {1, 8}, kTooNew},
    {kFrame, {1, 7}, kTooNew},
    {kMaterialTexture, {1, 6}, kTooNew},
    {kShapePolyline, {1, 5}, kTooNew},
    {kSpring, {1, 5}, kTooNew},
};

// Loops as gz sim's engine makes them; by default they are joints, which it leaves out.
bool WeldsLoops(const WriteOptions& options) {
  return options.loops == LoopChoice::kDetachable && options.profile != kDrake;
}

// From the special to the general: too old, Drake's own, welds instead of loops, then the table.
Capability SdfCell(Feature feature, const WriteOptions& options) {
  const Version version = ParseVersion(options.version).value_or(Version{1, 9});
  for (const Since& since : kSince)
    if (feature == since.feature && version < since.version) return since.before;
  if (options.profile == kDrake)
    for (const auto rows :
         {std::span<const Row<1>>(kDrakeCells), std::span<const Row<1>>(kDrakeRelations)})
      if (const Capability* const cell = Among(rows, feature)) return *cell;
  if (WeldsLoops(options))
    if (const Capability* const cell = Among(kDetachableCells, feature)) return *cell;
  // Between these versions initial_position was an element of <axis>.
  const bool initial = version >= Version{1, 6} && version < Version{1, 9};
  if (feature == kInitialPosition && initial) return N();
  return kTable(feature, version < Version{1, 11} ? k19 : k111);
}

TargetTraits SdfTraits(const WriteOptions& options) {
  TargetTraits t;
  t.native_format = "sdf";
  const bool drake = options.profile == kDrake;
  t.loops_can_be_chosen = !drake && options.loops != LoopChoice::kNone;
  if (drake) t.contact_rule = ContactRule::kUnlessTreeJoined;
  t.opens_addresses = !drake;  // Drake refuses a file that names a package which nobody told it
  return t;
}

// Without its envelope it is SDFormat too: the reader says what is wrong.
Likeness LikeSdf(std::string_view text) {
  const std::string_view root = RootElementName(text);
  const bool own = root == "sdf" || root == "model" || root == "world" || root == "gazebo";
  return own ? Likeness::kItsOwn : Likeness::kForeign;
}

}  // namespace

Format SdfFormat() {
  Format f;
  f.silent_gravity = Vector3(0, 0, -9.8);  // of libsdformat
  f.gravity_is_of_worlds = true;
  f.name = "sdf";
  f.title = "SDFormat";
  f.extensions = {".sdf", ".world"};
  f.likeness = LikeSdf;
  // The first one is the default: libsdformat 12, of Gazebo Fortress and Debian 12, reads up to
  // 1.9.
  f.versions = {"1.9", "1.4", "1.5", "1.6", "1.7", "1.8", "1.10", "1.11", "1.12"};
  f.read = ReadSdf;
  f.write = WriteSdf;
  f.dialects = {{"sdf@1.9", {"1.9", {}, {}}},
                {"sdf@1.11", {"1.11", {}, {}}},
                {"sdf (drake)", {"1.9", "drake"}, "drake: SDFormat as Drake reads it", true}};
  f.capability = SdfCell;
  f.content_weights = SdfContentWeights;
  f.traits = SdfTraits;
  f.refuses = SdfRefuses;
  f.respell = xml::RespellPose;
  f.sensors = {sdformat::ReadSensorWords, sdformat::WriteSensorWords, sdformat::TurnSensorWords};
  f.drives = {sdformat::RestOfDrive, sdformat::WriteDriveWords, false, false};
  return f;
}

}  // namespace kinemorph
