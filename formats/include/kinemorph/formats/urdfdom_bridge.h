// Hands a model to ROS code as urdf::ModelInterface, without a file, and takes one back. CMake
// target kinemorph_urdfdom_bridge.
//
// The one public header with another library's types: handing them over is its purpose.
#pragma once

#include <urdf_model/model.h>
#include <urdf_world/types.h>

#include <optional>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// The tree of `model` as urdfdom holds it. Null with errors when it is no URDF tree (a joint kind
/// URDF lacks, a joint frame that is not the child's frame, several roots): lower it for URDF
/// first. Loops, couplings other than mimic, and shapes that urdfdom has no class for are left out,
/// each with a warning. Where the model has no limit, urdfdom gets 1e16.
[[nodiscard]] ::urdf::ModelInterfaceSharedPtr ToUrdfdom(const Model& model,
                                                        Diagnostics& diagnostics);

/// The model that a ModelInterface describes: links and joints in the order of the tree. Limits of
/// 1e16 and more are no limits. Nothing with errors when the tree is broken or an axis is zero.
[[nodiscard]] std::optional<Model> FromUrdfdom(const ::urdf::ModelInterface& robot,
                                               Diagnostics& diagnostics);

}  // namespace kinemorph
