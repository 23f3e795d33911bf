// Checks that hold for every format: names, numbers, physics, connectivity.
#pragma once

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Appends what is wrong with `model`: non-finite numbers, zero axes, negative masses, indefinite
/// inertias (errors); triangle inequality, mass without inertia and the reverse, swapped limits, no
/// independent coordinate, loops parallel to a tree joint (warnings); self joints, duplicate or
/// empty names, disconnected cycles (errors). Linear.
void Validate(const Model& model, Diagnostics& diagnostics);

}  // namespace kinemorph
