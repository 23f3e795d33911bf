// Links that a joint holds together do not collide in any simulator of URDF and SDFormat. MuJoCo
// exempts a body and its parent only, and not even those when the parent stands still in the world;
// links that an equality joins do collide there.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires roles of all joints and a decided base. Ensures that what joints hold together and the
/// target would let touch is excluded from contact: links on both sides of a loop joint, and on a
/// joint of a base that is fixed to the world. Links on fixed joints count as one, as they do in
/// MuJoCo. A model of the target's own format says itself what may touch.
void JoinedContacts(Model& model, PassContext& context);

}  // namespace kinemorph
