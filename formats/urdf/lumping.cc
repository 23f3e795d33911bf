#include "lumping.h"

#include <algorithm>

#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/checks/contacts.h"

namespace kinemorph::urdf_format {
namespace {

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
  return model.format == "sdf" && IsFixedTreeJoint(model.joint(id)) && BothWeigh(model, id);
}

}  // namespace kinemorph::urdf_format

bool kinemorph::IsLumped(const Model& model, JointId id) {
  const Joint& joint = model.joint(id);
  if (!urdf_format::IsFixedTreeJoint(joint) || IsWorld(model, model.predecessor(id)) ||
      urdf_format::KeepsApart(model, id))
    return false;
  return !(urdf_format::IsToldApart(joint) && urdf_format::BothWeigh(model, id));
}
