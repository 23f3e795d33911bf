#include "lumping.h"

#include <algorithm>

#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/checks/contacts.h"

namespace kinemorph::urdf_format {
namespace {

// libsdformat's URDF reader makes one link of two on a fixed joint ("lumping") and then has neither
// their names nor the joint's. A tag in <gazebo> keeps them apart, but of a link without mass it
// then makes nothing at all: hence the question whether both weigh.

bool IsFixedTreeJoint(const Joint& joint) {
  return joint.role != JointRole::kLoop && std::holds_alternative<Fixed>(joint.kind);
}

bool BothWeigh(const Model& model, JointId id) {
  const auto weighs = [&](LinkId link) {
    return link != kWorld && model.link(link).inertial && model.link(link).inertial->mass > 0;
  };
  return weighs(model.predecessor(id)) && weighs(model.successor(id));
}

// The source says so itself, in a block that is kept as text.
bool IsToldApart(const Joint& joint) {
  return std::any_of(joint.native.begin(), joint.native.end(), [](const NativeData& data) {
    return data.element == "gazebo" &&
           std::any_of(data.content.children.begin(), data.content.children.end(),
                       [](const NativeElement& tag) {
                         return (tag.name == kPreserve || tag.name == kNoLumping) &&
                                (tag.Text() == "true" || tag.Text() == "1");
                       });
  });
}

}  // namespace

bool KeepsApart(const Model& model, JointId id) {
  const auto measures = [&](const Sensor& sensor) { return sensor.joint == id; };
  const bool meant =
      model.format == "sdf" ||
      (model.format != "urdf" && std::any_of(model.sensors.begin(), model.sensors.end(), measures));
  return meant && IsFixedTreeJoint(model.joint(id)) && BothWeigh(model, id);
}

}  // namespace kinemorph::urdf_format

bool kinemorph::IsLumped(const Model& model, JointId id) {
  const Joint& joint = model.joint(id);
  if (!urdf_format::IsFixedTreeJoint(joint) || IsWorld(model, model.predecessor(id)) ||
      urdf_format::KeepsApart(model, id))
    return false;
  // The tag alone does not help: a link without mass is merged, or dropped, all the same.
  return !(urdf_format::IsToldApart(joint) && urdf_format::BothWeigh(model, id));
}
