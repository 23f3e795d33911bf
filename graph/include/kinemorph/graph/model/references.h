/// What stands on a link or a joint without being one, listed once: what removes, merges, moves and
/// renumbers links and joints goes through this list.
#pragma once

#include <type_traits>
#include <utility>

#include "kinemorph/graph/model/fields.h"

namespace kinemorph {

/// Calls `visit(LinkId& link, RigidTransform* X_L)` for every link that a frame, a sensor, a
/// contact exclusion, a contact pair or a coupling names; X_L is where it stands in that link, null
/// where it has no pose. Of a const item both are const.
template <class Item, class Visit>
void VisitLinks(Item& item, Visit&& visit) {
  using Kind = std::remove_const_t<Item>;
  std::conditional_t<std::is_const_v<Item>, const RigidTransform, RigidTransform>* X_L = nullptr;
  ForEachField<Kind>([&]<class Value>(const Field<Kind, Value>& field) {
    if constexpr (std::same_as<Value, RigidTransform>) X_L = &(item.*field.member);
  });
  ForEachField<Kind>([&]<class Value>(const Field<Kind, Value>& field) {
    if constexpr (std::same_as<Value, LinkId>)
      if (item.*field.member != kNoLink) visit(item.*field.member, X_L);
  });
}

/// Calls `visit(JointId&)` for every joint that a coupling, an actuator or a sensor names.
template <class Item, class Visit>
void VisitJoints(Item& item, Visit&& visit) {
  using Kind = std::remove_const_t<Item>;
  if constexpr (std::is_same_v<Kind, Coupling>) {
    for (auto& term : item.terms) visit(term.coordinate.joint);
  } else {
    static_assert(std::is_same_v<Kind, Actuator> || std::is_same_v<Kind, Sensor>);
    if (item.joint != kNoJoint) visit(item.joint);
  }
}

/// The lists of a model whose items name links: `each(list)`, a vector of one kind of item.
template <class M, class Each>
void VisitListsOnLinks(M& model, Each&& each) {
  each(model.frames), each(model.sensors), each(model.contact_exclusions),
      each(model.contact_pairs), each(model.couplings);
}

/// The lists of a model whose items name joints.
template <class M, class Each>
void VisitListsOnJoints(M& model, Each&& each) {
  each(model.couplings), each(model.actuators), each(model.sensors);
}

/// VisitLinks of all items of a model. Joints have their links in the graph, and the canonical
/// link of a scope is a name only: both are not among them.
template <class M, class Visit>
void VisitAllLinks(M& model, Visit&& visit) {
  VisitListsOnLinks(model, [&](auto& list) {
    for (auto& item : list) VisitLinks(item, visit);
  });
}

}  // namespace kinemorph
