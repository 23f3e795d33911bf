// Records the programs of equations.h.
#pragma once

#include "emit/symbolic_mechanism.h"
#include "kinemorph/graph/emit/equations.h"

namespace kinemorph::emit {

/// Adds the programs to `out`, whose independent velocities are known. False where one needs more
/// steps than the options allow.
[[nodiscard]] bool Record(const Mechanism& mechanism, const Coordinates& coordinates,
                          const RowChoice& rows, const EquationOptions& options, Equations& out);

}  // namespace kinemorph::emit
