// One model out of a world.
#pragma once

#include <string_view>
#include <vector>

#include "kinemorph/converters/convert.h"

namespace kinemorph {

/// The models that stand directly in the world; empty when the file is one model.
[[nodiscard]] std::vector<ScopeId> TopModels(const Model& model);

/// Leaves of a world only the model `name`, its names without the leading "NAME::", and the world's
/// gravity. What tied it to other models is lost in `report`, the names are in it. False where
/// there is no such model; a model that stands alone under that name stays as it is.
bool TakeModel(Model& model, std::string_view name, LossReport& report);

}  // namespace kinemorph
