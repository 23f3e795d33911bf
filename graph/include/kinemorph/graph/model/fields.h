/// What is said of each element of a model, field by field, listed once: what prints, checks,
/// compares, drops and counts fields goes through these lists.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
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

/// How a dump has a field, in bits. Flags always follow on the line before them, where they hold.
enum class Print : unsigned {
  kAlways = 0,         ///< a line "key value"
  kWhereSaid = 1,      ///< only where it says something
  kBare = 2,           ///< the value alone
  kBeside = 4,         ///< on the line before
  kBesideIfSaid = 5,   ///< beside, where it says something
  kInTitle = 6,        ///< beside, the value alone
  kInTitleIfSaid = 7,  ///< the same, where it says something
  kName = 8,           ///< in the title that whatever prints the element begins with
};
/// Whether all bits of `some` are among those of `print`.
[[nodiscard]] constexpr bool Has(Print print, Print some) {
  return (static_cast<unsigned>(print) & static_cast<unsigned>(some)) ==
         static_cast<unsigned>(some);
}

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
}  // namespace unit

/// One thing that is said of an `Owner`. Its kind (number, vector, pose, text, flag, choice,
/// reference, part) is the type of its value, the weight of losing it that of its feature.
template <class Owner, class Value>
struct Field {
  /// Facts in any order: Feature, Units, Silence, Range, Print.
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
  Print print = Print::kWhereSaid;     ///< in a dump

 private:
  constexpr void Set(Feature fact) { feature = fact; }
  constexpr void Set(Units fact) { units = fact; }
  constexpr void Set(Silence fact) { silence = fact; }
  constexpr void Set(Range fact) { range = fact; }
  constexpr void Set(Print fact) { print = fact; }
};
/// A number that may be absent.
template <class Owner>
using NumberField = Field<Owner, std::optional<double>>;

/// The lists, by owner. `where` is in none of them: it is the same for all.
struct FieldLists {
  using enum Feature;
  using enum Silence;
  using enum Range;
  using enum Print;
  template <class Owner>
  using For = std::type_identity<Owner>;  ///< picks the list

  /// @{
  /// What many have.
  template <class Owner>
  static constexpr auto Name() {
    return Field{&Owner::name, "name", "name", Print::kName};
  }
  template <class Owner>
  static constexpr auto Native() {
    return Field{&Owner::native, "native", "content of its format"};
  }
  template <class Round>
  static constexpr auto RadiusAndLength() {
    return std::array{Field{&Round::radius, "radius", "radius", Range::kMagnitude, Print::kBeside},
                      Field{&Round::length, "length", "length", Range::kMagnitude, Print::kBeside}};
  }
  /// @}
  /// What is said of a coordinate in one number, and may be absent.
  static constexpr auto AxisNumbers() {
    using A = JointAxis;
    using namespace unit;
    return std::array{
        Field{&A::lower, "lower", "lower limit", kPositionLimit, kPosition, kHuge},
        Field{&A::upper, "upper", "upper limit", kPositionLimit, kPosition, kHuge},
        Field{&A::effort, "effort", "effort limit", kEffortLimit, kEffort, kHuge, kMagnitude},
        Field{&A::effort_lower, "effort_lower", "lower effort limit", kEffortLimit, kEffort, kHuge},
        Field{&A::velocity, "velocity", "velocity limit", kVelocityLimit, unit::kVelocity, kHuge,
              kMagnitude},
        Field{&A::acceleration, "acceleration", "acceleration limit", kAccelerationLimit,
              kAcceleration, kHuge, kMagnitude},
        Field{&A::deceleration, "deceleration", "deceleration limit", kAccelerationLimit,
              kAcceleration, kHuge, kMagnitude},
        Field{&A::jerk, "jerk", "jerk limit", kJerkLimit, kJerk, kHuge, kMagnitude},
        Field{&A::damping, "damping", "damping", Feature::kDamping, unit::kDamping, kZero,
              kMagnitude},
        Field{&A::friction, "friction", "friction", kFriction, kEffort, kZero, kMagnitude},
        Field{&A::spring_stiffness, "spring_stiffness", "spring stiffness", kSpring, kStiffness,
              kZero},
        Field{&A::spring_reference, "spring_reference", "spring reference", kSpring, kPosition},
        Field{&A::armature, "armature", "armature", kArmature, unit::kInertia, kZero, kMagnitude},
        Field{&A::limit_stiffness, "limit_stiffness", "limit stiffness", kLimitCompliance,
              kStiffness},
        Field{&A::limit_dissipation, "limit_dissipation", "limit dissipation", kLimitCompliance,
              unit::kDamping},
        Field{&A::initial_position, "initial_position", "initial position", kInitialPosition,
              kPosition, kZero}};
  }

