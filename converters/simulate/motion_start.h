// What is said of a start that is open, singular or without inertia: where, and what to type.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/gateway/coordinates.h"
#include "kinemorph/graph/motion/motion_system.h"

namespace kinemorph {

/// "loop 'x' stays open by 0.3 m (give --set for 'a', 'b' or 'c')": of the loop or coupling that is
/// farthest from closed at q.
[[nodiscard]] std::string OpenLoop(const Mechanism& mechanism,
                                   const std::vector<JointPlace>& joints, const Eigen::VectorXd& q);
/// "'x' by 0.3 rad": the joint that moved most between two postures.
[[nodiscard]] std::string MovedMost(const Mechanism& mechanism,
                                    const std::vector<JointPlace>& joints,
                                    const Eigen::VectorXd& from, const Eigen::VectorXd& to);
/// The branches that meet at q, each with the options that start on it: "a : b = 1 : -1 (--set
/// a=0.05 --set b=-0.05), ...". Empty where none are found.
[[nodiscard]] std::string BranchesInWords(const Mechanism& mechanism,
                                          const std::vector<JointPlace>& joints,
                                          const Eigen::VectorXd& q);
/// Why there is no acceleration where the mass matrix is singular at q: "joint 'x' has no inertia to
/// move: link 'y' and what hangs on it have no mass; ...". Empty where nothing of the kind is found.
[[nodiscard]] std::string Weightless(const Mechanism& mechanism, const Eigen::MatrixXd& rho,
                                     const Eigen::VectorXd& q);

}  // namespace kinemorph
