// Loops closed by formulas (closures/closure_step.h), as expressions.
#pragma once

#include <vector>

#include "closures/closure_step.h"
#include "emit/symbolic_mechanism.h"

namespace kinemorph::emit {

/// By aggregate: the steps that close it, if each of them is a formula and the frames leave nothing
/// to Newton; else none.
using Formulas = std::vector<std::vector<ClosureStep>>;
[[nodiscard]] Formulas FindFormulas(const Mechanism& m, const Coordinates& coordinates);

/// Sets, in `q`, the dependent coordinates of the aggregates that have formulas, from the independent
/// coordinates in `q`; on the branch near the dependent coordinates in `guess`.
void CloseByFormulas(Tape& tape, const Mechanism& m, const Coordinates& coordinates,
                     const Formulas& formulas, const std::vector<Expression>& guess,
                     std::vector<Expression>& q);

}  // namespace kinemorph::emit
