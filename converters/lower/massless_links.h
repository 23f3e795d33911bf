// What passes share that leave links without mass.
#pragma once

#include <vector>

#include "lower/passes.h"

namespace kinemorph {

/// Gives these links --massless EPS kg, or as little as MasslessLinks does, but `least`: one loss for
/// all of them.
void GiveInertia(Model& model, const std::vector<LinkId>& links, const LeastInertia& least,
                 PassContext& context);

}  // namespace kinemorph
