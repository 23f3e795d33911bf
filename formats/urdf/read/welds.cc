// Loops as gz sim has them in URDF: a joint to a part of a link, and a plugin that welds the part to
// the rest of it when the simulation starts.
#include <algorithm>

#include "kinemorph/formats/gazebo_blocks.h"
#include "lumping.h"
#include "read/reader.h"
#include "sdf_model/builder.h"

namespace kinemorph::urdf_format {

void RobotReader::JoinHalves() {
  for (const JointId id : Joints(model_)) {
    if (WeldPluginOf(model_.joint(id)) == nullptr) continue;
    // That the links to be welded must be there goes without saying.
    for (const LinkId end : {model_.predecessor(id), model_.successor(id)})
      if (const JointId up = joint_to_[Index(end)]; up != kNoJoint)
        std::erase_if(model_.joint(up).native, [](const NativeData& data) {
          return data.element == "gazebo" && data.content.children.size() == 1 &&
                 data.content.Child(kPreserve) != nullptr;
        });
  }
  sdformat::JoinHalves(model_, X_WL_, [](const Link&, const Link&) { return true; });
}

}  // namespace kinemorph::urdf_format
