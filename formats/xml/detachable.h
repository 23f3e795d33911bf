// Welds of gz sim: its plugin joins two links rigidly when a simulation starts. SDFormat holds it in
// <model>, URDF in <gazebo>.
#pragma once

#include <string>
#include <string_view>

#include "xml_writer.h"

namespace kinemorph::xml {

/// The plugin's class, and the file that holds it.
inline constexpr std::string_view kDetachable = "gz::sim::systems::DetachableJoint",
                                  kDetachableFile = "gz-sim-detachable-joint-system";
/// How it calls the model that it stands in, whatever name that has in a world.
inline constexpr std::string_view kOwnModel = "__model__";

/// A topic as WriteWeld names it, which says no more than that the weld is not the only one.
[[nodiscard]] bool IsWeldTopic(std::string_view topic);

/// A weld of two links of the model `model`. `name` tells its topics from those of other welds;
/// empty: it is the only one.
void WriteWeld(Writer& out, const std::string& model, const std::string& name,
               const std::string& parent_link, const std::string& child_link);

}  // namespace kinemorph::xml
