// The features: one row each, with all that is known of it.
#include <array>
#include <variant>

#include "kinemorph/graph/checks/feature.h"

namespace kinemorph {
namespace {

using enum Feature;
using enum Weight;
using namespace feature_group;

// The place of an alternative in a variant.
template <class Variant, class Alternative, int kPlace = 0>
constexpr int Of() {
  if constexpr (std::is_same_v<std::variant_alternative_t<kPlace, Variant>, Alternative>)
    return kPlace;
  else
    return Of<Variant, Alternative, kPlace + 1>();
}

// Rows are short because most of them are alike: these say what rows of one sort have in common.
constexpr FeatureGroups kTreeJoint = kElements | kTreeJoints, kLoop = kElements | kLoops,
                        kCoupling = kElements | kCouplings, kPart = kElements | kParts,
                        kShape = kElements | kShapes, kOfPart = kShapes | kSurfaces | kNatives;
constexpr FeatureRow::Weights kByPart{kMotion, kLooks};

template <class Kind>
constexpr FeatureRow OnTree(Feature of, std::string_view name, std::string_view title,
                            FeatureGroups also = kNone) {
  return {of, name, title, kMotion, kTreeJoint | also, kCoordinates, {}, Of<JointKind, Kind>()};
}
template <class Kind>
constexpr FeatureRow OnLoop(Feature of, std::string_view name, std::string_view title) {
  return {of, name, title, kMotion, kLoop, kCoordinates, "loop", Of<JointKind, Kind>()};
}
template <class Kind>
constexpr FeatureRow AsShape(Feature of, std::string_view name, std::string_view title,
                             std::string_view word = {}) {
  return {of,
          name,
          title,
          kByPart,
          kShape,
          kParts | kOfPart,
          word.empty() ? title : word,
          Of<Shape, Kind>()};
}
// Of a joint's coordinates.
constexpr FeatureRow Said(Feature of, std::string_view name, std::string_view title, Weight weight,
                          FeatureGroups also = kNone, FeatureGroups covers = kNone) {
  return {of, name, title, weight, kCoordinates | also, covers};
}

// Feature, name, title, weight, groups, what its loss takes along, word.
constexpr std::array<FeatureRow, kNumFeatures> kTable{{
    // joints of the tree, by kind
    OnTree<Fixed>(kJointFixed, "joint-fixed", "fixed joint", kStructure),
    OnTree<Revolute>(kJointRevolute, "joint-revolute", "revolute joint with limits"),
    {kJointContinuous, "joint-continuous", "revolute joint without limits", kMotion, kTreeJoint,
     kCoordinates},
    OnTree<Prismatic>(kJointPrismatic, "joint-prismatic", "prismatic joint"),
    OnTree<Screw>(kJointScrew, "joint-screw", "screw joint"),
    OnTree<Universal>(kJointUniversal, "joint-universal", "universal joint (revolute2)"),
    OnTree<Ball>(kJointBall, "joint-ball", "ball joint"),
    OnTree<Planar>(kJointPlanar, "joint-planar", "planar joint"),
    OnTree<Cylindrical>(kJointCylindrical, "joint-cylindrical", "cylindrical joint"),
    OnTree<Free>(kJointFree, "joint-free", "free joint between two links"),
    // loop joints, by kind
    OnLoop<Fixed>(kLoopFixed, "loop-fixed", "fixed loop joint"),
    OnLoop<Revolute>(kLoopRevolute, "loop-revolute", "revolute loop joint"),
    OnLoop<Prismatic>(kLoopPrismatic, "loop-prismatic", "prismatic loop joint"),
    OnLoop<Screw>(kLoopScrew, "loop-screw", "screw loop joint"),
    OnLoop<Universal>(kLoopUniversal, "loop-universal", "universal loop joint"),
    OnLoop<Ball>(kLoopBall, "loop-ball", "ball loop joint"),
    OnLoop<Planar>(kLoopPlanar, "loop-planar", "planar loop joint"),
    OnLoop<Cylindrical>(kLoopCylindrical, "loop-cylindrical", "cylindrical loop joint"),
    {kLoopAncestor, "loop-ancestor", "loop joint from a link to its own ancestor", kMotion, kLoop,
     kCoordinates, "loop"},
    {kLoopAxisData, "loop-axis-data", "limits or dynamics of a loop joint", kMotion, kElements,
     kCoordinates},
    // couplings
    {kCouplingMimic, "coupling-mimic", "mimic joint", kMotion, kCoupling, kCouplings, "coupling"},
    {kCouplingRatio, "coupling-ratio", "coupling between links", kMotion, kCoupling, kCouplings,
     "coupling"},
    {kCouplingGearbox, "coupling-gearbox", "gearbox", kMotion, kCoupling, kCouplings, "coupling"},
    {kCouplingPolynomial, "coupling-polynomial", "polynomial coupling", kMotion, kCoupling,
     kCouplings, "coupling"},
    {kCouplingLinear, "coupling-linear", "other linear coupling", kMotion, kCoupling, kCouplings,
     "coupling"},
    Said(kIndependent, "independent", "declared independent coordinates", kInterface),
    // structure
    {kJointFrameOffset, "joint-frame-offset", "joint frame away from the child link's frame",
     kMotion, kStructure},
    {kReversedJoint, "reversed-joint", "joint that points against the tree", kMotion, kStructure},
    {kWorldJoint, "world-joint", "joint to the world", kMotion, kStructure},
    {kFloatingBase, "floating-base", "base free in the world", kMotion, kStructure},
    {kSeveralModels, "several-models", "several models in one file", kInterface, kStructure},
    {kNestedModel, "nested-model", "nested model", kInterface, kStructure},
    {kStaticModel, "static-model", "static model", kMotion, kStructure},
    {kFrame, "frame", "named frame", kInterface, kElements, kNone, "frame"},
    {kGravity, "gravity", "gravity", kMotion, kNone},
    {kNameClash, "name-clash", "the same name for a link, a joint or a frame", kInterface,
     kStructure},
    {kReservedName, "reserved-name", "reserved name (world, __x__)", kInterface, kStructure},
    // links
    {kMasslessLink, "massless-link", "massless link", kMotion, kStructure | kCarried},
    {kRotatedInertia, "rotated-inertia", "inertia in rotated axes", kMotion, kStructure | kCarried},
    {kUnphysicalInertia, "unphysical-inertia", "inertia of no rigid body", kMotion, kStructure},
    {kUnknownMass, "unknown-mass", "unknown mass", kMotion, kStructure | kCarried},
    {kLinkGravity, "link-gravity", "link that gravity does not act on", kMotion, kCarried},
    {kSelfCollision, "self-collision", "self-collision, bit masks of what collides", kMotion,
     kCarried},
    // joint data
    Said(kPositionLimit, "position-limit", "position limits", kMotion, kRanges),
    Said(kOneSidedLimit, "one-sided-limit", "position limit on one side only", kMotion, kStructure,
         kRanges),
    Said(kEffortLimit, "effort-limit", "effort limit", kMotion, kEfforts),
    Said(kAsymmetricEffortLimit, "asymmetric-effort-limit", "effort range that is not symmetric",
         kMotion, kNone, kEfforts),
    // What controllers keep to, and no equation of motion has.
    Said(kVelocityLimit, "velocity-limit", "velocity limit", kInterface),
    Said(kAccelerationLimit, "acceleration-limit", "acceleration or deceleration limit",
         kInterface),
    Said(kJerkLimit, "jerk-limit", "jerk limit", kInterface),
    Said(kDamping, "damping", "joint damping", kMotion),
    Said(kFriction, "friction", "joint friction (Coulomb)", kMotion),
    Said(kSpring, "spring", "joint spring", kMotion),
    Said(kArmature, "armature", "rotor armature", kMotion),
    Said(kLimitCompliance, "limit-compliance", "stiffness and dissipation of the limits", kMotion),
    Said(kSafety, "safety", "safety controller", kInterface),
    Said(kCalibration, "calibration", "calibration", kInterface),
    Said(kPositionOffset, "position-offset", "offset of the native joint coordinate (ref)",
         kInterface),
    Said(kInitialPosition, "initial-position", "initial joint position", kInterface),
    // geometry
    {kVisual, "visual", "visual", kLooks, kPart, kOfPart, "visual"},
    {kCollision, "collision", "collision", kMotion, kPart, kOfPart, "collision"},
    AsShape<Box>(kShapeBox, "shape-box", "box"),
    AsShape<Sphere>(kShapeSphere, "shape-sphere", "sphere"),
    AsShape<Cylinder>(kShapeCylinder, "shape-cylinder", "cylinder"),
    AsShape<Capsule>(kShapeCapsule, "shape-capsule", "capsule"),
    AsShape<Cone>(kShapeCone, "shape-cone", "cone"),
    AsShape<Ellipsoid>(kShapeEllipsoid, "shape-ellipsoid", "ellipsoid"),
    AsShape<Plane>(kShapePlane, "shape-plane", "plane"),
    AsShape<Mesh>(kShapeMesh, "shape-mesh", "mesh"),
    {kShapeMeshScale, "shape-mesh-scale", "scaled mesh", kByPart, kShapes, kParts | kOfPart},
    {kShapeSubmesh, "shape-submesh", "part of a mesh", kByPart, kShapes, kParts | kOfPart},
    AsShape<Polyline>(kShapePolyline, "shape-polyline", "extruded polyline", "polyline"),
    AsShape<NativeShape>(kShapeNative, "shape-native", "shape of one format only", "native shape"),
    {kMaterialColor, "material-color", "colour", kLooks, kSurfaces | kColors},
    {kMaterialTexture, "material-texture", "texture", kLooks, kSurfaces},
    {kMaterialLighting, "material-lighting", "ambient, specular or emissive colour", kLooks,
     kSurfaces, kColors},
    {kTransparency, "transparency", "transparency", kLooks, kSurfaces | kCarried, kColors},
    {kSurfaceFriction, "surface-friction", "surface friction", kMotion, kSurfaces},
    // the rest
    {kSensor, "sensor", "sensor", kInterface, kElements, kNatives, "sensor"},
    {kMotor, "motor", "motor or transmission", kInterface, kElements, kNatives, "motor"},
    {kServo, "servo", "servo: drive of a position or velocity", kMotion, kElements, kNatives,
     "servo"},
    {kActuator, "actuator", "actuator with a law of its own", kMotion, kElements, kNatives,
     "actuator"},
    {kContactExclusion, "contact-exclusion", "pair of links that must not collide", kInterface,
     kElements, kNone, "contact exclusion"},
    {kNativeData, "native-data", "content of one format only", kInterface, kElements | kNatives},
}};

// Row i is feature i, so that it is found by indexing.
constexpr bool RowsAreInOrder() {
  for (std::size_t i = 0; i < kNumFeatures; ++i)
    if (Position(kTable[i].feature) != i || kTable[i].name.empty()) return false;
  return true;
}
static_assert(RowsAreInOrder(), "every feature has its row, in the order of the enumeration");

// Tables from alternative to feature are computed, and complete by static_assert: a new kind of
// joint or shape does not compile without its row.
// The features of a group by the alternatives of a variant; kCount: none stands for it.
template <class Variant>
constexpr std::array<Feature, std::variant_size_v<Variant>> ByAlternative(FeatureGroups group) {
  std::array<Feature, std::variant_size_v<Variant>> features{};
  for (Feature& feature : features) feature = kCount;
  for (const FeatureRow& row : kTable)
    if ((row.groups & group) != 0 && row.alternative >= 0)
      features[static_cast<std::size_t>(row.alternative)] = row.feature;
  return features;
}
template <std::size_t kSize>
constexpr std::size_t NumMissing(const std::array<Feature, kSize>& features) {
  std::size_t missing = 0;
  for (const Feature feature : features) missing += feature == kCount ? 1 : 0;
  return missing;
}
constexpr auto kTreeFeatures = ByAlternative<JointKind>(kTreeJoints),
               kLoopFeatures = ByAlternative<JointKind>(kLoops);
constexpr auto kShapeFeatures = ByAlternative<Shape>(kShapes);
static_assert(NumMissing(kTreeFeatures) == 0 && NumMissing(kShapeFeatures) == 0);
static_assert(NumMissing(kLoopFeatures) == 1, "a free joint closes no loop");

}  // namespace

const FeatureRow& RowOf(Feature feature) { return kTable[Position(feature)]; }

bool FeatureFromName(std::string_view name, Feature& feature) {
  for (const FeatureRow& row : kTable) {
    if (row.name != name) continue;
    feature = row.feature;
    return true;
  }
  return false;
}

std::string_view Name(Weight weight) {
  switch (weight) {
    case Weight::kLooks:
      return "looks";
    case Weight::kInterface:
      return "interface";
    case Weight::kMotion:
      break;
  }
  return "motion";
}

Feature TreeFeature(const Joint& joint) {
  // URDF writes a hinge without limits as another type (continuous), which some targets lack.
  const bool limited = !joint.axes.empty() && (joint.axes[0].lower || joint.axes[0].upper);
  if (std::holds_alternative<Revolute>(joint.kind) && !limited) return kJointContinuous;
  return kTreeFeatures[joint.kind.index()];
}

Feature LoopFeature(const JointKind& kind) {
  const Feature feature = kLoopFeatures[kind.index()];
  return feature == kCount ? kJointFree : feature;
}

Feature ShapeFeature(const Shape& shape) { return kShapeFeatures[shape.index()]; }

}  // namespace kinemorph
