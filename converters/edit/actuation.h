// Who moves which coordinate, as the source has it. Passes drop drives and efforts that the target
// lacks; which coordinates are independent does not depend on that.
#pragma once

#include <optional>
#include <vector>

#include "kinemorph/graph/mechanics/mechanism.h"
#include "plan/pass.h"

namespace kinemorph {

/// Before the first pass: what the source says.
void RememberActuation(const Model& model, PassContext& context);

/// Compiled for AnalyseCoordinates, with the actuation that the source has. Parts of a joint of
/// several coordinates have that of the joint, where its coordinates are alike.
[[nodiscard]] Mechanism CompileAsDriven(const Model& model, const PassContext& context);

/// By joint, the greatest effort (N m, N) of its drives together; nothing where it has none, or one
/// without a limit.
[[nodiscard]] std::vector<std::optional<double>> EffortsOfDrives(const Model& model);

/// Gives the joint an effort limit that the source does not say of it, as a loss that names both.
void ChangeEffort(Model& model, Joint& joint, double effort, const char* why, PassContext& context);

}  // namespace kinemorph
