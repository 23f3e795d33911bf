// What passes share that leave links without mass.
#pragma once

#include <string>
#include <vector>

#include "lower/passes.h"

namespace kinemorph {

/// The names of some links in quotes: of the first five, and how many more there are.
[[nodiscard]] std::string SomeNames(const Model& model, const std::vector<LinkId>& links);

/// Gives these links --massless EPS kg, or as little as MasslessLinks does, but `least`: one loss for
/// all of them.
void GiveInertia(Model& model, const std::vector<LinkId>& links, const LeastInertia& least,
                 PassContext& context);

}  // namespace kinemorph
