// The 2D diagram of the graphical editor: children below their parent, siblings to its right,
// nothing overlaps.
#pragma once

#include "mbs_file.h"

namespace kinemorph::mbs {

/// Fills the x2D graphics that bodies, joints, points and the base lack. Cell rule of the URDF to
/// MBS seed: the base is at the upper left; a body's first child stands one row below it in the
/// same column, every further child opens the next free column to the right.
void LayOutDiagram(MbsFile& file);

}  // namespace kinemorph::mbs
