// Links that kinemorph made to write pairs of frames, on the way back.
#pragma once

#include <vector>

#include "kinemorph/formats/frame_pairs.h"
#include "link_tree.h"

namespace kinemorph::urdf_format {

/// Takes them out of the model: exactly the same mechanism. `tree`: of the joints of the URDF. What
/// is no frame on a fixed joint, and no leaf that a pair welds to another link, stays.
void DissolveMade(const std::vector<ListedName>& made, const LinkTree& tree, Model& model);

}  // namespace kinemorph::urdf_format
