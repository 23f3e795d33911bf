// What a model uses that a target may lack, by name: the rows of the capability table. What is known
// of each stands in checks/feature.h.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>

namespace kinemorph {

/// Rows of the capability table. The name (FeatureName) is what --drop takes and what a loss names.
enum class Feature {
  // joints of the tree, by kind
  kJointFixed,        ///< Fixed
  kJointRevolute,     ///< Revolute with a position limit
  kJointContinuous,   ///< Revolute without position limits
  kJointPrismatic,    ///< Prismatic
  kJointScrew,        ///< Screw
  kJointUniversal,    ///< Universal, axes perpendicular or not
  kJointBall,         ///< Ball
  kJointPlanar,       ///< Planar
  kJointCylindrical,  ///< Cylindrical
  kJointFree,         ///< Free, between two links; on the world it is kFloatingBase
  // loop joints, by kind
  kLoopFixed,        ///< Fixed
  kLoopRevolute,     ///< Revolute, limited or not
  kLoopPrismatic,    ///< Prismatic
  kLoopScrew,        ///< Screw
  kLoopUniversal,    ///< Universal
  kLoopBall,         ///< Ball
  kLoopPlanar,       ///< Planar
  kLoopCylindrical,  ///< Cylindrical
  kLoopAncestor,     ///< one end is an ancestor of the other
  kLoopAxisData,     ///< limits, dynamics or springs of a loop joint (also reported under their own
                     ///< features)
  // couplings
  kCouplingMimic,       ///< CouplingForm::kMimic
  kCouplingRatio,       ///< CouplingForm::kRatio
  kCouplingGearbox,     ///< CouplingForm::kGearbox
  kCouplingPolynomial,  ///< kPolynomial, and tendons or user constraints with higher powers
  kCouplingLinear,      ///< tendons and user constraints that are linear
  kIndependent,         ///< a coordinate declared independent or dependent
  // structure
  kJointFrameOffset,  ///< the pose on the child (X_SM, or X_PF when reversed) is not the identity
  kReversedJoint,     ///< a joint that points against the tree
  kWorldJoint,        ///< any other joint to the world
  kFloatingBase,      ///< a free joint of the tree between the world and a link
  kSeveralModels,     ///< each of several that stand side by side
  kNestedModel,       ///< a model inside a model
  kStaticModel,       ///< Scope::is_static
  kFrame,             ///< Frame
  kGravity,           ///< Model::gravity is written
  kNameClash,         ///< one name for a link, a joint, a frame or a coupling at once
  kReservedName,      ///< "world" or "__x__", also behind "::"
  // links
  kMasslessLink,       ///< no inertial, or mass 0; not the synthetic ones
  kRotatedInertia,     ///< inertial axes turned against the link's
  kUnphysicalInertia,  ///< mass and tensor of no rigid body
  kUnknownMass,        ///< Inertial::unknown: a stand-in for numbers that nobody knows
  kLinkGravity,        ///< Link::gravity is false
  kSelfCollision,      ///< Scope::self_collide, Link::self_collide or Collision::contact_mask
  // joint data
  kPositionLimit,          ///< JointAxis::lower or upper
  kOneSidedLimit,          ///< one of them only
  kEffortLimit,            ///< JointAxis::effort
  kAsymmetricEffortLimit,  ///< JointAxis::effort_lower that is not -effort
  kVelocityLimit,          ///< JointAxis::velocity
  kAccelerationLimit,      ///< JointAxis::acceleration or deceleration
  kJerkLimit,              ///< JointAxis::jerk
  kDamping,                ///< JointAxis::damping but 0
  kFriction,               ///< JointAxis::friction but 0
  kSpring,                 ///< JointAxis::spring_stiffness but 0
  kArmature,               ///< JointAxis::armature but 0
  kLimitCompliance,        ///< JointAxis::limit_stiffness or limit_dissipation
  kSafety,                 ///< JointAxis::safety
  kCalibration,            ///< JointAxis::calibration
  kPositionOffset,         ///< JointAxis::position_offset
  kInitialPosition,        ///< JointAxis::initial_position but 0
  // geometry
  kVisual,            ///< Visual
  kCollision,         ///< Collision
  kShapeBox,          ///< Box
  kShapeSphere,       ///< Sphere
  kShapeCylinder,     ///< Cylinder
  kShapeCapsule,      ///< Capsule
  kShapeCone,         ///< Cone
  kShapeEllipsoid,    ///< Ellipsoid
  kShapePlane,        ///< Plane
  kShapeMesh,         ///< Mesh
  kShapeMeshScale,    ///< a scale other than 1
  kShapeSubmesh,      ///< a part of a mesh, or one that is centred
  kShapePolyline,     ///< Polyline
  kShapeNative,       ///< NativeShape
  kMaterialColor,     ///< Material::diffuse
  kMaterialTexture,   ///< Material::texture
  kMaterialLighting,  ///< Material::ambient, specular or emissive
  kTransparency,      ///< Visual::transparency but 0
  kSurfaceFriction,   ///< any coefficient of a Collision
  // the rest
  kSensor,            ///< Sensor
  kMotor,             ///< Actuator that is commanded an effort
  kServo,             ///< Actuator that is commanded a position or a velocity
  kActuator,          ///< Actuator with any other law
  kContactExclusion,  ///< ContactExclusion
  kNativeData,        ///< an item of any `native`
  kCount              ///< how many there are; no feature
};

/// How many features there are.
inline constexpr std::size_t kNumFeatures = static_cast<std::size_t>(Feature::kCount);
/// By position in the enumeration.
using FeatureSet = std::bitset<kNumFeatures>;
/// The bit of a feature in a FeatureSet, its row in the table.
[[nodiscard]] constexpr std::size_t Position(Feature feature) {
  return static_cast<std::size_t>(feature);
}
/// All of them, in the order of the table.
inline constexpr std::array<Feature, kNumFeatures> kFeatures = [] {
  std::array<Feature, kNumFeatures> all{};
  for (std::size_t f = 0; f < kNumFeatures; ++f) all[f] = static_cast<Feature>(f);
  return all;
}();

/// Those for which `holds(feature)`.
template <class Holds>
[[nodiscard]] FeatureSet FeaturesWhere(const Holds& holds) {
  FeatureSet set;
  for (const Feature feature : kFeatures) set[Position(feature)] = holds(feature);
  return set;
}

}  // namespace kinemorph
