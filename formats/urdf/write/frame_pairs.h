// Writing robot.yaml of Gepetto's parallel robots.
#pragma once

#include <string>

#include "kinemorph/formats/format.h"

namespace kinemorph::urdf_format {

/// What robot.yaml calls a joint that URDF has not: "SPHERICAL", "UJOINT_XY"; empty: nothing.
[[nodiscard]] std::string RetypedAs(const JointKind& kind);

/// `stem`.yaml. Precondition: the model is legal for it. What Gepetto's loader will not do is said
/// in warnings and notes.
[[nodiscard]] SideFile FramePairsFile(const Model& model, const std::string& stem,
                                      Diagnostics& diagnostics);

}  // namespace kinemorph::urdf_format
