// Postures in which branches of the loops meet: which they are, and rows that keep to one of them.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph {

/// A way to go on from a posture where the loops lose rank.
struct Branch {
  /// By velocity: what moves how fast along it, the fastest by 1 (rad, characteristic lengths).
  /// Where the branch leaves more than one freedom, only one example.
  Eigen::VectorXd direction;
  Eigen::VectorXd near;  ///< nq: a closed posture a little along it
  int mobility = 0;      ///< freedoms of the aggregate on it
};

/// The branches that meet in an aggregate at q, where it has less than its rank; by closed postures
/// at random around q, the same ones each time. One or none where they are not found.
[[nodiscard]] std::vector<Branch> BranchesAt(const Mechanism& mechanism, int aggregate,
                                             const Eigen::VectorXd& q);

/// Aggregates whose rank at q is less than near it.
[[nodiscard]] std::vector<int> SingularAggregates(const Mechanism& mechanism,
                                                  const Eigen::VectorXd& q);

/// Where an aggregate has less than its rank at q and its dependent coordinates follow the
/// independent ones at constant ratios on one branch (parallelograms drawn flat), rows that say so
/// are added: they keep the rank there, and to that branch. Names of the joints concerned, by
/// aggregate that was helped.
std::vector<std::vector<std::string>> KeepToLinearBranches(const Coordinates& coordinates,
                                                           const Eigen::VectorXd& q,
                                                           Mechanism& mechanism);

}  // namespace kinemorph
