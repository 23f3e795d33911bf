// Which coordinates are independent.
#pragma once

#include "kinemorph/graph/mechanics/coordinates.h"
#include "lower/passes.h"

namespace kinemorph {

/// Whether DeclareNatures has a say: the target knows natures, something constrains the model, and
/// no declaration of the author is right or stands for what user code does.
[[nodiscard]] bool ChoosesNatures(const Model& model, const Coordinates& coordinates,
                                  Natures natures, const PassContext& context);

/// By velocity: the coordinates that DeclareNatures calls dependent.
[[nodiscard]] std::vector<bool> DependentCoordinates(const Model& model, const Mechanism& mechanism,
                                                     const Coordinates& coordinates);

}  // namespace kinemorph
