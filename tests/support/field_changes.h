// One small change of each field of a model, as the lists of fields have them.
#pragma once

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/fields.h"
#include "native_xml.h"

namespace kinemorph::test {

/// Every struct that has fields, with its name here.
using OwnersWithFields =
    std::tuple<Model, Scope, Link, Inertial, Visual, Material, Collision, Joint, JointAxis, Safety,
               Calibration, Coupling, CouplingTerm, Frame, Sensor, Actuator, ContactExclusion,
               ContactPair, Box, Sphere, Cylinder, Capsule, Cone, Ellipsoid, Plane, Mesh, Polyline,
               NativeShape>;
inline constexpr const char* kOwnerNames[] = {
    "model",   "scope",      "link",      "inertial",     "visual",   "material", "collision",
    "joint",   "coordinate", "safety",    "calibration",  "coupling", "term",     "frame",
    "sensor",  "actuator",   "exclusion", "contact pair", "box",      "sphere",   "cylinder",
    "capsule", "cone",       "ellipsoid", "plane",        "mesh",     "polyline", "native shape"};

/// Calls visit(owner) for an item and all that is part of it, for each struct that has fields, but
/// for the world, which no file names.
template <class Item, class Visit>
void ForEachOwnerIn(Item& item, const Visit& visit) {
  using Kind = std::remove_const_t<Item>;
  if constexpr (HasFields<Kind>) visit(item);
  if constexpr (requires { item.shape; })
    std::visit([&](auto& shape) { ForEachOwnerIn(shape, visit); }, item.shape);
  if constexpr (std::same_as<Kind, Joint>)
    for (auto& axis : item.axes) ForEachOwnerIn(axis, visit);
  if constexpr (std::same_as<Kind, JointAxis>) {
    if (item.safety) visit(*item.safety);
    if (item.calibration) visit(*item.calibration);
  }
  if constexpr (std::same_as<Kind, Coupling>)
    for (auto& term : item.terms) visit(term);
}
template <class Visit>
void ForEachOwner(Model& model, const Visit& visit) {
  ForEachElement(model, [&]<class Item>(Item& item, const Element& element) {
    constexpr bool kIsOfLink = std::same_as<Item, Link> || std::same_as<Item, Inertial> ||
                               std::same_as<Item, Visual> || std::same_as<Item, Material> ||
                               std::same_as<Item, Collision>;
    if (!kIsOfLink || element.link != kWorld) ForEachOwnerIn(item, visit);
  });
  for (ContactPair& pair : model.contact_pairs) visit(pair);
}

/// Not changed: made of owners that are changed themselves; and a coupling of any other coordinate
/// may be one that no mechanism has.
template <class Value>
inline constexpr bool kStays =
    std::same_as<Value, Shape> || std::same_as<Value, std::vector<JointAxis>> ||
    std::same_as<Value, std::vector<CouplingTerm>> || std::same_as<Value, Coordinate>;

/// Names another element.
template <class Value>
inline constexpr bool kIsReference =
    std::same_as<Value, LinkId> || std::same_as<Value, JointId> || std::same_as<Value, ScopeId>;

/// Another value, where there is one; false where there is none.
template <class Value>
bool Changed(const Model& model, Value& value) {
  if constexpr (std::same_as<Value, double>) {
    if (std::abs(value) >= FormatLimits::kHuge) return false;
    value += value == 0 ? 0.01 : 0.001 * value;
  } else if constexpr (std::same_as<Value, bool>) {
    value = !value;
  } else if constexpr (std::same_as<Value, std::string>) {
    if (value.empty()) return false;
    value += "_x";
  } else if constexpr (std::same_as<Value, RigidTransform>) {
    value.p += Vector3(1e-3, 2e-3, 3e-3);  // along no axis
  } else if constexpr (std::same_as<Value, Matrix3>) {
    return Changed(model, value(0, 0));
  } else if constexpr (std::same_as<Value, Rgba>) {
    value[0] = value[0] > 0.5 ? 0.25 : 0.75;
  } else if constexpr (requires { value.minCoeff(); }) {
    return Changed(model, value[0]);
  } else if constexpr (std::is_enum_v<Value> && !kIsReference<Value>) {
    value = static_cast<Value>(static_cast<int>(value) == 0 ? 1 : static_cast<int>(value) - 1);
  } else if constexpr (std::same_as<Value, JointId>) {
    const JointId was = value;
    for (const JointId other : Joints(model))  // another one of the same kind
      if (was != kNoJoint && value == was && other != was &&
          model.joint(other).kind.index() == model.joint(was).kind.index())
        value = other;
    return value != was;
  } else if constexpr (std::same_as<Value, LinkId>) {
    if (value == kNoLink) return false;
    value = LinkId{
        static_cast<std::uint32_t>(Index(value) + 1 < model.num_links() ? Index(value) + 1 : 0)};
  } else if constexpr (std::same_as<Value, ScopeId>) {
    if (value == kNoScope) return false;
    value = ScopeId{Index(value) == 0 ? 1U : 0U};
  } else if constexpr (std::same_as<Value, ContactMask>) {
    value.type ^= 4;
  } else if constexpr (std::same_as<Value, JointKind>) {
    const auto* hinge = std::get_if<Revolute>(&value);
    if (hinge == nullptr) return false;
    value = Prismatic{Vector3(hinge->axis)};
  } else if constexpr (std::same_as<Value, NativeData>) {
    return Longer(value.content);
  } else if constexpr (std::same_as<Value, std::array<double, 4>>) {
    value[0] += 0.01;
  } else if constexpr (requires { value.has_value(); }) {
    if constexpr (HasFields<typename Value::value_type>)
      return value && (value.reset(), true);
    else
      return value && Changed(model, *value);
  } else if constexpr (std::same_as<Value, std::vector<Visual>> ||
                       std::same_as<Value, std::vector<Collision>>) {
    return !value.empty() && (value.pop_back(), true);
  } else if constexpr (std::same_as<Value, std::vector<NativeData>>) {
    return std::any_of(value.begin(), value.end(),
                       [&](NativeData& data) { return Changed(model, data); });
  } else if constexpr (std::same_as<Value, std::vector<std::vector<Eigen::Vector2d>>> ||
                       std::same_as<Value, std::vector<Eigen::Vector2d>>) {
    return !value.empty() && Changed(model, value.front());
  } else {
    static_assert(kStays<Value>, "a new type of field wants a change");
  }
  return true;
}

/// One field, and its change on the first owner that can have it.
struct FieldChange {
  std::string name;                    ///< "coordinate damping"
  bool is_content = false;             ///< it has words
  std::function<bool(Model&)> change;  ///< false: no owner has it
};

/// All of them. `can(owner, field)`: whether this owner's is to be changed.
template <class Can>
std::vector<FieldChange> FieldChanges(const Can& can) {
  std::vector<FieldChange> changes;
  const auto of = [&]<class Owner>(std::type_identity<Owner>, const char* name) {
    ForEachField<Owner>([&]<class Value>(const Field<Owner, Value>& field) {
      if constexpr (kStays<Value>) return;
      const auto change = [field, can](Model& model) {
        bool done = false;
        ForEachOwner(model, [&]<class Other>(Other& owner) {
          if constexpr (std::same_as<Other, Owner>)
            done = done || (can(owner, field) && Changed(model, owner.*field.member));
        });
        return done;
      };
      changes.push_back({name + (" " + std::string(field.key)), !field.words.empty(), change});
    });
  };
  [&]<std::size_t... kPlace>(std::index_sequence<kPlace...>) {
    (of(std::type_identity<std::tuple_element_t<kPlace, OwnersWithFields>>(), kOwnerNames[kPlace]),
     ...);
  }
  (std::make_index_sequence<std::tuple_size_v<OwnersWithFields>>());
  return changes;
}

}  // namespace kinemorph::test
