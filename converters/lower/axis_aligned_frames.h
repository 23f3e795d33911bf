// Pass `axis_aligned_frames`: link frames whose coordinate axes are the axes of the joints.
#pragma once

#include "plan/pass.h"

namespace kinemorph {

/// Requires: tree joints point down the tree, and their frames are the frames of their links
/// (rebase_link_frames). Ensures, where the target asks for it: the axis of every hinge is +x, +y
/// or +z of its link, to the bit; where the signs of the axes allow it, the normal of every planar
/// loop is a coordinate axis of its nearest common ancestor, and the links of the loop are turned
/// about it alone. The links of a planar loop and its points slide along their axes into the plane
/// through the origin of that ancestor, which changes nothing.
void AxisAlignedFrames(Model& model, PassContext& context);

}  // namespace kinemorph
