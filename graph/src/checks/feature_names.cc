// Names and titles of the features: the rows of the capability table.
#include <array>

#include "kinemorph/graph/checks/feature.h"

namespace kinemorph {
namespace {

struct Row {
  Feature feature;
  std::string_view name, title;
};

constexpr std::size_t kRows = static_cast<std::size_t>(Feature::kCount);

constexpr std::array<Row, kRows> kTable{{
    {Feature::kJointFixed, "joint-fixed", "fixed joint"},
    {Feature::kJointRevolute, "joint-revolute", "revolute joint with limits"},
    {Feature::kJointContinuous, "joint-continuous", "revolute joint without limits"},
    {Feature::kJointPrismatic, "joint-prismatic", "prismatic joint"},
    {Feature::kJointScrew, "joint-screw", "screw joint"},
    {Feature::kJointUniversal, "joint-universal", "universal joint (revolute2)"},
    {Feature::kJointBall, "joint-ball", "ball joint"},
    {Feature::kJointPlanar, "joint-planar", "planar joint"},
    {Feature::kJointCylindrical, "joint-cylindrical", "cylindrical joint"},
    {Feature::kJointFree, "joint-free", "free joint between two links"},
    {Feature::kLoopFixed, "loop-fixed", "fixed loop joint"},
    {Feature::kLoopRevolute, "loop-revolute", "revolute loop joint"},
    {Feature::kLoopPrismatic, "loop-prismatic", "prismatic loop joint"},
    {Feature::kLoopScrew, "loop-screw", "screw loop joint"},
    {Feature::kLoopUniversal, "loop-universal", "universal loop joint"},
    {Feature::kLoopBall, "loop-ball", "ball loop joint"},
    {Feature::kLoopPlanar, "loop-planar", "planar loop joint"},
    {Feature::kLoopCylindrical, "loop-cylindrical", "cylindrical loop joint"},
    {Feature::kLoopAncestor, "loop-ancestor", "loop joint from a link to its own ancestor"},
    {Feature::kLoopAxisData, "loop-axis-data", "limits or dynamics of a loop joint"},
    {Feature::kCouplingMimic, "coupling-mimic", "mimic joint"},
    {Feature::kCouplingRatio, "coupling-ratio", "coupling between links"},
    {Feature::kCouplingGearbox, "coupling-gearbox", "gearbox"},
    {Feature::kCouplingPolynomial, "coupling-polynomial", "polynomial coupling"},
    {Feature::kCouplingLinear, "coupling-linear", "other linear coupling"},
    {Feature::kIndependent, "independent", "declared independent coordinates"},
    {Feature::kJointFrameOffset, "joint-frame-offset",
     "joint frame away from the child link's frame"},
    {Feature::kReversedJoint, "reversed-joint", "joint that points against the tree"},
    {Feature::kWorldJoint, "world-joint", "joint to the world"},
    {Feature::kFloatingBase, "floating-base", "base free in the world"},
    {Feature::kSeveralModels, "several-models", "several models in one file"},
    {Feature::kNestedModel, "nested-model", "nested model"},
    {Feature::kStaticModel, "static-model", "static model"},
    {Feature::kFrame, "frame", "named frame"},
    {Feature::kGravity, "gravity", "gravity"},
    {Feature::kNameClash, "name-clash", "one name for a link, a joint or a frame at once"},
    {Feature::kReservedName, "reserved-name", "reserved name (world, __x__)"},
    {Feature::kMasslessLink, "massless-link", "massless link"},
    {Feature::kRotatedInertia, "rotated-inertia", "inertia in rotated axes"},
    {Feature::kUnphysicalInertia, "unphysical-inertia", "inertia of no rigid body"},
    {Feature::kUnknownMass, "unknown-mass", "mass that nobody knows"},
    {Feature::kLinkGravity, "link-gravity", "link that gravity does not act on"},
    {Feature::kSelfCollision, "self-collision", "self-collision, bit masks of what collides"},
    {Feature::kPositionLimit, "position-limit", "position limits"},
    {Feature::kOneSidedLimit, "one-sided-limit", "position limit on one side only"},
    {Feature::kEffortLimit, "effort-limit", "effort limit"},
    {Feature::kAsymmetricEffortLimit, "asymmetric-effort-limit",
     "effort range that is not symmetric"},
    {Feature::kVelocityLimit, "velocity-limit", "velocity limit"},
    {Feature::kAccelerationLimit, "acceleration-limit", "acceleration or deceleration limit"},
    {Feature::kJerkLimit, "jerk-limit", "jerk limit"},
    {Feature::kDamping, "damping", "joint damping"},
    {Feature::kFriction, "friction", "joint friction (Coulomb)"},
    {Feature::kSpring, "spring", "joint spring"},
    {Feature::kArmature, "armature", "rotor armature"},
    {Feature::kLimitCompliance, "limit-compliance", "stiffness and dissipation of the limits"},
    {Feature::kSafety, "safety", "safety controller"},
    {Feature::kCalibration, "calibration", "calibration"},
    {Feature::kPositionOffset, "position-offset", "offset of the native joint coordinate (ref)"},
    {Feature::kInitialPosition, "initial-position", "initial joint position"},
    {Feature::kVisual, "visual", "visual"},
    {Feature::kCollision, "collision", "collision"},
    {Feature::kShapeBox, "shape-box", "box"},
    {Feature::kShapeSphere, "shape-sphere", "sphere"},
    {Feature::kShapeCylinder, "shape-cylinder", "cylinder"},
    {Feature::kShapeCapsule, "shape-capsule", "capsule"},
    {Feature::kShapeCone, "shape-cone", "cone"},
    {Feature::kShapeEllipsoid, "shape-ellipsoid", "ellipsoid"},
    {Feature::kShapePlane, "shape-plane", "plane"},
    {Feature::kShapeMesh, "shape-mesh", "mesh"},
    {Feature::kShapeMeshScale, "shape-mesh-scale", "scaled mesh"},
    {Feature::kShapeSubmesh, "shape-submesh", "part of a mesh"},
    {Feature::kShapePolyline, "shape-polyline", "extruded polyline"},
    {Feature::kShapeNative, "shape-native", "shape of one format only"},
    {Feature::kMaterialColor, "material-color", "colour"},
    {Feature::kMaterialTexture, "material-texture", "texture"},
    {Feature::kMaterialLighting, "material-lighting", "ambient, specular or emissive colour"},
    {Feature::kTransparency, "transparency", "transparency"},
    {Feature::kSurfaceFriction, "surface-friction", "surface friction"},
    {Feature::kSensor, "sensor", "sensor"},
    {Feature::kActuator, "actuator", "actuator or transmission"},
    {Feature::kContactExclusion, "contact-exclusion", "pair of links that shall not collide"},
    {Feature::kNativeData, "native-data", "content of one format only"},
}};

// Row i is feature i, so that a name is found by indexing.
constexpr bool InOrder() {
  for (std::size_t i = 0; i < kRows; ++i)
    if (kTable[i].feature != static_cast<Feature>(i) || kTable[i].name.empty()) return false;
  return true;
}
static_assert(InOrder(), "every feature has its row, in the order of the enumeration");

}  // namespace

std::string_view FeatureName(Feature feature) {
  return kTable[static_cast<std::size_t>(feature)].name;
}

std::string_view FeatureTitle(Feature feature) {
  return kTable[static_cast<std::size_t>(feature)].title;
}

bool FeatureFromName(std::string_view name, Feature& feature) {
  for (const Row& row : kTable) {
    if (row.name == name) {
      feature = row.feature;
      return true;
    }
  }
  return false;
}

}  // namespace kinemorph
