/// What is said of each element of a model, field by field, listed once: what prints, checks,
/// compares, drops and counts fields goes through these lists.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "kinemorph/graph/model/features.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Magnitudes that stand for "no limit", for every format.
struct FormatLimits {
  /// Readers take this and more for none; writers give it where a format wants a number.
  static constexpr double kNone = 1e16;
  /// Authors give both bounds of a range where only one counts: readers of ranges take numbers from
  /// here on for none, and such limits are not compared.
  static constexpr double kHuge = 1e15;
  /// Below this nobody tells a number from zero who holds it in single precision.
  static constexpr double kNothing = 1e-30;
};

/// Which values of a number mean the same as none at all.
enum class Silence {
  kAbsent,  ///< none: every number says something
  kZero,    ///< zero
  kHuge,    ///< FormatLimits::kNone and more, of either sign
};

/// What a number or a size may be.
enum class Range {
  kAny,        ///< whatever is finite
  kMagnitude,  ///< never below zero
};

/// SI units of a number of a coordinate, or of any other number twice.
struct Units {
  std::string_view angular,  ///< of an angle
      linear;                ///< of a length
  /// Of the one or the other.
  [[nodiscard]] constexpr std::string_view Of(bool angle) const { return angle ? angular : linear; }
  /// The same units.
  friend constexpr bool operator==(const Units&, const Units&) = default;
};
/// By quantity.
namespace unit {
inline constexpr Units kNone;                              ///< a number without a unit
inline constexpr Units kPosition{"rad", "m"};              ///< of a coordinate
inline constexpr Units kVelocity{"rad/s", "m/s"};          ///< of a coordinate
inline constexpr Units kAcceleration{"rad/s^2", "m/s^2"};  ///< of a coordinate
inline constexpr Units kJerk{"rad/s^3", "m/s^3"};          ///< of a coordinate
inline constexpr Units kEffort{"N m", "N"};                ///< torque or force
inline constexpr Units kDamping{"N m s/rad", "N s/m"};     ///< effort by velocity
inline constexpr Units kStiffness{"N m/rad", "N/m"};       ///< effort by position
inline constexpr Units kInertia{"kg m^2", "kg"};           ///< of what moves along
inline constexpr Units kFrequency{"Hz", "Hz"};             ///< of what repeats
inline constexpr Units kAngle{"rad", "rad"};               ///< of what only turns
inline constexpr Units kDistance{"m", "m"};                ///< of what never turns
}  // namespace unit

/// One thing that is said of an `Owner`. Its kind (number, vector, pose, text, flag, choice,
/// reference, part) is the type of its value, the weight of losing it that of its feature.
template <class Owner, class Value>
struct Field {
  /// Facts in any order: Feature, Units, Silence, Range.
  template <class... Facts>
  constexpr Field(Value Owner::*where, std::string_view short_name, std::string_view sentence_name,
                  Facts... facts)
      : member(where), key(short_name), words(sentence_name) {
    (Set(facts), ...);
  }

  Value Owner::*member;    ///< where it stands
  std::string_view key;    ///< "spring_stiffness", for files and dumps
  std::string_view words;  ///< "spring stiffness", for sentences; empty: a way of saying what other
                           ///< fields hold, which is no content of its own
  Feature feature = Feature::kCount;   ///< that it is part of; kCount: of the element itself
  Units units = unit::kNone;           ///< of a number
  Silence silence = Silence::kAbsent;  ///< what means the same as nothing
  Range range = Range::kAny;           ///< of a number, or of each entry of a vector

 private:
  constexpr void Set(Feature fact) { feature = fact; }
  constexpr void Set(Units fact) { units = fact; }
  constexpr void Set(Silence fact) { silence = fact; }
  constexpr void Set(Range fact) { range = fact; }
};
/// A number that may be absent.
template <class Owner>
using NumberField = Field<Owner, std::optional<double>>;

