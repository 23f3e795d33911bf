// Points of links that coincide, as the loop joints they are together.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// A point of link A, in its frame, and the point of link B that stands there (m).
struct PointPair {
  LinkId A,     ///< one link
      B;        ///< the other
  Vector3 p_A,  ///< from Ao in axes of A (m)
      p_B;      ///< from Bo in axes of B (m)
};

/// One point holds a ball, two a hinge about their line, three that are not in line hold all.
struct PointJoint {
  LinkId A,             ///< as in the first point of these two links
      B;                ///< the other link
  JointKind kind;       ///< Ball, Revolute about z, or Fixed
  RigidTransform X_AF,  ///< joint frame on A: at the first point, z along the line of two
      X_BM;             ///< joint frame on B: stands on F where the joint is closed, at q = 0
  std::vector<std::size_t> points;  ///< which of them: one, two or three
};

/// The joints that points are together, in order of the pairs of links and of their points. A
/// point joins those before it where it keeps its distances to them on both links (to 1e-6 of
/// them); what repeats or contradicts them is a joint of its own. `R_BA`: A in B, where the links
/// are drawn.
[[nodiscard]] std::vector<PointJoint> JointsOfPoints(
    const std::vector<PointPair>& points, const std::function<Matrix3(LinkId A, LinkId B)>& R_BA);

}  // namespace kinemorph
