// Loops that move in a plane or about a point: there the coincidence of one point is all that a
// hinge does.
#pragma once

#include <optional>
#include <vector>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// The normal of the plane in which a revolute or ball loop joint moves, in world axes at q = 0:
/// all tree joints of the loop are hinges about it, and a revolute loop joint too. Nothing where
/// the loop moves in space, or has no hinge. `X_WL`: poses of the links at q = 0.
[[nodiscard]] std::optional<Vector3> PlaneNormal(const Model& model, const SpanningTree& tree,
                                                 const std::vector<RigidTransform>& X_WL,
                                                 JointId loop);

/// The point about which a revolute loop joint moves, in world axes at q = 0 (m): all tree joints
/// of the loop are hinges through it, and the loop joint too. Nothing where they do not meet, or
/// are parallel. `X_WL`: poses of the links at q = 0; `length`: the characteristic one (m). Axes
/// may miss the point by 1e-9 of it.
[[nodiscard]] std::optional<Vector3> SphereCentre(const Model& model, const SpanningTree& tree,
                                                  const std::vector<RigidTransform>& X_WL,
                                                  JointId loop, double length);

}  // namespace kinemorph
