#include "kinemorph/graph/connectivity/lacg.h"

#include <algorithm>
#include <array>
#include <limits>

#include "connectivity/coupled_links.h"
#include "kinemorph/graph/base/disjoint_sets.h"

namespace kinemorph {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Sets of links that constraints hold together, each hanging on one link above.
class Paths {
 public:
  explicit Paths(const SpanningTree& tree)
      : tree_(tree), sets_(tree.order.size()), above_(tree.parent) {}

  /// The paths from c (excluded) down to the links become one set.
  template <class LinkRange>
  void Tie(const LinkRange& links, LinkId c) {
    std::uint32_t all = kNone;
    for (const LinkId link : links) {
      if (link == c) continue;
      std::uint32_t set = sets_.Find(Index(link));
      while (Depth(above_[set]) > Depth(c)) set = Join(set, sets_.Find(Index(above_[set])));
      all = all == kNone ? set : Join(all, set);
    }
  }
  [[nodiscard]] std::uint32_t Of(LinkId link) { return sets_.Find(Index(link)); }

 private:
  [[nodiscard]] std::uint32_t Depth(LinkId link) const { return tree_.depth[Index(link)]; }
  std::uint32_t Join(std::uint32_t a, std::uint32_t b) {
    const LinkId above = Depth(above_[a]) < Depth(above_[b]) ? above_[a] : above_[b];
    sets_.Unite(a, b);
    const std::uint32_t joined = sets_.Find(a);
    above_[joined] = above;
    return joined;
  }

  const SpanningTree& tree_;
  DisjointSets sets_;
  std::vector<LinkId> above_;  // by set
};

// Items by group, in their order, as one array; `view(group, span)` gets the part of each group
// that has any.
template <class T, class GroupOf, class View>
void Gather(const std::vector<T>& items, std::size_t groups, GroupOf&& group_of,
            std::vector<T>& gathered, View&& view) {
  std::vector<std::uint32_t> end(
      groups + 1, 0);  // first where the group before ends, at last where it ends itself
  for (const T& item : items) ++end[group_of(item) + 1];
  for (std::size_t g = 1; g <= groups; ++g) end[g] += end[g - 1];
  gathered.resize(items.size());
  for (const T& item : items) gathered[end[group_of(item)]++] = item;
  for (std::size_t g = 0, begin = 0; g < groups; begin = end[g++])
    if (end[g] > begin) view(g, std::span<const T>(gathered.data() + begin, end[g] - begin));
}

// The end of a loop joint that is not the nearest common ancestor of both: it is inside the
// aggregate.
LinkId InnerEnd(const Model& model, const SpanningTree& tree, JointId loop) {
  const LinkId p = model.predecessor(loop), s = model.successor(loop);
  return tree.depth[Index(p)] > tree.depth[Index(s)] ? p : s;
}

// A link of the coupling inside its aggregate, kNoLink when it ties nothing.
LinkId InnerLink(const SpanningTree& tree, const std::vector<CoupledLink>& links) {
  LinkId inner = kNoLink;
  for (const CoupledLink& link : links) {
    if (inner == kNoLink || tree.depth[Index(link.moved)] > tree.depth[Index(inner)])
      inner = link.moved;
  }
  return inner;
}

std::string Quoted(const Model& model, LinkId link) { return "'" + model.link(link).name + "'"; }

}  // namespace

Clusters ClusterLinks(const Model& model, const SpanningTree& tree) {
  Paths paths(tree);
  for (const JointId id : tree.loop_joints) {
    if (std::holds_alternative<Free>(model.joint(id).kind)) continue;  // constrains nothing
    const std::array<LinkId, 2> ends{model.predecessor(id), model.successor(id)};
    paths.Tie(ends, NearestCommonAncestor(tree, ends[0], ends[1]));
  }
  std::vector<LinkId> moved;
  for (const Coupling& coupling : model.couplings) {
    const std::vector<CoupledLink> links = CoupledLinks(model, tree, coupling);
    moved.clear();
    for (const CoupledLink& link : links) moved.push_back(link.moved);
    if (!links.empty()) paths.Tie(moved, CouplingAncestor(tree, links));
  }
  Clusters clusters;
  clusters.of.resize(model.num_links());
  std::vector<std::uint32_t> number(model.num_links(), kNone);  // by set
  for (const LinkId link : tree.order) {
    std::uint32_t& mine = number[paths.Of(link)];
    if (mine == kNone) mine = clusters.count++;
    clusters.of[Index(link)] = mine;
  }
  return clusters;
}

LoopAggregatedConnectivityGraph BuildLoopAggregatedConnectivityGraph(const Model& model,
                                                                     const SpanningTree& tree) {
  LoopAggregatedConnectivityGraph lacg;
  Clusters clusters = ClusterLinks(model, tree);
  const std::size_t count = clusters.count;
  lacg.aggregate_of = std::move(clusters.of);
  lacg.aggregates.resize(count);
  const auto aggregate_of = [&](LinkId link) { return lacg.aggregate_of[Index(link)]; };
  Gather(tree.order, count, aggregate_of, lacg.links,
         [&](std::size_t a, std::span<const LinkId> links) {
           AggregateLink& aggregate = lacg.aggregates[a];
           aggregate.links = links;
           aggregate.parent_link = tree.parent[Index(links.front())];
           if (links.front() != kWorld) aggregate.parent = aggregate_of(aggregate.parent_link);
         });
  const auto of_loop = [&](JointId id) { return aggregate_of(InnerEnd(model, tree, id)); };
  Gather(tree.loop_joints, count, of_loop, lacg.loop_joints,
         [&](std::size_t a, std::span<const JointId> joints) {
           lacg.aggregates[a].loop_joints = joints;
         });
  std::vector<std::size_t> couplings;
  std::vector<std::uint32_t> of_coupling(model.couplings.size());
  for (std::size_t i = 0; i < model.couplings.size(); ++i) {
    const LinkId inner = InnerLink(tree, CoupledLinks(model, tree, model.couplings[i]));
    if (inner != kNoLink) couplings.push_back(i), of_coupling[i] = aggregate_of(inner);
  }
  Gather(
      couplings, count, [&](std::size_t i) { return of_coupling[i]; }, lacg.couplings,
      [&](std::size_t a, std::span<const std::size_t> indices) {
        lacg.aggregates[a].couplings = indices;
      });
  return lacg;
}

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
