// What passes share that leave links without mass.
#pragma once

#include <vector>

#include "plan/pass.h"

namespace kinemorph {

/// Gives these links --massless EPS kg, or as little as MasslessLinks does, but `least` kg: one loss for all
/// of them.
void GiveInertia(Model& model, const std::vector<LinkId>& links, double least,
                 PassContext& context);

}  // namespace kinemorph
