// What a model uses that a target may lack: the rows of the capability table.
#pragma once

#include <array>
#include <bitset>
#include <string_view>
#include <vector>

#include "kinemorph/graph/model/axis_fields.h"
#include "kinemorph/graph/model/model.h"
#include "kinemorph/graph/model/subject.h"

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
  kActuator,          ///< Actuator: drives and transmissions
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

/// What a loss of it means, from the least to the most.
enum class Weight {
  kLooks,      ///< visuals, materials
  kInterface,  ///< names, frames, sensors, declarations, exclusions: what others hold on to
  kMotion,  ///< mobility, masses, forces, limits, springs, damping, friction, drives, what collides
};
/// "looks", "interface" or "motion": what --strict takes.
[[nodiscard]] std::string_view Name(Weight weight);

/// A set of groups of features, one bit each: a feature may be in several.
using FeatureGroups = unsigned;
/// The groups.
namespace feature_group {
inline constexpr FeatureGroups kNone = 0;              ///< no group
inline constexpr FeatureGroups kElements = 1 << 0;     ///< lost is the element itself
inline constexpr FeatureGroups kTreeJoints = 1 << 1;   ///< joints of the tree, by kind
inline constexpr FeatureGroups kLoops = 1 << 2;        ///< loop joints, by kind or place
inline constexpr FeatureGroups kCouplings = 1 << 3;    ///< couplings, by form
inline constexpr FeatureGroups kCoordinates = 1 << 4;  ///< what is said of a joint's coordinates
inline constexpr FeatureGroups kRanges = 1 << 5;       ///< of positions
inline constexpr FeatureGroups kEfforts = 1 << 6;      ///< limits of efforts
inline constexpr FeatureGroups kParts = 1 << 7;        ///< visuals and collisions
inline constexpr FeatureGroups kShapes = 1 << 8;       ///< their shapes, and what is said of a mesh
inline constexpr FeatureGroups kSurfaces = 1 << 9;     ///< colours, textures, friction
inline constexpr FeatureGroups kColors = 1 << 10;      ///< the plain colour
inline constexpr FeatureGroups kNatives = 1 << 11;     ///< content of one format
inline constexpr FeatureGroups kStructure =
    1 << 12;  ///< the mechanism, or a way of saying it: never left out
inline constexpr FeatureGroups kCarried = 1 << 13;  ///< goes along where its element is made anew
}  // namespace feature_group

/// What is known of a feature, in one place.
struct FeatureRow {
  /// A weight, or two where it depends on the part.
  struct Weights {
    /// The same for all.
    constexpr Weights(Weight weight) : own(weight), of_visual(weight) {}  // NOLINT: a plain weight
    /// The shape of a visual is looks, that of a collision is motion.
    constexpr Weights(Weight weight, Weight visual) : own(weight), of_visual(visual) {}
    Weight own,     ///< but for visuals
        of_visual;  ///< of what stands on a visual
  };
  /// SI units of a number that is said of a coordinate; empty: it is none.
  struct Units {
    std::string_view angular,  ///< of an angle
        linear;                ///< of a length
  };
  /// No weight is taken for granted.
  constexpr FeatureRow(Feature of, std::string_view kebab, std::string_view phrase, Weights heavy,
                       FeatureGroups in, FeatureGroups along = feature_group::kNone,
                       std::string_view noun = {}, Units si = {}, int kind = -1)
      : feature(of),
        name(kebab),
        title(phrase),
        weights(heavy),
        groups(in),
        covers(along),
        word(noun),
        units(si),
        alternative(kind) {}

  Feature feature;         ///< its place in the table
  std::string_view name;   ///< kebab-case, "loop-ball": what --drop takes and what a loss names
  std::string_view title;  ///< one short phrase
  Weights weights;         ///< of a loss
  FeatureGroups groups;    ///< that it is in
  FeatureGroups covers;    ///< a loss of it takes these of the same element along
  std::string_view word;   ///< what the element is called where it is lost itself, "loop", "box"
  Units units;             ///< of its number
  int alternative;         ///< in JointKind or Shape, that it stands for; -1: none
};
/// The row of a feature.
[[nodiscard]] const FeatureRow& RowOf(Feature feature);

/// Whether it is in one of these groups.
[[nodiscard]] inline bool In(Feature feature, FeatureGroups groups) {
  return (RowOf(feature).groups & groups) != 0;
}
/// Whether a loss of `lost` takes `feature` of the same element along.
[[nodiscard]] inline bool Covers(Feature lost, Feature feature) {
  return lost == feature || In(feature, RowOf(lost).covers);
}
/// kebab-case, e.g. "loop-ball".
[[nodiscard]] inline std::string_view FeatureName(Feature feature) { return RowOf(feature).name; }
/// One short phrase for the table.
[[nodiscard]] inline std::string_view FeatureTitle(Feature feature) { return RowOf(feature).title; }
/// Sets `feature`; false, and `feature` untouched, where no row has this name.
[[nodiscard]] bool FeatureFromName(std::string_view name, Feature& feature);
/// By feature, and for shapes by what has them.
[[nodiscard]] inline Weight WeightOf(Feature feature, SubjectKind kind) {
  const FeatureRow::Weights& weights = RowOf(feature).weights;
  return kind == SubjectKind::kVisual ? weights.of_visual : weights.own;
}

/// What a consumer assumes where a file says nothing: 9.8 to 9.81 m/s^2 along -z.
[[nodiscard]] inline bool IsUsualGravity(const Vector3& gravity) {
  return (gravity - Vector3(0, 0, -9.81)).norm() <= 0.011;
}

/// One use of a feature by one element.
struct FeatureUse {
  Feature feature;           ///< the row
  Subject subject;           ///< the element, for messages
  LinkId link = kNoLink;     ///< the element or its link, of a joint the child; kNoLink: none
  JointId joint = kNoJoint;  ///< the element or its joint; kNoJoint: none
};

/// What a number of a joint's coordinate is part of: a rest position is part of the spring.
[[nodiscard]] Feature FeatureOf(const AxisField& field);
/// The feature whose unit it has: a rest position is a position.
[[nodiscard]] Feature UnitFeatureOf(const AxisField& field);

/// What a joint of the tree is in the table.
[[nodiscard]] Feature TreeFeature(const Joint& joint);
/// What a loop joint is in the table; a free one, which closes nothing, is a free joint.
[[nodiscard]] Feature LoopFeature(const JointKind& kind);
/// What is said of a joint's coordinates, limits and dynamics.
[[nodiscard]] FeatureSet CoordinateFeatures(const Joint& joint);
/// What a shape is in the table.
[[nodiscard]] Feature ShapeFeature(const Shape& shape);
/// What a coupling is in the table: by its form, and of tendons and user constraints by their
/// terms.
[[nodiscard]] Feature CouplingFeature(const Coupling& coupling);

/// Every use of the features in `of`, in document order within a feature. Linear.
[[nodiscard]] std::vector<FeatureUse> FeaturesUsed(const Model& model,
                                                   const FeatureSet& of = FeatureSet().set());
/// The features that are used at all.
[[nodiscard]] FeatureSet FeaturesPresent(const Model& model);

}  // namespace kinemorph
