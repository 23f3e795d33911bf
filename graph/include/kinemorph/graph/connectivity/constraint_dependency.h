// The constraint dependency digraph (CDD), URDF+ paper, Algorithm 3.
//
// Vertices are links. Tree edges run parent -> child. Per loop joint with nearest common ancestor
// c, nu_p = path (c, p], nu_s = path (c, s]:  p -> min nu_s  and  s -> min nu_p,  each where the
// other chain is not empty; when p = c only s -> min nu_s (one edge closes nu_s), and
// symmetrically. Couplings take the same rule over the links their joints move (c is the nearest
// common ancestor of those joints' parents), so that every joint named in the row is inside.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <utility>
#include <vector>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

/// The CDD of a model with its spanning tree. Links that constrain each other are one strongly
/// connected component.
struct ConstraintDependencyDigraph {
  /// Fixed once built; vertex descriptors are the values of LinkId.
  using Digraph = boost::compressed_sparse_row_graph<boost::directedS>;
  Digraph digraph;                                    ///< vertex i is LinkId{i}, world included
  std::vector<std::pair<LinkId, LinkId>> tree_edges;  ///< (parent, child), in tree order
  /// (from, to) of loops and couplings, without repetition.
  std::vector<std::pair<LinkId, LinkId>> loop_edges;
};

/// Builds it; `tree` must be of this model.
[[nodiscard]] ConstraintDependencyDigraph BuildConstraintDependencyDigraph(
    const Model& model, const SpanningTree& tree);

}  // namespace kinemorph
