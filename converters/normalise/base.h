// Pass `base`: fixed to the world, free in it, or unsaid.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: roles decided. Ensures, for every root link and every link on a fixed or free joint
/// from the world:
///   --base fixed     a fixed joint from the world;
///   --base floating  a free joint from the world;
///   --base auto      what the source says. Unsaid (URDF) stays unsaid where the target can leave
///                    it so; where the target must know, the base is fixed, with a note. A free
///                    base that no joint spells out (SDFormat) becomes unsaid for a target with one
///                    root link, and a free joint for one that needs it said.
/// Roots of a static model are fixed.
void DecideBase(Model& model, PassContext& context);

}  // namespace kinemorph
