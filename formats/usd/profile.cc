// What USD holds, with the attributes of Newton and with those of PhysX.
#include <algorithm>

#include "cells.h"
#include "mujoco_words.h"
#include "usd.h"

namespace kinemorph {
namespace {

using namespace cells;
using enum Feature;

constexpr std::string_view kUsdNone = "UsdPhysics cannot hold it";
constexpr std::string_view kD6 = "a PhysicsJoint with locked axes";
constexpr std::string_view kSplitPhysx =
    "an articulation of PhysX slides along one axis of a joint";
constexpr std::string_view kOneDrive =
    "a drive without gains; none on a loop joint, nor beside a spring";

// Columns: Newton's attributes, PhysX's.
// Where the two columns differ it is because of the solvers: PhysX's articulations have fewer kinds
// of joints and linear mimics only, and Newton's schemas have no gravity of single bodies.
constexpr Row<2> kRows[] = {
    {kJointFixed, {N()}},
    {kJointRevolute, {N()}},
    {kJointContinuous, {N("a revolute joint without limits")}},
    {kJointPrismatic, {N()}},
    {kJointScrew,
     {L("split_joints", "a hinge, a slide and MuJoCo's joint equality"),
      P("split_joints", "a hinge and a slide; nothing of PhysX ties them")}},
    {kJointUniversal, {N("a PhysicsJoint; axes that are not perpendicular are split")}},
    {kJointBall, {N("spherical joint")}},
    {kJointPlanar, {N(kD6), L("split_joints", kSplitPhysx)}},
    {kJointCylindrical, {N(kD6), L("split_joints", kSplitPhysx)}},
    {kJointFree, {L("free_joints", "a body that nothing connects to the world")}},

    {kLoopFixed, {N("excluded from the articulation, as all loop joints")}},
    {kLoopRevolute, {N()}},
    {kLoopPrismatic, {N("Newton's MuJoCo solver leaves it out with a warning")}},
    {kLoopScrew, {P("lower_loops", kSplitLoop)}},
    {kLoopUniversal, {P("lower_loops", kSplitLoop)}},
    {kLoopBall, {N()}},
    {kLoopPlanar, {N("Newton's MuJoCo solver leaves it out with a warning")}},
    {kLoopCylindrical, {N("Newton's MuJoCo solver leaves it out with a warning")}},
    {kLoopAncestor, {N()}},
    {kLoopAxisData,
     {N("limits and dynamics; drives and springs have no place on a loop joint"),
      P("joint_drives", "limits; PhysX obeys dynamics inside the articulation alone")}},

    {kCouplingMimic, {N(), N("between joints of one kind, both with limits")}},
    {kCouplingRatio, {P("couplings", "a mimic between two joints")}},
    {kCouplingGearbox, {P("couplings", "a mimic between two joints")}},
    {kCouplingPolynomial,
     {N("MuJoCo's joint equality, one on a joint"), X("PhysX has linear ones only")}},
    {kCouplingLinear, {P("couplings", "a mimic between two joints")}},
    {kIndependent, {X("USD does not tell independent from dependent joints")}},

    {kJointFrameOffset, {N()}},
    {kReversedJoint, {L("orient_joints", "the joint is turned round, its axis negated")}},
    {kWorldJoint, {N()}},
    {kFloatingBase, {N("nothing connects it to the world")}},
    {kSeveralModels,
     {P("select_model",
        "one robot per file: joints between them make one; else --model NAME chooses")}},
    {kNestedModel, {L("flatten_models", "names joined with '__'")}},
    {kStaticModel, {L("static_models", "its joints are locked, and it is fixed to the world")}},
    {kFrame, {N("an Xform in its body")}},
    {kGravity, {N("physics scene")}},
    {kNameClash, {N()}},
    {kReservedName, {P("names", "only 'world' is reserved")}},

    {kMasslessLink,
     {P("massless_links",
        "a frame of its neighbour where it is rigidly attached; else, as one of mass alone, with "
        "an "
        "inertia that changes the robot's mass by 1e-7")}},
    {kRotatedInertia, {N("principal axes")}},
    {kUnphysicalInertia,
     {P("physical_inertia",
        "simulators refuse such a body; the nearest inertia of a rigid body is written, with the "
        "moment about its axis where a link turns about one direction only")}},
    {kUnknownMass, {X("a replacement is written")}},
    {kLinkGravity, {N("mjc:gravcomp, which solvers of MuJoCo obey"), N()}},
    {kSelfCollision, {N("of the articulation, and filtered pairs")}},

    {kPositionLimit, {N()}},
    {kOneSidedLimit, {N()}},
    {kEffortLimit, {P("joint_drives", kOneDrive)}},
    {kAsymmetricEffortLimit, {X("a drive has one magnitude")}},
    {kVelocityLimit, {N()}},
    {kDamping, {N()}},
    {kFriction, {N()}},
    {kSpring, {P("joint_drives", "a drive; none on a loop joint or a ball")}},
    {kArmature, {N()}},
    {kPositionOffset, {X("a joint counts from where its two frames coincide")}},
    {kInitialPosition, {P("start_positions", "where all loops are closed")}},

    {kVisual, {N()}},
    {kCollision, {N()}},
    {kShapeBox, {N()}},
    {kShapeSphere, {N()}},
    {kShapeCylinder, {N()}},
    {kShapeCapsule, {N()}},
    {kShapeCone, {N()}},
    {kShapeEllipsoid,
     {N("a sphere with three scales; where it collides, its convex hull, of 146 points")}},
    {kShapePlane,
     {P("shapes", "turned so that its normal is z; an infinite one is drawn 100 m wide")}},
    {kShapeMesh, {P("shapes", "points of the files that can be opened; others are named")}},
    {kShapeMeshScale, {N()}},
    {kShapeSubmesh, {X("USD takes the whole mesh")}},
    {kShapePolyline, {X("USD has no polyline")}},
    {kShapeNative, {P("native_data", kNativeOnly)}},
    {kMaterialColor, {N("preview surface")}},
    {kMaterialTexture, {N("on meshes that have texture coordinates")}},
    {kMaterialLighting, {P("shapes", "specular and emissive colours; no ambient one")}},
    {kTransparency, {L("shapes", "opacity of its colour")}},
    {kSurfaceFriction,
     {P("shapes", "one coefficient of sliding for all directions"),
      P("shapes", "one coefficient of sliding for all directions; no other")}},

    {kSensor, {X("the schemas of UsdPhysics have no sensors")}},
    {kMotor, {P("native_data", "which joints are driven is not said; effort limits are")}},
    {kServo,
     {P("native_data",
        "a drive of the coordinate, one each, with one greatest force; no name, no range of "
        "commands")}},
    {kActuator, {P("native_data", "a drive of accelerations; other laws have no words")}},
    {kContactExclusion, {N("filtered pairs")}},
    {kNativeData, {P("native_data", kNativeOnly)}},
};
constexpr Table<2> kTable(kRows, X(kUsdNone));

// With the side-car beside it.
constexpr Row<1> kIsaacLabCells[] = {
    {kIndependent, {N("the driven joints of the side-car")}},
    {kActuator, {P("native_data", "named as driven in the side-car; no control law")}},
};

bool HasSideCar(const WriteOptions& options) {
  return std::find(options.side_cars.begin(), options.side_cars.end(), kIsaacLab) !=
         options.side_cars.end();
}

Capability UsdCell(Feature feature, const WriteOptions& options) {
  if (HasSideCar(options))
    if (const Capability* const cell = Among(kIsaacLabCells, feature)) return *cell;
  return kTable(feature, options.physx ? 1 : 0);
}

TargetTraits UsdTraits(const WriteOptions& options) {
  TargetTraits t;
  t.native_format = "usd";
  t.greatest_number = 1e36;  // of single precision, which ends at 3.4e38
  t.contact_rule = ContactRule::kAll;
  t.opens_addresses = false;
  t.is_stage = true;
  if (HasSideCar(options)) t.side_car_alone = {Feature::kIndependent, Feature::kMotor};
  return t;
}

Likeness LikeUsd(std::string_view text) {
  return IsUsd(text) ? Likeness::kMarked : Likeness::kForeign;
}

// How a simulator computes, not what: solvers, sleep, margins.
// Their loss changes no equation of motion.
std::vector<ContentWeight> UsdWeights() {
  std::vector<ContentWeight> rows;
  for (const std::string_view path : {"@physxArticulation:solverPositionIterationCount",
                                      "@physxArticulation:solverVelocityIterationCount",
                                      "@physxArticulation:sleepThreshold",
                                      "@physxArticulation:stabilizationThreshold",
                                      "@physxRigidBody:solverPositionIterationCount",
                                      "@physxRigidBody:solverVelocityIterationCount",
                                      "@physxRigidBody:sleepThreshold",
                                      "@physxRigidBody:stabilizationThreshold",
                                      "@physxRigidBody:maxDepenetrationVelocity",
                                      "@physxRigidBody:enableCCD",
                                      "@physxRigidBody:enableSpeculativeCCD",
                                      "@physxRigidBody:retainAccelerations",
                                      "@physxCollision:contactOffset",
                                      "@physxCollision:restOffset",
                                      "@newton:contactGap",
                                      "@newton:contactMargin",
                                      "@physics:approximation",
                                      "@physics:startsAsleep",
                                      "drive@targetPosition",
                                      "drive@targetVelocity",
                                      "@mjc:solimplimit",
                                      "@mjc:solreflimit",
                                      "@mjc:solimp",
                                      "@mjc:solref",
                                      "@mjc:group",
                                      "@mjc:priority",
                                      "PhysicsScene",
                                      "Camera",
                                      "physxConvexHullCollision:hullVertexLimit"})
    rows.push_back({path, Weight::kInterface});
  // How softly a joint that closes a loop holds; of shapes and limits it is the solver's choice.
  for (const std::string_view path :
       {"PhysicsFixedJoint@mjc:solref", "PhysicsFixedJoint@mjc:solimp",
        "PhysicsSphericalJoint@mjc:solref", "PhysicsSphericalJoint@mjc:solimp"})
    rows.push_back({path, Weight::kMotion});
  for (const std::string_view path : {"Material", "Shader", "DistantLight", "DomeLight",
                                      "SphereLight", "RectLight", "DiskLight", "CylinderLight"})
    rows.push_back({path, Weight::kLooks});
  return rows;
}

const std::vector<ContentWeight>* UsdContentWeights() {
  static const std::vector<ContentWeight> kWeights = UsdWeights();
  return &kWeights;
}

// Properties are kept by name only, to say what is lost; of drives those of one coordinate have their
// numbers.
std::string RefuseUsd(const Model&, const NativeData& native, const Joint*, const WriteOptions&) {
  const std::string* const axis = native.content.Attribute("axis");
  const bool drive =
      native.element == "drive" && (axis == nullptr || *axis == "angular" || *axis == "linear");
  return native.format != "usd" || drive
             ? ""
             : "kinemorph does not write content of USD that it does not read";
}

// A drive of its joint's one coordinate, with the joint's limit of effort. A spring needs the same
// drive, and none moves what has no force.
std::optional<Actuator> WriteUsdDrive(const Model& model, const Actuator& drive,
                                      const WriteOptions&) {
  const Joint& joint = model.joint(drive.joint);
  if (!IsServo(drive) || joint.role == JointRole::kLoop || joint.axes.size() != 1 ||
      joint.axes[0].spring_stiffness.value_or(0) != 0 || joint.axes[0].effort == 0)
    return std::nullopt;
  Actuator held = AtJoint(drive);
  held.name = joint.name;
  held.type = "drive";
  for (const auto field : {&Actuator::effort_lower, &Actuator::effort_upper,
                           &Actuator::control_lower, &Actuator::control_upper})
    (held.*field).reset();
  held.native = {"usd", "drive", {.name = "drive"}, drive.where};
  return held;
}

// Of MJCF, in the schemas of MuJoCo that Newton obeys too.
NativeElement TakesOfUsd(const NativeData& data, SubjectKind owner, const WriteOptions& options) {
  const bool drawn = owner == SubjectKind::kVisual;
  return options.physx || drawn ? NativeElement{} : usd::MujocoPart(data);
}

}  // namespace

Format UsdFormat() {
  Format f;
  f.silent_gravity = Vector3(0, 0, -9.81);
  f.name = "usda";
  f.joints_in_a_row = true;
  f.title = "USD (UsdPhysics, text)";
  f.extensions = {".usda"};
  f.likeness = LikeUsd;
  f.read = ReadUsd;
  f.refuses = RefuseUsd;
  f.takes = TakesOfUsd;
  f.drives = {.write = WriteUsdDrive, .one_a_joint = true, .has_gears = false, .says_all = true};
  f.write = WriteUsd;
  WriteOptions physx;
  physx.physx = true;
  f.dialects = {{"usda", {}}, {"usda (physx)", physx}};
  f.side_cars = {kIsaacLab};
  f.capability = UsdCell;
  f.content_weights = UsdContentWeights;
  f.traits = UsdTraits;
  return f;
}

}  // namespace kinemorph
