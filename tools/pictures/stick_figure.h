// A robot as sticks, and the side from which a motion is seen.
#pragma once

#include <vector>

#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph::tools {

/// From where a body hangs to what hangs on it, or to where a loop or a foot is. Of one mechanism
/// always as many, in the same order.
struct Stick {
  int body = 0;      ///< index into Mechanism::bodies
  Vector3 from, to;  ///< m, world axes
};

/// The sticks at q.
[[nodiscard]] std::vector<Stick> SticksAt(const MotionSystem& system, const Eigen::VectorXd& q);
/// A stick shorter than this (m) is a point.
inline constexpr double kShortestStick = 1e-9;

/// An orthographic picture: what goes to the right, and up.
struct View {
  Vector3 right = Vector3::UnitX(),  ///< unit vector, world axes
      up = Vector3::UnitZ();         ///< unit vector, world axes
};

/// Along the world axis of least extent, z up where it can be. `leaning`: from above and aside
/// where that axis has more than a third of the greatest extent, so that nothing hides.
[[nodiscard]] View ChooseView(const std::vector<std::vector<Stick>>& poses, bool leaning);

}  // namespace kinemorph::tools