  /// @{
  /// Of the structs of model.h.
  static constexpr auto List(For<Model>) {
    return std::tuple{Name<Model>(), Field{&Model::format, "format", "", kAlways},
                      Field{&Model::format_version, "version", "", kBesideIfSaid},
                      Field{&Model::gravity, "gravity", "gravity", Feature::kGravity},
                      Native<Model>()};
  }
  static constexpr auto List(For<Scope>) {
    return std::tuple{Field{&Scope::name, "name", "", kName},
                      Field{&Scope::is_world, "world", ""},
                      Field{&Scope::is_static, "static", "", kStaticModel},
                      Field{&Scope::self_collide, "self-collide", "", kSelfCollision},
                      Field{&Scope::parent, "parent", ""},
                      Field{&Scope::X_WM, "pose", "pose"},
                      Field{&Scope::canonical_link, "canonical", ""},
                      Native<Scope>()};
  }
  static constexpr auto List(For<Link>) {
    return std::tuple{Name<Link>(),
                      Field{&Link::synthetic, "synthetic", ""},
                      Field{&Link::gravity, "gravity", "gravity"},
                      Field{&Link::self_collide, "self-collide", "", kSelfCollision},
                      Field{&Link::scope, "scope", ""},
                      Field{&Link::inertial, "mass", "inertial"},
                      Field{&Link::visuals, "visual", "visuals"},
                      Field{&Link::collisions, "collision", "collisions"},
                      Native<Link>()};
  }
  static constexpr auto List(For<Inertial>) {
    return std::tuple{Field{&Inertial::mass, "mass", "mass", kInTitle},
                      Field{&Inertial::X_LI, "frame", "inertial frame", kAlways},
                      Field{&Inertial::I_I, "inertia", "inertia", kBare},
                      Field{&Inertial::unknown, "unknown", "", kUnknownMass}, Native<Inertial>()};
  }
  static constexpr auto List(For<Joint>) {
    return std::tuple{
        Name<Joint>(),
        Field{&Joint::kind, "kind", "kind", kBare},
        Field{&Joint::role, "role", "", kBare},
        Field{&Joint::implicit, "implicit", ""},
        Field{&Joint::cut_hint, "cut-hint", "mark as the loop joint"},
        Field{&Joint::independent, "independent", "declaration as independent", kIndependent},
        Field{&Joint::commanded, "commanded", ""},
        Field{&Joint::scope, "scope", ""},
        Field{&Joint::native_type, "native-type", ""},
        Field{&Joint::X_PF, "on-predecessor", "frame on the predecessor", kAlways},
        Field{&Joint::X_SM, "on-successor", "frame on the successor"},
        Field{&Joint::axes, "coordinate", "coordinates"},
        Native<Joint>()};
  }
  static constexpr auto List(For<JointAxis>) {
    return std::tuple_cat(
        AxisNumbers(),
        std::tuple{Field{&JointAxis::position_offset, "position_offset", "position offset",
                         kPositionOffset, unit::kPosition},
                   Field{&JointAxis::safety, "safety", "safety controller", kSafety},
                   Field{&JointAxis::calibration, "calibration", "calibration", kCalibration}});
  }
  static constexpr auto List(For<Safety>) {
    return std::array{
        Field{&Safety::soft_lower, "soft-lower", "soft lower limit", kSafety, unit::kPosition},
        Field{&Safety::soft_upper, "soft-upper", "soft upper limit", kSafety, unit::kPosition},
        Field{&Safety::k_position, "k-position", "k position", kSafety},
        Field{&Safety::k_velocity, "k-velocity", "k velocity", kSafety}};
  }
  static constexpr auto List(For<Calibration>) {
    return std::array{
        Field{&Calibration::rising, "rising", "rising", kCalibration, unit::kPosition},
        Field{&Calibration::falling, "falling", "falling", kCalibration, unit::kPosition},
        Field{&Calibration::reference_position, "reference", "reference position", kCalibration,
              unit::kPosition}};
  }
  static constexpr auto List(For<Coupling>) {
    return std::tuple{Name<Coupling>(),
                      Field{&Coupling::form, "form", "", kInTitle},
                      Field{&Coupling::native_type, "native-type", ""},
                      Field{&Coupling::predecessor, "predecessor", ""},
                      Field{&Coupling::successor, "successor", ""},
                      Field{&Coupling::reference, "reference", ""},
                      Field{&Coupling::ratio, "ratio", ""},
                      Field{&Coupling::terms, "term", "terms"},
                      Field{&Coupling::constant, "constant", "constant"},
                      Native<Coupling>()};
  }
  static constexpr auto List(For<CouplingTerm>) {
    return std::tuple{Field{&CouplingTerm::coordinate, "coordinate", "coordinate", kInTitle},
                      Field{&CouplingTerm::coefficients, "coefficients", "coefficient", kInTitle}};
  }
  static constexpr auto List(For<Frame>) {
    return std::tuple{Name<Frame>(),
                      Field{&Frame::link, "on", "link", kBeside},
                      Field{&Frame::X_LF, "at", "pose", kBeside},
                      Field{&Frame::scope, "scope", ""},
                      Field{&Frame::native_type, "native-type", ""},
                      Native<Frame>()};
  }
  static constexpr auto List(For<Sensor>) {
    return std::tuple{
        Name<Sensor>(),
        Field{&Sensor::type, "type", "type", kInTitle},
        Field{&Sensor::link, "on", "link", kBesideIfSaid},
        Field{&Sensor::joint, "on joint", "joint", kBesideIfSaid},
        Field{&Sensor::X_LS, "at", "pose", kBeside},
        Field{&Sensor::orientation, "orientation", ""},
        Field{&Sensor::kind, "kind", ""},
        Field{&Sensor::update_rate, "update-rate", "update rate", unit::kFrequency, kZero,
              kMagnitude},
        Field{&Sensor::angular_noise, "angular-noise", "angular noise", kZero, kMagnitude},
        Field{&Sensor::noise, "noise", "noise", kZero, kMagnitude},
        Native<Sensor>()};
  }
  static constexpr auto List(For<Actuator>) {
    return std::tuple{Name<Actuator>(),
                      Field{&Actuator::type, "type", "type", kInTitle},
                      Field{&Actuator::joint, "on", "joint", kBeside},
                      Field{&Actuator::gear, "gear", "gear"},
                      Field{&Actuator::effort_lower, "effort-lower", "lower effort limit"},
                      Field{&Actuator::effort_upper, "effort-upper", "upper effort limit"},
                      Native<Actuator>()};
  }
  static constexpr auto List(For<ContactExclusion>) {
    return std::tuple{Field{&ContactExclusion::a, "a", "first link", kInTitle},
                      Field{&ContactExclusion::b, "b", "second link", kInTitle},
                      Field{&ContactExclusion::name, "name", "name"}};
  }
  static constexpr auto List(For<ContactPair>) {
    return std::tuple{Field{&ContactPair::a, "a", "", kInTitle},  // its text is kept, too
                      Field{&ContactPair::b, "b", "", kInTitle}};
  }
  /// @}
  /// @{
  /// Of the structs of geometry.h.
  static constexpr auto List(For<Visual>) {
    return std::tuple{
        Name<Visual>(),
        Field{&Visual::X_LG, "frame", "pose", kAlways},
        Field{&Visual::shape, "shape", "shape", kBare},
        Field{&Visual::material, "material", "material"},
        Field{&Visual::transparency, "transparency", "transparency", Feature::kTransparency, kZero},
        Native<Visual>()};
  }
  static constexpr auto List(For<Material>) {
    return std::tuple{Name<Material>(),
                      Field{&Material::diffuse, "diffuse", "diffuse colour", kMaterialColor},
                      Field{&Material::ambient, "ambient", "ambient colour", kMaterialLighting},
                      Field{&Material::specular, "specular", "specular colour", kMaterialLighting},
                      Field{&Material::emissive, "emissive", "emissive colour", kMaterialLighting},
                      Field{&Material::texture, "texture", "texture", kMaterialTexture},
                      Native<Material>()};
  }
  static constexpr auto List(For<Collision>) {
    return std::tuple{
        Name<Collision>(),
        Field{&Collision::X_LG, "frame", "pose", kAlways},
        Field{&Collision::shape, "shape", "shape", kBare},
        Field{&Collision::mu, "mu", "friction", kSurfaceFriction},
        Field{&Collision::mu2, "mu2", "second friction", kSurfaceFriction},
        Field{&Collision::torsional, "torsional", "torsional friction", kSurfaceFriction},
        Field{&Collision::rolling, "rolling", "rolling friction", kSurfaceFriction},
        Field{&Collision::contact_mask, "contact-mask", "", kSelfCollision},
        Native<Collision>()};
  }
  /// @}
  /// @{
  /// Of shapes.
  static constexpr auto List(For<Box>) {
    return std::tuple{Field{&Box::size, "size", "size of the box", kMagnitude, kInTitle}};
  }
  static constexpr auto List(For<Sphere>) {
    return std::tuple{Field{&Sphere::radius, "radius", "radius", kMagnitude, kInTitle}};
  }
  static constexpr auto List(For<Cylinder>) { return RadiusAndLength<Cylinder>(); }
  static constexpr auto List(For<Capsule>) { return RadiusAndLength<Capsule>(); }
  static constexpr auto List(For<Cone>) { return RadiusAndLength<Cone>(); }
  static constexpr auto List(For<Ellipsoid>) {
    return std::tuple{Field{&Ellipsoid::radii, "radii", "radius", kMagnitude, kInTitle}};
  }
  static constexpr auto List(For<Plane>) {
    return std::tuple{Field{&Plane::normal, "normal", "normal", kBeside},
                      Field{&Plane::size, "size", "size of the plane", kBeside}};
  }
  static constexpr auto List(For<Mesh>) {
    return std::tuple{
        Field{&Mesh::uri, "uri", "file", kInTitle}, Field{&Mesh::name, "name", "", kBesideIfSaid},
        Field{&Mesh::scale, "scale", "scale of the mesh", kShapeMeshScale, kBesideIfSaid},
        Field{&Mesh::submesh, "submesh", "part of the mesh", kShapeSubmesh, kBesideIfSaid},
        Field{&Mesh::center_submesh, "centered", "centre of the part", kShapeSubmesh}};
  }
  static constexpr auto List(For<Polyline>) {
    return std::tuple{Field{&Polyline::height, "height", "height", kMagnitude, kBeside},
                      Field{&Polyline::polylines, "outlines", "point", kInTitleIfSaid}};
  }
  static constexpr auto List(For<NativeShape>) {
    return std::tuple{Field{&NativeShape::type, "native_type", "type", kInTitle}};
  }
  /// @}
};

