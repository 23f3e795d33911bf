// What joints and couplings demand, compared as such: a joint is the set of poses that its two
// links may take to each other, and a coupling an equation. That does not depend on states, on the
// way the loops are cut, or on whether anything can be assembled.
#pragma once

#include <vector>

#include "verify/excuses.h"

namespace kinemorph::verify {

/// Where both sides demand exactly the same.
struct Relations {
  std::vector<JointId> b_of_a;     // by joint of A: its counterpart between the same two links;
                                   // kNoJoint where there is none
  std::vector<bool> same_joint_b;  // by joint of B: the same set of poses as its counterpart
  std::vector<bool> same_coupling_b;
  /// By coupling of B: the equations of both, where those differ.
  std::vector<std::string> equations_b;
  /// Every link, joint and coupling of either side has a counterpart that demands the same: the
  /// mechanisms are one by construction.
  bool identical = false;
};

/// The intermediate links that no file names are matched by the joints that lead to them.
void MatchSynthetic(const Side& a, const Side& b, const VerifyOptions& options,
                    Correspondence& match);

/// Joints and couplings, name by name or between the same links; says which are renamed, and which
/// demand something else.
[[nodiscard]] Relations CompareRelations(const Side& a, const Side& b, const Correspondence& match,
                                         const VerifyOptions& options, Excuses& excuses,
                                         std::vector<Worst>& checks);

}  // namespace kinemorph::verify
