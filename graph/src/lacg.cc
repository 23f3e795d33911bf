#include "kinemorph/graph/lacg.h"

#include <boost/graph/strong_components.hpp>

#include "coupled_links.h"

namespace kinemorph {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The end of a loop joint that is not the nearest common ancestor of both: it is inside the aggregate.
LinkId InnerEnd(const Model& model, const SpanningTree& tree, JointId loop) {
  const LinkId p = model.predecessor(loop), s = model.successor(loop);
  return tree.depth[Index(p)] > tree.depth[Index(s)] ? p : s;
}

// A link of the coupling inside its aggregate, kNoLink when it ties nothing.
LinkId InnerLink(const SpanningTree& tree, const std::vector<CoupledLink>& links) {
  LinkId inner = kNoLink;
  for (const CoupledLink& link : links) {
    if (inner == kNoLink || tree.depth[Index(link.moved)] > tree.depth[Index(inner)]) inner = link.moved;
  }
  return inner;
}

std::string Quoted(const Model& model, LinkId link) { return "'" + model.link(link).name + "'"; }

}  // namespace

LoopAggregatedConnectivityGraph BuildLoopAggregatedConnectivityGraph(const Model& model, const SpanningTree& tree,
                                                                     const ConstraintDependencyDigraph& cdd) {
  const std::size_t n = model.num_links();
  std::vector<std::uint32_t> component(n);
  const auto vertex_index = get(boost::vertex_index, cdd.digraph);
  const std::size_t num_components =
      boost::strong_components(cdd.digraph, boost::make_iterator_property_map(component.begin(), vertex_index));

  // Components are numbered anew in tree order: parents first, whatever order the search found them in.
  LoopAggregatedConnectivityGraph lacg;
  lacg.aggregates.reserve(num_components);
  lacg.aggregate_of.resize(n);
  std::vector<std::size_t> number(num_components, kNone);
  std::vector<std::uint32_t> size(num_components, 0);
  for (const std::uint32_t c : component) ++size[c];
  for (const LinkId link : tree.order) {
    std::size_t& mine = number[component[Index(link)]];
    if (mine == kNone) {
      mine = lacg.aggregates.size();
      AggregateLink& aggregate = lacg.aggregates.emplace_back();
      aggregate.links.reserve(size[component[Index(link)]]);
      aggregate.parent_link = tree.parent[Index(link)];
      if (link != kWorld) aggregate.parent = lacg.aggregate_of[Index(aggregate.parent_link)];
    }
    lacg.aggregate_of[Index(link)] = mine;
    lacg.aggregates[mine].links.push_back(link);
  }
  for (const JointId id : tree.loop_joints) {
    lacg.aggregates[lacg.aggregate_of[Index(InnerEnd(model, tree, id))]].loop_joints.push_back(id);
  }
  for (std::size_t i = 0; i < model.couplings.size(); ++i) {
    const LinkId inner = InnerLink(tree, CoupledLinks(model, tree, model.couplings[i]));
    if (inner != kNoLink) lacg.aggregates[lacg.aggregate_of[Index(inner)]].couplings.push_back(i);
  }
  return lacg;
}

std::string CheckInvariants(const Model& model, const SpanningTree& tree, const LoopAggregatedConnectivityGraph& lacg) {
  const auto aggregate_of = [&](LinkId link) { return lacg.aggregate_of[Index(link)]; };
  if (lacg.aggregates.empty() || lacg.aggregates[0].links != std::vector<LinkId>{kWorld})
    return "the first aggregate is not the world alone";
  if (lacg.aggregate_of.size() != model.num_links()) return "not every link has an aggregate";

  std::vector<int> seen(model.num_links(), 0);
  for (std::size_t a = 0; a < lacg.aggregates.size(); ++a) {
    const AggregateLink& aggregate = lacg.aggregates[a];
    if (aggregate.links.empty()) return "aggregate " + std::to_string(a) + " is empty";
    if (a > 0 && (!aggregate.parent || *aggregate.parent >= a)) return "aggregate " + std::to_string(a) + " comes before its parent";
    for (const LinkId link : aggregate.links) {
      ++seen[Index(link)];
      if (aggregate_of(link) != a) return "link " + Quoted(model, link) + " is listed in an aggregate that is not its own";
      const LinkId parent = tree.parent[Index(link)];
      if (link == kWorld || aggregate_of(parent) == a) continue;
      if (parent != aggregate.parent_link || aggregate_of(parent) != *aggregate.parent) {
        return "link " + Quoted(model, link) + " hangs on " + Quoted(model, parent) + ", its aggregate on " +
               Quoted(model, aggregate.parent_link);
      }
    }
  }
  for (const LinkId link : Links(model))
    if (seen[Index(link)] != 1) return "link " + Quoted(model, link) + " is not in exactly one aggregate";

  // A constraint is inside when every link below the nearest common ancestor is: it is enough to look at the ends of the paths.
  const auto inside = [&](LinkId c, LinkId x, std::size_t a) {
    return x == c || (aggregate_of(x) == a && aggregate_of(AncestorAtDepth(tree, x, tree.depth[Index(c)] + 1)) == a);
  };
  for (const JointId id : tree.loop_joints) {
    const LinkId p = model.predecessor(id), s = model.successor(id), c = NearestCommonAncestor(tree, p, s);
    const std::size_t a = aggregate_of(InnerEnd(model, tree, id));
    if (std::holds_alternative<Free>(model.joint(id).kind)) continue;
    if (!inside(c, p, a) || !inside(c, s, a)) return "loop joint '" + model.joint(id).name + "' reaches out of its aggregate";
  }
  for (const Coupling& coupling : model.couplings) {
    const std::vector<CoupledLink> links = CoupledLinks(model, tree, coupling);
    const LinkId inner = InnerLink(tree, links);
    if (inner == kNoLink) continue;
    const LinkId c = CouplingAncestor(tree, links);
    for (const CoupledLink& link : links) {
      if (!inside(c, link.moved, aggregate_of(inner))) return "coupling '" + coupling.name + "' reaches out of its aggregate";
    }
  }
  return {};
}

}  // namespace kinemorph
