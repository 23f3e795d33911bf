// Pose text, and the poses of elements that are kept.
#pragma once

#include <array>
#include <string>

#include "kinemorph/graph/base/spatial.h"
#include "kinemorph/graph/model/native_data.h"

namespace kinemorph::xml {

/// The shortest decimal within 5e-16 of the largest of |value|, `scale` and 1: arithmetic noise of
/// the last bit is not written.
[[nodiscard]] double Rounded(double value, double scale = 1);
/// x y z roll pitch yaw. `scale`: the size of the positions that X was computed from.
[[nodiscard]] std::array<double, 6> PoseNumbers(const RigidTransform& X, double scale = 1);
[[nodiscard]] std::string PoseText(const RigidTransform& X, double scale = 1);
/// Gives the element X as its <pose> child (none for the identity), so that a re-based link keeps
/// its sensors in place.
void SetPose(NativeElement& element, const RigidTransform& X);
/// The same with an <origin xyz rpy> child, as URDF has it.
void SetOrigin(NativeElement& element, const RigidTransform& X);
/// Format::respell of URDF and SDFormat: angles of `rpy="..."` and `<pose>` without whole turns, no
/// empty name of a frame, what a `<script>` names sorted.
void RespellPose(NativeElement& element);

}  // namespace kinemorph::xml
