// Checks that hold for every format: names, numbers, physics, connectivity.
#pragma once

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// Appends what is wrong with `model`. Errors: non-finite numbers, frames that are no rotation,
/// axes that are zero or not unit, negative masses, duplicate or empty names, self joints, cycles
/// of tree joints, couplings of nothing, of a loop joint or of a link with itself. Warnings:
/// inertias of no rigid body, mass without inertia and the reverse, swapped limits, negative
/// magnitudes, parallel axes, no independent coordinate, loops parallel to a tree joint. Linear.
void Validate(const Model& model, Diagnostics& diagnostics);

/// The last look at a model that is about to be written: appends an error for each element with a
/// number that is not finite or of a magnitude beyond `greatest`, a frame that is no rotation, an
/// axis that is zero or not unit, a negative mass.
void ValidateForWriting(const Model& model, double greatest, Diagnostics& diagnostics);

}  // namespace kinemorph
