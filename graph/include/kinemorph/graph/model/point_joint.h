// Points of two links that coincide, as the loop joints they are together.
#pragma once

#include <cstddef>
#include <vector>

#include "kinemorph/graph/model/joint_kind.h"

namespace kinemorph {

/// A point of link A, in its frame, and the point of link B that stands there (m).
struct PointPair {
  Vector3 p_A, p_B;
};

/// One point holds a ball, two a hinge about their line, three that are not in line hold all.
struct PointJoint {
  JointKind kind;                   ///< Ball, Revolute about z, or Fixed
  RigidTransform X_AF, X_BM;        ///< at the first point, z along the line
  std::vector<std::size_t> points;  ///< which of them: one, two or three
};

/// The joints of all pairs of points between two links, in order of their first points. A point
/// joins those before it where it keeps its distances to them on both links (to 1e-6 of them);
/// what repeats or contradicts them is a joint of its own. `R_BA`: A in B, where the links are
/// drawn.
[[nodiscard]] std::vector<PointJoint> JointsOfPoints(const std::vector<PointPair>& points,
                                                     const Matrix3& R_BA);

}  // namespace kinemorph
