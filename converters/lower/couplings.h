// Relations between coordinates in the form that a target has.
#pragma once

#include <optional>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/actuation.h"
#include "plan/pass.h"

namespace kinemorph {

/// The relation as a follower: q_f = multiplier q_l + offset (terms[0] is the follower with +1).
/// Nothing when it has other than two linear terms.
[[nodiscard]] std::optional<Coupling> AsMimic(const Model& model, const Coupling& coupling,
                                              std::size_t follower);

/// Of two terms the one that follows: that of a mimic stays; of others it is the one that is not
/// declared independent, then that of less Actuation, then the later joint.
[[nodiscard]] std::size_t FollowerIn(const Model& model, const Actuations& actuations,
                                     const Coupling& coupling);

/// The relation as a ratio of two branches: the sum of coordinates from the nearest common ancestor
/// down to `successor` is `ratio` times that down to `predecessor`. Nothing when the terms are not
/// two such branches with one coefficient each, or the constant is not 0.
[[nodiscard]] std::optional<Coupling> AsRatio(const Model& model, const SpanningTree& tree,
                                              const Actuations& actuations,
                                              const Coupling& coupling);

/// The relation as a gearbox on the nearest common ancestor: all joints of a ratio's branches turn
/// about parallel axes.
[[nodiscard]] std::optional<Coupling> AsGearbox(const Model& model, const SpanningTree& tree,
                                                const std::vector<RigidTransform>& X_WL,
                                                const Actuations& actuations,
                                                const Coupling& coupling);

}  // namespace kinemorph
