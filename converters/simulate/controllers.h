// Controllers of a simulation from JSON (tools/docs/SIMULATE.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/gateway/coordinates.h"
#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph {

/// The text of a controller file, its name, and what finds the tables that it names (may be null).
struct ControllerFile {
  std::string name, text;
  const ResourceResolver* files = nullptr;
};

/// What the file says, for these joints, their actuators and feet; nothing, and why, where it cannot be used. Files
/// of tables that were read are `tables`.
[[nodiscard]] std::optional<Controller> ReadControllers(
    const ControllerFile& file, const Model& model, const std::vector<JointPlace>& joints,
    const Mechanism& mechanism, const std::vector<Foot>& feet, std::vector<std::string>& tables,
    std::string& why);

}  // namespace kinemorph