/// The lists, in the order in which a dump prints them. `where` is in none of them: it is the same for
/// all.
namespace field_lists {
using enum Feature;
using enum Silence;
using enum Range;
using namespace unit;

/// The fields of an owner; null: it has no list.
template <class Owner>
inline constexpr auto kFields = nullptr;

/// @{
/// What many have.
template <class Owner>
inline constexpr auto kName = Field{&Owner::name, "name", "name"};
template <class Owner>
inline constexpr auto kNative = Field{&Owner::native, "native", "content of its format"};
template <class Round>
inline constexpr auto kRadiusAndLength =
    std::array{Field{&Round::radius, "radius", "radius", kMagnitude},
               Field{&Round::length, "length", "length", kMagnitude}};
/// @}
/// What is said of a coordinate in one number, and may be absent: all of one type.
inline constexpr auto kAxisNumbers = std::array{
    Field{&JointAxis::lower, "lower", "lower limit", kPositionLimit, kPosition, kHuge},
    Field{&JointAxis::upper, "upper", "upper limit", kPositionLimit, kPosition, kHuge},
    Field{&JointAxis::effort, "effort", "effort limit", kEffortLimit, kEffort, kHuge, kMagnitude},
    Field{&JointAxis::effort_lower, "effort_lower", "lower effort limit", kEffortLimit, kEffort,
          kHuge},
    Field{&JointAxis::velocity, "velocity", "velocity limit", kVelocityLimit, unit::kVelocity,
          kHuge, kMagnitude},
    Field{&JointAxis::acceleration, "acceleration", "acceleration limit", kAccelerationLimit,
          kAcceleration, kHuge, kMagnitude},
    Field{&JointAxis::deceleration, "deceleration", "deceleration limit", kAccelerationLimit,
          kAcceleration, kHuge, kMagnitude},
    Field{&JointAxis::jerk, "jerk", "jerk limit", kJerkLimit, kJerk, kHuge, kMagnitude},
    Field{&JointAxis::damping, "damping", "damping", kDamping, unit::kDamping, kZero, kMagnitude},
    Field{&JointAxis::friction, "friction", "friction", kFriction, kEffort, kZero, kMagnitude},
    Field{&JointAxis::spring_stiffness, "spring_stiffness", "spring stiffness", kSpring, kStiffness,
          kZero},
    Field{&JointAxis::spring_reference, "spring_reference", "spring reference", kSpring, kPosition},
    Field{&JointAxis::armature, "armature", "armature", kArmature, unit::kInertia, kZero,
          kMagnitude},
    Field{&JointAxis::limit_stiffness, "limit_stiffness", "limit stiffness", kLimitCompliance,
          kStiffness},
    Field{&JointAxis::limit_dissipation, "limit_dissipation", "limit dissipation", kLimitCompliance,
          unit::kDamping},
    Field{&JointAxis::initial_position, "initial_position", "initial position", kInitialPosition,
          kPosition, kZero},
};

/// @{
/// Of the structs of model.h.
template <>
inline constexpr auto kFields<Model> = std::tuple{
    kName<Model>,
    Field{&Model::format, "format", ""},
    Field{&Model::format_version, "version", ""},
    Field{&Model::gravity, "gravity", "gravity", kGravity},
    kNative<Model>,
};
template <>
inline constexpr auto kFields<Scope> = std::tuple{
    Field{&Scope::name, "name", ""},
    Field{&Scope::is_world, "world", ""},
    Field{&Scope::is_static, "static", "", kStaticModel},
    Field{&Scope::self_collide, "self-collide", "", kSelfCollision},
    Field{&Scope::parent, "parent", ""},
    Field{&Scope::X_WM, "pose", "pose"},
    Field{&Scope::canonical_link, "canonical", ""},
    kNative<Scope>,
};
template <>
inline constexpr auto kFields<Link> = std::tuple{
    kName<Link>,
    Field{&Link::synthetic, "synthetic", ""},
    Field{&Link::gravity, "gravity", "gravity"},
    Field{&Link::self_collide, "self-collide", "", kSelfCollision},
    Field{&Link::scope, "scope", ""},
    Field{&Link::inertial, "inertial", "inertial"},
    Field{&Link::visuals, "visual", "visuals"},
    Field{&Link::collisions, "collision", "collisions"},
    kNative<Link>,
};
template <>
inline constexpr auto kFields<Inertial> = std::tuple{
    Field{&Inertial::mass, "mass", "mass"},
    Field{&Inertial::X_LI, "frame", "inertial frame"},
    Field{&Inertial::I_I, "inertia", "inertia"},
    Field{&Inertial::unknown, "unknown", "", kUnknownMass},
    kNative<Inertial>,
};
template <>
inline constexpr auto kFields<Joint> = std::tuple{
    kName<Joint>,
    Field{&Joint::kind, "kind", "kind"},
    Field{&Joint::role, "role", ""},
    Field{&Joint::implicit, "implicit", ""},
    Field{&Joint::cut_hint, "cut-hint", "mark as the loop joint"},
    Field{&Joint::independent, "independent", "declaration as independent", kIndependent},
    Field{&Joint::commanded, "commanded", ""},
    Field{&Joint::scope, "scope", ""},
    Field{&Joint::native_type, "native-type", ""},
    Field{&Joint::X_PF, "on-predecessor", "frame on the predecessor"},
    Field{&Joint::X_SM, "on-successor", "frame on the successor"},
    Field{&Joint::axes, "coordinate", "coordinates"},
    kNative<Joint>,
};
template <>
inline constexpr auto kFields<JointAxis> = std::tuple_cat(
    kAxisNumbers, std::tuple{
                      Field{&JointAxis::position_offset, "position_offset", "position offset",
                            kPositionOffset, kPosition},
                      Field{&JointAxis::safety, "safety", "safety controller", kSafety},
                      Field{&JointAxis::calibration, "calibration", "calibration", kCalibration},
                  });
template <>
inline constexpr auto kFields<Safety> = std::array{
    Field{&Safety::soft_lower, "soft-lower", "soft lower limit", kSafety, kPosition},
    Field{&Safety::soft_upper, "soft-upper", "soft upper limit", kSafety, kPosition},
    Field{&Safety::k_position, "k-position", "k position", kSafety},
    Field{&Safety::k_velocity, "k-velocity", "k velocity", kSafety},
};
template <>
inline constexpr auto kFields<Calibration> = std::array{
    Field{&Calibration::rising, "rising", "rising", kCalibration, kPosition},
    Field{&Calibration::falling, "falling", "falling", kCalibration, kPosition},
    Field{&Calibration::reference_position, "reference", "reference position", kCalibration,
          kPosition},
};
template <>
inline constexpr auto kFields<Coupling> = std::tuple{
    kName<Coupling>,
    Field{&Coupling::form, "form", ""},
    Field{&Coupling::native_type, "native-type", ""},
    Field{&Coupling::predecessor, "predecessor", ""},
    Field{&Coupling::successor, "successor", ""},
    Field{&Coupling::reference, "reference", ""},
    Field{&Coupling::ratio, "ratio", ""},
    Field{&Coupling::terms, "term", "terms"},
    Field{&Coupling::constant, "constant", "constant"},
    kNative<Coupling>,
};
template <>
inline constexpr auto kFields<CouplingTerm> = std::tuple{
    Field{&CouplingTerm::coordinate, "coordinate", "coordinate"},
    Field{&CouplingTerm::coefficients, "coefficients", "coefficient"},
};
template <>
inline constexpr auto kFields<Frame> = std::tuple{
    kName<Frame>,
    Field{&Frame::link, "on", "link"},
    Field{&Frame::X_LF, "at", "pose"},
    Field{&Frame::scope, "scope", ""},
    Field{&Frame::native_type, "native-type", ""},
    kNative<Frame>,
};
template <>
inline constexpr auto kFields<Sensor> = std::tuple{
    kName<Sensor>,
    Field{&Sensor::type, "type", "type"},
    Field{&Sensor::kind, "kind", ""},
    Field{&Sensor::link, "on", "link"},
    Field{&Sensor::joint, "on-joint", "joint"},
    Field{&Sensor::X_LS, "at", "pose"},
    Field{&Sensor::update_rate, "update-rate", "update rate", kFrequency, kZero, kMagnitude},
    Field{&Sensor::angular_noise, "angular-noise", "angular noise", kZero, kMagnitude},
    Field{&Sensor::noise, "noise", "noise", kZero, kMagnitude},
    Field{&Sensor::orientation, "orientation", ""},
    Field{&Sensor::axes, "axes", ""},
    Field{&Sensor::on_parent, "on-parent", ""},
    Field{&Sensor::fov, "fov", "vertical field of view", kAngle, kMagnitude},
    Field{&Sensor::width, "width", "picture width", kMagnitude},
    Field{&Sensor::height, "height", "picture height", kMagnitude},
    Field{&Sensor::range, "range", "largest distance", kDistance, kMagnitude},
    kNative<Sensor>,
};
template <>
inline constexpr auto kFields<Actuator> = std::tuple{
    kName<Actuator>,
    Field{&Actuator::type, "type", "type"},
    Field{&Actuator::joint, "on", "joint"},
    Field{&Actuator::gear, "gear", "gear"},
    Field{&Actuator::effort_lower, "effort-lower", "lower effort limit"},
    Field{&Actuator::effort_upper, "effort-upper", "upper effort limit"},
    Field{&Actuator::kind, "kind", ""},
    Field{&Actuator::stiffness, "stiffness", "stiffness", unit::kStiffness},
    Field{&Actuator::damping, "damping", "damping", unit::kDamping, kZero},
    Field{&Actuator::control_lower, "control-lower", "lower end of the range of commands"},
    Field{&Actuator::control_upper, "control-upper", "upper end of the range of commands"},
    Field{&Actuator::target, "target", "command"},
    kNative<Actuator>,
};
template <>
inline constexpr auto kFields<ContactExclusion> = std::tuple{
    kName<ContactExclusion>,
    Field{&ContactExclusion::a, "a", "first link"},
    Field{&ContactExclusion::b, "b", "second link"},
};
template <>
inline constexpr auto kFields<ContactPair> = std::tuple{
    Field{&ContactPair::a, "a", ""},  // its text is kept, too
    Field{&ContactPair::b, "b", ""},
};
/// @}
/// @{
/// Of the structs of geometry.h.
template <>
inline constexpr auto kFields<Visual> = std::tuple{
    kName<Visual>,
    Field{&Visual::X_LG, "frame", "pose"},
    Field{&Visual::shape, "shape", "shape"},
    Field{&Visual::material, "material", "material"},
    Field{&Visual::transparency, "transparency", "transparency", kTransparency, kZero},
    kNative<Visual>,
};
template <>
inline constexpr auto kFields<Material> = std::tuple{
    kName<Material>,
    Field{&Material::diffuse, "diffuse", "diffuse colour", kMaterialColor},
    Field{&Material::ambient, "ambient", "ambient colour", kMaterialLighting},
    Field{&Material::specular, "specular", "specular colour", kMaterialLighting},
    Field{&Material::emissive, "emissive", "emissive colour", kMaterialLighting},
    Field{&Material::texture, "texture", "texture", kMaterialTexture},
    kNative<Material>,
};
template <>
inline constexpr auto kFields<Collision> = std::tuple{
    kName<Collision>,
    Field{&Collision::X_LG, "frame", "pose"},
    Field{&Collision::shape, "shape", "shape"},
    Field{&Collision::mu, "mu", "friction", kSurfaceFriction},
    Field{&Collision::mu2, "mu2", "second friction", kSurfaceFriction},
    Field{&Collision::torsional, "torsional", "torsional friction", kSurfaceFriction},
    Field{&Collision::rolling, "rolling", "rolling friction", kSurfaceFriction},
    Field{&Collision::contact_mask, "contact-mask", "", kSelfCollision},
    kNative<Collision>,
};
/// @}
/// @{
/// Of shapes.
template <>
inline constexpr auto kFields<Box> =
    std::tuple{Field{&Box::size, "size", "size of the box", kMagnitude}};
template <>
inline constexpr auto kFields<Sphere> =
    std::tuple{Field{&Sphere::radius, "radius", "radius", kMagnitude}};
template <>
inline constexpr auto kFields<Cylinder> = kRadiusAndLength<Cylinder>;
template <>
inline constexpr auto kFields<Capsule> = kRadiusAndLength<Capsule>;
template <>
inline constexpr auto kFields<Cone> = kRadiusAndLength<Cone>;
template <>
inline constexpr auto kFields<Ellipsoid> =
    std::tuple{Field{&Ellipsoid::radii, "radii", "radius", kMagnitude}};
template <>
inline constexpr auto kFields<Plane> = std::tuple{
    Field{&Plane::normal, "normal", "normal"},
    Field{&Plane::size, "size", "size of the plane"},
};
template <>
inline constexpr auto kFields<Mesh> = std::tuple{
    Field{&Mesh::uri, "uri", "file"},
    Field{&Mesh::name, "name", ""},
    Field{&Mesh::scale, "scale", "scale of the mesh", kShapeMeshScale},
    Field{&Mesh::submesh, "submesh", "part of the mesh", kShapeSubmesh},
    Field{&Mesh::center_submesh, "centered", "centre of the part", kShapeSubmesh},
};
template <>
inline constexpr auto kFields<Polyline> = std::tuple{
    Field{&Polyline::height, "height", "height", kMagnitude},
    Field{&Polyline::polylines, "outlines", "point"},
};
template <>
inline constexpr auto kFields<NativeShape> =
    std::tuple{Field{&NativeShape::type, "native_type", "type"}};
/// @}
}  // namespace field_lists
using field_lists::kAxisNumbers;
using field_lists::kFields;

