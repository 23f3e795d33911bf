// What a model uses that a target may lack: the rows of the capability table.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/model/axis_fields.h"
#include "kinemorph/graph/model/model.h"
#include "kinemorph/graph/model/subject.h"

namespace kinemorph {

/// Rows of the capability table. The name (FeatureName) is what --drop takes and what a loss names.
enum class Feature {
  // joints of the tree, by kind
  kJointFixed,
  kJointRevolute,
  kJointContinuous,
  kJointPrismatic,
  kJointScrew,
  kJointUniversal,
  kJointBall,
  kJointPlanar,
  kJointCylindrical,
  kJointFree,
  // loop joints, by kind
  kLoopFixed,
  kLoopRevolute,
  kLoopPrismatic,
  kLoopScrew,
  kLoopUniversal,
  kLoopBall,
  kLoopPlanar,
  kLoopCylindrical,
  kLoopAncestor,  // one end is an ancestor of the other
  kLoopAxisData,  // limits, dynamics or springs of a loop joint (also reported under their own
                  // features)
  // couplings
  kCouplingMimic,
  kCouplingRatio,
  kCouplingGearbox,
  kCouplingPolynomial,
  kCouplingLinear,
  kIndependent,  // declared independent coordinates
  // structure
  kJointFrameOffset,  // X_SM is not the identity
  kReversedJoint,     // a joint that points against the tree
  kWorldJoint,        // a joint to the world
  kFloatingBase,
  kSeveralModels,
  kNestedModel,
  kStaticModel,
  kFrame,
  kGravity,
  kNameClash,
  kReservedName,
  // links
  kMasslessLink,
  kRotatedInertia,
  kUnphysicalInertia,
  // joint data
  kPositionLimit,
  kOneSidedLimit,
  kEffortLimit,
  kAsymmetricEffortLimit,
  kVelocityLimit,
  kAccelerationLimit,
  kJerkLimit,
  kDamping,
  kFriction,
  kSpring,
  kArmature,
  kLimitCompliance,
  kSafety,
  kCalibration,
  kPositionOffset,
  kInitialPosition,
  // geometry
  kVisual,
  kCollision,
  kShapeBox,
  kShapeSphere,
  kShapeCylinder,
  kShapeCapsule,
  kShapeCone,
  kShapeEllipsoid,
  kShapePlane,
  kShapeMesh,
  kShapeMeshScale,
  kShapeSubmesh,
  kShapePolyline,
  kShapeNative,
  kMaterialColor,
  kMaterialTexture,
  kMaterialLighting,
  kTransparency,
  kSurfaceFriction,
  // the rest
  kSensor,
  kActuator,
  kContactExclusion,
  kNativeData,
  kCount
};

/// Of a loop joint, by its kind or by its place.
[[nodiscard]] constexpr bool IsLoop(Feature feature) {
  return feature >= Feature::kLoopFixed && feature <= Feature::kLoopAncestor;
}

/// By position in the enumeration.
using FeatureSet = std::bitset<static_cast<std::size_t>(Feature::kCount)>;
[[nodiscard]] constexpr std::size_t Position(Feature feature) {
  return static_cast<std::size_t>(feature);
}

[[nodiscard]] std::string_view FeatureName(Feature feature);   ///< kebab-case, e.g. "loop-ball"
[[nodiscard]] std::string_view FeatureTitle(Feature feature);  ///< one short phrase for the table
[[nodiscard]] bool FeatureFromName(std::string_view name, Feature& feature);

/// What a loss of it means, from the least to the most.
enum class Weight {
  kLooks,      ///< visuals, materials
  kInterface,  ///< names, frames, sensors, declarations, exclusions: what others hold on to
  kMotion,  ///< mobility, masses, forces, limits, springs, damping, friction, drives, what collides
};
[[nodiscard]] std::string_view Name(Weight weight);
/// By feature, and for shapes by what has them: the shape of a visual is looks, that of a collision
/// is motion.
[[nodiscard]] Weight WeightOf(Feature feature, SubjectKind kind);

/// One use of a feature by one element.
struct FeatureUse {
  Feature feature;
  Subject subject;
  LinkId link = kNoLink;
  JointId joint = kNoJoint;
};

/// What a number of a joint's coordinate is part of, and the feature whose unit it has.
[[nodiscard]] Feature FeatureOf(const AxisField& field);
[[nodiscard]] Feature UnitFeatureOf(const AxisField& field);

/// What a shape, or a coupling by its form, is in the table.
[[nodiscard]] Feature ShapeFeature(const Shape& shape);
[[nodiscard]] Feature CouplingFeature(const Coupling& coupling);

/// Every use of the features in `of`, in document order within a feature. Linear.
[[nodiscard]] std::vector<FeatureUse> FeaturesUsed(const Model& model,
                                                   const FeatureSet& of = FeatureSet().set());
/// The features that are used at all.
[[nodiscard]] FeatureSet FeaturesPresent(const Model& model);

}  // namespace kinemorph
