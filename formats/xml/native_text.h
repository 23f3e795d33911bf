// Pose text, and small edits of elements that are kept verbatim.
#pragma once

#include <array>
#include <string>

#include "kinemorph/graph/base/spatial.h"

namespace kinemorph::xml {

/// The shortest decimal within 5e-16 of the largest of |value|, `scale` and 1: arithmetic noise of
/// the last bit is not written.
[[nodiscard]] double Rounded(double value, double scale = 1);
/// x y z roll pitch yaw. `scale`: the size of the positions that X was computed from.
[[nodiscard]] std::array<double, 6> PoseNumbers(const RigidTransform& X, double scale = 1);
[[nodiscard]] std::string PoseText(const RigidTransform& X, double scale = 1);
/// `xml` with its <pose> child replaced by X (removed for the identity), so that a re-based link
/// keeps its sensors in place.
[[nodiscard]] std::string WithPose(const std::string& xml, const RigidTransform& X);
/// The same with an <origin xyz rpy> child, as URDF has it.
[[nodiscard]] std::string WithOrigin(const std::string& xml, const RigidTransform& X);
/// `xml` with another name attribute.
[[nodiscard]] std::string WithName(const std::string& xml, const std::string& name);

}  // namespace kinemorph::xml
