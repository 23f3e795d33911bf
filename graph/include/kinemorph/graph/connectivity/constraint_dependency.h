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

struct ConstraintDependencyDigraph {
  using Digraph = boost::compressed_sparse_row_graph<boost::directedS>;
  Digraph digraph;  ///< vertex i is LinkId{i}, world included
  std::vector<std::pair<LinkId, LinkId>> tree_edges;
  std::vector<std::pair<LinkId, LinkId>>
      loop_edges;  ///< from loops and couplings, without repetition
};

[[nodiscard]] ConstraintDependencyDigraph BuildConstraintDependencyDigraph(
    const Model& model, const SpanningTree& tree);

}  // namespace kinemorph
