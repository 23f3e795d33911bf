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

/// The greatest effort (N m, N) of the drives on the joint together; nothing where it has none, or one
/// without a limit.
[[nodiscard]] std::optional<double> EffortOfDrives(const Model& model, JointId id);

/// Gives the joint an effort limit that the source does not say of it, as a loss that names both.
void ChangeEffort(Model& model, Joint& joint, double effort, const char* why, PassContext& context);

}  // namespace kinemorph