/// Names of the shapes, by alternative.
inline constexpr std::array<std::string_view, std::variant_size_v<Shape>> kShapeNames = {
    "box",       "sphere", "cylinder", "capsule",  "cone",
    "ellipsoid", "plane",  "mesh",     "polyline", "native"};

/// Has a list of fields.
template <class Owner>
concept HasFields = !std::same_as<decltype(kFields<Owner>), const std::nullptr_t>;

/// Calls visit(field) for every field of an owner.
template <class Owner, class Visit>
constexpr void ForEachField(const Visit& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, kFields<Owner>);
}

/// The field of a number of a coordinate.
[[nodiscard]] constexpr const NumberField<JointAxis>& AxisNumber(
    std::optional<double> JointAxis::*member) {
  for (const NumberField<JointAxis>& field : kAxisNumbers)
    if (field.member == member) return field;
  return kAxisNumbers.front();  // never: all of them are listed
}

/// Whether a value of this type may say nothing at all, as a flag or a list does; a number does not.
template <class Value>
inline constexpr bool kMayBeAbsent = std::same_as<Value, bool> || requires(const Value& value) {
  value.has_value();
}
|| requires(Value& value) { value.emplace_back(); };

/// What is said there; nothing where its value means the same as none, as the rest position of a
/// spring does without the spring.
template <class Owner>
[[nodiscard]] std::optional<double> Said(const Owner& owner, const NumberField<Owner>& field) {
  const std::optional<double>& value = owner.*field.member;
  if constexpr (std::same_as<Owner, JointAxis>)
    if (field.member == &JointAxis::spring_reference &&
        std::abs(owner.spring_stiffness.value_or(0)) < FormatLimits::kNothing)
      return std::nullopt;
  const bool silent =
      !value || (field.silence == Silence::kZero && std::abs(*value) < FormatLimits::kNothing) ||
      (field.silence == Silence::kHuge && std::abs(*value) >= FormatLimits::kNone);
  return silent ? std::nullopt : value;
}

