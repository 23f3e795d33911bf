// What hangs on the links: shapes with their colours, frames, sensors; and drives, contact
// exclusions, gravity.
#pragma once

#include "verify/relations.h"

namespace kinemorph::verify {

/// Link by link; what moved to another link of the same rigid group is found there. Capsules equal
/// their cylinder and spheres, planes are compared by point and normal, a frame equals a massless
/// link in its place. Text of one format is compared as what it says.
void CompareContent(const Side& a, const Side& b, const Correspondence& match,
                    const RigidGroups& groups, const Relations& relations,
                    const VerifyOptions& options, Excuses& excuses, std::vector<Worst>& checks);

}  // namespace kinemorph::verify
