// SRDF, which says beside a URDF what MoveIt and Pinocchio must know of its joints and links.
#pragma once

#include <string>
#include <string_view>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Whether a text claims to be one: a `robot` element with passive joints, groups or pairs of links, and
/// without links of its own.
[[nodiscard]] bool LooksLikeSrdf(std::string_view text);

/// Adds to a model that was read from URDF: joints are dependent where they are passive and else
/// independent, pairs with the reason "User" or none do not collide, rotors are armature, and the
/// state "initial" is where joints start. What it says of planning is passed over. False, with
/// errors, where names do not fit.
[[nodiscard]] bool AddSrdf(std::string_view text, const std::string& file, Model& model,
                           Diagnostics& diagnostics);

}  // namespace kinemorph
