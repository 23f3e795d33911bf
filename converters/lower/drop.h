// Passes `drop_requested` and `drop_unsupported`: taking features out of a model, each use with a
// loss.
#pragma once

#include <string_view>

#include "plan/pass.h"

namespace kinemorph {

/// Requires: nothing. Ensures: what --drop (and --frames drop) names is gone. Features that are the
/// mechanism itself cannot be dropped (a note says so); a tree joint of a dropped kind is frozen at
/// zero.
void DropRequested(Model& model, PassContext& context);

/// Requires: all other lowering is done. Ensures: no feature that the table gives as lost is in
/// use.
void DropUnsupported(Model& model, PassContext& context);

/// Takes every masked feature out; `why` empty: the table's note.
void DropFeatures(Model& model, const FeatureSet& mask, std::string_view why, PassContext& context);

}  // namespace kinemorph
