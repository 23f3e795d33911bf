#include "lacg_invariants.h"

#include "connectivity/coupled_links.h"

namespace kinemorph {
namespace {

std::string Quoted(const Model& model, LinkId link) { return "'" + model.link(link).name + "'"; }

}  // namespace

std::string CheckInvariants(const Model& model, const SpanningTree& tree,
                            const LoopAggregatedConnectivityGraph& lacg) {
  const auto aggregate_of = [&](LinkId link) { return lacg.aggregate_of[Index(link)]; };
  if (lacg.aggregates.empty() || lacg.aggregates[0].links.size() != 1 ||
      lacg.aggregates[0].links[0] != kWorld)
    return "the first aggregate is not the world alone";
  if (lacg.aggregate_of.size() != model.num_links()) return "not every link has an aggregate";

  std::vector<int> seen(model.num_links(), 0);
  for (std::size_t a = 0; a < lacg.aggregates.size(); ++a) {
    const AggregateLink& aggregate = lacg.aggregates[a];
    if (aggregate.links.empty()) return "aggregate " + std::to_string(a) + " is empty";
    if (a > 0 && (!aggregate.parent || *aggregate.parent >= a))
      return "aggregate " + std::to_string(a) + " comes before its parent";
    for (const LinkId link : aggregate.links) {
      ++seen[Index(link)];
      if (aggregate_of(link) != a)
        return "link " + Quoted(model, link) + " is listed in an aggregate that is not its own";
      const LinkId parent = tree.parent[Index(link)];
      if (link == kWorld || aggregate_of(parent) == a) continue;
      if (parent != aggregate.parent_link || aggregate_of(parent) != *aggregate.parent) {
        return "link " + Quoted(model, link) + " hangs on " + Quoted(model, parent) +
               ", its aggregate on " + Quoted(model, aggregate.parent_link);
      }
    }
  }
  for (const LinkId link : Links(model))
    if (seen[Index(link)] != 1)
      return "link " + Quoted(model, link) + " is not in exactly one aggregate";

  // A constraint is inside when every link below the nearest common ancestor is: it is enough to
  // look at the ends of the paths.
  const auto inside = [&](LinkId c, LinkId x, std::size_t a) {
    return x == c || (aggregate_of(x) == a &&
                      aggregate_of(AncestorAtDepth(tree, x, tree.depth[Index(c)] + 1)) == a);
  };
  for (const JointId id : tree.loop_joints) {
    const LinkId p = model.predecessor(id), s = model.successor(id),
                 c = NearestCommonAncestor(tree, p, s);
    const std::size_t a = aggregate_of(InnerEnd(model, tree, id));
    if (std::holds_alternative<Free>(model.joint(id).kind)) continue;
    if (!inside(c, p, a) || !inside(c, s, a))
      return "loop joint '" + model.joint(id).name + "' reaches out of its aggregate";
  }
  for (const Coupling& coupling : model.couplings) {
    const std::vector<CoupledLink> links = CoupledLinks(model, tree, coupling);
    const LinkId inner = InnerLink(tree, links);
    if (inner == kNoLink) continue;
    const LinkId c = CouplingAncestor(tree, links);
    for (const CoupledLink& link : links) {
      if (!inside(c, link.moved, aggregate_of(inner)))
        return "coupling '" + coupling.name + "' reaches out of its aggregate";
    }
  }
  return {};
}

}  // namespace kinemorph
