// What a model uses that a target may lack: the rows of the capability table.
#pragma once

#include <string_view>
#include <vector>

#include "kinemorph/graph/model/features.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/model.h"
#include "kinemorph/graph/model/subject.h"

namespace kinemorph {

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
  /// No weight is taken for granted.
  constexpr FeatureRow(Feature of, std::string_view kebab, std::string_view phrase, Weights heavy,
                       FeatureGroups in, FeatureGroups along = feature_group::kNone,
                       std::string_view noun = {}, int kind = -1)
      : feature(of),
        name(kebab),
        title(phrase),
        weights(heavy),
        groups(in),
        covers(along),
        word(noun),
        alternative(kind) {}

  Feature feature;         ///< its place in the table
  std::string_view name;   ///< kebab-case, "loop-ball": what --drop takes and what a loss names
  std::string_view title;  ///< one short phrase
  Weights weights;         ///< of a loss
  FeatureGroups groups;    ///< that it is in
  FeatureGroups covers;    ///< a loss of it takes these of the same element along
  std::string_view word;   ///< what the element is called where it is lost itself, "loop", "box"
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
/// What a drive counts as: kMotor, kServo or kActuator.
[[nodiscard]] Feature DriveFeature(const Actuator& drive);

/// Every use of the features in `of`, in document order within a feature. Linear.
[[nodiscard]] std::vector<FeatureUse> FeaturesUsed(const Model& model,
                                                   const FeatureSet& of = FeatureSet().set());
/// The features that are used at all.
[[nodiscard]] FeatureSet FeaturesPresent(const Model& model);

}  // namespace kinemorph
