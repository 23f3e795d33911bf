// What hangs together, and what hangs on the world.
#pragma once

#include "verify/correspondence.h"

namespace kinemorph::verify {

/// Links that joints hold together in one model hang together in the other, and what the world
/// holds there it holds here: a part that falls off, or is nailed to the world, shows in no
/// mobility where bases are held for the comparison.
void CompareAttachments(const Side& a, const Side& b, const Correspondence& match,
                        const RigidGroups& groups, std::vector<Worst>& checks);

}  // namespace kinemorph::verify
