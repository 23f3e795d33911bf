// What `inspect --for grbda` says.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kinemorph/formats/grbda_rules.h"

namespace kinemorph::tools {

/// A URDF or URDF+ model is judged as it is; any other, as `convert --profile grbda` would write
/// it. Refusals of that conversion are breaches of the first cluster.
[[nodiscard]] GrbdaVerdict LintForGrbda(const Model& model);

[[nodiscard]] nlohmann::ordered_json GrbdaJson(const GrbdaVerdict& verdict);
[[nodiscard]] std::string GrbdaText(const GrbdaVerdict& verdict);

}  // namespace kinemorph::tools
