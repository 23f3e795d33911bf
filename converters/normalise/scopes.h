// Passes `select_model` and `flatten_models`: one robot out of a world, one model out of nested
// ones.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: with --model NAME only that model is left, its names without the
/// leading "NAME::". Without it, a target that holds one robot gets an error that lists the models.
void SelectModel(Model& model, PassContext& context);

/// Requires: nothing. Ensures: everything belongs to one scope; names keep their "::".
void FlattenModels(Model& model, PassContext& context);

}  // namespace kinemorph