/// The fields of an owner, in the order in which a dump prints them.
template <class Owner>
inline constexpr auto kFields = FieldLists::List(FieldLists::For<Owner>());
/// The numbers of a coordinate, which are all of one type.
inline constexpr auto kAxisNumbers = FieldLists::AxisNumbers();
/// Names of the shapes, by alternative.
inline constexpr std::array<std::string_view, std::variant_size_v<Shape>> kShapeNames = {
    "box",       "sphere", "cylinder", "capsule",  "cone",
    "ellipsoid", "plane",  "mesh",     "polyline", "native"};

/// Has a list of fields.
template <class Owner>
concept HasFields = requires {
  FieldLists::List(FieldLists::For<Owner>());
};

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

/// Whether the owner is known by a name.
template <class Owner>
[[nodiscard]] constexpr bool IsNamed() {
  bool named = false;
  ForEachField<Owner>([&](const auto& field) { named = named || field.print == Print::kName; });
  return named;
}

/// What is said there; nothing where its value means the same as none, as the rest position of a
/// spring does without the spring.
template <class Owner>
[[nodiscard]] std::optional<double> Said(const Owner& owner, const NumberField<Owner>& field) {
  const std::optional<double>& value = owner.*field.member;
  if constexpr (std::same_as<Owner, JointAxis>)
    if (field.member == &JointAxis::spring_reference && owner.spring_stiffness.value_or(0) == 0)
      return std::nullopt;
  const bool silent = !value || (field.silence == Silence::kZero && *value == 0) ||
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
