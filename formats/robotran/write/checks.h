// What must hold before a model can be written as MBS, and what of it MBS cannot hold.
#pragma once

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"
#include "mbs_file.h"

namespace kinemorph::mbs {

/// Errors: names MBsysC cannot use, duplicates, reversed joints. Warnings (`not-written`): what is
/// left out.
void CheckWritable(const Model& model, const SpanningTree& tree, Diagnostics& diagnostics);

/// The native entries of the model that came from an `.mbs` file, parsed again.
[[nodiscard]] MbsFile ParseNative(const Model& model, Diagnostics& diagnostics);

}  // namespace kinemorph::mbs
