// Every list of native text in a model, with what it belongs to.
#pragma once

#include "kinemorph/graph/model/subject.h"

namespace kinemorph {

/// Calls visit(list, owner) for every list that is not empty; `AnyModel` is Model or const Model.
/// `owner` is a function that names the owner, so that nobody pays for a name that is not asked
/// for.
template <class AnyModel, class Visit>
void ForEachNative(AnyModel& model, const Visit& visit) {
  const auto at = [&](auto& list, auto owner) {
    if (!list.empty()) visit(list, owner);
  };
  at(model.native, [&] { return SubjectOf(model); });
  for (auto& scope : model.scopes) at(scope.native, [&] { return SubjectOf(scope); });
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    auto& link = model.link(LinkId{v});
    at(link.native, [&] { return SubjectOf(link); });
    if (link.inertial) at(link.inertial->native, [&] { return SubjectOf(link); });
    for (auto& visual : link.visuals) {
      at(visual.native, [&] { return SubjectOf(link, visual); });
      if (visual.material)
        at(visual.material->native, [&] { return MaterialOf(SubjectOf(link, visual)); });
    }
    for (auto& collision : link.collisions)
      at(collision.native, [&] { return SubjectOf(link, collision); });
  }
  for (const JointId id : Joints(model)) {
    auto& joint = model.joint(id);
    at(joint.native, [&] { return SubjectOf(joint); });
  }
  for (auto& coupling : model.couplings)
    at(coupling.native, [&] { return SubjectOf(model, coupling); });
  for (auto& frame : model.frames) at(frame.native, [&] { return SubjectOf(frame); });
}

}  // namespace kinemorph
