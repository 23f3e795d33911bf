// C code for what an .mbs only announces.
#pragma once

#include <string>

#include "kinemorph/graph/model/model.h"

namespace kinemorph::mbs {

/// The C functions user_cons_hJ and user_cons_jdqd that enforce the model's couplings and screw
/// joints in MBsysC: an `.mbs` only lists the joints they touch. Empty when there is nothing to
/// enforce.
[[nodiscard]] std::string UserConstraintCode(const Model& model);

}  // namespace kinemorph::mbs
