/// Every element of a model, listed once: what counts elements, names what they use, checks or drops
/// them goes through this walk.
#pragma once

#include <concepts>
#include <string_view>
#include <vector>

#include "kinemorph/graph/model/subject.h"

namespace kinemorph {

/// An element as the walk meets it. Nothing is copied: SubjectOf names it where that is asked for.
struct Element {
  SubjectKind kind;                ///< a loop joint by its role
  std::string_view name;           ///< empty where the author gave none
  SourceLocation where;            ///< of its owner where it has no line
  LinkId link = kNoLink;           ///< that it is or stands on, of a joint the successor
  JointId joint = kNoJoint;        ///< that it is or stands on; of a coupling the first one
  std::size_t number = 0;          ///< of parts of a link and of couplings, from 1
  const Element* owner = nullptr;  ///< of parts of a link and of their materials
};

/// "visual 2 of link 'shank'": a nameless element by its number.
[[nodiscard]] Subject SubjectOf(const Model& model, const Element& element);

/// Calls visit(link, element) and visit(part, element) for a link and all that is in it: inertial,
/// visuals with their materials, collisions. `AnyModel` is Model or const Model.
template <class AnyModel, class Visit>
void ForEachElementOf(AnyModel& model, LinkId id, Visit&& visit) {
  auto& link = model.link(id);
  const Element of_link{SubjectKind::kLink, link.name, link.where, id};
  visit(link, of_link);
  const auto part = [&](SubjectKind kind, std::string_view name, SourceLocation where,
                        std::size_t number, const Element& owner) {
    return Element{kind, name, PlaceOfPart(where, owner.where), id, kNoJoint, number, &owner};
  };
  if (link.inertial)
    visit(*link.inertial, part(SubjectKind::kLink, link.name, link.inertial->where, 0, of_link));
  std::size_t number = 0;
  for (auto& visual : link.visuals) {
    const Element element =
        part(SubjectKind::kVisual, visual.name, visual.where, ++number, of_link);
    visit(visual, element);
    if (visual.material) visit(*visual.material, part(SubjectKind::kMaterial, {}, {}, 0, element));
  }
  number = 0;
  for (auto& collision : link.collisions)
    visit(collision,
          part(SubjectKind::kCollision, collision.name, collision.where, ++number, of_link));
}

/// Calls visit(item, element) for the model itself, its scopes, links with their parts, joints,
/// frames, couplings, sensors, actuators and contact exclusions, in this order.
template <class AnyModel, class Visit>
void ForEachElement(AnyModel& model, Visit&& visit) {
  using enum SubjectKind;
  visit(model, Element{kModel, model.name, {}});
  for (auto& scope : model.scopes)
    visit(scope, Element{scope.is_world ? kWorldModel : kModel, scope.name, scope.where});
  for (std::uint32_t v = 0; v < model.num_links(); ++v) ForEachElementOf(model, LinkId{v}, visit);
  for (const JointId id : Joints(model)) {
    auto& joint = model.joint(id);
    visit(joint, Element{joint.role == JointRole::kLoop ? kLoopJoint : kJoint, joint.name,
                         joint.where, model.successor(id), id});
  }
  for (auto& frame : model.frames)
    visit(frame, Element{kFrame, frame.name, frame.where, frame.link});
  std::size_t number = 0;
  for (auto& coupling : model.couplings) {
    const JointId moved = coupling.terms.empty() ? kNoJoint : coupling.terms[0].coordinate.joint;
    visit(coupling,
          Element{kCoupling, coupling.name, coupling.where, coupling.successor, moved, ++number});
  }
  for (auto& sensor : model.sensors)
    visit(sensor, Element{kSensor, sensor.name, sensor.where, sensor.link, sensor.joint});
  for (auto& actuator : model.actuators)
    visit(actuator, Element{kActuator, actuator.name, actuator.where, kNoLink, actuator.joint});
  for (auto& pair : model.contact_exclusions)
    visit(pair, Element{kContactExclusion, {}, pair.where, pair.a});
}

/// Numbers every element of the model that has no number yet, the world and native data included, in
/// the order of the walk: equal models get equal numbers. An inertial and a material have that of
/// their link and visual.
void NumberElements(Model& model);

/// Holds a list of native data.
template <class Item>
concept HasNativeList = requires(Item& item) {
  { item.native } -> std::convertible_to<const std::vector<NativeData>&>;
};

/// Calls visit(list, owner) for every list of native data that is not empty. `owner` is a function
/// that names the owner, so that nobody pays for a name that is not asked for.
template <class AnyModel, class Visit>
void ForEachNative(AnyModel& model, const Visit& visit) {
  ForEachElement(model, [&]<class Item>(Item& item, const Element& element) {
    if constexpr (HasNativeList<Item>) {
      if (item.native.empty()) return;
      visit(item.native, [&] {
        const Element& part = element.kind == SubjectKind::kMaterial ? *element.owner : element;
        if constexpr (std::same_as<std::remove_const_t<Item>, Coupling>)
          return SubjectOf(model, item);
        if constexpr (std::same_as<std::remove_const_t<Item>, Frame>) return SubjectOf(item);
        Subject subject = SubjectOf(model, part);
        subject.number = 0;
        return &part == &element ? subject : MaterialOf(subject);
      });
    }
  });
}

}  // namespace kinemorph