/// Whether anything is said there: it is neither absent nor what it is where nobody says anything.
template <class Owner, class Value>
[[nodiscard]] bool Says(const Owner& owner, const Field<Owner, Value>& field) {
  const Value& value = owner.*field.member;
  if constexpr (std::same_as<Value, std::optional<double>>)
    return Said(owner, field).has_value();
  else if constexpr (requires { value.has_value(); })
    return value.has_value();
  else if constexpr (requires { value.empty(); })
    return !value.empty();
  else if constexpr (std::same_as<Value, NativeData>)
    return !value.content.empty();
  else if constexpr (requires { value.index(); })
    return true;  // one of the kinds of a joint, one of the shapes
  else
    return !(value == Owner().*field.member);
}

/// Whether anything is written there, be it a zero that means nothing.
template <class Owner, class Value>
[[nodiscard]] bool IsWritten(const Owner& owner, const Field<Owner, Value>& field) {
  if constexpr (std::same_as<Value, std::optional<double>>)
    return (owner.*field.member).has_value();
  else
    return Says(owner, field);
}

/// The features that the fields of an element, and of its shape or its coordinates, are part of,
/// where they say something.
template <class Owner>
[[nodiscard]] FeatureSet FeaturesSaid(const Owner& owner) {
  FeatureSet said;
  ForEachField<Owner>([&]<class Value>(const Field<Owner, Value>& field) {
    const Value& value = owner.*field.member;
    if constexpr (std::same_as<Value, Shape>)
      said |= std::visit([](const auto& shape) { return FeaturesSaid(shape); }, value);
    else if constexpr (std::same_as<Value, std::vector<JointAxis>>)
      for (const JointAxis& axis : value) said |= FeaturesSaid(axis);
    else if (field.feature != Feature::kCount && Says(owner, field))
      said.set(Position(field.feature));
  });
  return said;
}

