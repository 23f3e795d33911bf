// Which links a coupling ties together: per coordinate the link it moves and the link it moves it
// against.
#pragma once

#include <vector>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

struct CoupledLink {
  LinkId moved;    ///< the child of the coordinate's joint in the tree
  LinkId against;  ///< its parent
};

/// kRatio: its two links, against themselves (paths end at their nearest common ancestor).
/// Otherwise one per term.
[[nodiscard]] std::vector<CoupledLink> CoupledLinks(const Model& model, const SpanningTree& tree,
                                                    const Coupling& coupling);
/// The nearest common ancestor at which the paths of a coupling begin; kNoLink when it ties
/// nothing.
[[nodiscard]] LinkId CouplingAncestor(const SpanningTree& tree,
                                      const std::vector<CoupledLink>& links);
/// A link of the coupling inside its aggregate, kNoLink when it ties nothing.
[[nodiscard]] LinkId InnerLink(const SpanningTree& tree, const std::vector<CoupledLink>& links);
/// The end of a loop joint that is not the nearest common ancestor of both: it is inside the
/// aggregate.
[[nodiscard]] LinkId InnerEnd(const Model& model, const SpanningTree& tree, JointId loop);

}  // namespace kinemorph
