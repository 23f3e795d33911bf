// What a model says of its motion and the dynamics here know nothing of.
#pragma once

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A warning (motion-not-obeyed) for each, with its place.
void TellNotObeyed(const Model& model, Diagnostics& diagnostics);

}  // namespace kinemorph
