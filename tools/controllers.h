// Controllers of a simulation from a JSON file (docs/SIMULATE.md).
#pragma once

#include <optional>
#include <string>

#include "motion_names.h"

namespace kinemorph::tools {

/// What the file says, for these joints and feet; nothing, and why, where it cannot be used.
/// `path` is where tables are looked for beside; those that were read are added to `tables`.
[[nodiscard]] std::optional<Controller> ReadControllers(
    const std::string& path, const std::vector<JointPlace>& joints, const Mechanism& mechanism,
    const std::vector<Foot>& feet, std::vector<std::string>& tables, std::string& why);

}  // namespace kinemorph::tools
