// What closes loops in exported code: Newton along the tangent, which a list of steps without
// branches cannot say. Its sources are patterns, in C and in MATLAB; the loops and their Jacobian
// are programs.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/emit/equations.h"

namespace kinemorph::emit {

/// Definitions in C of NAME_close; of `simulation` NAME_start, which also holds coordinates that
/// depend. They call what CHelpers defines.
[[nodiscard]] std::string CClosing(const Equations& e, bool simulation);
/// The file NAME_close.m, but for its two programs.
[[nodiscard]] std::string MatlabClosing(const Equations& e);

}  // namespace kinemorph::emit
