// Who moves which coordinate, as the source has it. Passes drop drives and efforts that the target
// lacks; which coordinates are independent does not depend on that.
#pragma once

#include "kinemorph/graph/mechanics/mechanism.h"
#include "plan/pass.h"

namespace kinemorph {

/// Before the first pass: what the source says.
void RememberActuation(const Model& model, PassContext& context);

/// Compiled for AnalyseCoordinates, with the actuation that the source has. Of joints that passes
/// made of joints of several coordinates it is their own.
[[nodiscard]] Mechanism CompileAsDriven(const Model& model, const PassContext& context);

}  // namespace kinemorph
