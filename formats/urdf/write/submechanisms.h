// Writing submechanisms.yml, and a URDF for each of its parts with loops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinemorph/formats/format.h"
#include "link_tree.h"

namespace kinemorph::urdf_format {

/// What a loop joint of this kind holds, [rx ry rz tx ty tz] in its frame; nothing where that is
/// not a set of such rows.
[[nodiscard]] std::vector<Vector6> RowsOfLoop(const JointKind& kind);

/// The link in whose frame a loop joint stands, and the joint that leads there.
struct LoopFrame {
  JointId cut = kNoJoint;
  bool at_predecessor = true;
};
/// Nothing where there is none.
[[nodiscard]] std::optional<LoopFrame> FrameOfLoop(const Model& model, const LinkTree& tree,
                                                   JointId loop);

/// `stem`.yml first, then `stem`.PART.urdf. Precondition: the model is legal for it. What HyRoDyn
/// will not do is said in warnings and notes.
[[nodiscard]] std::vector<SideFile> SubmechanismFiles(const Model& model, const std::string& stem,
                                                      Diagnostics& diagnostics);

}  // namespace kinemorph::urdf_format
