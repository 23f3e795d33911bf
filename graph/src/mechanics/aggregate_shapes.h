// Aggregates that are alike: what is found of one holds for all of them.
//
// Rank, closures and dead centres of an aggregate do not depend on where it stands on its parent
// body. So frames on the parent body count from the first joint; frames and axes are compared as
// rounded to 1e-12 (of the characteristic length, or of a unit vector), which is what the sums of a
// reader leave. All else - kinds of joints, limits, couplings, declarations, drives, the order of
// all these - is equal to the bit or the shapes are two.
#pragma once

#include <vector>

#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph {

/// By aggregate: the first one of its shape (often itself). Bodies, columns, loops and couplings of
/// the two correspond by position. Where nothing is constrained, frames and limits do not count.
[[nodiscard]] std::vector<int> FirstAlike(const Mechanism& mechanism);

/// Whether two of one shape stand alike in q, to the bit.
[[nodiscard]] bool StandAlike(const Mechanism& mechanism, const Aggregate& a, const Aggregate& b,
                              const Eigen::VectorXd& q);
/// Gives one its part of q as another of its shape has it.
void CopyPosture(const Mechanism& mechanism, const Aggregate& from, const Aggregate& to,
                 Eigen::VectorXd& q);

}  // namespace kinemorph
