// Joints that programs command through what both URDF and SDFormat keep as text: blocks of
// ros2_control, and the drives among the plugins of Gazebo.
#pragma once

#include "kinemorph/graph/model/model.h"

namespace kinemorph::xml {

/// Marks them (Joint::commanded) by the text that the model and its scopes keep.
void MarkCommandedJoints(Model& model);

}  // namespace kinemorph::xml