/// All positions that are said of a coordinate, counted from where it was `zero`.
inline void CountFrom(double zero, JointAxis& axis) {
  if (zero == 0) return;
  if (axis.spring_stiffness) axis.spring_reference = axis.spring_reference.value_or(0);
  const auto count = [zero]<class Owner>(Owner& owner) {
    ForEachField<Owner>([&]<class Value>(const Field<Owner, Value>& field) {
      if constexpr (std::same_as<Value, std::optional<double>>)
        if (field.units == unit::kPosition && owner.*field.member) *(owner.*field.member) -= zero;
    });
  };
  count(axis);
  if (axis.safety) count(*axis.safety);
  if (axis.calibration) count(*axis.calibration);
}

/// Whether nothing is written of the coordinate but where it starts and what it counts from.
[[nodiscard]] inline bool IsPassive(const JointAxis& axis) {
  for (const auto& field : kAxisNumbers)
    if ((axis.*field.member) && field.member != &JointAxis::initial_position) return false;
  return !axis.safety && !axis.calibration;
}
/// The same of all coordinates of a joint.
[[nodiscard]] inline bool IsPassive(const Joint& joint) {
  for (const JointAxis& axis : joint.axes)
    if (!IsPassive(axis)) return false;
  return true;
}

}  // namespace kinemorph
