// Masses that depend on what is not there: a mesh that was not found, or that nobody can weigh.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires that links are merged and have what little inertia the target asks for. Ensures that no
/// link of the output pretends to a unknown mass: an inertial that is computed from
/// shapes stays where the target computes it too; of every other the numbers that stand in are
/// written, and are a loss.
void UnknownMasses(Model& model, PassContext& context);

}  // namespace kinemorph
